/* Four floats as one value: a vertex with its error, a corner of a box. For code that works on one primitive at a time;
 * base/simd.h is for loops over many. All versions give the same bits. */
#ifndef GRAZE_BASE_FOUR_FLOATS_H
#define GRAZE_BASE_FOUR_FLOATS_H

#include <stdint.h>
#include <string.h>

#if defined(__ARM_NEON)

#include <arm_neon.h>
typedef float32x4_t four_floats;
static inline four_floats four_floats_load(const float *from) {
  return vld1q_f32(from);
}
static inline void four_floats_store(float *to, four_floats a) {
  vst1q_f32(to, a);
}
static inline four_floats four_floats_fill(float value) {
  return vdupq_n_f32(value);
}
static inline four_floats four_floats_fill_last(four_floats a) {
  return vdupq_laneq_f32(a, 3);
}
static inline four_floats four_floats_add(four_floats a, four_floats b) {
  return vaddq_f32(a, b);
}
static inline four_floats four_floats_subtract(four_floats a, four_floats b) {
  return vsubq_f32(a, b);
}
static inline four_floats four_floats_multiply(four_floats a, four_floats b) {
  return vmulq_f32(a, b);
}
static inline four_floats four_floats_smaller(four_floats a, four_floats b) {
  return vminq_f32(a, b);
}
static inline four_floats four_floats_larger(four_floats a, four_floats b) {
  return vmaxq_f32(a, b);
}
static inline void four_floats_transpose(four_floats rows[4]) {
  const float32x4x2_t low = vzipq_f32(rows[0], rows[2]), high = vzipq_f32(rows[1], rows[3]);
  const float32x4x2_t first = vzipq_f32(low.val[0], high.val[0]), last = vzipq_f32(low.val[1], high.val[1]);
  rows[0] = first.val[0];
  rows[1] = first.val[1];
  rows[2] = last.val[0];
  rows[3] = last.val[1];
}
static inline float four_floats_least(four_floats a) {
  return vminvq_f32(a);
}
static inline float four_floats_greatest(four_floats a) {
  return vmaxvq_f32(a);
}

#elif defined(__SSE2__)

#include <emmintrin.h>
typedef __m128 four_floats;
static inline four_floats four_floats_load(const float *from) {
  return _mm_loadu_ps(from);
}
static inline void four_floats_store(float *to, four_floats a) {
  _mm_storeu_ps(to, a);
}
static inline four_floats four_floats_fill(float value) {
  return _mm_set1_ps(value);
}
static inline four_floats four_floats_fill_last(four_floats a) {
  return _mm_shuffle_ps(a, a, 0xff);
}
static inline four_floats four_floats_add(four_floats a, four_floats b) {
  return _mm_add_ps(a, b);
}
static inline four_floats four_floats_subtract(four_floats a, four_floats b) {
  return _mm_sub_ps(a, b);
}
static inline four_floats four_floats_multiply(four_floats a, four_floats b) {
  return _mm_mul_ps(a, b);
}
static inline four_floats four_floats_smaller(four_floats a, four_floats b) {
  return _mm_min_ps(a, b);
}
static inline four_floats four_floats_larger(four_floats a, four_floats b) {
  return _mm_max_ps(a, b);
}
static inline void four_floats_transpose(four_floats rows[4]) {
  _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
}
static inline float four_floats_least(four_floats a) {
  const __m128 pair = _mm_min_ps(a, _mm_movehl_ps(a, a));
  return _mm_cvtss_f32(_mm_min_ss(pair, _mm_shuffle_ps(pair, pair, 1)));
}
static inline float four_floats_greatest(four_floats a) {
  const __m128 pair = _mm_max_ps(a, _mm_movehl_ps(a, a));
  return _mm_cvtss_f32(_mm_max_ss(pair, _mm_shuffle_ps(pair, pair, 1)));
}

#elif defined(__wasm_simd128__)

#include <wasm_simd128.h>
typedef v128_t four_floats;
static inline four_floats four_floats_load(const float *from) {
  return wasm_v128_load(from);
}
static inline void four_floats_store(float *to, four_floats a) {
  wasm_v128_store(to, a);
}
static inline four_floats four_floats_fill(float value) {
  return wasm_f32x4_splat(value);
}
static inline four_floats four_floats_fill_last(four_floats a) {
  return wasm_i32x4_shuffle(a, a, 3, 3, 3, 3);
}
static inline four_floats four_floats_add(four_floats a, four_floats b) {
  return wasm_f32x4_add(a, b);
}
static inline four_floats four_floats_subtract(four_floats a, four_floats b) {
  return wasm_f32x4_sub(a, b);
}
static inline four_floats four_floats_multiply(four_floats a, four_floats b) {
  return wasm_f32x4_mul(a, b);
}
/* The pseudo-minimum is a single instruction on x86 too; the minimum takes seven. */
static inline four_floats four_floats_smaller(four_floats a, four_floats b) {
  return wasm_f32x4_pmin(a, b);
}
static inline four_floats four_floats_larger(four_floats a, four_floats b) {
  return wasm_f32x4_pmax(a, b);
}
static inline void four_floats_transpose(four_floats rows[4]) {
  const v128_t ab_low = wasm_i32x4_shuffle(rows[0], rows[1], 0, 4, 1, 5);
  const v128_t ab_high = wasm_i32x4_shuffle(rows[0], rows[1], 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(rows[2], rows[3], 0, 4, 1, 5);
  const v128_t cd_high = wasm_i32x4_shuffle(rows[2], rows[3], 2, 6, 3, 7);
  rows[0] = wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
  rows[1] = wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
  rows[2] = wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
  rows[3] = wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
}
static inline float four_floats_least(four_floats a) {
  const v128_t pair = wasm_f32x4_pmin(a, wasm_i32x4_shuffle(a, a, 2, 3, 2, 3));
  return wasm_f32x4_extract_lane(wasm_f32x4_pmin(pair, wasm_i32x4_shuffle(pair, pair, 1, 1, 1, 1)), 0);
}
static inline float four_floats_greatest(four_floats a) {
  const v128_t pair = wasm_f32x4_pmax(a, wasm_i32x4_shuffle(a, a, 2, 3, 2, 3));
  return wasm_f32x4_extract_lane(wasm_f32x4_pmax(pair, wasm_i32x4_shuffle(pair, pair, 1, 1, 1, 1)), 0);
}

#else

typedef struct four_floats {
  float lane[4];
} four_floats;
#define FOUR_FLOATS_EACH(expression)                                                                                   \
  four_floats result;                                                                                                  \
  for (int i = 0; i < 4; i++) result.lane[i] = (expression);                                                           \
  return result
static inline four_floats four_floats_load(const float *from) {
  FOUR_FLOATS_EACH(from[i]);
}
static inline void four_floats_store(float *to, four_floats a) {
  memcpy(to, a.lane, sizeof a.lane);
}
static inline four_floats four_floats_fill(float value) {
  FOUR_FLOATS_EACH(value);
}
static inline four_floats four_floats_fill_last(four_floats a) {
  FOUR_FLOATS_EACH(a.lane[3]);
}
static inline four_floats four_floats_add(four_floats a, four_floats b) {
  FOUR_FLOATS_EACH(a.lane[i] + b.lane[i]);
}
static inline four_floats four_floats_subtract(four_floats a, four_floats b) {
  FOUR_FLOATS_EACH(a.lane[i] - b.lane[i]);
}
static inline four_floats four_floats_multiply(four_floats a, four_floats b) {
  FOUR_FLOATS_EACH(a.lane[i] * b.lane[i]);
}
static inline four_floats four_floats_smaller(four_floats a, four_floats b) {
  FOUR_FLOATS_EACH(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline four_floats four_floats_larger(four_floats a, four_floats b) {
  FOUR_FLOATS_EACH(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline void four_floats_transpose(four_floats rows[4]) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) {
      const float kept = rows[i].lane[j];
      rows[i].lane[j] = rows[j].lane[i];
      rows[j].lane[i] = kept;
    }
}
static inline float four_floats_least(four_floats a) {
  float least = a.lane[0];
  for (int i = 1; i < 4; i++) least = a.lane[i] < least ? a.lane[i] : least;
  return least;
}
static inline float four_floats_greatest(four_floats a) {
  float greatest = a.lane[0];
  for (int i = 1; i < 4; i++) greatest = a.lane[i] > greatest ? a.lane[i] : greatest;
  return greatest;
}
#undef FOUR_FLOATS_EACH

#endif

/* Eight one-byte numbers in one word, the first in the lowest byte. All versions give the same bits.
 *
 * eight_bytes_least: the bytewise minimum. eight_bytes_of: the integer parts of values from 0 to below 256; the lowest
 * four bytes are those of `low`. */

#if defined(__ARM_NEON)

static inline uint64_t eight_bytes_least(uint64_t a, uint64_t b) {
  return vget_lane_u64(vreinterpret_u64_u8(vmin_u8(vcreate_u8(a), vcreate_u8(b))), 0);
}
static inline uint64_t eight_bytes_of(four_floats low, four_floats high) {
  const uint16x8_t words = vcombine_u16(vmovn_u32(vcvtq_u32_f32(low)), vmovn_u32(vcvtq_u32_f32(high)));
  return vget_lane_u64(vreinterpret_u64_u8(vmovn_u16(words)), 0);
}

#elif defined(__SSE2__) && defined(__x86_64__)

static inline uint64_t eight_bytes_least(uint64_t a, uint64_t b) {
  return (uint64_t)_mm_cvtsi128_si64(_mm_min_epu8(_mm_cvtsi64_si128((int64_t)a), _mm_cvtsi64_si128((int64_t)b)));
}
static inline uint64_t eight_bytes_of(four_floats low, four_floats high) {
  const __m128i words = _mm_packs_epi32(_mm_cvttps_epi32(low), _mm_cvttps_epi32(high));
  return (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(words, words));
}

#elif defined(__wasm_simd128__)

static inline uint64_t eight_bytes_least(uint64_t a, uint64_t b) {
  return wasm_u64x2_extract_lane(wasm_u8x16_min(wasm_u64x2_splat(a), wasm_u64x2_splat(b)), 0);
}
static inline uint64_t eight_bytes_of(four_floats low, four_floats high) {
  const v128_t words = wasm_i16x8_narrow_i32x4(wasm_i32x4_trunc_sat_f32x4(low), wasm_i32x4_trunc_sat_f32x4(high));
  return wasm_u64x2_extract_lane(wasm_u8x16_narrow_i16x8(words, words), 0);
}

#else

static inline uint64_t eight_bytes_least(uint64_t a, uint64_t b) {
  uint64_t least = 0;
  for (int shift = 0; shift < 64; shift += 8) {
    const uint64_t of_a = a >> shift & 255u, of_b = b >> shift & 255u;
    least |= (of_a < of_b ? of_a : of_b) << shift;
  }
  return least;
}
static inline uint64_t eight_bytes_of(four_floats low, four_floats high) {
  float values[8];
  four_floats_store(values, low);
  four_floats_store(values + 4, high);
  uint64_t bytes = 0;
  for (int i = 0; i < 8; i++) bytes |= (uint64_t)values[i] << (8 * i);
  return bytes;
}

#endif

#endif

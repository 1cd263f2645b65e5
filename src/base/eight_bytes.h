/* Eight one-byte numbers in one word, the first in the lowest byte. All versions give the same bits.
 *
 * eight_bytes_least: the bytewise minimum. eight_bytes_of: the integer parts of values from 0 to below 256; the lowest
 * four bytes are those of `low`. */
#ifndef GRAZE_BASE_EIGHT_BYTES_H
#define GRAZE_BASE_EIGHT_BYTES_H

#include "base/four_floats.h"

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

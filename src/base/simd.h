/* A portable vocabulary for vector units: 1, 4 or 8 lanes of float and 32-bit integers.
 *
 * A kernel is written once with these names and compiled once per width, with SIMD_WIDTH defined
 * (src/core_sources.cmake). Width 1 is plain C, and the reference for the others. Every operation rounds like the
 * scalar one, so all widths give the same bits; only a GPU fuses, where a name says that it may. Masks are lanes of all
 * ones or all zeros.
 */
#ifndef GRAZE_BASE_SIMD_H
#define GRAZE_BASE_SIMD_H

#include <stddef.h>
#include <stdint.h>

#ifndef SIMD_WIDTH
#error "define SIMD_WIDTH as 1, 4 or 8 before this header"
#endif

/* The name of a table of kernels of this width: SIMD_KERNELS of simd_choice.h chooses one. */
#if SIMD_WIDTH == 1
#define SIMD_NAMED(table) table##_scalar
#elif SIMD_WIDTH == 4
#define SIMD_NAMED(table) table##_128
#else
#define SIMD_NAMED(table) table##_256
#endif

/* One lane is also the vocabulary of a GPU's threads. */
#if defined(__CUDACC__)
#define SIMD_FUNCTION static __host__ __device__ inline
#else
#define SIMD_FUNCTION static inline
#endif

/* Byte shuffles that move the selected of four lanes to the front, for each of the 16 selections. */
#if SIMD_WIDTH == 4
#define SIMD_LANE(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
#define SIMD_LANES(a, b, c, d)                                                                                         \
  { SIMD_LANE(a), SIMD_LANE(b), SIMD_LANE(c), SIMD_LANE(d) }
static const uint8_t simd_compress_table[16][16] = {
    SIMD_LANES(0, 1, 2, 3), SIMD_LANES(0, 1, 2, 3), SIMD_LANES(1, 0, 2, 3), SIMD_LANES(0, 1, 2, 3),
    SIMD_LANES(2, 0, 1, 3), SIMD_LANES(0, 2, 1, 3), SIMD_LANES(1, 2, 0, 3), SIMD_LANES(0, 1, 2, 3),
    SIMD_LANES(3, 0, 1, 2), SIMD_LANES(0, 3, 1, 2), SIMD_LANES(1, 3, 0, 2), SIMD_LANES(0, 1, 3, 2),
    SIMD_LANES(2, 3, 0, 1), SIMD_LANES(0, 2, 3, 1), SIMD_LANES(1, 2, 3, 0), SIMD_LANES(0, 1, 2, 3)};
#endif

/* The numbers of the selected of eight lanes, one byte each from the lowest on, for each of the 256 selections: 2 KB,
 * and one shuffle and one store for each array that they compress. */
#if SIMD_WIDTH == 8
#define SIMD_BIT(bits, lane) ((uint64_t)((bits) >> (lane)) & 1)
#define SIMD_BITS_BELOW_4(bits, lane)                                                                                  \
  (((lane) > 0 ? SIMD_BIT(bits, 0) : 0) + ((lane) > 1 ? SIMD_BIT(bits, 1) : 0) +                                       \
   ((lane) > 2 ? SIMD_BIT(bits, 2) : 0) + ((lane) > 3 ? SIMD_BIT(bits, 3) : 0))
#define SIMD_BITS_BELOW(bits, lane) (SIMD_BITS_BELOW_4(bits, lane) + SIMD_BITS_BELOW_4((bits) >> 4, (lane)-4))
#define SIMD_PLACE(bits, lane) ((SIMD_BIT(bits, lane) * (lane)) << (8 * SIMD_BITS_BELOW(bits, lane)))
#define SIMD_ORDER(bits)                                                                                               \
  SIMD_PLACE(bits, 1) | SIMD_PLACE(bits, 2) | SIMD_PLACE(bits, 3) | SIMD_PLACE(bits, 4) | SIMD_PLACE(bits, 5) |        \
      SIMD_PLACE(bits, 6) | SIMD_PLACE(bits, 7)
#define SIMD_ORDERS_4(bits) SIMD_ORDER(bits), SIMD_ORDER((bits) + 1), SIMD_ORDER((bits) + 2), SIMD_ORDER((bits) + 3)
#define SIMD_ORDERS_16(bits)                                                                                           \
  SIMD_ORDERS_4(bits), SIMD_ORDERS_4((bits) + 4), SIMD_ORDERS_4((bits) + 8), SIMD_ORDERS_4((bits) + 12)
#define SIMD_ORDERS_64(bits)                                                                                           \
  SIMD_ORDERS_16(bits), SIMD_ORDERS_16((bits) + 16), SIMD_ORDERS_16((bits) + 32), SIMD_ORDERS_16((bits) + 48)
static const uint64_t simd_compress_table[256] = {SIMD_ORDERS_64(0), SIMD_ORDERS_64(64), SIMD_ORDERS_64(128),
                                                  SIMD_ORDERS_64(192)};
#endif

/* The number of selected lanes. */
static inline size_t simd_count_bits(uint32_t bits) {
#if SIMD_WIDTH > 4
  return (size_t)__builtin_popcount(bits);
#else
  static const uint8_t count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  return count[bits];
#endif
}

#if SIMD_WIDTH == 1

#include <math.h>
#include <string.h>

typedef float simd_float;
typedef uint32_t simd_word;

SIMD_FUNCTION simd_float simd_load(const float *from) {
  return *from;
}
SIMD_FUNCTION simd_word simd_load_word(const uint32_t *from) {
  return *from;
}
SIMD_FUNCTION void simd_store(float *to, simd_float a) {
  *to = a;
}
/* The first four lanes, or all if there are fewer. */
SIMD_FUNCTION void simd_store_four(float *to, simd_float a) {
  *to = a;
}
SIMD_FUNCTION void simd_store_word(uint32_t *to, simd_word a) {
  *to = a;
}
SIMD_FUNCTION simd_float simd_set(float value) {
  return value;
}
SIMD_FUNCTION simd_word simd_set_word(uint32_t value) {
  return value;
}
/* Lane by lane: first, first + 1, and so on. */
SIMD_FUNCTION simd_word simd_count_from(uint32_t first) {
  return first;
}
SIMD_FUNCTION simd_float simd_add(simd_float a, simd_float b) {
  return a + b;
}
SIMD_FUNCTION simd_float simd_subtract(simd_float a, simd_float b) {
  return a - b;
}
SIMD_FUNCTION simd_float simd_multiply(simd_float a, simd_float b) {
  return a * b;
}
/* For quotients of numbers between 2^-126 and 2^126 whose last bits may be wrong; devices compute these faster. */
SIMD_FUNCTION simd_float simd_divide_roughly(simd_float a, simd_float b) {
#if defined(__CUDA_ARCH__)
  return __fdividef(a, b);
#else
  return a / b;
#endif
}
/* For numbers: the result for NaN, and for zeros of different signs, is unspecified. */
SIMD_FUNCTION simd_float simd_minimum(simd_float a, simd_float b) {
#if defined(__CUDA_ARCH__)
  return fminf(a, b); /* one instruction; the choice below is two */
#else
  return a < b ? a : b;
#endif
}
SIMD_FUNCTION simd_float simd_maximum(simd_float a, simd_float b) {
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}
SIMD_FUNCTION simd_float simd_absolute(simd_float a) {
  return fabsf(a);
}
SIMD_FUNCTION simd_word simd_less_equal(simd_float a, simd_float b) {
  return a <= b ? ~0u : 0u;
}
SIMD_FUNCTION simd_word simd_less(simd_float a, simd_float b) {
  return a < b ? ~0u : 0u;
}
SIMD_FUNCTION simd_word simd_and(simd_word a, simd_word b) {
  return a & b;
}
SIMD_FUNCTION simd_word simd_or(simd_word a, simd_word b) {
  return a | b;
}
SIMD_FUNCTION simd_word simd_equal_words(simd_word a, simd_word b) {
  return a == b ? ~0u : 0u;
}
/* Lane by lane: a where the mask is set, else b. */
SIMD_FUNCTION simd_float simd_select(simd_word mask, simd_float a, simd_float b) {
  return mask != 0 ? a : b;
}
SIMD_FUNCTION uint32_t simd_bits(simd_word mask) {
  return mask & 1u;
}
SIMD_FUNCTION void simd_compress(float *to, simd_float a, uint32_t bits) {
  (void)bits;
  *to = a;
}
SIMD_FUNCTION void simd_compress_word(uint32_t *to, simd_word a, uint32_t bits) {
  (void)bits;
  *to = a;
}
/* Lane i of x, y, z, w comes from the four floats at base + 4 * index[i], which are aligned to 16 bytes. */
SIMD_FUNCTION void simd_gather_rows(const float *base, const uint32_t *index, simd_float out[4]) {
#if defined(__CUDA_ARCH__) /* one load; a copy would be sixteen byte loads */
  const float4 row = *(const float4 *)(const void *)(base + 4 * (size_t)index[0]);
  out[0] = row.x;
  out[1] = row.y;
  out[2] = row.z;
  out[3] = row.w;
#else
  memcpy(out, base + 4 * (size_t)index[0], 4 * sizeof(float));
#endif
}

#elif SIMD_WIDTH == 4 && defined(__ARM_NEON)

#include <arm_neon.h>

typedef float32x4_t simd_float;
typedef uint32x4_t simd_word;

static inline simd_float simd_load(const float *from) {
  return vld1q_f32(from);
}
static inline simd_word simd_load_word(const uint32_t *from) {
  return vld1q_u32(from);
}
static inline void simd_store(float *to, simd_float a) {
  vst1q_f32(to, a);
}
static inline void simd_store_four(float *to, simd_float a) {
  vst1q_f32(to, a);
}
static inline void simd_store_word(uint32_t *to, simd_word a) {
  vst1q_u32(to, a);
}
static inline simd_float simd_set(float value) {
  return vdupq_n_f32(value);
}
static inline simd_word simd_set_word(uint32_t value) {
  return vdupq_n_u32(value);
}
static inline simd_word simd_count_from(uint32_t first) {
  const uint32x4_t lane = {0, 1, 2, 3};
  return vaddq_u32(vdupq_n_u32(first), lane);
}
static inline simd_float simd_add(simd_float a, simd_float b) {
  return vaddq_f32(a, b);
}
static inline simd_float simd_subtract(simd_float a, simd_float b) {
  return vsubq_f32(a, b);
}
static inline simd_float simd_multiply(simd_float a, simd_float b) {
  return vmulq_f32(a, b);
}
static inline simd_float simd_divide_roughly(simd_float a, simd_float b) {
  return vdivq_f32(a, b);
}
static inline simd_float simd_minimum(simd_float a, simd_float b) {
  return vminq_f32(a, b);
}
static inline simd_float simd_maximum(simd_float a, simd_float b) {
  return vmaxq_f32(a, b);
}
static inline simd_float simd_absolute(simd_float a) {
  return vabsq_f32(a);
}
static inline simd_word simd_less_equal(simd_float a, simd_float b) {
  return vcleq_f32(a, b);
}
static inline simd_word simd_less(simd_float a, simd_float b) {
  return vcltq_f32(a, b);
}
static inline simd_word simd_and(simd_word a, simd_word b) {
  return vandq_u32(a, b);
}
static inline simd_word simd_or(simd_word a, simd_word b) {
  return vorrq_u32(a, b);
}
static inline simd_word simd_equal_words(simd_word a, simd_word b) {
  return vceqq_u32(a, b);
}
static inline simd_float simd_select(simd_word mask, simd_float a, simd_float b) {
  return vbslq_f32(mask, a, b);
}
static inline uint32_t simd_bits(simd_word mask) {
  const uint32x4_t weight = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(mask, weight));
}
static inline void simd_compress(float *to, simd_float a, uint32_t bits) {
  const uint8x16_t order = vld1q_u8(simd_compress_table[bits]);
  vst1q_f32(to, vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(a), order)));
}
static inline void simd_compress_word(uint32_t *to, simd_word a, uint32_t bits) {
  const uint8x16_t order = vld1q_u8(simd_compress_table[bits]);
  vst1q_u32(to, vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(a), order)));
}
static inline void simd_gather_rows(const float *base, const uint32_t *index, simd_float out[4]) {
  const float32x4_t a = vld1q_f32(base + 4 * (size_t)index[0]), b = vld1q_f32(base + 4 * (size_t)index[1]);
  const float32x4_t c = vld1q_f32(base + 4 * (size_t)index[2]), d = vld1q_f32(base + 4 * (size_t)index[3]);
  const float64x2_t ab_low = vreinterpretq_f64_f32(vzip1q_f32(a, b)), ab_high = vreinterpretq_f64_f32(vzip2q_f32(a, b));
  const float64x2_t cd_low = vreinterpretq_f64_f32(vzip1q_f32(c, d)), cd_high = vreinterpretq_f64_f32(vzip2q_f32(c, d));
  out[0] = vreinterpretq_f32_f64(vzip1q_f64(ab_low, cd_low));
  out[1] = vreinterpretq_f32_f64(vzip2q_f64(ab_low, cd_low));
  out[2] = vreinterpretq_f32_f64(vzip1q_f64(ab_high, cd_high));
  out[3] = vreinterpretq_f32_f64(vzip2q_f64(ab_high, cd_high));
}

#elif SIMD_WIDTH == 4 && defined(__SSE2__)

#include <emmintrin.h>

typedef __m128 simd_float;
typedef __m128i simd_word;

static inline simd_float simd_load(const float *from) {
  return _mm_loadu_ps(from);
}
static inline simd_word simd_load_word(const uint32_t *from) {
  return _mm_loadu_si128((const __m128i *)(const void *)from);
}
static inline void simd_store(float *to, simd_float a) {
  _mm_storeu_ps(to, a);
}
static inline void simd_store_four(float *to, simd_float a) {
  _mm_storeu_ps(to, a);
}
static inline void simd_store_word(uint32_t *to, simd_word a) {
  _mm_storeu_si128((__m128i *)(void *)to, a);
}
static inline simd_float simd_set(float value) {
  return _mm_set1_ps(value);
}
static inline simd_word simd_set_word(uint32_t value) {
  return _mm_set1_epi32((int)value);
}
static inline simd_word simd_count_from(uint32_t first) {
  return _mm_add_epi32(_mm_set1_epi32((int)first), _mm_set_epi32(3, 2, 1, 0));
}
static inline simd_float simd_add(simd_float a, simd_float b) {
  return _mm_add_ps(a, b);
}
static inline simd_float simd_subtract(simd_float a, simd_float b) {
  return _mm_sub_ps(a, b);
}
static inline simd_float simd_multiply(simd_float a, simd_float b) {
  return _mm_mul_ps(a, b);
}
static inline simd_float simd_divide_roughly(simd_float a, simd_float b) {
  return _mm_div_ps(a, b);
}
static inline simd_float simd_minimum(simd_float a, simd_float b) {
  return _mm_min_ps(a, b);
}
static inline simd_float simd_maximum(simd_float a, simd_float b) {
  return _mm_max_ps(a, b);
}
static inline simd_float simd_absolute(simd_float a) {
  return _mm_and_ps(a, _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff)));
}
static inline simd_word simd_less_equal(simd_float a, simd_float b) {
  return _mm_castps_si128(_mm_cmple_ps(a, b));
}
static inline simd_word simd_less(simd_float a, simd_float b) {
  return _mm_castps_si128(_mm_cmplt_ps(a, b));
}
static inline simd_word simd_and(simd_word a, simd_word b) {
  return _mm_and_si128(a, b);
}
static inline simd_word simd_or(simd_word a, simd_word b) {
  return _mm_or_si128(a, b);
}
static inline simd_word simd_equal_words(simd_word a, simd_word b) {
  return _mm_cmpeq_epi32(a, b);
}
static inline simd_float simd_select(simd_word mask, simd_float a, simd_float b) {
  const __m128 chosen = _mm_castsi128_ps(mask);
  return _mm_or_ps(_mm_and_ps(chosen, a), _mm_andnot_ps(chosen, b));
}
static inline uint32_t simd_bits(simd_word mask) {
  return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(mask));
}
static inline void simd_compress_word(uint32_t *to, simd_word a, uint32_t bits) {
  /* SSE2 has no byte shuffle: it uses memory and the same table. */
  uint32_t lane[4];
  _mm_storeu_si128((__m128i *)(void *)lane, a);
  const uint8_t *order = simd_compress_table[bits];
  for (int i = 0; i < 4; i++) to[i] = lane[order[4 * i] / 4];
}
static inline void simd_compress(float *to, simd_float a, uint32_t bits) {
  float lane[4];
  _mm_storeu_ps(lane, a);
  const uint8_t *order = simd_compress_table[bits];
  for (int i = 0; i < 4; i++) to[i] = lane[order[4 * i] / 4];
}
static inline void simd_gather_rows(const float *base, const uint32_t *index, simd_float out[4]) {
  out[0] = _mm_loadu_ps(base + 4 * (size_t)index[0]);
  out[1] = _mm_loadu_ps(base + 4 * (size_t)index[1]);
  out[2] = _mm_loadu_ps(base + 4 * (size_t)index[2]);
  out[3] = _mm_loadu_ps(base + 4 * (size_t)index[3]);
  _MM_TRANSPOSE4_PS(out[0], out[1], out[2], out[3]);
}

#elif SIMD_WIDTH == 4 && defined(__wasm_simd128__)

#include <wasm_simd128.h>

typedef v128_t simd_float;
typedef v128_t simd_word;

static inline simd_float simd_load(const float *from) {
  return wasm_v128_load(from);
}
static inline simd_word simd_load_word(const uint32_t *from) {
  return wasm_v128_load(from);
}
static inline void simd_store(float *to, simd_float a) {
  wasm_v128_store(to, a);
}
static inline void simd_store_four(float *to, simd_float a) {
  wasm_v128_store(to, a);
}
static inline void simd_store_word(uint32_t *to, simd_word a) {
  wasm_v128_store(to, a);
}
static inline simd_float simd_set(float value) {
  return wasm_f32x4_splat(value);
}
static inline simd_word simd_set_word(uint32_t value) {
  return wasm_u32x4_splat(value);
}
static inline simd_word simd_count_from(uint32_t first) {
  return wasm_i32x4_add(wasm_u32x4_splat(first), wasm_u32x4_const(0, 1, 2, 3));
}
static inline simd_float simd_add(simd_float a, simd_float b) {
  return wasm_f32x4_add(a, b);
}
static inline simd_float simd_subtract(simd_float a, simd_float b) {
  return wasm_f32x4_sub(a, b);
}
static inline simd_float simd_multiply(simd_float a, simd_float b) {
  return wasm_f32x4_mul(a, b);
}
static inline simd_float simd_divide_roughly(simd_float a, simd_float b) {
  return wasm_f32x4_div(a, b);
}
/* The pseudo-minimum is a single instruction on x86 too; the minimum takes seven. */
static inline simd_float simd_minimum(simd_float a, simd_float b) {
  return wasm_f32x4_pmin(a, b);
}
static inline simd_float simd_maximum(simd_float a, simd_float b) {
  return wasm_f32x4_pmax(a, b);
}
static inline simd_float simd_absolute(simd_float a) {
  return wasm_f32x4_abs(a);
}
static inline simd_word simd_less_equal(simd_float a, simd_float b) {
  return wasm_f32x4_le(a, b);
}
static inline simd_word simd_less(simd_float a, simd_float b) {
  return wasm_f32x4_lt(a, b);
}
static inline simd_word simd_and(simd_word a, simd_word b) {
  return wasm_v128_and(a, b);
}
static inline simd_word simd_or(simd_word a, simd_word b) {
  return wasm_v128_or(a, b);
}
static inline simd_word simd_equal_words(simd_word a, simd_word b) {
  return wasm_i32x4_eq(a, b);
}
static inline simd_float simd_select(simd_word mask, simd_float a, simd_float b) {
  return wasm_v128_bitselect(a, b, mask);
}
static inline uint32_t simd_bits(simd_word mask) {
  return (uint32_t)wasm_i32x4_bitmask(mask);
}
static inline void simd_compress_word(uint32_t *to, simd_word a, uint32_t bits) {
  wasm_v128_store(to, wasm_i8x16_swizzle(a, wasm_v128_load(simd_compress_table[bits])));
}
static inline void simd_compress(float *to, simd_float a, uint32_t bits) {
  wasm_v128_store(to, wasm_i8x16_swizzle(a, wasm_v128_load(simd_compress_table[bits])));
}
static inline void simd_gather_rows(const float *base, const uint32_t *index, simd_float out[4]) {
  const v128_t a = wasm_v128_load(base + 4 * (size_t)index[0]), b = wasm_v128_load(base + 4 * (size_t)index[1]);
  const v128_t c = wasm_v128_load(base + 4 * (size_t)index[2]), d = wasm_v128_load(base + 4 * (size_t)index[3]);
  const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  out[0] = wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
  out[1] = wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
  out[2] = wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
  out[3] = wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
}

#elif SIMD_WIDTH == 8 && defined(__AVX2__)

#include <immintrin.h>

typedef __m256 simd_float;
typedef __m256i simd_word;

static inline simd_float simd_load(const float *from) {
  return _mm256_loadu_ps(from);
}
static inline simd_word simd_load_word(const uint32_t *from) {
  return _mm256_loadu_si256((const __m256i *)(const void *)from);
}
/* Four floats in both halves; or two consecutive values, one for each half. */
static inline simd_float simd_load_twice(const float *from) {
  return _mm256_broadcast_ps((const __m128 *)(const void *)from);
}
static inline simd_float simd_set_halves(const float *low_high) {
  return _mm256_blend_ps(_mm256_broadcast_ss(low_high), _mm256_broadcast_ss(low_high + 1), 0xf0);
}
static inline void simd_store(float *to, simd_float a) {
  _mm256_storeu_ps(to, a);
}
static inline void simd_store_four(float *to, simd_float a) {
  _mm_storeu_ps(to, _mm256_castps256_ps128(a));
}
static inline void simd_store_word(uint32_t *to, simd_word a) {
  _mm256_storeu_si256((__m256i *)(void *)to, a);
}
static inline simd_float simd_set(float value) {
  return _mm256_set1_ps(value);
}
static inline simd_word simd_set_word(uint32_t value) {
  return _mm256_set1_epi32((int)value);
}
static inline simd_word simd_count_from(uint32_t first) {
  return _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}
static inline simd_float simd_add(simd_float a, simd_float b) {
  return _mm256_add_ps(a, b);
}
static inline simd_float simd_subtract(simd_float a, simd_float b) {
  return _mm256_sub_ps(a, b);
}
static inline simd_float simd_multiply(simd_float a, simd_float b) {
  return _mm256_mul_ps(a, b);
}
static inline simd_float simd_divide_roughly(simd_float a, simd_float b) {
  return _mm256_div_ps(a, b);
}
static inline simd_float simd_minimum(simd_float a, simd_float b) {
  return _mm256_min_ps(a, b);
}
static inline simd_float simd_maximum(simd_float a, simd_float b) {
  return _mm256_max_ps(a, b);
}
static inline simd_float simd_absolute(simd_float a) {
  return _mm256_and_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff)));
}
static inline simd_word simd_less_equal(simd_float a, simd_float b) {
  return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
static inline simd_word simd_less(simd_float a, simd_float b) {
  return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
static inline simd_word simd_and(simd_word a, simd_word b) {
  return _mm256_and_si256(a, b);
}
static inline simd_word simd_or(simd_word a, simd_word b) {
  return _mm256_or_si256(a, b);
}
static inline simd_word simd_equal_words(simd_word a, simd_word b) {
  return _mm256_cmpeq_epi32(a, b);
}
static inline simd_float simd_select(simd_word mask, simd_float a, simd_float b) {
  return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(mask));
}
static inline uint32_t simd_bits(simd_word mask) {
  return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(mask));
}
static inline void simd_compress_word(uint32_t *to, simd_word a, uint32_t bits) {
  const __m256i order =
      _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)&simd_compress_table[bits]));
  _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permutevar8x32_epi32(a, order));
}
static inline void simd_compress(float *to, simd_float a, uint32_t bits) {
  simd_compress_word((uint32_t *)(void *)to, _mm256_castps_si256(a), bits);
}
static inline void simd_gather_rows(const float *base, const uint32_t *index, simd_float out[4]) {
  __m256 row[4];
  for (int i = 0; i < 4; i++)
    row[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(base + 4 * (size_t)index[i])),
                                  _mm_loadu_ps(base + 4 * (size_t)index[i + 4]), 1);
  const __m256 ab_low = _mm256_unpacklo_ps(row[0], row[1]), ab_high = _mm256_unpackhi_ps(row[0], row[1]);
  const __m256 cd_low = _mm256_unpacklo_ps(row[2], row[3]), cd_high = _mm256_unpackhi_ps(row[2], row[3]);
  out[0] = _mm256_shuffle_ps(ab_low, cd_low, 0x44);
  out[1] = _mm256_shuffle_ps(ab_low, cd_low, 0xee);
  out[2] = _mm256_shuffle_ps(ab_high, cd_high, 0x44);
  out[3] = _mm256_shuffle_ps(ab_high, cd_high, 0xee);
}

#else
#define SIMD_ABSENT 1
#endif

#ifndef SIMD_ABSENT
/* a b + c, rounded twice; once on a GPU. */
SIMD_FUNCTION simd_float simd_multiply_add(simd_float a, simd_float b, simd_float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return simd_add(simd_multiply(a, b), c);
#endif
}
/* a b - c likewise. */
SIMD_FUNCTION simd_float simd_multiply_subtract(simd_float a, simd_float b, simd_float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, -c);
#else
  return simd_subtract(simd_multiply(a, b), c);
#endif
}
#endif

/* How far past the last element a kernel may read or write: every array passed to it has this much extra capacity. */
enum { SIMD_ROOM = 16 };

#endif

/* The vector widths that this build and this processor support. */
#ifndef GRAZE_BASE_SIMD_CHOICE_H
#define GRAZE_BASE_SIMD_CHOICE_H

#include "graze/graze.h"

#if defined(__ARM_NEON) || defined(__SSE2__) || defined(__wasm_simd128__)
#define SIMD_HAS_128 1
#else
#define SIMD_HAS_128 0
#endif

#if defined(__x86_64__)
#define SIMD_BUILDS_256 1 /* the files of eight lanes are always compiled for AVX2 */
#else
#define SIMD_BUILDS_256 0
#endif

/* The address of a table of kernels. There is one per vector width, with the width at the end of its name: this returns
 * that of the given width, or the scalar one if the build lacks it. */
#if SIMD_BUILDS_256
#define SIMD_KERNELS_IF_256(table, simd) (simd) == GRAZE_SIMD_256 ? &table##_256:
#else
#define SIMD_KERNELS_IF_256(table, simd)
#endif
#if SIMD_HAS_128
#define SIMD_KERNELS_IF_128(table, simd) (simd) == GRAZE_SIMD_128 ? &table##_128:
#else
#define SIMD_KERNELS_IF_128(table, simd)
#endif
#define SIMD_KERNELS(table, simd)                                                                                      \
  ((void)(simd), SIMD_KERNELS_IF_256(table, simd) SIMD_KERNELS_IF_128(table, simd) & table##_scalar)

static inline bool simd_available(graze_simd simd) {
  switch (simd) {
  case GRAZE_SIMD_AUTO:
  case GRAZE_SIMD_SCALAR:
    return true;
  case GRAZE_SIMD_128:
    return SIMD_HAS_128;
  case GRAZE_SIMD_256:
#if SIMD_BUILDS_256
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
  }
  return false;
}

static inline graze_simd simd_widest(void) {
  if (simd_available(GRAZE_SIMD_256)) return GRAZE_SIMD_256;
  return simd_available(GRAZE_SIMD_128) ? GRAZE_SIMD_128 : GRAZE_SIMD_SCALAR;
}

#endif

/* Bits of a word, for the processor and for GPUs. */
#ifndef GRAZE_GEOMETRY_BITS_H
#define GRAZE_GEOMETRY_BITS_H

#include "geometry/device.h"

#include <stdint.h>

GEOMETRY_FUNCTION uint32_t count_bits(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return (uint32_t)__popc(bits);
#else
  uint32_t count = 0;
  for (; bits != 0; bits &= bits - 1u) count++;
  return count;
#endif
}

/* The number of the lowest bit that is set; some bit is. */
GEOMETRY_FUNCTION uint32_t lowest_bit(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return (uint32_t)__ffs((int)bits) - 1u;
#else
  return count_bits((bits - 1u) & ~bits);
#endif
}

#endif

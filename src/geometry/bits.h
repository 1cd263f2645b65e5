/* Bits of a word, for the processor and for GPUs. */
#ifndef GRAZE_GEOMETRY_BITS_H
#define GRAZE_GEOMETRY_BITS_H

#include "geometry/device.h"

#include <stdint.h>
#include <string.h>

GEOMETRY_FUNCTION uint32_t count_bits(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return (uint32_t)__popc(bits);
#else
  uint32_t count = 0;
  for (; bits != 0; bits &= bits - 1u) count++;
  return count;
#endif
}

/* The number of the lowest set bit; the word must not be zero. */
GEOMETRY_FUNCTION uint32_t lowest_bit(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return (uint32_t)__ffs((int)bits) - 1u;
#else
  return (uint32_t)__builtin_ctz(bits);
#endif
}

GEOMETRY_FUNCTION uint32_t lowest_bit_long(uint64_t bits) {
  return (uint32_t)bits != 0 ? lowest_bit((uint32_t)bits) : 32u + lowest_bit((uint32_t)(bits >> 32));
}

/* Integers in the order of doubles; neither they nor their complements are zero for finite ones. */
GEOMETRY_FUNCTION uint64_t ordered_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

GEOMETRY_FUNCTION double ordered_value(uint64_t ordered) {
  const uint64_t bits = ordered >> 63 != 0 ? ordered & ~(UINT64_C(1) << 63) : ~ordered;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The number of the highest set bit; the word must not be zero. */
GEOMETRY_FUNCTION uint32_t highest_bit(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return 31u - (uint32_t)__clz((int)bits);
#else
  uint32_t number = 0;
  for (; bits > 1u; bits >>= 1) number++;
  return number;
#endif
}

#endif

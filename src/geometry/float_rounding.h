/* Rounding of doubles to float: to nearest, with the error; downward and upward, by bits, also for sums of doubles.
 * Boxes are computed with it, so that they contain what they bound. */
#ifndef GRAZE_GEOMETRY_FLOAT_ROUNDING_H
#define GRAZE_GEOMETRY_FLOAT_ROUNDING_H

#include "geometry/device.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The value of a float that a double was rounded to, to be compared with that double. GCC 12 takes (double)(float)x for
 * x wherever it joins two of them into a vector, from -O2 on: what was lost would then be nothing, and boxes too small.
 * It must not see that one conversion follows the other; other compilers, and other versions of it, lose nothing by it
 * (tests/geometry/test_float_rounding.c has what it gets wrong). */
GEOMETRY_FUNCTION double float_value(float rounded) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
#if defined(__x86_64__)
  __asm__("" : "+x"(rounded));
#elif defined(__aarch64__)
  __asm__("" : "+w"(rounded));
#else
  __asm__("" : "+m"(rounded));
#endif
#endif
  return (double)rounded;
}

/* The largest float not above a value; above FLT_MAX it is FLT_MAX, below -FLT_MAX minus infinity. The comparison takes
 * out what the conversion rounded up, so the rounding mode does not matter; a value beyond FLT_MAX would be undefined
 * for the conversion and is answered first. */
GEOMETRY_FUNCTION float float_round_down(double value) {
  if (value > FLT_MAX) return FLT_MAX;
  if (value < -FLT_MAX) return -HUGE_VALF;
  float rounded = (float)value;
  /* One step down by the bits, of which the first is the sign, that of the value: for every other value, so that a
   * branch would be taken or not as a coin falls. */
  const uint32_t is_above = float_value(rounded) > value ? 1u : 0u;
  uint32_t bits;
  memcpy(&bits, &rounded, sizeof bits);
  bits += is_above * (2u * (bits >> 31) - 1u);
  memcpy(&rounded, &bits, sizeof rounded);
  return rounded;
}

/* The smallest float not below a value. */
GEOMETRY_FUNCTION float float_round_up(double value) {
  return -float_round_down(-value);
}

/* The double next to one that is not infinite. */
GEOMETRY_FUNCTION double double_next_up(double value) {
  if (value == 0.0) return DBL_TRUE_MIN;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = value > 0.0 ? bits + 1 : bits - 1;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* The least double that is not below a + b: infinity where the sum is above the largest. */
GEOMETRY_FUNCTION double sum_rounded_up(double a, double b) {
  const double sum = a + b;
  /* What the sum rounded away, exactly (Knuth's two-sum); not a number where it overflowed. */
  const double back = sum - a;
  const double lost = (a - (sum - back)) + (b - back);
  return lost > 0.0 ? double_next_up(sum) : sum;
}

#endif

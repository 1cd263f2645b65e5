/* Rounding of doubles to float: to nearest, with the error; downward and upward, by bits, also for sums of doubles.
 * Used for boxes, so that they contain their objects. */
#ifndef GRAZE_GEOMETRY_FLOAT_ROUNDING_H
#define GRAZE_GEOMETRY_FLOAT_ROUNDING_H

#include "geometry/device.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The value of a float that a double was rounded to, for comparison with that double. GCC 12 replaces (double)(float)x
 * by x when it vectorizes two of them, from -O2 on: the rounding error would then be zero, and boxes too small. It must
 * not see that one conversion follows the other; this costs other compilers nothing
 * (tests/geometry/test_float_rounding.c has an example). */
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

/* The largest float not above a value; above FLT_MAX it is FLT_MAX, below -FLT_MAX minus infinity. The comparison
 * undoes rounding up by the conversion, so the rounding mode does not matter; a value beyond FLT_MAX would be undefined
 * for the conversion and is handled first. */
GEOMETRY_FUNCTION float float_round_down(double value) {
  if (value > FLT_MAX) return FLT_MAX;
  if (value < -FLT_MAX) return -HUGE_VALF;
  float rounded = (float)value;
  /* One step down by the bits, of which the first is the sign, that of the value. This happens for about every other
   * value, so a branch would be unpredictable. */
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

/* The least double that is at least a + b: infinity if the sum exceeds the largest double. */
GEOMETRY_FUNCTION double sum_rounded_up(double a, double b) {
  const double sum = a + b;
  /* The rounding error of the sum, exactly (Knuth's two-sum); NaN if it overflowed. */
  const double back = sum - a;
  const double lost = (a - (sum - back)) + (b - back);
  return lost > 0.0 ? double_next_up(sum) : sum;
}

#endif

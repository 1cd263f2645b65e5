/* Doubles rounded to float downward or upward, and sums of doubles upward, by bits: what boxes are made with, so that
 * they hold what they are drawn around. */
#ifndef GRAZE_GEOMETRY_FLOAT_ROUNDING_H
#define GRAZE_GEOMETRY_FLOAT_ROUNDING_H

#include "geometry/device.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The float next to a finite one, by its bits: magnitudes are ordered like integers, through the subnormals to
 * infinity. */
GEOMETRY_FUNCTION float float_next_up(float value) {
  if (value == 0.0f) return FLT_TRUE_MIN;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = value > 0.0f ? bits + 1 : bits - 1;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* The largest float not above a value; above FLT_MAX it is FLT_MAX, below -FLT_MAX minus infinity. The comparison takes
 * out what the conversion rounded up, so the rounding mode does not matter; a value beyond FLT_MAX would be undefined
 * for the conversion and is answered first. */
GEOMETRY_FUNCTION float float_round_down(double value) {
  if (value > FLT_MAX) return FLT_MAX;
  if (value < -FLT_MAX) return -HUGE_VALF;
  const float rounded = (float)value;
  return (double)rounded > value ? -float_next_up(-rounded) : rounded;
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

/* Powers of two from bits, and the exponent of a number, to scale coordinates without rounding. */
#ifndef GRAZE_GEOMETRY_BINARY_SCALE_H
#define GRAZE_GEOMETRY_BINARY_SCALE_H

#include "geometry/device.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* 2^exponent for exponents from -1022 to 1023. */
GEOMETRY_FUNCTION double power_of_two(int exponent) {
  const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

/* floor(log2(value)) of a positive normal value; -1023 for smaller ones. */
GEOMETRY_FUNCTION int binary_exponent(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (int)((bits >> 52) & 0x7ff) - 1023;
}

/* The exponent that scales a body so that no coordinate exceeds 2, or 4 if the largest does not fit 2^1023. The powers
 * of two of the exponent and of its negative are both normal numbers. */
GEOMETRY_FUNCTION int scaling_exponent(double largest) {
  const int exponent = largest > 0.0 ? binary_exponent(largest) : 0;
  return exponent > 1022 ? 1022 : exponent < -1022 ? -1022 : exponent;
}

/* In steps, but rounded only once: after a product is rounded, the next ones yield zero. */
GEOMETRY_SLOW_FUNCTION double times_large_power_of_two(double value, int exponent) {
  double result = value * power_of_two(exponent % 1000);
  for (int step = exponent / 1000; step < 0; step++) result *= 0x1p-1000;
  for (int step = exponent / 1000; step > 0; step--) result *= 0x1p1000;
  return result;
}

/* value * 2^exponent for any exponent. */
GEOMETRY_FUNCTION double times_power_of_two(double value, int exponent) {
  if (GEOMETRY_UNLIKELY(exponent < -1000 || exponent > 1000)) return times_large_power_of_two(value, exponent);
  return value * power_of_two(exponent);
}

GEOMETRY_FUNCTION double largest_magnitude(const double *values, int count) {
  double largest = 0.0;
  for (int i = 0; i < count; i++) largest = fabs(values[i]) > largest ? fabs(values[i]) : largest;
  return largest;
}

/* Clamps to the largest double; also for coordinates, which may be rounded up beyond it. */
GEOMETRY_FUNCTION double within_doubles(double value) {
  const double below = value <= DBL_MAX ? value : DBL_MAX;
  return below >= -DBL_MAX ? below : -DBL_MAX;
}

#endif

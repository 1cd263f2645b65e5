/* Sums that do not depend on the order of their terms: the same bits for any number of threads, and on a device.
 *
 * A first pass over all terms finds the largest magnitude. Each term is then split into three integers of 31 bits, in
 * units of 2^-31, 2^-62 and 2^-93 of the power of two above that; the remainder is dropped, independently of the
 * position of the term. Sums of integers do not depend on the order: 2^32 of 31 bits fit into 64. So the error of the
 * sum is less than the number of terms times 2^-93 of the largest, plus the final rounding: more accurate than a sum in
 * doubles.
 *
 * For the processor and for GPUs. Workload: ten sums per pair with a force, about 10^5 pairs per frame. */
#ifndef GRAZE_GEOMETRY_ORDER_FREE_SUM_H
#define GRAZE_GEOMETRY_ORDER_FREE_SUM_H

#include "geometry/binary_scale.h"

#include <float.h>

enum { SUM_LIMBS = 3, SUM_LIMB_BITS = 31 };

typedef struct order_free_sum {
  int64_t limb[SUM_LIMBS]; /* the highest first */
} order_free_sum;

/* The exponent of the power of two above all terms, given the largest magnitude, which must be finite. */
GEOMETRY_FUNCTION int sum_exponent(double largest) {
  return binary_exponent(largest) + 1;
}

/* The factors of terms, applied in two steps, neither beyond the range of doubles. */
typedef struct sum_scale {
  double first, second;
} sum_scale;

/* For terms below 2^exponent. Any exponent is valid: above 2000 terms are dropped completely, below -1074 they are
 * zero. */
GEOMETRY_FUNCTION sum_scale sum_scale_make(int exponent) {
  const int shift = exponent > 2000 ? -2000 : (exponent < -2000 ? 2000 : -exponent);
  const sum_scale scale = {power_of_two(shift / 2), power_of_two(shift - shift / 2)};
  return scale;
}

/* Adds a term. Every step is exact, as integers are split off: the products round only the part that is dropped. */
GEOMETRY_FUNCTION void sum_add(order_free_sum *sum, double term, sum_scale scale) {
  double rest = term * scale.first * scale.second;
  for (int i = 0; i < SUM_LIMBS; ++i) {
    rest *= (double)(INT64_C(1) << SUM_LIMB_BITS);
    const int64_t whole = (int64_t)rest;
    sum->limb[i] += whole;
    rest -= (double)whole;
  }
}

/* The sum, rounded; at most the largest double. */
GEOMETRY_FUNCTION double sum_total(const order_free_sum *sum, int exponent) {
  const int64_t base = INT64_C(1) << SUM_LIMB_BITS;
  int64_t limb[SUM_LIMBS], carry = 0;
  for (int i = SUM_LIMBS - 1; i > 0; --i) {
    const int64_t value = sum->limb[i] + carry;
    carry = value / base;
    limb[i] = value - carry * base; /* within 31 bits, of either sign */
  }
  limb[0] = sum->limb[0] + carry;
  const double low = (double)(limb[1] * base + limb[2]) * power_of_two(-SUM_LIMBS * SUM_LIMB_BITS);
  const double whole = (double)limb[0] * power_of_two(-SUM_LIMB_BITS) + low;
  return within_doubles(times_power_of_two(whole, exponent));
}

#endif

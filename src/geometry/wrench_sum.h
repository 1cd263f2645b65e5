/* Wrenches of pairs of solids, summed independently of the order of pairs: the shared volume, its first moment, the
 * force on the second and its torque about a point. For the processor and for GPUs.
 *
 * The volume of a pair may be outside the range of doubles, and its moment even more so. So the terms of each pair have
 * their own power of two, sums are scaled by the highest of these, and a centroid is computed before its parts are
 * rounded to the range.
 *
 * Workload: all pairs of a query between two objects, about 10^5, or a few for each of 10^5 pairs of objects. */
#ifndef GRAZE_GEOMETRY_WRENCH_SUM_H
#define GRAZE_GEOMETRY_WRENCH_SUM_H

#include "geometry/binary_scale.h"

#include <float.h>
#include <stdbool.h>

/* Sums that do not depend on the order of their terms: the same bits for any number of threads, and on a device.
 *
 * A first pass over all terms finds the largest magnitude. Each term is then split into three integers of 31 bits, in
 * units of 2^-31, 2^-62 and 2^-93 of the power of two above that; the remainder is dropped, independently of the
 * position of the term. Sums of integers do not depend on the order: 2^32 of 31 bits fit into 64. So the error of the
 * sum is less than the number of terms times 2^-93 of the largest, plus the final rounding: more accurate than a sum in
 * doubles.
 *
 * For the processor and for GPUs. Workload: ten sums per pair with a force, about 10^5 pairs per frame. */

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
  for (int i = 0; i < SUM_LIMBS; i++) {
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
  for (int i = SUM_LIMBS - 1; i > 0; i--) {
    const int64_t value = sum->limb[i] + carry;
    carry = value / base;
    limb[i] = value - carry * base; /* within 31 bits, of either sign */
  }
  limb[0] = sum->limb[0] + carry;
  const double low = (double)(limb[1] * base + limb[2]) * power_of_two(-SUM_LIMBS * SUM_LIMB_BITS);
  const double whole = (double)limb[0] * power_of_two(-SUM_LIMB_BITS) + low;
  return within_doubles(times_power_of_two(whole, exponent));
}

/* The terms of a pair: the volume, then three numbers each: the volume times the centroid, the push, which is minus the
 * gradient of the volume as the second object moves, and its moment about the reference point. The three have one unit.
 */
enum { WRENCH_VOLUME, WRENCH_MOMENT, WRENCH_PUSH, WRENCH_TWIST, WRENCH_QUANTITIES, WRENCH_TERMS = 10 };

/* What the terms depend on beside the pair: the reference point of moments. */
typedef struct wrench_rule {
  double about[3];
} wrench_rule;

/* Volumes are in units of 2^(3 unit), pushes and their moments of 2^(2 unit). */
typedef struct wrench_terms {
  double value[WRENCH_TERMS];
  int32_t unit;
} wrench_terms;

GEOMETRY_FUNCTION int quantity_of_term(int term) {
  return (term + 2) / 3;
}

/* The unit of coordinates for which their moments are within the range of doubles: a power of two that has an
 * inverse. */
GEOMETRY_FUNCTION int exponent_of_arm(int unit) {
  return unit > 1000 ? 1000 : (unit < -1000 ? -1000 : unit);
}

GEOMETRY_FUNCTION int exponent_of_quantity(const wrench_terms *terms, int quantity) {
  const int unit = terms->unit;
  if (quantity == WRENCH_MOMENT) return 3 * unit + exponent_of_arm(unit);
  return quantity == WRENCH_VOLUME ? 3 * unit : 2 * unit;
}

/* A value, clamped to the range of doubles if `limited`. */
GEOMETRY_FUNCTION double limited_value(bool limited, double value) {
  return limited ? within_doubles(value) : value;
}

/* The measure of a pair of solids: the volume they share, in units of 2^(3 unit), its centroid, and the push in units
 * of 2^(2 unit), with its moment about the centroid. */
typedef struct pair_push {
  double volume, centroid[3], push[3], twist[3];
  int unit;
} pair_push;

/* The terms; each step is limited to the range of doubles, or none is. */
GEOMETRY_FUNCTION wrench_terms wrench_terms_limited(bool limited, const pair_push *pair, const wrench_rule *rule) {
  wrench_terms terms;
  double arm[3];
  double *moment = terms.value + 1, *push = terms.value + 4, *twist = terms.value + 7;
  terms.value[0] = pair->volume;
  terms.unit = pair->unit;
  const double to_unit = power_of_two(-exponent_of_arm(pair->unit));
  for (int axis = 0; axis < 3; axis++) {
    moment[axis] = limited_value(limited, pair->volume * (pair->centroid[axis] * to_unit));
    push[axis] = pair->push[axis];
    arm[axis] = limited_value(limited, pair->centroid[axis] - rule->about[axis]);
  }
  for (int axis = 0; axis < 3; axis++) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const double plus = limited_value(limited, arm[next] * push[last]);
    const double lever = limited_value(limited, plus - limited_value(limited, arm[last] * push[next]));
    twist[axis] = limited_value(limited, lever + pair->twist[axis]);
  }
  return terms;
}

/* The terms of a pair. All are finite: if a step overflows, so does its result, and all are computed again with
 * limits. */
GEOMETRY_FUNCTION wrench_terms wrench_terms_make(const pair_push *pair, const wrench_rule *rule) {
  const wrench_terms terms = wrench_terms_limited(false, pair, rule);
  double sum = 0.0;
  for (int term = 0; term < WRENCH_TERMS; term++) sum += fabs(terms.value[term]);
  if (sum <= DBL_MAX) return terms;
  return wrench_terms_limited(true, pair, rule);
}

/* Added to exponents of terms, which are within 5,500 of zero, so that the sums are positive. */
enum { WRENCH_BIAS = 8192 };

/* The sums of two objects: first the exponents of powers of two above all terms, then the sums. */
typedef struct wrench_sum {
  uint64_t highest[WRENCH_QUANTITIES]; /* with the bias; 0 if all terms are zero */
  order_free_sum sums[WRENCH_TERMS];
  uint64_t count;
} wrench_sum;

GEOMETRY_FUNCTION void note_highest(wrench_sum *sum, const wrench_terms *terms) {
  double largest[WRENCH_QUANTITIES] = {0.0, 0.0, 0.0, 0.0};
  for (int term = 0; term < WRENCH_TERMS; term++) {
    double *most = &largest[quantity_of_term(term)];
    *most = fabs(terms->value[term]) > *most ? fabs(terms->value[term]) : *most;
  }
  for (int i = 0; i < WRENCH_QUANTITIES; i++) {
    const uint64_t exponent = (uint64_t)(sum_exponent(largest[i]) + exponent_of_quantity(terms, i) + WRENCH_BIAS);
    if (largest[i] > 0.0 && exponent > sum->highest[i]) sum->highest[i] = exponent;
  }
}

/* The exponent that scales the sums of a quantity. */
GEOMETRY_FUNCTION int exponent_of_sum(const wrench_sum *sum, int quantity) {
  return (int)sum->highest[quantity] - WRENCH_BIAS;
}

GEOMETRY_FUNCTION void add_terms(wrench_sum *sum, const wrench_terms *terms) {
  sum_scale scale[WRENCH_QUANTITIES];
  for (int i = 0; i < WRENCH_QUANTITIES; i++)
    scale[i] = sum_scale_make(exponent_of_sum(sum, i) - exponent_of_quantity(terms, i));
  for (int term = 0; term < WRENCH_TERMS; term++)
    sum_add(&sum->sums[term], terms->value[term], scale[quantity_of_term(term)]);
  sum->count++;
}

/* The total of the terms. */
typedef struct wrench_total {
  double volume, centroid[3], gradient[3], gradient_moment[3], force[3], torque[3];
} wrench_total;

/* The force on the second object: along the push. Its magnitude is the stiffness times the volume times the length of
 * the gradient (GRAZE_FORCE_ENERGY), or times one of the two. */
enum { FORCE_BY_BOTH, FORCE_BY_VOLUME, FORCE_BY_GRADIENT }; /* graze_force */

typedef struct wrench_law {
  double stiffness;
  int force;
} wrench_law;

/* Where terms cancel, as for a body inside another, only rounding remains: a sum below this fraction of the largest
 * term, for each term, is zero. */
#define PUSH_NOISE 0x1p-46

/* Sums of three terms from `first` on, in units of the power of two above the largest; zero if they are rounding.
 * Returns their length. */
GEOMETRY_FUNCTION double sum_without_noise(const wrench_sum *sum, int first, double total_out[3]) {
  for (int axis = 0; axis < 3; axis++) total_out[axis] = sum_total(&sum->sums[first + axis], 0);
  const double length = sqrt(total_out[0] * total_out[0] + total_out[1] * total_out[1] + total_out[2] * total_out[2]);
  if (length > PUSH_NOISE * (double)sum->count) return length;
  for (int axis = 0; axis < 3; axis++) total_out[axis] = 0.0;
  return 0.0;
}

/* The factor of forces: a number and an exponent, as neither the volume nor the push may be in the range of doubles. */
GEOMETRY_FUNCTION double force_factor(const wrench_sum *sum, const wrench_law *law, double length, int *exponent_out) {
  const int stiffness_exponent = binary_exponent(law->stiffness);
  const double stiffness = times_power_of_two(law->stiffness, -stiffness_exponent);
  *exponent_out = stiffness_exponent;
  if (law->force == FORCE_BY_GRADIENT) return stiffness;
  const double volume = sum_total(&sum->sums[0], 0);
  *exponent_out += exponent_of_sum(sum, WRENCH_VOLUME);
  if (law->force == FORCE_BY_BOTH) return stiffness * volume;
  *exponent_out -= exponent_of_sum(sum, WRENCH_PUSH);
  return length > 0.0 ? stiffness * (volume / length) : 0.0;
}

GEOMETRY_FUNCTION wrench_total wrench_sum_total(const wrench_sum *sum, const wrench_law *law) {
  wrench_total total;
  const int volume_exponent = exponent_of_sum(sum, WRENCH_VOLUME), push_exponent = exponent_of_sum(sum, WRENCH_PUSH);
  const int arm_exponent = exponent_of_sum(sum, WRENCH_MOMENT) - volume_exponent;
  const int twist_exponent = exponent_of_sum(sum, WRENCH_TWIST);
  const double volume = sum_total(&sum->sums[0], 0);
  double push[3], twist[3];
  int exponent;
  (void)sum_without_noise(sum, 7, twist);
  const double factor = force_factor(sum, law, sum_without_noise(sum, 4, push), &exponent);
  total.volume = sum_total(&sum->sums[0], volume_exponent);
  for (int axis = 0; axis < 3; axis++) {
    const double arm = volume > 0.0 ? sum_total(&sum->sums[1 + axis], 0) / volume : 0.0;
    total.centroid[axis] = within_doubles(times_power_of_two(arm, arm_exponent));
    total.gradient[axis] = 0.0 - within_doubles(times_power_of_two(push[axis], push_exponent));
    total.gradient_moment[axis] = 0.0 - within_doubles(times_power_of_two(twist[axis], twist_exponent));
    total.force[axis] = within_doubles(times_power_of_two(factor * push[axis], push_exponent + exponent));
    total.torque[axis] = within_doubles(times_power_of_two(factor * twist[axis], twist_exponent + exponent));
  }
  return total;
}

#endif

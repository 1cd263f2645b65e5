/* Wrenches of pairs of solids, summed independently of the order of pairs: the shared volume, its first
 * moment, the force on the second and its torque about a point. For the processor and for GPUs.
 *
 * The volume of a pair may lie outside the range of doubles, and its moment more so. So the terms of each pair have a
 * power of two of their own, sums are scaled by the highest of these, and a centroid is formed before its parts are
 * rounded to the range.
 *
 * Workload: all pairs of a query between two objects, some 10^5, or a few each of 10^5 pairs of objects. */
#ifndef GRAZE_GEOMETRY_PUSH_SUM_H
#define GRAZE_GEOMETRY_PUSH_SUM_H

#include "geometry/order_free_sum.h"

#include <stdbool.h>

/* How strongly pairs push, and the point that torques are about. */
typedef struct push_rule {
  double stiffness, about[3];
  bool by_area; /* GRAZE_FORCE_GRADIENT */
} push_rule;

/* The volume, then three numbers each: the volume times the centroid, the force, the torque. The three have one unit.
 */
enum { PUSH_VOLUME, PUSH_MOMENT, PUSH_FORCE, PUSH_TORQUE, PUSH_QUANTITIES, PUSH_TERMS = 10 };

/* Volumes are in units of 2^(3 unit), forces and torques of 2^force_exponent. */
typedef struct push_terms {
  double value[PUSH_TERMS];
  int32_t unit, force_exponent;
} push_terms;

GEOMETRY_FUNCTION int quantity_of_term(int term) {
  return (term + 2) / 3;
}

/* What coordinates are in units of, so that their moments are within the range of doubles: a power of two that has an
 * inverse. */
GEOMETRY_FUNCTION int exponent_of_arm(int unit) {
  return unit > 1000 ? 1000 : (unit < -1000 ? -1000 : unit);
}

GEOMETRY_FUNCTION int exponent_of_quantity(const push_terms *terms, int quantity) {
  if (quantity == PUSH_VOLUME) return 3 * terms->unit;
  return quantity == PUSH_MOMENT ? 3 * terms->unit + exponent_of_arm(terms->unit) : terms->force_exponent;
}

/* A value, within the doubles where it is to be. */
GEOMETRY_FUNCTION double limited_value(bool limited, double value) {
  return limited ? within_doubles(value) : value;
}

/* The terms, of which each step is limited to the doubles or none. */
GEOMETRY_FUNCTION push_terms push_terms_limited(bool limited, double volume, double area, int unit,
                                                const double centroid[3], const double normal[3],
                                                const push_rule *rule) {
  push_terms terms;
  double arm[3];
  double *moment = terms.value + 1, *force = terms.value + 4, *torque = terms.value + 7;
  const double pushing = limited_value(limited, rule->stiffness * (rule->by_area ? area : volume));
  terms.value[0] = volume;
  terms.unit = unit;
  terms.force_exponent = (rule->by_area ? 2 : 3) * unit;
  const double to_unit = power_of_two(-exponent_of_arm(unit));
  for (int axis = 0; axis < 3; axis++) {
    moment[axis] = limited_value(limited, volume * (centroid[axis] * to_unit));
    force[axis] = limited_value(limited, pushing * normal[axis]);
    arm[axis] = limited_value(limited, centroid[axis] - rule->about[axis]);
  }
  for (int axis = 0; axis < 3; axis++) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const double plus = limited_value(limited, arm[next] * force[last]);
    torque[axis] = limited_value(limited, plus - limited_value(limited, arm[last] * force[next]));
  }
  return terms;
}

/* Of a pair that pushes along the normal at the centroid. The volume is in units of 2^(3 unit), the area of 2^(2 unit).
 * Everything is finite: where a step is not, neither is what comes of it, and all are made again with limits. */
GEOMETRY_FUNCTION push_terms push_terms_make(double volume, double area, int unit, const double centroid[3],
                                             const double normal[3], const push_rule *rule) {
  const push_terms terms = push_terms_limited(false, volume, area, unit, centroid, normal, rule);
  double sum = 0.0;
  for (int term = 0; term < PUSH_TERMS; term++) sum += fabs(terms.value[term]);
  if (sum <= DBL_MAX) return terms;
  return push_terms_limited(true, volume, area, unit, centroid, normal, rule);
}

/* Added to exponents of terms, which are within 5,500 of zero, so that they are positive. */
enum { PUSH_BIAS = 8192 };

/* Of the pushes of two objects: first the exponents of powers of two above all terms, then the sums. */
typedef struct push_sum {
  uint64_t highest[PUSH_QUANTITIES]; /* with the bias; 0 where all terms are */
  order_free_sum sums[PUSH_TERMS];
  uint64_t count;
} push_sum;

GEOMETRY_FUNCTION void note_highest(push_sum *sum, const push_terms *terms) {
  double largest[PUSH_QUANTITIES] = {0.0, 0.0, 0.0, 0.0};
  for (int term = 0; term < PUSH_TERMS; term++) {
    double *most = &largest[quantity_of_term(term)];
    *most = fabs(terms->value[term]) > *most ? fabs(terms->value[term]) : *most;
  }
  for (int i = 0; i < PUSH_QUANTITIES; i++) {
    const uint64_t exponent = (uint64_t)(sum_exponent(largest[i]) + exponent_of_quantity(terms, i) + PUSH_BIAS);
    if (largest[i] > 0.0 && exponent > sum->highest[i]) sum->highest[i] = exponent;
  }
}

/* The exponent that the sums of a quantity are scaled by. */
GEOMETRY_FUNCTION int exponent_of_sum(const push_sum *sum, int quantity) {
  return (int)sum->highest[quantity] - PUSH_BIAS;
}

GEOMETRY_FUNCTION void add_terms(push_sum *sum, const push_terms *terms) {
  sum_scale scale[PUSH_QUANTITIES];
  for (int i = 0; i < PUSH_QUANTITIES; i++)
    scale[i] = sum_scale_make(exponent_of_sum(sum, i) - exponent_of_quantity(terms, i));
  for (int term = 0; term < PUSH_TERMS; term++)
    sum_add(&sum->sums[term], terms->value[term], scale[quantity_of_term(term)]);
  sum->count++;
}

/* What the pushes make together. */
typedef struct push_total {
  double volume, centroid[3], force[3], torque[3];
} push_total;

GEOMETRY_FUNCTION push_total push_sum_total(const push_sum *sum) {
  push_total total;
  const int volume_exponent = exponent_of_sum(sum, PUSH_VOLUME);
  const int arm_exponent = exponent_of_sum(sum, PUSH_MOMENT) - volume_exponent;
  const double volume = sum_total(&sum->sums[0], 0);
  total.volume = sum_total(&sum->sums[0], volume_exponent);
  for (int axis = 0; axis < 3; axis++) {
    const double arm = volume > 0.0 ? sum_total(&sum->sums[1 + axis], 0) / volume : 0.0;
    total.centroid[axis] = within_doubles(times_power_of_two(arm, arm_exponent));
    total.force[axis] = sum_total(&sum->sums[4 + axis], exponent_of_sum(sum, PUSH_FORCE));
    total.torque[axis] = sum_total(&sum->sums[7 + axis], exponent_of_sum(sum, PUSH_TORQUE));
  }
  return total;
}

#endif

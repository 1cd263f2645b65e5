/* What pairs of solids do to each other, summed over pairs without regard to their order: the common volume, its first
 * moment, the force on the second and its torque about a point. For the processor and for GPUs.
 *
 * Workload: all pairs of a query between two objects, some 10^5, or a few each of 10^5 pairs of objects. */
#ifndef GRAZE_GEOMETRY_PUSH_SUM_H
#define GRAZE_GEOMETRY_PUSH_SUM_H

#include "geometry/order_free_sum.h"

#include <stdbool.h>

/* The volume, then three numbers each: the volume times the centroid, the force, the torque. The three have one unit.
 */
enum { PUSH_VOLUME, PUSH_MOMENT, PUSH_FORCE, PUSH_TORQUE, PUSH_QUANTITIES, PUSH_TERMS = 10 };

typedef struct push_terms {
  double value[PUSH_TERMS];
} push_terms;

GEOMETRY_FUNCTION int quantity_of_term(int term) {
  return (term + 2) / 3;
}

/* Of a pair that shares the volume and pushes along the normal at the centroid, as strongly as it is said. Everything
 * is finite. */
GEOMETRY_FUNCTION push_terms push_terms_make(double volume, const double centroid[3], const double normal[3],
                                             double strength, const double about[3]) {
  push_terms terms;
  double arm[3];
  double *moment = terms.value + 1, *force = terms.value + 4, *torque = terms.value + 7;
  const double pushing = within_doubles(strength);
  terms.value[0] = volume;
  for (int axis = 0; axis < 3; axis++) {
    moment[axis] = within_doubles(volume * centroid[axis]);
    force[axis] = within_doubles(pushing * normal[axis]);
    arm[axis] = within_doubles(centroid[axis] - about[axis]);
  }
  for (int axis = 0; axis < 3; axis++) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const double plus = within_doubles(arm[next] * force[last]), minus = within_doubles(arm[last] * force[next]);
    torque[axis] = within_doubles(plus - minus);
  }
  return terms;
}

/* Of the pushes of two objects: first the largest magnitudes, then the sums. */
typedef struct push_sum {
  double largest[PUSH_QUANTITIES];
  order_free_sum sums[PUSH_TERMS];
  uint64_t count;
} push_sum;

GEOMETRY_FUNCTION void note_largest(push_sum *sum, const push_terms *terms) {
  for (int term = 0; term < PUSH_TERMS; term++) {
    double *largest = &sum->largest[quantity_of_term(term)];
    *largest = fabs(terms->value[term]) > *largest ? fabs(terms->value[term]) : *largest;
  }
}

GEOMETRY_FUNCTION void add_terms(push_sum *sum, const push_terms *terms) {
  for (int term = 0; term < PUSH_TERMS; term++)
    sum_add(&sum->sums[term], terms->value[term], sum_exponent(sum->largest[quantity_of_term(term)]));
  sum->count++;
}

/* What the pushes make together. */
typedef struct push_total {
  double volume, centroid[3], force[3], torque[3];
} push_total;

GEOMETRY_FUNCTION push_total push_sum_total(const push_sum *sum) {
  push_total total;
  double value[PUSH_TERMS];
  for (int term = 0; term < PUSH_TERMS; term++)
    value[term] = sum_total(&sum->sums[term], sum_exponent(sum->largest[quantity_of_term(term)]));
  total.volume = value[0];
  for (int axis = 0; axis < 3; axis++) {
    total.centroid[axis] = value[0] > 0.0 ? value[1 + axis] / value[0] : value[1 + axis];
    total.force[axis] = value[4 + axis];
    total.torque[axis] = value[7 + axis];
  }
  return total;
}

#endif

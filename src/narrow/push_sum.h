/* What pairs of solids do to each other, summed over pairs without regard to their order: volume, first moment, force
 * and torque. For the processor and for GPUs.
 *
 * Workload: all pairs of a query between two objects, some 10^5, or a few each of 10^5 pairs of objects. */
#ifndef GRAZE_NARROW_PUSH_SUM_H
#define GRAZE_NARROW_PUSH_SUM_H

#include "geometry/order_free_sum.h"
#include "graze/graze.h"

/* The volume, then three numbers each: the volume times the centroid, the force, the torque. The three have one unit.
 */
enum { PUSH_VOLUME, PUSH_MOMENT, PUSH_FORCE, PUSH_TORQUE, PUSH_QUANTITIES, PUSH_TERMS = 10 };

typedef struct push_terms {
  double value[PUSH_TERMS];
} push_terms;

GEOMETRY_FUNCTION int quantity_of_term(int term) {
  return (term + 2) / 3;
}

typedef struct push_rule {
  double stiffness, about[3];
  bool by_area; /* GRAZE_FORCE_GRADIENT */
} push_rule;

GEOMETRY_FUNCTION double finite_product(double a, double b) {
  const double product = a * b, below = product <= DBL_MAX ? product : DBL_MAX;
  return below >= -DBL_MAX ? below : -DBL_MAX;
}

/* b - a, within what doubles hold. */
GEOMETRY_FUNCTION double finite_difference(double b, double a) {
  const double difference = b - a, below = difference <= DBL_MAX ? difference : DBL_MAX;
  return below >= -DBL_MAX ? below : -DBL_MAX;
}

/* What one contact with a volume adds. Everything is finite. */
GEOMETRY_FUNCTION push_terms push_terms_of(const graze_contact *push, const push_rule *rule) {
  push_terms terms;
  double arm[3];
  double *moment = terms.value + 1, *force = terms.value + 4, *torque = terms.value + 7;
  const double strength = finite_product(rule->stiffness, rule->by_area ? push->area : push->volume);
  terms.value[0] = push->volume;
  for (int axis = 0; axis < 3; axis++) {
    moment[axis] = finite_product(push->volume, push->centroid[axis]);
    force[axis] = finite_product(strength, push->normal[axis]);
    arm[axis] = finite_difference(push->centroid[axis], rule->about[axis]);
  }
  for (int axis = 0; axis < 3; axis++) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    torque[axis] = finite_difference(finite_product(arm[next], force[last]), finite_product(arm[last], force[next]));
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

#endif

/* Exact arithmetic on sums of doubles: error-free transforms and expansions.
 *
 * An expansion is an array of doubles, smallest magnitude first, whose exact sum is the represented number. Its
 * components are strongly nonoverlapping, so the last one has the sign. Zero components are dropped, which keeps the
 * expansions of short inputs (float meshes stored as doubles) short.
 *
 * The transforms assume rounding to nearest even, no fused multiply-add, no overflow and no underflow. The caller
 * guarantees the last two by bounding its inputs (see orientation_exact.h).
 *
 * Dekker, "A floating-point technique for extending the available precision", 1971; Knuth, "The Art of Computer
 * Programming", volume 2 (two_sum); Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 * Predicates", 1997 (theorems 6, 7, 13, 17, 18, 19). */
#ifndef GRAZE_GEOMETRY_EXPANSION_H
#define GRAZE_GEOMETRY_EXPANSION_H

#include "geometry/device.h"

#include <stdbool.h>
#include <stdint.h>

/* A number represented exactly as head + tail, with head the rounded value. */
typedef struct two_term {
  double head, tail;
} two_term;

GEOMETRY_FUNCTION two_term two_term_make(double head, double tail) {
  two_term result;
  result.head = head;
  result.tail = tail;
  return result;
}

GEOMETRY_FUNCTION two_term two_sum(double a, double b) {
  const double sum = a + b;
  const double b_virtual = sum - a;
  const double a_virtual = sum - b_virtual;
  return two_term_make(sum, (a - a_virtual) + (b - b_virtual));
}

/* Requires |a| >= |b| or a == 0. */
GEOMETRY_FUNCTION two_term two_sum_ordered(double a, double b) {
  const double sum = a + b;
  return two_term_make(sum, b - (sum - a));
}

GEOMETRY_FUNCTION two_term two_difference(double a, double b) {
  const double difference = a - b;
  const double b_virtual = a - difference;
  const double a_virtual = difference + b_virtual;
  return two_term_make(difference, (a - a_virtual) + (b_virtual - b));
}

/* Veltkamp's split: head and tail have at most 26 significant bits each, so products of such halves are exact. */
GEOMETRY_FUNCTION two_term two_halves(double a) {
  const double spread = 134217729.0 * a; /* 2^27 + 1 */
  const double head = spread - (spread - a);
  return two_term_make(head, a - head);
}

GEOMETRY_FUNCTION two_term two_product_of_halves(double a, two_term a_halves, double b, two_term b_halves) {
  const double product = a * b;
  const double rest_1 = product - a_halves.head * b_halves.head;
  const double rest_2 = rest_1 - a_halves.tail * b_halves.head;
  const double rest_3 = rest_2 - a_halves.head * b_halves.tail;
  return two_term_make(product, a_halves.tail * b_halves.tail - rest_3);
}

GEOMETRY_FUNCTION two_term two_product(double a, double b) {
  return two_product_of_halves(a, two_halves(a), b, two_halves(b));
}

/* Writes a component unless it is zero. */
GEOMETRY_FUNCTION uint32_t expansion_append(double component, uint32_t count, double *expansion) {
  expansion[count] = component;
  return count + (component != 0.0 ? 1u : 0u);
}

GEOMETRY_FUNCTION uint32_t expansion_from_two_term(two_term value, double expansion_out[2]) {
  const uint32_t count = expansion_append(value.tail, 0, expansion_out);
  return expansion_append(value.head, count, expansion_out);
}

/* Merges by magnitude, then sums with one running two_sum (theorem 13). The output has space for e_count + f_count
 * components and may not overlap the inputs. */
GEOMETRY_FUNCTION uint32_t expansion_sum(uint32_t e_count, const double *e, uint32_t f_count, const double *f,
                                         double *sum_out) {
  uint32_t i = 0, j = 0, count = 0;
  double running = 0.0;
  while (i < e_count || j < f_count) {
    /* The two comparisons agree exactly if |e| < |f|, whatever the signs. */
    const bool take_e = j == f_count || (i < e_count && ((f[j] > e[i]) == (f[j] > -e[i])));
    const double next = take_e ? e[i++] : f[j++];
    const two_term step = two_sum(running, next);
    count = expansion_append(step.tail, count, sum_out);
    running = step.head;
  }
  return expansion_append(running, count, sum_out);
}

/* e times one double (theorem 19). The output has space for 2 * e_count components and may not overlap the input. */
GEOMETRY_FUNCTION uint32_t expansion_scale(uint32_t e_count, const double *e, double factor, double *product_out) {
  if (e_count == 0 || factor == 0.0) return 0;
  const two_term factor_halves = two_halves(factor);
  two_term running = two_product_of_halves(e[0], two_halves(e[0]), factor, factor_halves);
  uint32_t count = expansion_append(running.tail, 0, product_out);
  for (uint32_t i = 1; i < e_count; i++) {
    const two_term product = two_product_of_halves(e[i], two_halves(e[i]), factor, factor_halves);
    const two_term low = two_sum(running.head, product.tail);
    count = expansion_append(low.tail, count, product_out);
    running = two_sum_ordered(product.head, low.head);
    count = expansion_append(running.tail, count, product_out);
  }
  return expansion_append(running.head, count, product_out);
}

GEOMETRY_FUNCTION void expansion_negate(uint32_t count, double *expansion) {
  for (uint32_t i = 0; i < count; i++) expansion[i] = -expansion[i];
}

/* a * b for two-term numbers: at most 8 components. */
GEOMETRY_FUNCTION uint32_t expansion_product_of_two_terms(two_term a, two_term b, double product_out[8]) {
  double a_components[2], by_tail[4], by_head[4];
  const uint32_t a_count = expansion_from_two_term(a, a_components);
  const uint32_t tail_count = expansion_scale(a_count, a_components, b.tail, by_tail);
  const uint32_t head_count = expansion_scale(a_count, a_components, b.head, by_head);
  return expansion_sum(tail_count, by_tail, head_count, by_head, product_out);
}

/* a * d - b * c for two-term numbers: at most 16 components. */
GEOMETRY_FUNCTION uint32_t expansion_minor(two_term a, two_term b, two_term c, two_term d, double minor_out[16]) {
  double left[8], right[8];
  const uint32_t left_count = expansion_product_of_two_terms(a, d, left);
  const uint32_t right_count = expansion_product_of_two_terms(b, c, right);
  expansion_negate(right_count, right);
  return expansion_sum(left_count, left, right_count, right, minor_out);
}

/* The output has space for 4 * e_count components, like scratch. */
GEOMETRY_FUNCTION uint32_t expansion_scale_by_two_term(uint32_t e_count, const double *e, two_term factor,
                                                       double *scratch, double *product_out) {
  const uint32_t low_count = expansion_scale(e_count, e, factor.tail, scratch);
  const uint32_t high_count = expansion_scale(e_count, e, factor.head, scratch + low_count);
  return expansion_sum(low_count, scratch, high_count, scratch + low_count, product_out);
}

GEOMETRY_FUNCTION int expansion_sign(uint32_t count, const double *expansion) {
  if (count == 0) return 0;
  return (expansion[count - 1] > 0.0) - (expansion[count - 1] < 0.0);
}

/* The sum rounded to double, within two units in the last place. */
GEOMETRY_FUNCTION double expansion_estimate(uint32_t count, const double *expansion) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++) sum += expansion[i];
  return sum;
}

#endif

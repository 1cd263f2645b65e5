/* The exact tier of balls: signs of distances minus radii, for all finite doubles, in integers (wide_integer.h).
 *
 * Let a, b, d be the corners of a triangle and c the center of a ball of radius r; u = b - a, v = d - a, w = c - a. All
 * signs follow from six numbers of degree two,
 *   u.u, u.v, v.v, u.w, v.w and the power of a, w.w - r^2.
 * - A corner: the sign of its power is that of its distance to c minus r. The powers of the other corners follow, as |c
 *   - b|^2 = w.w - 2 u.w + u.u.
 * - The edge ab: the foot of c is inside if 0 < u.w < u.u. Its squared distance is w.w - (u.w)^2 / u.u, so the sign is
 *   that of power u.u - (u.w)^2, of degree four.
 * - The face: with G = u.u v.v - (u.v)^2, B = u.w v.v - v.w u.v, C = v.w u.u - u.w u.v the foot of c is a + (B u + C v)
 *   / G, inside if B, C and G - B - C are not negative. Its squared distance is w.w - (B u.w + C v.w) / G, so the sign
 *   is that of power G - B u.w - C v.w, of degree six.
 * Neither roots nor cross products are needed. If G is zero, the triangle is a segment or a point, and the union of its
 * edges. For an edge without length u.w = 0, so its corner decides.
 *
 * Bits: differences have 2099, the six numbers and sums of them 4202, degree four 8404, degree six 12606;
 * wide_integer.h provides the next multiples of 32. The deepest stack, for a face, is 10 kilobytes.
 *
 * Workload: tangent and nearly tangent pairs. Integers are in units of the smallest bit that occurs, so coordinates of
 * one scale have two or three limbs, whatever the scale. */
#ifndef GRAZE_GEOMETRY_SPHERE_EXACT_H
#define GRAZE_GEOMETRY_SPHERE_EXACT_H

#include "geometry/orientation_exact.h"

/* Which tier counts: the integers cover the range of the expansions and everything beyond. */
GEOMETRY_FUNCTION void sphere_tally_raise(const double *values, uint32_t count, orientation_tally *tally) {
  orientation_tally_raise(tally, expansion_accepts_all(values, count) ? TIER_EXPANSION : TIER_WIDE);
}

/* Adds a * b to a sum that has enough limbs, or subtracts it. */
GEOMETRY_FUNCTION void wide_integer_accumulate(const wide_integer *a, const wide_integer *b, bool takes_away,
                                               wide_integer *scratch, wide_integer *sum) {
  wide_integer_multiply(a, b, scratch);
  if (takes_away)
    wide_integer_subtract(sum, scratch, sum);
  else
    wide_integer_add(sum, scratch, sum);
}

/* The sign of |c - d|^2 - (r + s)^2. */
GEOMETRY_SLOW_FUNCTION int sphere_pair_exact(const double *c, double r, const double *d, double s,
                                             orientation_tally *tally) {
  const double values[8] = {c[0], c[1], c[2], d[0], d[1], d[2], r, s};
  sphere_tally_raise(values, 8, tally);
  const int32_t unit = wide_integer_unit(values, 8);
  uint32_t limbs[WIDE_LIMBS_1], scratch_limbs[WIDE_LIMBS_2], sum_limbs[WIDE_LIMBS_2];
  wide_integer term = wide_integer_in(limbs), scratch = wide_integer_in(scratch_limbs),
               sum = wide_integer_in(sum_limbs);
  for (int axis = 0; axis < 3; axis++) {
    wide_integer_difference(c[axis], d[axis], unit, &term);
    wide_integer_accumulate(&term, &term, false, &scratch, &sum);
  }
  wide_integer_difference(r, -s, unit, &term);
  wide_integer_accumulate(&term, &term, true, &scratch, &sum);
  return wide_integer_sign(&sum);
}

/* The six numbers. Must not be copied: the integers point into the limbs. */
typedef struct sphere_gram {
  uint32_t limbs[6][WIDE_LIMBS_2];
  wide_integer uu, uv, vv, uw, vw, power;
} sphere_gram;

GEOMETRY_FUNCTION void wide_integer_dot(const wide_integer a[3], const wide_integer b[3], wide_integer *scratch,
                                        wide_integer *dot_out) {
  dot_out->limb_count = 0;
  for (int axis = 0; axis < 3; axis++) wide_integer_accumulate(&a[axis], &b[axis], false, scratch, dot_out);
}

GEOMETRY_SLOW_FUNCTION void sphere_gram_make(const double *c, double r, const double *triangle, sphere_gram *gram_out) {
  double values[13];
  for (int i = 0; i < 9; i++) values[i] = triangle[i];
  for (int axis = 0; axis < 3; axis++) values[9 + axis] = c[axis];
  values[12] = r;
  const int32_t unit = wide_integer_unit(values, 13);
  uint32_t limbs[3][3][WIDE_LIMBS_1], radius_limbs[WIDE_LIMBS_1], scratch_limbs[WIDE_LIMBS_2];
  wide_integer edge[3][3], radius = wide_integer_in(radius_limbs), scratch = wide_integer_in(scratch_limbs);
  for (int row = 0; row < 3; row++) {
    for (int axis = 0; axis < 3; axis++) {
      edge[row][axis] = wide_integer_in(limbs[row][axis]);
      wide_integer_difference(values[3 * (row + 1) + axis], triangle[axis], unit, &edge[row][axis]);
    }
  }
  wide_integer *const numbers[6] = {&gram_out->uu, &gram_out->uv, &gram_out->vv,
                                    &gram_out->uw, &gram_out->vw, &gram_out->power};
  const int left[6] = {0, 0, 1, 0, 1, 2}, right[6] = {0, 1, 1, 2, 2, 2};
  for (int i = 0; i < 6; i++) {
    *numbers[i] = wide_integer_in(gram_out->limbs[i]);
    wide_integer_dot(edge[left[i]], edge[right[i]], &scratch, numbers[i]);
  }
  wide_integer_from_double(r, unit, &radius);
  wide_integer_accumulate(&radius, &radius, true, &scratch, &gram_out->power);
}

/* The power of the other end of an edge: power - 2 u.w + u.u. */
GEOMETRY_FUNCTION void sphere_far_power(const wide_integer *uu, const wide_integer *uw, const wide_integer *power,
                                        wide_integer *power_out) {
  wide_integer_subtract(power, uw, power_out);
  wide_integer_subtract(power_out, uw, power_out);
  wide_integer_add(power_out, uu, power_out);
}

/* The sign of the distance of a closed edge minus the radius. */
GEOMETRY_SLOW_FUNCTION int sphere_edge_exact(const wide_integer *uu, const wide_integer *uw,
                                             const wide_integer *power) {
  uint32_t product_limbs[WIDE_LIMBS_4], value_limbs[WIDE_LIMBS_4];
  wide_integer product = wide_integer_in(product_limbs), value = wide_integer_in(value_limbs);
  const int near_sign = wide_integer_sign(power);
  if (near_sign < 0 || wide_integer_sign(uw) <= 0) return near_sign;
  wide_integer_subtract(uw, uu, &value);
  if (wide_integer_sign(&value) >= 0) {
    sphere_far_power(uu, uw, power, &value);
    return wide_integer_sign(&value);
  }
  wide_integer_multiply(power, uu, &value);
  wide_integer_accumulate(uw, uw, true, &product, &value);
  return wide_integer_sign(&value);
}

/* The edge opposite to a: u.u - 2 u.v + v.v, and its product with c - b, v.w - u.w - u.v + u.u. */
GEOMETRY_SLOW_FUNCTION int sphere_opposite_edge_exact(const sphere_gram *gram) {
  uint32_t limbs[3][WIDE_LIMBS_2];
  wide_integer squared = wide_integer_in(limbs[0]), along = wide_integer_in(limbs[1]),
               power = wide_integer_in(limbs[2]);
  sphere_far_power(&gram->uu, &gram->uw, &gram->power, &power);
  wide_integer_subtract(&gram->uu, &gram->uv, &squared);
  wide_integer_subtract(&gram->vw, &gram->uw, &along);
  wide_integer_add(&along, &squared, &along);
  wide_integer_subtract(&squared, &gram->uv, &squared);
  wide_integer_add(&squared, &gram->vv, &squared);
  return sphere_edge_exact(&squared, &along, &power);
}

/* a b - c d, for numbers of degree two. */
GEOMETRY_FUNCTION void sphere_gram_minor(const wide_integer *a, const wide_integer *b, const wide_integer *c,
                                         const wide_integer *d, wide_integer *scratch, wide_integer *minor_out) {
  wide_integer_multiply(a, b, minor_out);
  wide_integer_accumulate(c, d, true, scratch, minor_out);
}

/* G, B and C; false if the foot of the center is not inside, or the triangle is degenerate. */
GEOMETRY_FUNCTION bool sphere_gram_foot(const sphere_gram *gram, wide_integer *scratch, wide_integer *rest,
                                        wide_integer *area_out, wide_integer *along_u_out, wide_integer *along_v_out) {
  sphere_gram_minor(&gram->uu, &gram->vv, &gram->uv, &gram->uv, scratch, area_out);
  if (wide_integer_sign(area_out) == 0) return false;
  sphere_gram_minor(&gram->uw, &gram->vv, &gram->vw, &gram->uv, scratch, along_u_out);
  sphere_gram_minor(&gram->vw, &gram->uu, &gram->uw, &gram->uv, scratch, along_v_out);
  wide_integer_subtract(area_out, along_u_out, rest);
  wide_integer_subtract(rest, along_v_out, rest);
  return wide_integer_sign(along_u_out) >= 0 && wide_integer_sign(along_v_out) >= 0 && wide_integer_sign(rest) >= 0;
}

GEOMETRY_SLOW_FUNCTION bool sphere_face_exact(const sphere_gram *gram, int *sign_out) {
  uint32_t minor_limbs[3][WIDE_LIMBS_4], scratch_limbs[WIDE_LIMBS_6], value_limbs[WIDE_LIMBS_6];
  wide_integer area = wide_integer_in(minor_limbs[0]), along_u = wide_integer_in(minor_limbs[1]);
  wide_integer along_v = wide_integer_in(minor_limbs[2]), scratch = wide_integer_in(scratch_limbs);
  wide_integer value = wide_integer_in(value_limbs);
  if (!sphere_gram_foot(gram, &scratch, &value, &area, &along_u, &along_v)) return false;
  wide_integer_multiply(&area, &gram->power, &value);
  wide_integer_accumulate(&along_u, &gram->uw, true, &scratch, &value);
  wide_integer_accumulate(&along_v, &gram->vw, true, &scratch, &value);
  *sign_out = wide_integer_sign(&value);
  return true;
}

/* The sign of the distance from c to a closed triangle, degenerate or not, minus r. */
GEOMETRY_SLOW_FUNCTION int sphere_triangle_exact(const double *c, double r, const double *triangle,
                                                 orientation_tally *tally) {
  sphere_tally_raise(triangle, 9, tally);
  sphere_tally_raise(c, 3, tally);
  sphere_tally_raise(&r, 1, tally);
  sphere_gram gram;
  int sign = 0;
  sphere_gram_make(c, r, triangle, &gram);
  if (wide_integer_sign(&gram.power) < 0) return -1;
  if (sphere_face_exact(&gram, &sign)) return sign;
  int least = sphere_edge_exact(&gram.uu, &gram.uw, &gram.power);
  if (least >= 0) {
    sign = sphere_edge_exact(&gram.vv, &gram.vw, &gram.power);
    least = sign < least ? sign : least;
  }
  if (least >= 0) {
    sign = sphere_opposite_edge_exact(&gram);
    least = sign < least ? sign : least;
  }
  return least;
}

#endif

/* Decides exactly whether the nearest point of a corner, an edge or a triangle of a hull is the nearest point of the
 * hull.
 *
 * Let a be a corner of the feature, u and v its edges there, w = c - a, and G, B, C as in sphere_exact.h for a
 * triangle; for an edge G = u.u, B = u.w, C = 0, for a corner G = 1 and B = C = 0. The foot of the center is a + (B u +
 * C v) / G, and n = G w - B u - C v points from it to the center. If the foot is in the feature, it is the nearest
 * point of the whole hull exactly if no corner x is on the side of the center: n.(x - a) <= 0, that is G w.(x - a) - B
 * u.(x - a) - C v.(x - a) <= 0, of degree six. The two factors of a term may be in different units, which are the same
 * in all terms.
 *
 * Workload: hulls and balls that are too close for doubles to decide; microseconds a corner. The deepest stack is 13
 * kilobytes. */
#ifndef GRAZE_GEOMETRY_SPHERE_NEAREST_H
#define GRAZE_GEOMETRY_SPHERE_NEAREST_H

#include "geometry/sphere_exact.h"

#include <stddef.h>

/* G, B and C. Must not be copied: the integers point into the limbs. */
typedef struct sphere_foot {
  uint32_t limbs[3][WIDE_LIMBS_4];
  wide_integer weight[3];
} sphere_foot;

GEOMETRY_FUNCTION void wide_integer_copy(const wide_integer *value, wide_integer *copy_out) {
  for (uint32_t i = 0; i < value->limb_count; i++) copy_out->limbs[i] = value->limbs[i];
  copy_out->limb_count = value->limb_count;
  copy_out->is_negative = value->is_negative;
}

/* For the first 1 to 3 corners; the rest of the gram is zero. False if the foot is not in their hull. */
GEOMETRY_SLOW_FUNCTION bool sphere_foot_from_gram(const sphere_gram *gram, uint32_t corner_count,
                                                  sphere_foot *foot_out) {
  uint32_t scratch_limbs[WIDE_LIMBS_4], rest_limbs[WIDE_LIMBS_4];
  wide_integer scratch = wide_integer_in(scratch_limbs), rest = wide_integer_in(rest_limbs);
  for (int i = 0; i < 3; i++) foot_out->weight[i] = wide_integer_in(foot_out->limbs[i]);
  if (corner_count == 1) {
    foot_out->limbs[0][0] = 1;
    foot_out->weight[0].limb_count = 1;
    return true;
  }
  if (corner_count == 3)
    return sphere_gram_foot(gram, &scratch, &rest, &foot_out->weight[0], &foot_out->weight[1], &foot_out->weight[2]);
  wide_integer_copy(&gram->uu, &foot_out->weight[0]);
  wide_integer_copy(&gram->uw, &foot_out->weight[1]);
  wide_integer_subtract(&gram->uu, &gram->uw, &rest);
  return wide_integer_sign(&gram->uu) > 0 && wide_integer_sign(&gram->uw) >= 0 && wide_integer_sign(&rest) >= 0;
}

/* For the first 1 to 3 corners of a triangle; false if the foot is not in their hull. */
GEOMETRY_SLOW_FUNCTION bool sphere_foot_make(const double *c, const double *triangle, uint32_t corner_count,
                                             sphere_foot *foot_out) {
  sphere_gram gram;
  if (corner_count > 1) sphere_gram_make(c, 0.0, triangle, &gram);
  return sphere_foot_from_gram(&gram, corner_count, foot_out);
}

/* (to - origin).(x - origin) */
GEOMETRY_SLOW_FUNCTION void sphere_wide_dot(const double *origin, const double *to, const double *x, int32_t unit,
                                            wide_integer *dot_out) {
  uint32_t limbs[2][WIDE_LIMBS_1], scratch_limbs[WIDE_LIMBS_2];
  wide_integer left = wide_integer_in(limbs[0]), right = wide_integer_in(limbs[1]);
  wide_integer scratch = wide_integer_in(scratch_limbs);
  dot_out->limb_count = 0;
  for (int axis = 0; axis < 3; axis++) {
    wide_integer_difference(to[axis], origin[axis], unit, &left);
    wide_integer_difference(x[axis], origin[axis], unit, &right);
    wide_integer_accumulate(&left, &right, false, &scratch, dot_out);
  }
}

/* Whether a corner is on the side of the center, relative to the foot. */
GEOMETRY_SLOW_FUNCTION bool sphere_corner_is_before(const double *c, const double *triangle, const sphere_foot *foot,
                                                    const double *corner) {
  double values[15];
  for (int i = 0; i < 9; i++) values[i] = triangle[i];
  for (int axis = 0; axis < 3; axis++) {
    values[9 + axis] = c[axis];
    values[12 + axis] = corner[axis];
  }
  const int32_t unit = wide_integer_unit(values, 15);
  uint32_t dot_limbs[WIDE_LIMBS_2], scratch_limbs[WIDE_LIMBS_6], sum_limbs[WIDE_LIMBS_6];
  wide_integer dot = wide_integer_in(dot_limbs), scratch = wide_integer_in(scratch_limbs);
  wide_integer sum = wide_integer_in(sum_limbs);
  const double *const to[3] = {c, triangle + 3, triangle + 6};
  for (int i = 0; i < 3; i++) {
    sphere_wide_dot(triangle, to[i], corner, unit, &dot);
    wide_integer_accumulate(&foot->weight[i], &dot, i > 0, &scratch, &sum);
  }
  return wide_integer_sign(&sum) > 0;
}

/* Whether the foot of c on the first corner_count corners of the triangle, 1 to 3 of the given points, is in their hull
 * and is the nearest point of all. */
GEOMETRY_SLOW_FUNCTION bool sphere_feature_is_nearest(const double *c, const double *triangle, uint32_t corner_count,
                                                      const double *points, uint32_t count, orientation_tally *tally) {
  sphere_foot foot;
  sphere_tally_raise(points, 3 * count, tally);
  sphere_tally_raise(c, 3, tally);
  if (!sphere_foot_make(c, triangle, corner_count, &foot)) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (sphere_corner_is_before(c, triangle, &foot, points + 3 * (size_t)i)) return false;
  }
  return true;
}

#endif

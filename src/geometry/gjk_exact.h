/* Decides exactly whether the distance of two hulls is at most a reach: GJK in integers, for all finite doubles
 * (wide_integer.h).
 *
 * The distance of hull(a) and hull(b) is that of the origin from the difference set, the hull of all a_i - b_j. The
 * nearest point of a face of one to three differences d0, d1, d2 follows from the six numbers of sphere_exact.h with u
 * = d1 - d0, v = d2 - d0 and w = -d0 (the "center" is the origin), and with the weights G, B, C of sphere_nearest.h:
 * - the foot is d0 + (B u + C v) / G, if it is in the face;
 * - its squared distance minus the squared reach has the sign of power G - B u.w - C v.w, with power = w.w - reach^2;
 * - n = G w - B u - C v points from the foot to the origin. The foot is the nearest point of the whole difference set
 *   exactly if no difference x has n.(x - d0) > 0. As x = a_i - b_j, the corners of a and b are tried one by one.
 * A corner of one against an edge or a face of the other is such a face, and so is half of the parallelogram of two
 * edges, so all cases are covered.
 *
 * Steps. The simplex is a face that contains its foot. If the foot is within the reach, so are the hulls. If no corner
 * is beyond it, the foot is the nearest point, and the hulls are not within the reach. Otherwise the farthest
 * difference along n is added. The nearest point of the at most four differences is in a face with the new one: the
 * face that has no other difference beyond it. If there is no such face, the origin is strictly inside, and the hulls
 * intersect. Every step comes strictly nearer, so no simplex occurs twice and the steps end. From the simplex of GJK in
 * doubles, one or two steps are needed.
 *
 * Bits. A coordinate has 2098, so w, a difference of two coordinates, 2099, u and v, of four, 2100. The reach is the
 * sum of three doubles, also of 2100 bits, as 3 < 2^2. Dot products are below 3 * 2^4200 and the squared reach below 9
 * * 2^4196: 4202 bits; G, B and C are differences of two products of them, 8405; n, three products with 2100 bits more,
 * is below 3 * 2^10505, so it has 10507; n.(x - d0), with three products for a and three for b, is below 6 * 2^12606,
 * power G - B u.w - C v.w below 3 * 2^12607: 12,609 bits. A product has as many limbs as its factors together: 66 + 66,
 * 132 + 132, 263 + 66, 263 + 132 or 329 + 66, within WIDE_LIMBS_2, _4, _5 and _6, and no sum has one more.
 *
 * Workload: pairs whose distance equals the reach to the last bits. Integers are in units of the smallest bit that
 * occurs, so coordinates of one scale have two or three limbs: triangles take 3 microseconds, hulls of 64 corners 30.
 * Coordinates from the smallest double to the largest take a millisecond. The deepest stack is 18 kilobytes.
 *
 * Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex objects in three-dimensional
 * space", 1988. */
#ifndef GRAZE_GEOMETRY_GJK_EXACT_H
#define GRAZE_GEOMETRY_GJK_EXACT_H

#include "geometry/sphere_nearest.h"

/* Two hulls, and a reach that is the exact sum of three nonnegative doubles. */
typedef struct clearance_problem {
  const double *a, *b;
  uint32_t a_count, b_count;
  double reach[3];
} clearance_problem;

/* Up to four differences a - b, by the numbers of their corners. */
typedef struct corner_simplex {
  uint32_t count, a[4], b[4];
} corner_simplex;

typedef enum exact_face { EXACT_FACE_FAILS, EXACT_FACE_WITHIN, EXACT_FACE_BEYOND } exact_face;

/* Must not be copied: the integers point into the limbs. */
typedef struct exact_normal {
  uint32_t limbs[3][WIDE_LIMBS_5];
  wide_integer axis[3];
} exact_normal;

GEOMETRY_FUNCTION int32_t clearance_problem_unit(const clearance_problem *problem) {
  const double *const values[3] = {problem->a, problem->b, problem->reach};
  const uint32_t counts[3] = {3 * problem->a_count, 3 * problem->b_count, 3};
  int32_t unit = INT32_MAX;
  for (int i = 0; i < 3; i++) {
    bool is_zero = true;
    for (uint32_t j = 0; is_zero && j < counts[i]; j++) is_zero = values[i][j] == 0.0;
    if (is_zero) continue;
    const int32_t own = wide_integer_unit(values[i], counts[i]);
    unit = own < unit ? own : unit;
  }
  return unit == INT32_MAX ? 0 : unit;
}

/* w, u and v of a face; u and v are zero if it has fewer corners. Must not be copied. */
typedef struct face_vectors {
  uint32_t limbs[3][3][WIDE_LIMBS_1];
  wide_integer edge[3][3]; /* u, v, w */
} face_vectors;

GEOMETRY_SLOW_FUNCTION void face_vectors_make(const clearance_problem *problem, const corner_simplex *face,
                                              int32_t unit, face_vectors *vectors_out) {
  wide_integer(*edge)[3] = vectors_out->edge;
  for (int axis = 0; axis < 3; axis++) {
    for (int i = 0; i < 3; i++) edge[i][axis] = wide_integer_in(vectors_out->limbs[i][axis]);
    wide_integer_difference(problem->b[3 * (size_t)face->b[0] + (size_t)axis],
                            problem->a[3 * (size_t)face->a[0] + (size_t)axis], unit, &edge[2][axis]);
    for (uint32_t i = 1; i < face->count; i++) {
      wide_integer_difference(problem->a[3 * (size_t)face->a[i] + (size_t)axis],
                              problem->b[3 * (size_t)face->b[i] + (size_t)axis], unit, &edge[i - 1][axis]);
      wide_integer_add(&edge[i - 1][axis], &edge[2][axis], &edge[i - 1][axis]);
    }
  }
}

/* The six numbers, with the squared reach subtracted from w.w. */
GEOMETRY_SLOW_FUNCTION void face_gram_make(const face_vectors *vectors, const double reach[3], int32_t unit,
                                           sphere_gram *gram_out) {
  uint32_t limbs[2][WIDE_LIMBS_1], scratch_limbs[WIDE_LIMBS_2];
  wide_integer radius = wide_integer_in(limbs[0]), part = wide_integer_in(limbs[1]);
  wide_integer scratch = wide_integer_in(scratch_limbs);
  wide_integer *const numbers[6] = {&gram_out->uu, &gram_out->uv, &gram_out->vv,
                                    &gram_out->uw, &gram_out->vw, &gram_out->power};
  const int left[6] = {0, 0, 1, 0, 1, 2}, right[6] = {0, 1, 1, 2, 2, 2};
  for (int i = 0; i < 6; i++) {
    *numbers[i] = wide_integer_in(gram_out->limbs[i]);
    wide_integer_dot(vectors->edge[left[i]], vectors->edge[right[i]], &scratch, numbers[i]);
  }
  for (int i = 0; i < 3; i++) {
    wide_integer_from_double(reach[i], unit, &part);
    wide_integer_add(&radius, &part, &radius);
  }
  wide_integer_accumulate(&radius, &radius, true, &scratch, &gram_out->power);
}

/* The sign of power G - B u.w - C v.w. */
GEOMETRY_SLOW_FUNCTION int sphere_foot_sign(const sphere_gram *gram, const sphere_foot *foot) {
  uint32_t limbs[2][WIDE_LIMBS_6];
  wide_integer scratch = wide_integer_in(limbs[0]), value = wide_integer_in(limbs[1]);
  wide_integer_multiply(&foot->weight[0], &gram->power, &value);
  wide_integer_accumulate(&foot->weight[1], &gram->uw, true, &scratch, &value);
  wide_integer_accumulate(&foot->weight[2], &gram->vw, true, &scratch, &value);
  return wide_integer_sign(&value);
}

/* n = G w - B u - C v. */
GEOMETRY_SLOW_FUNCTION void exact_normal_make(const face_vectors *vectors, const sphere_foot *foot,
                                              exact_normal *normal_out) {
  uint32_t scratch_limbs[WIDE_LIMBS_5];
  wide_integer scratch = wide_integer_in(scratch_limbs);
  for (int axis = 0; axis < 3; axis++) {
    wide_integer *value = &normal_out->axis[axis];
    *value = wide_integer_in(normal_out->limbs[axis]);
    wide_integer_multiply(&foot->weight[0], &vectors->edge[2][axis], value);
    wide_integer_accumulate(&foot->weight[1], &vectors->edge[0][axis], true, &scratch, value);
    wide_integer_accumulate(&foot->weight[2], &vectors->edge[1][axis], true, &scratch, value);
  }
}

/* Classifies the face's foot: not in the face, within the reach, or beyond it; in the last case computes its normal. */
GEOMETRY_SLOW_FUNCTION exact_face exact_face_try(const clearance_problem *problem, const corner_simplex *face,
                                                 int32_t unit, exact_normal *normal_out) {
  face_vectors vectors;
  sphere_gram gram;
  sphere_foot foot;
  face_vectors_make(problem, face, unit, &vectors);
  face_gram_make(&vectors, problem->reach, unit, &gram);
  if (!sphere_foot_from_gram(&gram, face->count, &foot)) return EXACT_FACE_FAILS;
  if (sphere_foot_sign(&gram, &foot) <= 0) return EXACT_FACE_WITHIN;
  exact_normal_make(&vectors, &foot, normal_out);
  return EXACT_FACE_BEYOND;
}

/* Adds n.(to - from) to a sum. */
GEOMETRY_FUNCTION void exact_normal_accumulate(const exact_normal *normal, const double *from, const double *to,
                                               int32_t unit, wide_integer *scratch, wide_integer *sum) {
  uint32_t limbs[WIDE_LIMBS_1];
  wide_integer way = wide_integer_in(limbs);
  for (int axis = 0; axis < 3; axis++) {
    wide_integer_difference(to[axis], from[axis], unit, &way);
    wide_integer_accumulate(&normal->axis[axis], &way, false, scratch, sum);
  }
}

/* Whether some difference of the simplex is on the side of the origin, relative to the foot on a face. */
GEOMETRY_SLOW_FUNCTION bool exact_simplex_passes(const clearance_problem *problem, const corner_simplex *corners,
                                                 const corner_simplex *face, int32_t unit, const exact_normal *normal) {
  uint32_t limbs[2][WIDE_LIMBS_6];
  for (uint32_t i = 0; i < corners->count; i++) {
    wide_integer scratch = wide_integer_in(limbs[0]), sum = wide_integer_in(limbs[1]);
    const double *a = problem->a + 3 * (size_t)corners->a[i], *b = problem->b + 3 * (size_t)corners->b[i];
    exact_normal_accumulate(normal, problem->a + 3 * (size_t)face->a[0], a, unit, &scratch, &sum);
    exact_normal_accumulate(normal, b, problem->b + 3 * (size_t)face->b[0], unit, &scratch, &sum);
    if (wide_integer_sign(&sum) > 0) return true;
  }
  return false;
}

/* The corners of a simplex whose bits are set. */
GEOMETRY_FUNCTION corner_simplex corner_simplex_part(const corner_simplex *corners, uint32_t bits) {
  corner_simplex part;
  part.count = 0;
  for (uint32_t i = 0; i < corners->count; i++) {
    if ((bits >> i & 1u) == 0) continue;
    part.a[part.count] = corners->a[i];
    part.b[part.count] = corners->b[i];
    part.count += 1;
  }
  return part;
}

/* Reduces the simplex to the face with its nearest point that has all required corners, given as bits. Fails if the
 * origin is strictly inside four differences. */
GEOMETRY_FUNCTION exact_face exact_simplex_reduce(const clearance_problem *problem, uint32_t required, int32_t unit,
                                                  corner_simplex *corners, exact_normal *normal_out) {
  for (uint32_t size = 3; size > 0; size--) {
    for (uint32_t bits = 1; bits < 1u << corners->count; bits++) {
      if ((bits & required) != required) continue;
      const corner_simplex face = corner_simplex_part(corners, bits);
      if (face.count != size) continue;
      const exact_face found = exact_face_try(problem, &face, unit, normal_out);
      if (found == EXACT_FACE_WITHIN) return found;
      if (found == EXACT_FACE_FAILS || exact_simplex_passes(problem, corners, &face, unit, normal_out)) continue;
      *corners = face;
      return found;
    }
  }
  return EXACT_FACE_FAILS;
}

/* The corner farthest along n, or against it, relative to a given one of the same set; the given one if none is beyond
 * it. */
GEOMETRY_SLOW_FUNCTION uint32_t exact_support(const exact_normal *normal, const double *corners, uint32_t count,
                                              uint32_t given, bool against, int32_t unit) {
  uint32_t limbs[3][WIDE_LIMBS_6], farthest = given;
  wide_integer scratch = wide_integer_in(limbs[0]), most = wide_integer_in(limbs[1]), value = wide_integer_in(limbs[2]);
  const double *origin = corners + 3 * (size_t)given;
  for (uint32_t i = 0; i < count; i++) {
    const double *corner = corners + 3 * (size_t)i;
    value.limb_count = 0;
    exact_normal_accumulate(normal, against ? corner : origin, against ? origin : corner, unit, &scratch, &value);
    if (wide_integer_sign(&value) <= 0 || wide_integer_compare_magnitude(&value, &most) <= 0) continue;
    const wide_integer swapped = most;
    most = value;
    value = swapped;
    farthest = i;
  }
  return farthest;
}

/* Whether the distance of the hulls is at most the reach. The steps start with 1 to 4 differences. If the answer is no,
 * they end with exactly those of the nearest features. */
GEOMETRY_SLOW_FUNCTION bool hulls_within_exact(const clearance_problem *problem, corner_simplex *corners,
                                               orientation_tally *tally) {
  sphere_tally_raise(problem->a, 3 * problem->a_count, tally);
  sphere_tally_raise(problem->b, 3 * problem->b_count, tally);
  sphere_tally_raise(problem->reach, 3, tally);
  const int32_t unit = clearance_problem_unit(problem);
  exact_normal normal;
  uint32_t required = 0;
  while (exact_simplex_reduce(problem, required, unit, corners, &normal) == EXACT_FACE_BEYOND) {
    const uint32_t a = exact_support(&normal, problem->a, problem->a_count, corners->a[0], false, unit);
    const uint32_t b = exact_support(&normal, problem->b, problem->b_count, corners->b[0], true, unit);
    if (a == corners->a[0] && b == corners->b[0]) return false;
    corners->a[corners->count] = a;
    corners->b[corners->count] = b;
    required = 1u << corners->count;
    corners->count += 1;
  }
  return true;
}

#endif

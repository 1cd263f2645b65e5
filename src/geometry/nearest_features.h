/* The distance of two pieces, nearest points of both, and the corners, edges or faces that contain these.
 *
 * A piece is the set of all points within a radius of the hull of its corners, as in clearance_pair.h. Whether the
 * distance is zero is exact: it is zero exactly if the pieces share a point. The value is rounded, with an error of at
 * most 1e-12 of the size of the pair, radii included. So hulls_within may report two pieces as within a clearance
 * although the value is above it, by that much. hulls_distance_bounds gives certain bounds. If the guess is not proven
 * to be that accurate, as for needles, integers find the features (gjk_exact.h), and triangle_distance.h their nearest
 * points.
 *
 * The two pieces are first put in an order of their own (counts, then bits of coordinates and radii), so that swapping
 * the arguments gives exactly the same distance, and the same points and features swapped. Of several equally near
 * features the search takes the first, which depends only on the coordinates. All operations are rounded one by one,
 * and roots are those of IEEE-754: the same bits on every machine.
 *
 * Workload: distances of pairs that a query has found, one call each: 290 ns for triangles, 160 for a ball and a
 * triangle, 900 for tetrahedra. */
#ifndef GRAZE_GEOMETRY_NEAREST_FEATURES_H
#define GRAZE_GEOMETRY_NEAREST_FEATURES_H

#include "geometry/clearance_pair.h"
#include "geometry/sphere_gap.h"
#include "geometry/triangle_distance.h"

enum { NEAR_CORNER = 0, NEAR_EDGE = 1, NEAR_FACE = 2, NEAR_INSIDE = 3 };

/* The part of a hull that contains its nearest point. Edges and faces are given by two and three corners, ascending; a
 * face with more corners by three of them, whose triangle contains the point, and a point on the diagonal of a face by
 * the two ends. */
typedef struct near_feature {
  uint8_t kind;     /* NEAR_..., NEAR_INSIDE if the pieces share a point */
  uint8_t index[3]; /* local corners of the feature, below 256; unused ones are zero */
} near_feature;

/* The nearest points of two hulls in given coordinates. */
typedef struct hulls_nearest {
  near_guess guess;
  double distance, on_a[3], on_b[3];
  bool is_rough; /* the direction does not prove that the distance is accurate, as for needles */
} hulls_nearest;

GEOMETRY_FUNCTION void near_points_store(vector3 local, const double origin[3], double point_out[3]) {
  point_out[0] = local.x + origin[0];
  point_out[1] = local.y + origin[1];
  point_out[2] = local.z + origin[2];
}

/* Whether the lower bound leaves the distance of GJK uncertain by more than 2^-45 of the size. Half of the size is
 * finite even if the size is not. */
GEOMETRY_FUNCTION bool gjk_is_rough(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                    const gjk_result *found, const near_guess *guess) {
  double half = 0.0;
  for (uint32_t i = 0; i < 3 * a_count; i++) half = fmax(half, fabs(0.5 * a[i] - 0.5 * a[i % 3]));
  for (uint32_t i = 0; i < 3 * b_count; i++) half = fmax(half, fabs(0.5 * b[i] - 0.5 * a[i % 3]));
  return !(guess->lower / guess->factor >= found->distance - 0x1p-44 * half);
}

GEOMETRY_FUNCTION void hulls_nearest_find(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                          hulls_nearest *nearest_out) {
  nearest_out->is_rough = false;
  if (a_count <= 3 && a_count != 2 && b_count == 3) {
    triangle_guess nearest;
    if (a_count == 3)
      triangle_nearest_find(a, b, &nearest);
    else
      point_nearest_find(a, b, &nearest);
    if (nearest.is_good) {
      nearest_out->guess = nearest.guess;
      nearest_out->distance = nearest.distance;
      near_points_store(nearest.on_p, a, nearest_out->on_a);
      near_points_store(nearest.on_q, a, nearest_out->on_b);
      return;
    }
  }
  gjk_result found;
  near_guess_by_gjk(a, a_count, b, b_count, GJK_MEASURE, 0.0, &found, &nearest_out->guess);
  nearest_out->distance = found.distance;
  nearest_out->is_rough = gjk_is_rough(a, a_count, b, b_count, &found, &nearest_out->guess);
  for (int axis = 0; axis < 3; axis++) {
    nearest_out->on_a[axis] = found.on_p[axis];
    nearest_out->on_b[axis] = found.on_q[axis];
  }
}

/* The distinct corners of one side of a simplex. */
GEOMETRY_FUNCTION near_feature near_feature_make(const uint32_t *corners, uint32_t count) {
  near_feature feature = {NEAR_INSIDE, {0, 0, 0}};
  uint32_t found = 0;
  for (uint32_t i = 0; i < count && found < 3; i++) {
    uint32_t place = 0;
    while (place < found && feature.index[place] < corners[i]) place++;
    if (place < found && feature.index[place] == corners[i]) continue;
    for (uint32_t j = found; j > place; j--) feature.index[j] = feature.index[j - 1];
    feature.index[place] = (uint8_t)corners[i];
    found += 1;
  }
  feature.kind = (uint8_t)(found - 1);
  return feature;
}

/* Hulls that are apart by less than rounding: in doubles, four differences surround the origin; integers find the
 * features. */
GEOMETRY_SLOW_FUNCTION void corner_simplex_refine(const clearance_problem *problem, corner_simplex *corners,
                                                  orientation_tally *tally) {
  clearance_problem apart = *problem;
  for (int i = 0; i < 3; i++) apart.reach[i] = 0.0;
  hulls_within_exact(&apart, corners, tally);
}

/* The corners of a feature, the last one repeated. */
GEOMETRY_FUNCTION void feature_fetch(const near_feature *feature, const double *corners, double corners_out[9]) {
  for (uint8_t i = 0; i < 3; i++) {
    const double *corner = corners + 3 * (size_t)feature->index[i < feature->kind ? i : feature->kind];
    for (int axis = 0; axis < 3; axis++) corners_out[3 * i + axis] = corner[axis];
  }
}

/* Computes the nearest points of the features, if those of the guess are poor. */
GEOMETRY_SLOW_FUNCTION void nearest_points_refine(const clearance_problem *problem, const near_feature features[2],
                                                  hulls_nearest *nearest) {
  double p[9], q[9];
  feature_fetch(&features[0], problem->a, p);
  feature_fetch(&features[1], problem->b, q);
  const local_pair local = local_pair_make(p, q);
  const nearest_points found = nearest_points_find(&local);
  local_pair_point(&local, found.on_p, nearest->on_a);
  local_pair_point(&local, found.on_q, nearest->on_b);
  nearest->distance = sqrt(found.squared) * local.size * local.inverse;
}

/* A total order of pieces by their bits: equal only if all bits are. */
GEOMETRY_FUNCTION int bits_compare(const double *a, const double *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t a_bits, b_bits;
    memcpy(&a_bits, a + i, sizeof a_bits);
    memcpy(&b_bits, b + i, sizeof b_bits);
    if (a_bits != b_bits) return a_bits < b_bits ? -1 : 1;
  }
  return 0;
}

GEOMETRY_FUNCTION bool pieces_are_swapped(const double *a, uint32_t a_count, double a_radius, const double *b,
                                          uint32_t b_count, double b_radius) {
  if (a_count != b_count) return b_count < a_count;
  const int order = bits_compare(a, b, 3 * a_count);
  return order != 0 ? order > 0 : bits_compare(&a_radius, &b_radius, 1) > 0;
}

/* A point within both radii of the points of two hulls that are at most the sum of the radii apart. */
GEOMETRY_FUNCTION void nearest_points_join(hulls_nearest *nearest, double a_radius, double b_radius) {
  const double sum = a_radius + b_radius;
  const double share =
      sum < HUGE_VAL ? (sum > 0.0 ? a_radius / sum : 0.0) : (0.5 * a_radius) / (0.5 * a_radius + 0.5 * b_radius);
  const vector3 common = vector3_between(vector3_load(nearest->on_a), vector3_load(nearest->on_b), share);
  vector3_store(common, nearest->on_a);
  vector3_store(common, nearest->on_b);
}

/* Moves points of the hulls to the surfaces at the radii. */
GEOMETRY_FUNCTION void nearest_points_part(hulls_nearest *nearest, double a_radius, double b_radius) {
  const vector3 unit = vector3_unit(vector3_load(nearest->guess.direction));
  const vector3 on_a = vector3_load(nearest->on_a), on_b = vector3_load(nearest->on_b);
  vector3_store(vector3_subtract(on_a, vector3_scale(unit, a_radius)), nearest->on_a);
  vector3_store(vector3_add(on_b, vector3_scale(unit, b_radius)), nearest->on_b);
}

/* The distance of pieces whose hulls are farther apart than the largest double; radii may bring it below. */
GEOMETRY_SLOW_FUNCTION double distance_from_far(const hulls_nearest *nearest, double a_radius, double b_radius) {
  double way[3];
  for (int axis = 0; axis < 3; axis++)
    way[axis] = within_doubles(nearest->on_a[axis]) * 0x1p-600 - within_doubles(nearest->on_b[axis]) * 0x1p-600;
  return (vector3_length(vector3_load(way)) - (a_radius * 0x1p-600 + b_radius * 0x1p-600)) * 0x1p600;
}

/* An interval that contains a distance. */
typedef struct distance_bounds {
  double lower, upper;
} distance_bounds;

/* The bounds of a guess, less the radii, in given units. In scaled units each has an error of one rounding of a
 * difference, and in given ones of a subnormal unit in addition. */
GEOMETRY_FUNCTION distance_bounds distance_bounds_make(const clearance_problem *problem, const near_guess *guess) {
  const reach_bounds reach = reach_bounds_make(problem->reach[0], problem->reach[1], problem->reach[2], guess->factor);
  const double most = near_guess_upper(guess, problem->a, problem->b);
  const double inverse = 1.0 / guess->factor;
  const double lower = (guess->lower - reach.most) * (1.0 - 0x1p-51) * inverse - DBL_TRUE_MIN;
  const double upper = (most - reach.least) * (1.0 + 0x1p-51) * inverse + DBL_TRUE_MIN;
  distance_bounds bounds;
  bounds.lower = lower > 0.0 ? (lower < DBL_MAX ? lower : DBL_MAX) : 0.0;
  bounds.upper = upper >= 0.0 ? upper : HUGE_VAL;
  return bounds;
}

/* The distance of the pieces; converts the points of the hulls to those of the pieces. */
GEOMETRY_FUNCTION double pieces_distance(const clearance_problem *problem, hulls_nearest *nearest,
                                         near_feature features_out[2], orientation_tally *tally) {
  const double a_radius = problem->reach[0], b_radius = problem->reach[1];
  corner_simplex *corners = &nearest->guess.simplex;
  const bool meets = hulls_within_guessed(problem, &nearest->guess, tally);
  const bool inside = meets && ((a_radius == 0.0 && b_radius == 0.0) ||
                                hulls_intersect(problem->a, problem->a_count, problem->b, problem->b_count, tally));
  const bool refines = !inside && (corners->count == 4 || nearest->is_rough);
  if (GEOMETRY_UNLIKELY(refines)) corner_simplex_refine(problem, corners, tally);
  features_out[0] = near_feature_make(corners->a, corners->count);
  features_out[1] = near_feature_make(corners->b, corners->count);
  if (GEOMETRY_UNLIKELY(refines)) nearest_points_refine(problem, features_out, nearest);
  if (meets) {
    const near_feature none = {NEAR_INSIDE, {0, 0, 0}};
    features_out[0] = features_out[1] = none;
    if (!inside) nearest_points_join(nearest, a_radius, b_radius);
    for (int axis = 0; axis < 3; axis++) nearest->on_b[axis] = nearest->on_a[axis];
    return 0.0;
  }
  const double distance = nearest->distance < HUGE_VAL ? nearest->distance - (a_radius + b_radius)
                                                       : distance_from_far(nearest, a_radius, b_radius);
  if (a_radius > 0.0 || b_radius > 0.0) nearest_points_part(nearest, a_radius, b_radius);
  return distance > DBL_TRUE_MIN ? distance : DBL_TRUE_MIN;
}

/* The distance of two balls, by their own function, with an error of 2^-48 of itself. */
GEOMETRY_FUNCTION double balls_distance(const double *a, double a_radius, const double *b, double b_radius,
                                        double on_a_out[3], double on_b_out[3], near_feature features_out[2]) {
  sphere_gap gap;
  sphere_pair_gap(a, a_radius, b, b_radius, &gap);
  const near_feature feature = {(uint8_t)(gap.distance == 0.0 ? NEAR_INSIDE : NEAR_CORNER), {0, 0, 0}};
  features_out[0] = features_out[1] = feature;
  for (int axis = 0; axis < 3; axis++) {
    on_a_out[axis] = gap.witness_a[axis];
    on_b_out[axis] = gap.witness_b[axis];
  }
  return gap.distance;
}

GEOMETRY_FUNCTION double pieces_distance_ordered(const double *a, uint32_t a_count, double a_radius, const double *b,
                                                 uint32_t b_count, double b_radius, double on_a_out[3],
                                                 double on_b_out[3], near_feature features_out[2],
                                                 orientation_tally *tally) {
  if (a_count == 1 && b_count == 1) return balls_distance(a, a_radius, b, b_radius, on_a_out, on_b_out, features_out);
  const clearance_problem problem = clearance_problem_make(a, a_count, a_radius, b, b_count, b_radius, 0.0);
  hulls_nearest nearest;
  hulls_nearest_find(a, a_count, b, b_count, &nearest);
  const double distance = pieces_distance(&problem, &nearest, features_out, tally);
  for (int axis = 0; axis < 3; axis++) {
    on_a_out[axis] = within_doubles(nearest.on_a[axis]);
    on_b_out[axis] = within_doubles(nearest.on_b[axis]);
  }
  return distance;
}

/* The distance: 0 exactly if the pieces share a point, otherwise at least the smallest double, and infinite if it
 * exceeds the largest. Writes points of both at that distance and the features of the hulls that contain them; if
 * the pieces share a point, the same point and NEAR_INSIDE. */
GEOMETRY_FUNCTION double hulls_distance(const double *a, uint32_t a_count, double a_radius, const double *b,
                                        uint32_t b_count, double b_radius, double on_a_out[3], double on_b_out[3],
                                        near_feature features_out[2], orientation_tally *tally) {
  if (!pieces_are_swapped(a, a_count, a_radius, b, b_count, b_radius))
    return pieces_distance_ordered(a, a_count, a_radius, b, b_count, b_radius, on_a_out, on_b_out, features_out, tally);
  const double distance =
      pieces_distance_ordered(b, b_count, b_radius, a, a_count, a_radius, on_b_out, on_a_out, features_out, tally);
  const near_feature of_b = features_out[0];
  features_out[0] = features_out[1];
  features_out[1] = of_b;
  return distance;
}

/* Certain bounds of the true distance of the pieces; both are 0 exactly if the pieces share a point. They are within
 * 1e-12 of the size of the pair, radii included, except for needles that nearly touch. Exactly symmetric, like
 * hulls_distance. */
GEOMETRY_FUNCTION distance_bounds hulls_distance_bounds(const double *a, uint32_t a_count, double a_radius,
                                                        const double *b, uint32_t b_count, double b_radius,
                                                        orientation_tally *tally) {
  const bool swapped = pieces_are_swapped(a, a_count, a_radius, b, b_count, b_radius);
  const clearance_problem problem = swapped ? clearance_problem_make(b, b_count, b_radius, a, a_count, a_radius, 0.0)
                                            : clearance_problem_make(a, a_count, a_radius, b, b_count, b_radius, 0.0);
  const distance_bounds zero = {0.0, 0.0};
  hulls_nearest nearest;
  hulls_nearest_find(problem.a, problem.a_count, problem.b, problem.b_count, &nearest);
  if (hulls_within_guessed(&problem, &nearest.guess, tally)) return zero;
  return distance_bounds_make(&problem, &nearest.guess);
}

/* hulls_distance and hulls_distance_bounds in one, for ordered pieces. */
GEOMETRY_FUNCTION bool pieces_distance_within(const double *a, uint32_t a_count, double a_radius, const double *b,
                                              uint32_t b_count, double b_radius, double farthest, double *distance_out,
                                              distance_bounds *bounds_out, double on_a_out[3], double on_b_out[3],
                                              near_feature features_out[2], orientation_tally *tally) {
  if (a_count == 1 && b_count == 1) {
    *distance_out = balls_distance(a, a_radius, b, b_radius, on_a_out, on_b_out, features_out);
    *bounds_out = hulls_distance_bounds(a, 1, a_radius, b, 1, b_radius, tally);
    return bounds_out->lower <= farthest;
  }
  const clearance_problem problem = clearance_problem_make(a, a_count, a_radius, b, b_count, b_radius, 0.0);
  hulls_nearest nearest;
  hulls_nearest_find(a, a_count, b, b_count, &nearest);
  *bounds_out = distance_bounds_make(&problem, &nearest.guess);
  if (bounds_out->lower > farthest) return false;
  *distance_out = pieces_distance(&problem, &nearest, features_out, tally);
  if (*distance_out == 0.0) bounds_out->lower = bounds_out->upper = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    on_a_out[axis] = within_doubles(nearest.on_a[axis]);
    on_b_out[axis] = within_doubles(nearest.on_b[axis]);
  }
  return true;
}

/* The results of hulls_distance and hulls_distance_bounds. False if the lower bound exceeds the given distance; then
 * nothing else is written. */
GEOMETRY_FUNCTION bool hulls_distance_within(const double *a, uint32_t a_count, double a_radius, const double *b,
                                             uint32_t b_count, double b_radius, double farthest, double *distance_out,
                                             distance_bounds *bounds_out, double on_a_out[3], double on_b_out[3],
                                             near_feature features_out[2], orientation_tally *tally) {
  if (!pieces_are_swapped(a, a_count, a_radius, b, b_count, b_radius))
    return pieces_distance_within(a, a_count, a_radius, b, b_count, b_radius, farthest, distance_out, bounds_out,
                                  on_a_out, on_b_out, features_out, tally);
  if (!pieces_distance_within(b, b_count, b_radius, a, a_count, a_radius, farthest, distance_out, bounds_out, on_b_out,
                              on_a_out, features_out, tally))
    return false;
  const near_feature of_b = features_out[0];
  features_out[0] = features_out[1];
  features_out[1] = of_b;
  return true;
}

#endif

/* Whether two primitives of one object are within a distance of each other: the test of a candidate of the k-free
 * measure. For the processor and for GPUs. A GPU does it in two steps: first an iteration, then the pairs that it
 * leaves open.
 *
 * The axis between the middles decides most distant pairs, an iteration between the two decides most others, and a
 * measured distance the rest. Any axis gives a lower bound of the distance, so the axes need not be exact; a margin of
 * 1e-14 of the pair's extent covers the rounding of projections. Any two points of the two give an upper bound.
 *
 * Workload: about ten candidates a primitive that share no vertex, most of them far on a mesh, most of them near in a
 * crowd. One in a hundred needs a measured distance. */
#ifndef GRAZE_ANALYSIS_NEARNESS_H
#define GRAZE_ANALYSIS_NEARNESS_H

#include "broad/primitive_view.h"
#include "geometry/exact_box.h"
#include "geometry/gjk.h"
#include "geometry/triangle_distance.h"

#include <float.h>

/* The object, and a power of two that scales its coordinates to at most about one. */
typedef struct nearness {
  const object_source *source;
  double scale;
} nearness;

/* The state of a pair before its distance is measured. */
typedef enum near_verdict { VERDICT_NEAR, VERDICT_FAR, VERDICT_OPEN } near_verdict;

/* Two sets of corners relative to the first corner of p, scaled. */
typedef struct seen_pair {
  const vector3 *p, *q;
  uint32_t p_count, q_count;
  double limit; /* the radius, plus the rounding error of a gap */
} seen_pair;

/* Whether the two are farther apart along the axis than the limit. False if the axis is so short that squares lose
 * bits. */
GEOMETRY_FUNCTION bool apart_along(const seen_pair *pair, vector3 axis) {
  const double squared = vector3_dot(axis, axis);
  if (!(squared > 1e-200)) return false;
  double p_low = HUGE_VAL, p_high = -HUGE_VAL, q_low = HUGE_VAL, q_high = -HUGE_VAL;
  for (uint32_t i = 0; i < pair->p_count; i++) {
    const double at = vector3_dot(axis, pair->p[i]);
    p_low = at < p_low ? at : p_low;
    p_high = at > p_high ? at : p_high;
  }
  for (uint32_t i = 0; i < pair->q_count; i++) {
    const double at = vector3_dot(axis, pair->q[i]);
    q_low = at < q_low ? at : q_low;
    q_high = at > q_high ? at : q_high;
  }
  const double gap = q_low > p_high ? q_low - p_high : p_low - q_high;
  return gap > 0.0 && gap * gap > squared * pair->limit * pair->limit;
}

GEOMETRY_FUNCTION vector3 middle_of(const vector3 *points, uint32_t count) {
  vector3 sum = points[0];
  for (uint32_t i = 1; i < count; i++) sum = vector3_add(sum, points[i]);
  return vector3_scale(sum, 1.0 / count);
}

GEOMETRY_FUNCTION vector3 see(const double position[3], const double origin[3], double scale) {
  return vector3_make(position[0] * scale - origin[0], position[1] * scale - origin[1],
                      position[2] * scale - origin[2]);
}

/* Fills seen_out with both sets and returns the scaled radius. */
GEOMETRY_FUNCTION double see_corners(const double *p, uint32_t p_count, const double *q, uint32_t q_count, double scale,
                                     double radius, vector3 *seen_out) {
  const double origin[3] = {p[0] * scale, p[1] * scale, p[2] * scale};
  double extent = 0.0;
  for (uint32_t i = 0; i < p_count + q_count; i++) {
    seen_out[i] = see(i < p_count ? p + 3 * i : q + 3 * (i - p_count), origin, scale);
    const double reach = vector3_largest_magnitude(seen_out[i]);
    extent = reach > extent ? reach : extent;
  }
  return radius * scale * (1.0 + 1e-9) + 1e-14 * extent;
}

GEOMETRY_FUNCTION double gap_squared(vector3 a, vector3 b) {
  const vector3 gap = vector3_subtract(a, b);
  return vector3_dot(gap, gap);
}

/* Two points whose squared distance is below this prove nearness; 0 if squares lose bits. */
GEOMETRY_FUNCTION double certain_square(double radius) {
  const double certain = radius * radius * (1.0 - 1e-9);
  return certain > 1e-200 ? certain : 0.0;
}

/* ---------------------------------------------------------------------------------------------- triangles */

GEOMETRY_FUNCTION vector3 weighted(const vector3 triangle[3], double second, double third) {
  const vector3 u = vector3_subtract(triangle[1], triangle[0]), v = vector3_subtract(triangle[2], triangle[0]);
  return vector3_add(triangle[0], vector3_add(vector3_scale(u, second), vector3_scale(v, third)));
}

/* The point of a triangle nearest to another point, by the region of the plane that contains it (Ericson, "Real-time
 * collision detection", 2005, 5.1.5). Weights are fractions between 0 and 1, so the result is on the triangle despite
 * rounding. */
GEOMETRY_FUNCTION vector3 nearest_on_triangle(const vector3 triangle[3], vector3 point) {
  const vector3 u = vector3_subtract(triangle[1], triangle[0]), v = vector3_subtract(triangle[2], triangle[0]);
  const vector3 from_0 = vector3_subtract(point, triangle[0]);
  const double u_0 = vector3_dot(u, from_0), v_0 = vector3_dot(v, from_0);
  if (u_0 <= 0.0 && v_0 <= 0.0) return triangle[0];
  const vector3 from_1 = vector3_subtract(point, triangle[1]);
  const double u_1 = vector3_dot(u, from_1), v_1 = vector3_dot(v, from_1);
  if (u_1 >= 0.0 && v_1 <= u_1) return triangle[1];
  const double area_2 = u_0 * v_1 - u_1 * v_0;
  if (area_2 <= 0.0 && u_0 >= 0.0 && u_1 <= 0.0) return weighted(triangle, u_0 / (u_0 - u_1), 0.0);
  const vector3 from_2 = vector3_subtract(point, triangle[2]);
  const double u_2 = vector3_dot(u, from_2), v_2 = vector3_dot(v, from_2);
  if (v_2 >= 0.0 && u_2 <= v_2) return triangle[2];
  const double area_1 = u_2 * v_0 - u_0 * v_2;
  if (area_1 <= 0.0 && v_0 >= 0.0 && v_2 <= 0.0) return weighted(triangle, 0.0, v_0 / (v_0 - v_2));
  const double area_0 = u_1 * v_2 - u_2 * v_1, rise = v_1 - u_1, fall = u_2 - v_2;
  if (area_0 <= 0.0 && rise >= 0.0 && fall >= 0.0)
    return weighted(triangle, 1.0 - rise / (rise + fall), rise / (rise + fall));
  const double sum = area_0 + area_1 + area_2;
  return weighted(triangle, area_1 / sum, area_2 / sum);
}

/* Alternates between the nearest points of the two triangles. Points that are close prove nearness; otherwise the
 * vector between them soon is an axis along which the two are apart. NaN, from triangles without area, proves
 * nothing. */
GEOMETRY_FUNCTION near_verdict walk_between(const seen_pair *pair, double certain) {
  enum { ROUNDS = 8 };
  vector3 on_p = middle_of(pair->p, 3);
  for (int round = 0; round < ROUNDS; round++) {
    const vector3 on_q = nearest_on_triangle(pair->q, on_p);
    on_p = nearest_on_triangle(pair->p, on_q);
    if (gap_squared(on_p, on_q) < certain) return VERDICT_NEAR;
    if (apart_along(pair, vector3_subtract(on_q, on_p))) return VERDICT_FAR;
  }
  return VERDICT_OPEN;
}

/* Decides two triangles by the axis between the middles and the iteration, if possible. */
GEOMETRY_FUNCTION near_verdict triangles_verdict(const double p[9], const double q[9], double scale, double radius) {
  vector3 seen[6] = {{0.0, 0.0, 0.0}};
  const double limit = see_corners(p, 3, q, 3, scale, radius, seen);
  const seen_pair pair = {seen, seen + 3, 3, 3, limit};
  const vector3 between = vector3_subtract(middle_of(pair.q, 3), middle_of(pair.p, 3));
  if (apart_along(&pair, between)) return VERDICT_FAR;
  return walk_between(&pair, certain_square(radius * scale));
}

/* Decides the pairs that are left open. */
GEOMETRY_LARGE_FUNCTION bool surfaces_within(const double p[9], const double q[9], double radius) {
  double on_p[3], on_q[3];
  orientation_tally tally = {0};
  return triangle_pair_distance(p, q, on_p, on_q, &tally) <= radius;
}

GEOMETRY_FUNCTION bool triangles_near(const double p[9], const double q[9], double scale, double radius) {
  const near_verdict verdict = triangles_verdict(p, q, scale, radius);
  return verdict == VERDICT_OPEN ? surfaces_within(p, q, radius) : verdict == VERDICT_NEAR;
}

/* ---------------------------------------------------------------------------------------------- polygons */

GEOMETRY_FUNCTION void fetch_three(const object_source *source, const uint32_t *vertices, double corners_out[9]) {
  for (int i = 0; i < 3; i++) fetch_vertex(source, vertices[i], corners_out + 3 * i);
}

GEOMETRY_FUNCTION bool boxes_near(const exact_box *a, const exact_box *b, double radius) {
  const double reach = radius * (1.0 + 1e-9);
  for (int axis = 0; axis < 3; axis++)
    if (a->min[axis] - b->max[axis] > reach || b->min[axis] - a->max[axis] > reach) return false;
  return true;
}

/* Polygons are the union of their triangles: one near pair of these suffices. Triangles of a that are far from all of b
 * are skipped, so two long rings cost the product of their near parts only. */
GEOMETRY_FUNCTION bool polygons_near(const nearness *object, uint32_t a, uint32_t b, double radius, double *scratch) {
  const object_source *source = object->source;
  const uint32_t a_count = corners_of(source, a).count - 2, b_count = corners_of(source, b).count - 2;
  const uint32_t *a_triangulation = polygon_triangulation(source, a),
                 *b_triangulation = polygon_triangulation(source, b);
  const corner_list b_corners = corners_of(source, b);
  for (uint32_t i = 0; i < b_corners.count; i++) fetch_vertex(source, b_corners.vertices[i], scratch + 3 * i);
  const exact_box b_box = exact_box_of(scratch, b_corners.count);
  for (uint32_t i = 0; i < a_count; i++) {
    double p[9];
    fetch_three(source, a_triangulation + 3 * (size_t)i, p);
    const exact_box p_box = exact_box_of(p, 3);
    if (!boxes_near(&p_box, &b_box, radius)) continue;
    for (uint32_t j = 0; j < b_count; j++) {
      double q[9];
      fetch_three(source, b_triangulation + 3 * (size_t)j, q);
      const exact_box q_box = exact_box_of(q, 3);
      if (boxes_near(&p_box, &q_box, radius) && triangles_near(p, q, object->scale, radius)) return true;
    }
  }
  return false;
}

/* ---------------------------------------------------------------------------------------------- solids */

GEOMETRY_FUNCTION void fetch_corners(const object_source *source, corner_list corners, double *points_out) {
  for (uint32_t i = 0; i < corners.count; i++) fetch_vertex(source, corners.vertices[i], points_out + 3 * i);
}

/* The point of the segment from `from` to `to` nearest to another; one of its ends if rounding yields that. */
GEOMETRY_FUNCTION vector3 nearest_on_edge(vector3 from, vector3 to, vector3 point) {
  const vector3 edge = vector3_subtract(to, from);
  const double along = vector3_dot(edge, vector3_subtract(point, from)), squared = vector3_dot(edge, edge);
  if (!(along > 0.0)) return from;
  return along < squared ? vector3_add(from, vector3_scale(edge, along / squared)) : to;
}

/* The corner farthest along the axis. */
GEOMETRY_FUNCTION vector3 corner_farthest_along(const vector3 *points, uint32_t count, vector3 axis,
                                                double *height_out) {
  uint32_t best = 0;
  *height_out = vector3_dot(axis, points[0]);
  for (uint32_t i = 1; i < count; i++) {
    const double height = vector3_dot(axis, points[i]);
    best = height > *height_out ? i : best;
    *height_out = height > *height_out ? height : *height_out;
  }
  return points[best];
}

/* Moves a point of each solid towards the corner of that solid farthest in the direction of the other (Frank and Wolfe,
 * "An algorithm for quadratic programming", 1956). It converges far more slowly than GJK, but most pairs are decided
 * early: the points are close, or the vector between them is an axis along which the two are apart. */
GEOMETRY_FUNCTION near_verdict walk_between_solids(const seen_pair *pair, double certain) {
  enum { ROUNDS = 12 };
  vector3 on_p = middle_of(pair->p, pair->p_count), on_q = middle_of(pair->q, pair->q_count);
  for (int round = 0; round < ROUNDS; round++) {
    const vector3 axis = vector3_subtract(on_q, on_p), back = vector3_scale(axis, -1.0);
    const double squared = vector3_dot(axis, axis);
    if (squared < certain) return VERDICT_NEAR;
    if (!(squared > 1e-200)) return VERDICT_OPEN;
    double p_high, q_depth;
    const vector3 p_corner = corner_farthest_along(pair->p, pair->p_count, axis, &p_high);
    const vector3 q_corner = corner_farthest_along(pair->q, pair->q_count, back, &q_depth);
    const double gap = -q_depth - p_high;
    if (gap > 0.0 && gap * gap > squared * pair->limit * pair->limit) return VERDICT_FAR;
    on_p = nearest_on_edge(on_p, p_corner, on_q);
    on_q = nearest_on_edge(on_q, q_corner, on_p);
  }
  return VERDICT_OPEN;
}

/* As for triangles; `seen` has capacity for both sets. */
GEOMETRY_FUNCTION near_verdict solids_verdict(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                              double scale, double radius, vector3 *seen) {
  const double limit = see_corners(p, p_count, q, q_count, scale, radius, seen);
  const seen_pair pair = {seen, seen + p_count, p_count, q_count, limit};
  return walk_between_solids(&pair, certain_square(radius * scale));
}

GEOMETRY_LARGE_FUNCTION bool solids_within(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                           double radius) {
  gjk_result result;
  gjk_distance(p, p_count, q, q_count, &result);
  return result.distance <= radius;
}

GEOMETRY_FUNCTION bool solids_near(const nearness *object, uint32_t a, uint32_t b, double radius, double *scratch) {
  const corner_list a_corners = corners_of(object->source, a), b_corners = corners_of(object->source, b);
  const size_t corner_count = (size_t)a_corners.count + b_corners.count;
  double *p = scratch, *q = scratch + 3 * (size_t)a_corners.count;
  vector3 *seen = (vector3 *)(scratch + 3 * corner_count);
  fetch_corners(object->source, a_corners, p);
  fetch_corners(object->source, b_corners, q);
  const near_verdict verdict = solids_verdict(p, a_corners.count, q, b_corners.count, object->scale, radius, seen);
  if (verdict != VERDICT_OPEN) return verdict == VERDICT_NEAR;
  return solids_within(p, a_corners.count, q, b_corners.count, radius);
}

/* ---------------------------------------------------------------------------------------------- spheres */

GEOMETRY_FUNCTION bool spheres_near(const nearness *object, uint32_t a, uint32_t b, double radius) {
  const object_source *source = object->source;
  const uint32_t p_vertex = corners_of(source, a).vertices[0], q_vertex = corners_of(source, b).vertices[0];
  double p[3], q[3], squared = 0.0;
  fetch_vertex(source, p_vertex, p);
  fetch_vertex(source, q_vertex, q);
  for (int axis = 0; axis < 3; axis++) {
    const double apart = p[axis] * object->scale - q[axis] * object->scale;
    squared += apart * apart;
  }
  const double reach = (radius_at(source, p_vertex) * object->scale + radius_at(source, q_vertex) * object->scale) +
                       radius * object->scale;
  return squared <= reach * reach;
}

/* ---------------------------------------------------------------------------------------------- all kinds */

/* The number of doubles of scratch that primitives_near needs for an object whose primitives have at most this many
 * corners. */
GEOMETRY_FUNCTION size_t nearness_scratch(uint32_t most_corners) {
  return 12 * (size_t)most_corners;
}

/* Whether the distance of primitives a and b is at most `radius`, in the object's own unit. Decided by distances in
 * double precision: if the true distance differs from the radius by less than 1e-12 of the size of the pair, the answer
 * may be either, but it is always the same for the same object. */
GEOMETRY_FUNCTION bool primitives_near(const nearness *object, uint32_t a, uint32_t b, double radius, double *scratch) {
  const graze_kind kind = object->source->kind;
  if (kind_batch_of(kind) == BATCH_TRIANGLES) {
    double p[9], q[9];
    fetch_three(object->source, corners_of(object->source, a).vertices, p);
    fetch_three(object->source, corners_of(object->source, b).vertices, q);
    return triangles_near(p, q, object->scale, radius);
  }
  switch (kind_form_of(kind)) {
  case FORM_BALL:
    return spheres_near(object, a, b, radius);
  case FORM_TRIANGLES:
    return polygons_near(object, a, b, radius, scratch);
  case FORM_HULL:
    break;
  }
  return solids_near(object, a, b, radius, scratch);
}

#endif

/* The points and the least translation of two triangles whose planes cross, if the double filter can decide them: the
 * same bits as triangle_overlap.h and triangle_penetration.h, or the answer that a sign is undecided.
 *
 * It uses no exact arithmetic and computes each sign once. Corners are selected by comparisons, never by an index known
 * only at run time: arrays then stay in registers, which matters on a GPU.
 *
 * Workload: every contact of two triangles; all but a few in a thousand are decided here in general scenes, none if
 * triangles touch or are coplanar.
 *
 * Guigue and Devillers, "Fast and robust triangle-triangle overlap test using orientation predicates", 2003. */
#ifndef GRAZE_GEOMETRY_TRIANGLE_CROSSING_H
#define GRAZE_GEOMETRY_TRIANGLE_CROSSING_H

#include "geometry/triangle_penetration.h"

/* The common segment. */
typedef struct triangle_crossing {
  double points[2][3];
  uint32_t count; /* 1 if rounding has merged both ends */
  penetration least;
} triangle_crossing;

GEOMETRY_FUNCTION double corner_coordinate(const double triangle[9], int corner, int axis) {
  return corner == 0 ? triangle[axis] : corner == 1 ? triangle[3 + axis] : triangle[6 + axis];
}

/* The corners of a triangle as in lone_corners: first the one that is alone on its side, then the others in their order
 * or reversed. */
typedef struct turned_triangle {
  double corner[3][3];
} turned_triangle;

GEOMETRY_FUNCTION int lone_corner_of(const side_triple *sides) {
  if (sides->side[0] == sides->side[1]) return 2;
  return sides->side[0] == sides->side[2] ? 1 : 0;
}

GEOMETRY_FUNCTION turned_triangle turned_triangle_make(const double triangle[9], int lone, bool turned) {
  const int next = lone == 2 ? 0 : lone + 1, last = lone == 0 ? 2 : lone - 1;
  turned_triangle result;
  for (int axis = 0; axis < 3; axis++) {
    result.corner[0][axis] = corner_coordinate(triangle, lone, axis);
    result.corner[1][axis] = corner_coordinate(triangle, turned ? last : next, axis);
    result.corner[2][axis] = corner_coordinate(triangle, turned ? next : last, axis);
  }
  return result;
}

/* Where the edge between two corners passes the plane of a triangle, all scaled; false if the heights of its ends are
 * too inaccurate. Like overlap_pass_plane. */
GEOMETRY_FUNCTION bool edge_through_plane(const double triangle[9], const double from[3], const double to[3],
                                          double inverse, double point_out[3]) {
  const plane_filter plane = plane_filter_make(triangle, triangle + 3, triangle + 6);
  double from_height, to_height;
  if (!plane_filter_value(&plane, triangle, from, &from_height)) return false;
  if (!plane_filter_value(&plane, triangle, to, &to_height)) return false;
  const double fraction = crossing_fraction(from_height, to_height);
  vector3_store(vector3_scale(vector3_between(vector3_load(from), vector3_load(to), fraction), inverse), point_out);
  return true;
}

/* One end of the common segment: on an edge of p, where it passes the plane of q, or on one of q, where it passes that
 * of p. */
GEOMETRY_FUNCTION bool crossing_end(const scaled_pair *scaled, bool of_q, const double p_from[3], const double p_to[3],
                                    const double q_from[3], const double q_to[3], double point_out[3]) {
  double triangle[9], from[3], to[3];
  for (int i = 0; i < 9; i++) triangle[i] = of_q ? scaled->p[i] : scaled->q[i];
  for (int axis = 0; axis < 3; axis++) {
    from[axis] = of_q ? q_from[axis] : p_from[axis];
    to[axis] = of_q ? q_to[axis] : p_to[axis];
  }
  return edge_through_plane(triangle, from, to, scaled->inverse, point_out);
}

/* 1 if they cross, 0 if they do not intersect, or SIGN_UNDECIDED, and then the crossing is not valid. Along the common
 * line p is [j, i] and q is [k, l]: see lone_corners_align. */
GEOMETRY_FUNCTION int triangle_pair_crossing(const double p[9], const double q[9], triangle_crossing *crossing_out) {
  side_triple q_sides, p_sides;
  if (!side_triple_filter(p, q, &q_sides)) return SIGN_UNDECIDED;
  if (side_triple_is_apart(&q_sides)) return 0;
  if (!side_triple_filter(q, p, &p_sides)) return SIGN_UNDECIDED;
  if (side_triple_is_apart(&p_sides)) return 0;
  const int p_lone = lone_corner_of(&p_sides), q_lone = lone_corner_of(&q_sides);
  const int p_side = p_lone == 0 ? p_sides.side[0] : p_lone == 1 ? p_sides.side[1] : p_sides.side[2];
  const int q_side = q_lone == 0 ? q_sides.side[0] : q_lone == 1 ? q_sides.side[1] : q_sides.side[2];
  const turned_triangle a = turned_triangle_make(p, p_lone, q_side < 0),
                        b = turned_triangle_make(q, q_lone, p_side < 0);
  const plane_filter of_i = plane_filter_make(a.corner[0], a.corner[1], b.corner[0]);
  const plane_filter of_j = plane_filter_make(a.corner[0], a.corner[2], b.corner[0]);
  const int k_minus_i = plane_filter_sign(&of_i, b.corner[1]), l_minus_i = plane_filter_sign(&of_i, b.corner[2]);
  const int k_minus_j = plane_filter_sign(&of_j, b.corner[1]), l_minus_j = plane_filter_sign(&of_j, b.corner[2]);
  if (k_minus_i == SIGN_UNDECIDED || l_minus_j == SIGN_UNDECIDED) return SIGN_UNDECIDED;
  if (k_minus_i > 0 || l_minus_j < 0) return 0;
  if (k_minus_j == SIGN_UNDECIDED || l_minus_i == SIGN_UNDECIDED) return SIGN_UNDECIDED;
  const scaled_pair scaled = scaled_pair_make(p, q);
  const turned_triangle c = turned_triangle_make(scaled.p, p_lone, q_side < 0);
  const turned_triangle d = turned_triangle_make(scaled.q, q_lone, p_side < 0);
  double(*points)[3] = crossing_out->points;
  if (!crossing_end(&scaled, k_minus_j > 0, c.corner[0], c.corner[2], d.corner[0], d.corner[1], points[0]))
    return SIGN_UNDECIDED;
  if (!crossing_end(&scaled, l_minus_i < 0, c.corner[0], c.corner[1], d.corner[0], d.corner[2], points[1]))
    return SIGN_UNDECIDED;
  crossing_out->count = points_equal(points[0], points[1]) ? 1 : 2;
  crossing_out->least = penetration_find(p, q, false);
  return 1;
}

#endif

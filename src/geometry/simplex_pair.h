/* Decides whether two simplices share a point. Each is a point, a segment or a triangle; they are coplanar or
 * degenerate.
 *
 * These are the triangle pairs that the general test excludes: coplanar ones and those with collinear corners. Every
 * input is first reduced, exactly, to a point, a segment or a triangle, and each combination has its own short test.
 * The sets are closed: touching counts.
 *
 * Workload: scenes of coplanar meshes, thousands to millions of triangle-triangle pairs; a scanned mesh has a handful
 * of degenerate combinations. Only signs are used; no coordinate is computed. */
#ifndef GRAZE_GEOMETRY_SIMPLEX_PAIR_H
#define GRAZE_GEOMETRY_SIMPLEX_PAIR_H

#include "geometry/orientation.h"

/* One, two or three distinct corners; three are not collinear. Points into the caller's coordinates. */
typedef struct simplex {
  uint32_t count;
  const double *corner[3];
} simplex;

/* Lexicographic order of points; along a line it is the order on the line. */
GEOMETRY_FUNCTION int points_compare(const double *a, const double *b) {
  for (int axis = 0; axis < 3; axis++) {
    if (a[axis] != b[axis]) return a[axis] < b[axis] ? -1 : 1;
  }
  return 0;
}

/* A segment has its lesser end first. */
GEOMETRY_FUNCTION simplex simplex_from_segment(const double *a, const double *b) {
  const int order = points_compare(a, b);
  simplex result;
  result.count = order == 0 ? 1 : 2;
  result.corner[0] = order <= 0 ? a : b;
  result.corner[1] = order <= 0 ? b : a;
  result.corner[2] = result.corner[1];
  return result;
}

GEOMETRY_FUNCTION simplex simplex_from_corners(const double *a, const double *b, const double *c,
                                               orientation_tally *tally) {
  if (points_collinear(a, b, c, tally)) {
    const double *least = points_compare(a, b) <= 0 ? a : b;
    const double *most = points_compare(a, b) <= 0 ? b : a;
    if (points_compare(c, least) < 0) least = c;
    if (points_compare(c, most) > 0) most = c;
    return simplex_from_segment(least, most);
  }
  simplex result;
  result.count = 3;
  result.corner[0] = a;
  result.corner[1] = b;
  result.corner[2] = c;
  return result;
}

GEOMETRY_FUNCTION simplex simplex_from_triangle(const double p[9], orientation_tally *tally) {
  return simplex_from_corners(p, p + 3, p + 6, tally);
}

GEOMETRY_FUNCTION bool point_in_segment(const double *point, const double *a, const double *b,
                                        orientation_tally *tally) {
  return points_compare(a, point) <= 0 && points_compare(point, b) <= 0 && points_collinear(a, b, point, tally);
}

GEOMETRY_FUNCTION bool point_in_triangle(const double *point, const simplex *q, orientation_tally *tally) {
  const double *const *corner = q->corner;
  if (orientation_3d(corner[0], corner[1], corner[2], point, tally) != 0) return false;
  int area;
  const int axis = projection_choose(corner[0], corner[1], corner[2], &area, tally);
  for (int i = 0; i < 3; i++) {
    if (orientation_projected(axis, corner[i], corner[(i + 1) % 3], point, tally) * area < 0) return false;
  }
  return true;
}

/* Whether a point is in a point, a segment or a triangle. */
GEOMETRY_FUNCTION bool point_in_simplex(const double *point, const simplex *q, orientation_tally *tally) {
  if (q->count == 1) return points_equal(point, q->corner[0]);
  if (q->count == 2) return point_in_segment(point, q->corner[0], q->corner[1], tally);
  return point_in_triangle(point, q, tally);
}

/* Whether all corners of q are strictly on one side of the line through two corners: on the side with the sign of
 * `outside`, or on either side for outside 0. */
GEOMETRY_FUNCTION bool line_separates(int axis, const double *from, const double *to, int outside, const simplex *q,
                                      orientation_tally *tally) {
  int side = outside;
  for (uint32_t i = 0; i < q->count; i++) {
    const int sign = orientation_projected(axis, from, to, q->corner[i], tally);
    if (sign == 0 || (side != 0 && sign != side)) return false;
    side = sign;
  }
  return true;
}

/* Whether an edge line of the triangle p has q strictly outside. */
GEOMETRY_FUNCTION bool triangle_edge_separates(int axis, const simplex *p, int area, const simplex *q,
                                               orientation_tally *tally) {
  for (int i = 0; i < 3; i++) {
    if (line_separates(axis, p->corner[i], p->corner[(i + 1) % 3], -area, q, tally)) return true;
  }
  return false;
}

/* Two triangles known to be coplanar. The difference set of two convex polygons is a polygon whose edges are parallel
 * to theirs, so if they are apart, one of the six edge lines has the other triangle strictly outside. A projection that
 * preserves the area of one is injective on their common plane. */
GEOMETRY_FUNCTION bool coplanar_triangles_meet(const simplex *p, const simplex *q, orientation_tally *tally) {
  int p_area;
  const int axis = projection_choose(p->corner[0], p->corner[1], p->corner[2], &p_area, tally);
  const int q_area = orientation_projected(axis, q->corner[0], q->corner[1], q->corner[2], tally);
  return !triangle_edge_separates(axis, p, p_area, q, tally) && !triangle_edge_separates(axis, q, q_area, p, tally);
}

/* Off the plane, the segment's line meets it in one point, which is in the triangle exactly if the line passes the
 * three directed edges on the same side (or through them). In the plane, the argument of coplanar_triangles_meet holds
 * with the segment's line in place of the second triangle's edges. */
GEOMETRY_FUNCTION bool segment_meets_triangle(const simplex *segment, const simplex *q, orientation_tally *tally) {
  const double *a = segment->corner[0], *b = segment->corner[1];
  const double *const *corner = q->corner;
  const int a_side = orientation_3d(corner[0], corner[1], corner[2], a, tally);
  const int b_side = orientation_3d(corner[0], corner[1], corner[2], b, tally);
  if (a_side * b_side > 0) return false;
  if (a_side == 0 && b_side == 0) {
    int area;
    const int axis = projection_choose(corner[0], corner[1], corner[2], &area, tally);
    return !line_separates(axis, a, b, 0, q, tally) && !triangle_edge_separates(axis, q, area, segment, tally);
  }
  bool has_positive = false, has_negative = false;
  for (int i = 0; i < 3; i++) {
    const int sign = orientation_3d(a, b, corner[i], corner[(i + 1) % 3], tally);
    has_positive = has_positive || sign > 0;
    has_negative = has_negative || sign < 0;
    if (has_positive && has_negative) return false;
  }
  return true;
}

/* A projection that is injective on the plane of two segments: 3 if all four ends are collinear. */
GEOMETRY_FUNCTION int segments_projection(const simplex *p, const simplex *q, orientation_tally *tally) {
  int area;
  const int axis = projection_choose(p->corner[0], p->corner[1], q->corner[0], &area, tally);
  return axis != 3 ? axis : projection_choose(p->corner[0], p->corner[1], q->corner[1], &area, tally);
}

/* Each must reach the line of the other; on one common line the intervals must overlap. */
GEOMETRY_FUNCTION bool segments_meet(const simplex *p, const simplex *q, orientation_tally *tally) {
  const double *a = p->corner[0], *b = p->corner[1], *c = q->corner[0], *d = q->corner[1];
  if (orientation_3d(a, b, c, d, tally) != 0) return false;
  const int axis = segments_projection(p, q, tally);
  if (axis == 3) return points_compare(a, d) <= 0 && points_compare(c, b) <= 0;
  return !line_separates(axis, a, b, 0, q, tally) && !line_separates(axis, c, d, 0, p, tally);
}

/* All combinations except two triangles in different planes, which triangle_pair.h decides. */
GEOMETRY_SLOW_FUNCTION bool simplices_meet(const simplex *p, const simplex *q, orientation_tally *tally) {
  const simplex *small = p->count <= q->count ? p : q;
  const simplex *large = p->count <= q->count ? q : p;
  if (small->count == 1) return point_in_simplex(small->corner[0], large, tally);
  if (large->count == 2) return segments_meet(small, large, tally);
  if (small->count == 2) return segment_meets_triangle(small, large, tally);
  return coplanar_triangles_meet(small, large, tally);
}

/* Whether the closed segment ab meets the closed triangle q; either may be degenerate. */
GEOMETRY_FUNCTION bool segment_triangle_intersects(const double a[3], const double b[3], const double q[9],
                                                   orientation_tally *tally) {
  const simplex segment = simplex_from_segment(a, b);
  const simplex other = simplex_from_triangle(q, tally);
  return simplices_meet(&segment, &other, tally);
}

#endif

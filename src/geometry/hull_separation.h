/* Decides whether the hulls of two sets of points share a point: exactly, for every input, by orientation signs.
 *
 * Reduction. A plane is separating if it has p on one closed side and q on the other. If there is none, the hulls
 * intersect. If there is one, the hulls can only intersect in it, so the same test is applied to the points of p and of
 * q in the plane, with lines in place of planes. On a separating line, two intervals are compared. If all points are in
 * one plane, or on one line, the test starts there.
 *
 * Finding a plane. Directed planes are vectors (normal, offset), and each point requires a sign of a linear function of
 * them, so those that serve the first i points form a convex cone. Points are processed one by one. Suppose that a
 * plane serves the first i points and fails at the next, y. If another plane serves all i + 1, the cone has a plane
 * through y between the two, unless the other is the reverse of the first, which is only possible if all i points are
 * in it. So either the plane is reversed, or the search continues among the planes through y, for the points before y:
 * the same problem with one degree of freedom less. With two points fixed, y determines the plane except for its
 * direction. All these planes pass through three of the points, so all signs are those of orientation_3d, and no
 * coordinate is computed.
 *
 * Workload: the pairs that the certificates of convex_pair.h cannot decide, touching and nearly touching pairs. For
 * points in random order the cost is linear in their number (a failure at point i has probability at most 3 / i); in
 * the worst order it is cubic. The order here is a stride near the golden section, which mixes p and q and the
 * numbering of a cell's corners (fewer than 2^32 points in all): two boxes take about 70 signs, two cells of 20 to 64
 * corners about 600. There is no array, so the size of a cell is not limited.
 *
 * Seidel, "Small-dimensional linear programming and convex hulls made easy", 1991 (one constraint after the other). */
#ifndef GRAZE_GEOMETRY_HULL_SEPARATION_H
#define GRAZE_GEOMETRY_HULL_SEPARATION_H

#include "geometry/simplex_pair.h"

#include <stddef.h>

typedef struct hull_points {
  const double *p, *q;
  uint32_t p_count, q_count;
  uint64_t count, stride; /* of both; coprime */
  orientation_tally *tally;
} hull_points;

/* A directed plane through three points that are not on one line. */
typedef struct directed_plane {
  const double *corner[3];
  plane_filter filter;
  int direction;   /* 1 or -1: the side of p is the one where direction * orientation_3d is positive */
  bool is_settled; /* a point off the plane has chosen the direction */
} directed_plane;

/* Points in one plane, seen along an axis that keeps them apart. */
typedef struct planar_points {
  const hull_points *points;
  const directed_plane *plane;
  int axis;
} planar_points;

typedef struct directed_line {
  const double *corner[2];
  int direction;
  bool is_settled;
} directed_line;

/* The result. */
typedef struct hull_separation {
  bool meets;
  bool overlaps;  /* the hulls have common interior points: they do more than touch */
  bool has_plane; /* a separating plane exists and contains the three corners: the hulls are apart or touch */
  const double *corner[3];
  int direction; /* p is where direction * orientation_3d(corners, .) >= 0 */
} hull_separation;

GEOMETRY_FUNCTION uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

GEOMETRY_FUNCTION hull_points hull_points_make(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                               orientation_tally *tally) {
  hull_points points;
  points.p = p;
  points.q = q;
  points.p_count = p_count;
  points.q_count = q_count;
  points.count = (uint64_t)p_count + q_count;
  points.stride = points.count * 618 / 1000 + 1;
  while (greatest_common_divisor(points.stride, points.count) != 1) points.stride += 1;
  points.tally = tally;
  return points;
}

/* The point at a place of the order, and its required side: 1 for p, -1 for q. */
GEOMETRY_FUNCTION const double *hull_point(const hull_points *points, uint64_t place, int *side_out) {
  const uint64_t number = place * points->stride % points->count;
  *side_out = number < points->p_count ? 1 : -1;
  return number < points->p_count ? points->p + 3 * number : points->q + 3 * (number - points->p_count);
}

GEOMETRY_FUNCTION directed_plane directed_plane_make(const double *a, const double *b, const double *c) {
  directed_plane plane;
  plane.corner[0] = a;
  plane.corner[1] = b;
  plane.corner[2] = c;
  plane.filter = plane_filter_make(a, b, c);
  plane.direction = 1;
  plane.is_settled = false;
  return plane;
}

GEOMETRY_FUNCTION int directed_plane_side(const directed_plane *plane, const double *point, orientation_tally *tally) {
  const double *const *corner = plane->corner;
  int sign = plane_filter_sign(&plane->filter, point);
  if (sign == SIGN_UNDECIDED) sign = orientation_3d_exact(corner[0], corner[1], corner[2], point, tally);
  return plane->direction * sign;
}

/* Whether the plane also serves a point; the first point off the plane determines the direction. */
GEOMETRY_FUNCTION bool directed_plane_serves(directed_plane *plane, const double *point, int side,
                                             orientation_tally *tally) {
  const int fit = side * directed_plane_side(plane, point, tally);
  if (fit == 0) return true;
  if (fit < 0 && plane->is_settled) return false;
  if (fit < 0) plane->direction = -plane->direction;
  plane->is_settled = true;
  return true;
}

GEOMETRY_FUNCTION bool plane_through_three(const hull_points *points, uint64_t limit, const double *a, const double *b,
                                           const double *c, directed_plane *plane_out) {
  *plane_out = directed_plane_make(a, b, c);
  for (uint64_t place = 0; place < limit; place++) {
    int side;
    const double *point = hull_point(points, place, &side);
    if (!directed_plane_serves(plane_out, point, side, points->tally)) return false;
  }
  return true;
}

/* A plane through a and b that serves the first `limit` points; some points are off the line ab. */
GEOMETRY_FUNCTION bool plane_through_two(const hull_points *points, uint64_t limit, const double *a, const double *b,
                                         directed_plane *plane_out) {
  int side;
  uint64_t place = 0;
  while (points_collinear(a, b, hull_point(points, place, &side), points->tally)) place++;
  *plane_out = directed_plane_make(a, b, hull_point(points, place, &side));
  for (place = 0; place < limit; place++) {
    const double *point = hull_point(points, place, &side);
    if (directed_plane_serves(plane_out, point, side, points->tally)) continue;
    if (!plane_through_three(points, place, a, b, point, plane_out)) return false;
  }
  return true;
}

/* Some plane through a; the points are not collinear. */
GEOMETRY_FUNCTION directed_plane any_plane_through(const hull_points *points, const double *a) {
  int side;
  uint64_t place = 0;
  while (points_equal(a, hull_point(points, place, &side))) place++;
  const double *b = hull_point(points, place, &side);
  while (points_collinear(a, b, hull_point(points, place, &side), points->tally)) place++;
  return directed_plane_make(a, b, hull_point(points, place, &side));
}

/* A plane through a that serves the first `limit` points. */
GEOMETRY_FUNCTION bool plane_through_one(const hull_points *points, uint64_t limit, const double *a,
                                         directed_plane *plane_out) {
  *plane_out = any_plane_through(points, a);
  for (uint64_t place = 0; place < limit; place++) {
    int side;
    const double *point = hull_point(points, place, &side);
    if (directed_plane_serves(plane_out, point, side, points->tally)) continue;
    if (!plane_through_two(points, place, a, point, plane_out)) return false;
  }
  return true;
}

/* A plane that separates all points, which span space. */
GEOMETRY_FUNCTION bool separating_plane(const hull_points *points, directed_plane *plane_out) {
  int side;
  *plane_out = any_plane_through(points, hull_point(points, 0, &side));
  for (uint64_t place = 0; place < points->count; place++) {
    const double *point = hull_point(points, place, &side);
    if (directed_plane_serves(plane_out, point, side, points->tally)) continue;
    if (!plane_through_one(points, place, point, plane_out)) return false;
  }
  return true;
}

/* The point at a place of the order if it is in the plane, else NULL. */
GEOMETRY_FUNCTION const double *planar_point(const planar_points *planar, uint64_t place, int *side_out) {
  const double *point = hull_point(planar->points, place, side_out);
  return directed_plane_side(planar->plane, point, planar->points->tally) == 0 ? point : NULL;
}

GEOMETRY_FUNCTION int directed_line_side(const planar_points *planar, const directed_line *line, const double *point) {
  const int sign = orientation_projected(planar->axis, line->corner[0], line->corner[1], point, planar->points->tally);
  return line->direction * sign;
}

GEOMETRY_FUNCTION directed_line directed_line_make(const double *a, const double *b) {
  directed_line line;
  line.corner[0] = a;
  line.corner[1] = b;
  line.direction = 1;
  line.is_settled = false;
  return line;
}

/* Like directed_plane_serves. */
GEOMETRY_FUNCTION bool directed_line_serves(const planar_points *planar, directed_line *line, const double *point,
                                            int side) {
  const int fit = side * directed_line_side(planar, line, point);
  if (fit == 0) return true;
  if (fit < 0 && line->is_settled) return false;
  if (fit < 0) line->direction = -line->direction;
  line->is_settled = true;
  return true;
}

GEOMETRY_FUNCTION bool line_through_two(const planar_points *planar, uint64_t limit, const double *a, const double *b,
                                        directed_line *line_out) {
  *line_out = directed_line_make(a, b);
  for (uint64_t place = 0; place < limit; place++) {
    int side;
    const double *point = planar_point(planar, place, &side);
    if (point != NULL && !directed_line_serves(planar, line_out, point, side)) return false;
  }
  return true;
}

/* A line through a and a corner of the plane. */
GEOMETRY_FUNCTION directed_line any_line_through(const planar_points *planar, const double *a) {
  const double *const *corner = planar->plane->corner;
  return directed_line_make(a, points_equal(a, corner[0]) ? corner[1] : corner[0]);
}

GEOMETRY_FUNCTION bool line_through_one(const planar_points *planar, uint64_t limit, const double *a,
                                        directed_line *line_out) {
  *line_out = any_line_through(planar, a);
  for (uint64_t place = 0; place < limit; place++) {
    int side;
    const double *point = planar_point(planar, place, &side);
    if (point == NULL || directed_line_serves(planar, line_out, point, side)) continue;
    if (!line_through_two(planar, place, a, point, line_out)) return false;
  }
  return true;
}

GEOMETRY_FUNCTION bool separating_line(const planar_points *planar, directed_line *line_out) {
  *line_out = any_line_through(planar, planar->plane->corner[0]);
  for (uint64_t place = 0; place < planar->points->count; place++) {
    int side;
    const double *point = planar_point(planar, place, &side);
    if (point == NULL || directed_line_serves(planar, line_out, point, side)) continue;
    if (!line_through_one(planar, place, point, line_out)) return false;
  }
  return true;
}

/* The part of one set on a line, as its least and its greatest point. */
typedef struct line_interval {
  const double *least, *greatest;
} line_interval;

GEOMETRY_FUNCTION void line_interval_add(line_interval *interval, const double *point) {
  if (interval->least == NULL || points_compare(point, interval->least) < 0) interval->least = point;
  if (interval->greatest == NULL || points_compare(point, interval->greatest) > 0) interval->greatest = point;
}

GEOMETRY_FUNCTION bool line_intervals_meet(const line_interval *p, const line_interval *q) {
  return p->least != NULL && q->least != NULL && points_compare(p->least, q->greatest) <= 0 &&
         points_compare(q->least, p->greatest) <= 0;
}

/* Decides points that are all on one line. */
GEOMETRY_FUNCTION bool collinear_hulls_meet(const hull_points *points) {
  line_interval p = {NULL, NULL}, q = {NULL, NULL};
  for (uint64_t place = 0; place < points->count; place++) {
    int side;
    const double *point = hull_point(points, place, &side);
    line_interval_add(side > 0 ? &p : &q, point);
  }
  return line_intervals_meet(&p, &q);
}

/* Whether the points of p and those of q that are in a plane have hulls that meet. */
GEOMETRY_FUNCTION bool planar_hulls_meet(const hull_points *points, const directed_plane *plane) {
  int area;
  planar_points planar;
  planar.points = points;
  planar.plane = plane;
  planar.axis = projection_choose(plane->corner[0], plane->corner[1], plane->corner[2], &area, points->tally);
  directed_line line;
  if (!separating_line(&planar, &line)) return true;
  line_interval p = {NULL, NULL}, q = {NULL, NULL};
  for (uint64_t place = 0; place < points->count; place++) {
    int side;
    const double *point = planar_point(&planar, place, &side);
    if (point == NULL || directed_line_side(&planar, &line, point) != 0) continue;
    line_interval_add(side > 0 ? &p : &q, point);
  }
  return line_intervals_meet(&p, &q);
}

/* The first three points of the order that are not collinear; false if there are none. */
GEOMETRY_FUNCTION bool hull_points_span_plane(const hull_points *points, directed_plane *plane_out) {
  int side;
  const double *a = hull_point(points, 0, &side), *b = a;
  for (uint64_t place = 1; place < points->count; place++) {
    const double *point = hull_point(points, place, &side);
    if (points_equal(a, b)) b = point;
    if (points_equal(a, b) || points_collinear(a, b, point, points->tally)) continue;
    *plane_out = directed_plane_make(a, b, point);
    return true;
  }
  return false;
}

GEOMETRY_FUNCTION bool hull_points_leave_plane(const hull_points *points, const directed_plane *plane) {
  for (uint64_t place = 0; place < points->count; place++) {
    int side;
    const double *point = hull_point(points, place, &side);
    if (directed_plane_side(plane, point, points->tally) != 0) return true;
  }
  return false;
}

/* The exact answer for the hulls of p_count and q_count points, at least one each, with finite coordinates. */
GEOMETRY_SLOW_FUNCTION hull_separation hull_separation_find(const double *p, uint32_t p_count, const double *q,
                                                            uint32_t q_count, orientation_tally *tally) {
  const hull_points points = hull_points_make(p, p_count, q, q_count, tally);
  hull_separation result;
  directed_plane plane;
  result.has_plane = hull_points_span_plane(&points, &plane);
  result.overlaps = false;
  if (!result.has_plane) {
    result.meets = collinear_hulls_meet(&points);
    return result;
  }
  if (hull_points_leave_plane(&points, &plane)) result.has_plane = separating_plane(&points, &plane);
  result.overlaps = !result.has_plane;
  result.meets = result.overlaps || planar_hulls_meet(&points, &plane);
  for (int i = 0; i < 3; i++) result.corner[i] = plane.corner[i];
  result.direction = plane.direction;
  return result;
}

#endif

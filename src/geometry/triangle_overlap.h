/* The common part of two triangles: a point, a segment, or a polygon if they are coplanar.
 *
 * Its kind, and the edges and corners that determine it, are decided by exact signs. Only then are coordinates
 * computed, each by one interpolation along one edge from heights accurate to 2^-44. So there is a point exactly if
 * triangle_pair_intersects holds, and nearly parallel planes cost no accuracy. A common point that is a corner has
 * exactly the coordinates of that corner. Points that become equal by rounding are returned once.
 *
 * Workload: one call for each reported pair with a requested contact.
 *
 * The interval on the common line is that of Guigue and Devillers, "Fast and robust triangle-triangle overlap test
 * using orientation predicates", 2003 (see triangle_pair.h). */
#ifndef GRAZE_GEOMETRY_TRIANGLE_OVERLAP_H
#define GRAZE_GEOMETRY_TRIANGLE_OVERLAP_H

#include "geometry/pair_scale.h"
#include "geometry/triangle_pair.h"

enum { OVERLAP_POINTS = 6 };

/* One triangle of the pair, as given and scaled. */
typedef struct overlap_side {
  const double *given;
  const double *scaled;
  const double *other_scaled;
  double inverse;
} overlap_side;

GEOMETRY_FUNCTION const double *overlap_scaled_corner(const overlap_side *side, const double *given_corner) {
  return side->scaled + (given_corner - side->given);
}

GEOMETRY_FUNCTION void overlap_copy(const double *point, double point_out[3]) {
  for (int axis = 0; axis < 3; axis++) point_out[axis] = point[axis];
}

/* The point at a fraction of the way between two given corners. */
GEOMETRY_FUNCTION void overlap_interpolate(const overlap_side *side, const double *from, const double *to,
                                           double fraction, double point_out[3]) {
  const vector3 start = vector3_load(overlap_scaled_corner(side, from));
  const vector3 end = vector3_load(overlap_scaled_corner(side, to));
  vector3_store(vector3_scale(vector3_between(start, end, fraction), side->inverse), point_out);
}

/* Where the edge from one corner to another passes the plane of the other triangle; the sides are exact and differ. */
GEOMETRY_FUNCTION void overlap_pass_plane(const overlap_side *side, const double *from, int from_side, const double *to,
                                          int to_side, double point_out[3]) {
  if (from_side == 0 || to_side == 0) {
    overlap_copy(from_side == 0 ? from : to, point_out);
    return;
  }
  const double *r = side->other_scaled;
  const double from_height = orientation_3d_value(r, r + 3, r + 6, overlap_scaled_corner(side, from));
  const double to_height = orientation_3d_value(r, r + 3, r + 6, overlap_scaled_corner(side, to));
  overlap_interpolate(side, from, to, crossing_fraction(from_height, to_height), point_out);
}

/* One end of an interval on the common line of two planes. */
typedef struct interval_end {
  const overlap_side *side;
  const double *from, *to;
  int from_side, to_side;
} interval_end;

GEOMETRY_FUNCTION interval_end interval_end_make(const overlap_side *side, const lone_corners *corners, int second,
                                                 const side_triple *sides) {
  interval_end end;
  end.side = side;
  end.from = corners->corner[0];
  end.to = corners->corner[second];
  end.from_side = sides->side[(end.from - side->given) / 3];
  end.to_side = sides->side[(end.to - side->given) / 3];
  return end;
}

/* The first for a positive preference, the second for a negative one. For preference zero the ends coincide, and one
 * that is a corner is preferred, as it has exact coordinates. */
GEOMETRY_FUNCTION interval_end interval_end_pick(interval_end a, interval_end b, int preference) {
  if (preference != 0) return preference > 0 ? a : b;
  return b.from_side == 0 || b.to_side == 0 ? b : a;
}

/* Triangles whose planes cross. Along the common line p is [j, i] and q is [k, l]; see lone_corners_align. */
GEOMETRY_FUNCTION uint32_t crossing_triangles_overlap(const overlap_side *p, const side_triple *p_sides,
                                                      const overlap_side *q, const side_triple *q_sides,
                                                      double points_out[OVERLAP_POINTS][3], orientation_tally *tally) {
  lone_corners a = lone_corners_make(p->given, p_sides), b = lone_corners_make(q->given, q_sides);
  lone_corners_align(&a, &b);
  const int k_minus_i = orientation_3d(a.corner[0], a.corner[1], b.corner[0], b.corner[1], tally);
  const int l_minus_j = orientation_3d(a.corner[0], a.corner[2], b.corner[0], b.corner[2], tally);
  if (k_minus_i > 0 || l_minus_j < 0) return 0;
  const interval_end i = interval_end_make(p, &a, 1, p_sides), j = interval_end_make(p, &a, 2, p_sides);
  const interval_end k = interval_end_make(q, &b, 1, q_sides), l = interval_end_make(q, &b, 2, q_sides);
  interval_end low, high;
  bool is_point = true;
  if (k_minus_i == 0) {
    low = high = interval_end_pick(k, i, 0);
  } else if (l_minus_j == 0) {
    low = high = interval_end_pick(l, j, 0);
  } else {
    const int k_minus_j = orientation_3d(a.corner[0], a.corner[2], b.corner[0], b.corner[1], tally);
    const int l_minus_i = orientation_3d(a.corner[0], a.corner[1], b.corner[0], b.corner[2], tally);
    low = interval_end_pick(k, j, k_minus_j);
    high = interval_end_pick(i, l, l_minus_i);
    is_point = a.touches || b.touches;
  }
  overlap_pass_plane(low.side, low.from, low.from_side, low.to, low.to_side, points_out[0]);
  if (is_point) return 1;
  overlap_pass_plane(high.side, high.from, high.from_side, high.to, high.to_side, points_out[1]);
  return points_equal(points_out[0], points_out[1]) ? 1 : 2;
}

/* A corner of the common polygon and the edges that contain it: bits 0 to 2 those of p, 3 to 5 those of q. */
typedef struct polygon_corner {
  double point[3];
  uint32_t edges;
} polygon_corner;

typedef struct polygon_corners {
  uint32_t count;
  polygon_corner corner[OVERLAP_POINTS];
} polygon_corners;

GEOMETRY_FUNCTION uint32_t simplex_edge_count(const simplex *s) {
  return s->count == 3 ? 3 : s->count - 1;
}

GEOMETRY_FUNCTION uint32_t edges_of_corner(const simplex *s, uint32_t corner) {
  return s->count == 3 ? (1u << corner) | (1u << ((corner + 2) % 3)) : 1u;
}

/* The edges of a triangle whose lines contain a point of it. */
GEOMETRY_FUNCTION uint32_t edges_through_point(int axis, const simplex *s, const double *point,
                                               orientation_tally *tally) {
  uint32_t edges = 0;
  for (uint32_t i = 0; s->count == 3 && i < 3; i++) {
    if (orientation_projected(axis, s->corner[i], s->corner[(i + 1) % 3], point, tally) == 0) edges |= 1u << i;
  }
  return edges;
}

GEOMETRY_FUNCTION polygon_corner *polygon_corners_append(polygon_corners *corners, uint32_t edges) {
  polygon_corner *corner = &corners->corner[corners->count];
  corners->count += 1;
  corner->edges = edges;
  return corner;
}

/* Appends corners of s that are in t. A common corner is taken from the first set only. */
GEOMETRY_FUNCTION void append_inner_corners(int axis, const simplex *s, uint32_t s_shift, const simplex *t,
                                            uint32_t t_shift, bool skip_common, polygon_corners *corners,
                                            orientation_tally *tally) {
  for (uint32_t i = 0; i < s->count; i++) {
    const double *point = s->corner[i];
    bool is_common = false;
    for (uint32_t j = 0; j < t->count; j++) is_common = is_common || points_equal(point, t->corner[j]);
    if ((is_common && skip_common) || !point_in_simplex(point, t, tally)) continue;
    const uint32_t edges = edges_of_corner(s, i) << s_shift | edges_through_point(axis, t, point, tally) << t_shift;
    overlap_copy(point, polygon_corners_append(corners, edges)->point);
  }
}

/* Appends crossings in the interior of both edges. */
GEOMETRY_FUNCTION void append_edge_crossings(int axis, const simplex *s, const overlap_side *s_side, const simplex *t,
                                             const overlap_side *t_side, polygon_corners *corners,
                                             orientation_tally *tally) {
  for (uint32_t i = 0; i < simplex_edge_count(s); i++) {
    for (uint32_t j = 0; j < simplex_edge_count(t); j++) {
      const double *a = s->corner[i], *b = s->corner[(i + 1) % 3];
      const double *c = t->corner[j], *d = t->corner[(j + 1) % 3];
      if (orientation_projected(axis, a, b, c, tally) * orientation_projected(axis, a, b, d, tally) >= 0) continue;
      if (orientation_projected(axis, c, d, a, tally) * orientation_projected(axis, c, d, b, tally) >= 0) continue;
      const double *from = overlap_scaled_corner(t_side, c), *to = overlap_scaled_corner(t_side, d);
      const double a_height = orientation_projected_value(axis, from, to, overlap_scaled_corner(s_side, a));
      const double b_height = orientation_projected_value(axis, from, to, overlap_scaled_corner(s_side, b));
      polygon_corner *corner = polygon_corners_append(corners, 1u << i | 8u << j);
      overlap_interpolate(s_side, a, b, crossing_fraction(a_height, b_height), corner->point);
    }
  }
}

/* Orders corners around the polygon: two are neighbors exactly if they are on one edge line of p or q, because such a
 * line bounds the polygon and so contains at most two of its corners. */
GEOMETRY_FUNCTION void polygon_corners_order(polygon_corners *corners) {
  for (uint32_t i = 1; i < corners->count; i++) {
    for (uint32_t j = i; j < corners->count; j++) {
      if ((corners->corner[j].edges & corners->corner[i - 1].edges) == 0) continue;
      const polygon_corner next = corners->corner[j];
      corners->corner[j] = corners->corner[i];
      corners->corner[i] = next;
      break;
    }
  }
}

GEOMETRY_FUNCTION uint32_t polygon_corners_write(const polygon_corners *corners, double points_out[OVERLAP_POINTS][3]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < corners->count; i++) {
    if (count > 0 && points_equal(points_out[count - 1], corners->corner[i].point)) continue;
    overlap_copy(corners->corner[i].point, points_out[count++]);
  }
  while (count > 1 && points_equal(points_out[count - 1], points_out[0])) count -= 1;
  return count;
}

/* Coplanar or collinear simplices. The corners of the common part are the corners of one that are in the other, and the
 * crossings in the interior of two edges; two triangles have at most six. */
GEOMETRY_SLOW_FUNCTION uint32_t coplanar_overlap(const simplex *a, const overlap_side *p, const simplex *b,
                                                 const overlap_side *q, double points_out[OVERLAP_POINTS][3],
                                                 orientation_tally *tally) {
  int axis = 3, area;
  if (a->count == 3)
    axis = projection_choose(a->corner[0], a->corner[1], a->corner[2], &area, tally);
  else if (b->count == 3)
    axis = projection_choose(b->corner[0], b->corner[1], b->corner[2], &area, tally);
  else if (a->count == 2 && b->count == 2)
    axis = segments_projection(a, b, tally);
  polygon_corners corners;
  corners.count = 0;
  append_inner_corners(axis, a, 0, b, 3, false, &corners, tally);
  append_inner_corners(axis, b, 3, a, 0, true, &corners, tally);
  if (axis != 3) append_edge_crossings(axis, a, p, b, q, &corners, tally);
  if (corners.count > 2) polygon_corners_order(&corners);
  return polygon_corners_write(&corners, points_out);
}

/* A segment that passes the plane of a triangle, or is in it. */
GEOMETRY_SLOW_FUNCTION uint32_t segment_overlap(const simplex *segment, const overlap_side *p, const simplex *triangle,
                                                const overlap_side *q, double points_out[OVERLAP_POINTS][3],
                                                orientation_tally *tally) {
  const double *const *r = triangle->corner;
  const int from_side = orientation_3d(r[0], r[1], r[2], segment->corner[0], tally);
  const int to_side = orientation_3d(r[0], r[1], r[2], segment->corner[1], tally);
  if (from_side == 0 && to_side == 0) return coplanar_overlap(segment, p, triangle, q, points_out, tally);
  overlap_pass_plane(p, segment->corner[0], from_side, segment->corner[1], to_side, points_out[0]);
  return 1;
}

/* One triangle is degenerate, or both are coplanar. */
GEOMETRY_SLOW_FUNCTION uint32_t flat_triangles_overlap(const overlap_side *p, const overlap_side *q,
                                                       double points_out[OVERLAP_POINTS][3], orientation_tally *tally) {
  const simplex a = simplex_from_triangle(p->given, tally), b = simplex_from_triangle(q->given, tally);
  if (!simplices_meet(&a, &b, tally)) return 0;
  if (a.count == 2 && b.count == 3) return segment_overlap(&a, p, &b, q, points_out, tally);
  if (a.count == 3 && b.count == 2) return segment_overlap(&b, q, &a, p, points_out, tally);
  return coplanar_overlap(&a, p, &b, q, points_out, tally);
}

/* The common part of two closed triangles: returns the number of points, 0 exactly if they do not intersect. Two points
 * are a segment; three to six are the corners of a convex polygon, in order around it. */
GEOMETRY_FUNCTION uint32_t triangle_pair_overlap(const double p[9], const double q[9],
                                                 double points_out[OVERLAP_POINTS][3], orientation_tally *tally) {
  const side_triple q_sides = side_triple_make(p, q, tally);
  if (side_triple_is_apart(&q_sides)) return 0;
  const side_triple p_sides = side_triple_make(q, p, tally);
  if (side_triple_is_apart(&p_sides)) return 0;
  const scaled_pair scaled = scaled_pair_make(p, q);
  const overlap_side p_side = {p, scaled.p, scaled.q, scaled.inverse};
  const overlap_side q_side = {q, scaled.q, scaled.p, scaled.inverse};
  if (side_triple_is_flat(&q_sides) || side_triple_is_flat(&p_sides))
    return flat_triangles_overlap(&p_side, &q_side, points_out, tally);
  return crossing_triangles_overlap(&p_side, &p_sides, &q_side, &q_sides, points_out, tally);
}

#endif

/* Decides whether adjacent triangles of one mesh intersect beyond the vertices that they share.
 *
 * The rule is that of a mesh checker. With one common vertex they do if the edge opposite to it in one triangle meets
 * the other triangle (closed). With two, if the triangles are coplanar, with their third corners strictly on the same
 * side of the common edge, so that they overlap in an area; a triangle with collinear corners has no side and never
 * counts. With three, never.
 *
 * Workload: every triangle of a mesh has about twelve neighbors, so a self test of a million triangles makes six
 * million calls. Floats decide nearly all of these before (plane_tests.h), two or four signs of the double filter the
 * others. */
#ifndef GRAZE_GEOMETRY_TRIANGLE_NEIGHBORS_H
#define GRAZE_GEOMETRY_TRIANGLE_NEIGHBORS_H

#include "geometry/bits.h"
#include "geometry/triangle_pair.h"

/* The common corners of two triangles: corner a[i] of one is corner b[i] of the other. */
typedef struct shared_corners {
  uint32_t count, a[3], b[3];
} shared_corners;

/* By vertex numbers; neither triangle may repeat one. Nine comparisons without a branch, as the matching corners vary
 * from pair to pair. */
GEOMETRY_FUNCTION shared_corners shared_corners_of(const uint32_t a[3], const uint32_t b[3]) {
  uint32_t equal = 0;
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t j = 0; j < 3; j++) equal |= (a[i] == b[j] ? 1u : 0u) << (3 * i + j);
  }
  shared_corners shared;
  shared.count = 0;
  for (uint32_t i = 0; i < 3; i++, equal &= equal - 1u) {
    const uint32_t bit = lowest_bit(equal | 1u << 9); /* 9 if there are no more */
    shared.a[i] = 11u * bit >> 5;                     /* bit / 3 */
    shared.b[i] = bit - 3u * shared.a[i];
    shared.count += bit < 9u ? 1u : 0u;
  }
  return shared;
}

/* Whether a triangle has a vertex number twice. Without a branch, as above. */
GEOMETRY_FUNCTION bool corner_is_repeated(const uint32_t corner[3]) {
  return (corner[0] == corner[1]) | (corner[1] == corner[2]) | (corner[2] == corner[0]);
}

/* The vertices of two triangles with one or two in common: these, then the others of a, then the others of b, each in
 * cyclic order. Five or four. */
GEOMETRY_FUNCTION void adjacent_vertices(const uint32_t a[3], const uint32_t b[3], const shared_corners *shared,
                                         uint32_t vertices_out[5]) {
  const uint32_t i = shared->a[0], j = shared->b[0];
  vertices_out[0] = a[i];
  if (shared->count == 1) {
    const uint32_t after_i = i == 2 ? 0 : i + 1, after_j = j == 2 ? 0 : j + 1;
    vertices_out[1] = a[after_i];
    vertices_out[2] = a[3 - i - after_i];
    vertices_out[3] = b[after_j];
    vertices_out[4] = b[3 - j - after_j];
  } else {
    vertices_out[1] = a[shared->a[1]];
    vertices_out[2] = a[3 - i - shared->a[1]];
    vertices_out[3] = b[3 - j - shared->b[1]];
    vertices_out[4] = vertices_out[3]; /* not used */
  }
}

/* The sides of the two corners after the common one, in cyclic order, over the plane of the other triangle. */
GEOMETRY_FUNCTION void opposite_sides(const double plane_triangle[9], const double *first, const double *second,
                                      int sides_out[2], orientation_tally *tally) {
  const double *a = plane_triangle, *b = a + 3, *c = a + 6;
  const plane_filter plane = plane_filter_make(a, b, c);
  sides_out[0] = plane_filter_sign(&plane, first);
  sides_out[1] = plane_filter_sign(&plane, second);
  if (GEOMETRY_UNLIKELY(sides_out[0] == SIGN_UNDECIDED)) sides_out[0] = orientation_3d_exact(a, b, c, first, tally);
  if (GEOMETRY_UNLIKELY(sides_out[1] == SIGN_UNDECIDED)) sides_out[1] = orientation_3d_exact(a, b, c, second, tally);
}

/* Coplanar or degenerate neighbors: applies the rule literally. */
GEOMETRY_SLOW_FUNCTION bool flat_neighbors_meet(const double p[9], uint32_t p_corner, const double q[9],
                                                uint32_t q_corner, orientation_tally *tally) {
  const double *p_next = p + 3 * ((p_corner + 1) % 3), *p_last = p + 3 * ((p_corner + 2) % 3);
  const double *q_next = q + 3 * ((q_corner + 1) % 3), *q_last = q + 3 * ((q_corner + 2) % 3);
  return segment_triangle_intersects(p_next, p_last, q, tally) || segment_triangle_intersects(q_next, q_last, p, tally);
}

/* One common vertex v, p = (v, a, b) and q = (v, c, d) in cyclic order, planes that cross in a line through v. Each
 * triangle meets the line in an interval that starts at v; they share more than v exactly if both intervals have a
 * length and are on the same side of v. That of p has a length unless a and b are strictly on one side of the plane of
 * q, and with heights h over that plane, the direction D = normal(p) x normal(q) equals (b - v) h(a) - (a - v) h(b):
 * the interval of p points along D if h(a) > 0 or h(b) < 0, against it otherwise. For q the same holds with -D. So four
 * signs are enough. */
GEOMETRY_FUNCTION bool corner_neighbors_meet(const double p[9], uint32_t p_corner, const double q[9], uint32_t q_corner,
                                             orientation_tally *tally) {
  int q_sides[2], p_sides[2];
  opposite_sides(p, q + 3 * ((q_corner + 1) % 3), q + 3 * ((q_corner + 2) % 3), q_sides, tally);
  if (q_sides[0] * q_sides[1] > 0) return false;
  if (GEOMETRY_UNLIKELY(q_sides[0] == 0 && q_sides[1] == 0))
    return flat_neighbors_meet(p, p_corner, q, q_corner, tally);
  opposite_sides(q, p + 3 * ((p_corner + 1) % 3), p + 3 * ((p_corner + 2) % 3), p_sides, tally);
  if (p_sides[0] * p_sides[1] > 0) return false;
  if (GEOMETRY_UNLIKELY(p_sides[0] == 0 && p_sides[1] == 0))
    return flat_neighbors_meet(p, p_corner, q, q_corner, tally);
  const int p_direction = p_sides[0] != 0 ? p_sides[0] : -p_sides[1];
  const int q_direction = q_sides[0] != 0 ? q_sides[0] : -q_sides[1];
  return p_direction != q_direction;
}

/* Two common vertices, with the third corners given. */
GEOMETRY_FUNCTION bool edge_neighbors_overlap(const double *from, const double *to, const double *p_third,
                                              const double *q_third, orientation_tally *tally) {
  if (orientation_3d(from, to, p_third, q_third, tally) != 0) return false;
  int p_area;
  const int axis = projection_choose(from, to, p_third, &p_area, tally);
  return axis != 3 && orientation_projected(axis, from, to, q_third, tally) == p_area;
}

/* Whether p and q intersect beyond their common vertices. The i-th common vertex is corner p_corners[i] (0, 1 or 2) of
 * p and corner q_corners[i] of q, with equal coordinates; without common vertices the plain test decides. */
GEOMETRY_LARGE_FUNCTION bool triangle_pair_intersects_beyond(const double p[9], const double q[9],
                                                             uint32_t shared_count, const uint32_t *p_corners,
                                                             const uint32_t *q_corners, orientation_tally *tally) {
  if (shared_count == 0) return triangle_pair_intersects(p, q, tally);
  if (shared_count == 1) return corner_neighbors_meet(p, p_corners[0], q, q_corners[0], tally);
  if (shared_count == 2) {
    const uint32_t p_third = 3 - p_corners[0] - p_corners[1], q_third = 3 - q_corners[0] - q_corners[1];
    return edge_neighbors_overlap(p + 3 * p_corners[0], p + 3 * p_corners[1], p + 3 * p_third, q + 3 * q_third, tally);
  }
  return false;
}

#endif

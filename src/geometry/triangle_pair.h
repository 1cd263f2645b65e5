/* Decides whether two closed triangles share a point, by orientation signs alone: the answer is that of rational
 * arithmetic on the given coordinates, for any order of corners and triangles.
 *
 * Workload: every candidate pair of the broad phase, millions a frame. The first three signs decide most of them (the
 * other triangle is strictly on one side of the plane), so those three share one plane, computed once.
 *
 * Guigue and Devillers, "Fast and robust triangle-triangle overlap test using orientation predicates", 2003. */
#ifndef GRAZE_GEOMETRY_TRIANGLE_PAIR_H
#define GRAZE_GEOMETRY_TRIANGLE_PAIR_H

#include "geometry/simplex_pair.h"

/* The sides of the corners of one triangle relative to the plane of the other. */
typedef struct side_triple {
  int side[3];
} side_triple;

GEOMETRY_FUNCTION bool side_triple_is_apart(const side_triple *sides) {
  return (sides->side[0] > 0 && sides->side[1] > 0 && sides->side[2] > 0) ||
         (sides->side[0] < 0 && sides->side[1] < 0 && sides->side[2] < 0);
}

GEOMETRY_FUNCTION bool side_triple_is_flat(const side_triple *sides) {
  return sides->side[0] == 0 && sides->side[1] == 0 && sides->side[2] == 0;
}

/* The filter's answer; false if some side is undecided. */
GEOMETRY_FUNCTION bool side_triple_filter(const double p[9], const double q[9], side_triple *sides_out) {
  const plane_filter plane = plane_filter_make(p, p + 3, p + 6);
  for (int i = 0; i < 3; i++) sides_out->side[i] = plane_filter_sign(&plane, q + 3 * i);
  return sides_out->side[0] != SIGN_UNDECIDED && sides_out->side[1] != SIGN_UNDECIDED &&
         sides_out->side[2] != SIGN_UNDECIDED;
}

GEOMETRY_SLOW_FUNCTION void side_triple_complete(const double p[9], const double q[9], side_triple *sides,
                                                 orientation_tally *tally) {
  for (int i = 0; i < 3; i++) {
    if (sides->side[i] == SIGN_UNDECIDED) sides->side[i] = orientation_3d_exact(p, p + 3, p + 6, q + 3 * i, tally);
  }
}

GEOMETRY_FUNCTION side_triple side_triple_make(const double p[9], const double q[9], orientation_tally *tally) {
  side_triple sides;
  if (GEOMETRY_UNLIKELY(!side_triple_filter(p, q, &sides))) side_triple_complete(p, q, &sides, tally);
  return sides;
}

/* Whether the triangles have a common corner. Without a branch, as the matching corners vary from pair to pair. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
typedef double two_doubles __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

/* Coordinates of two corners. */
typedef struct corner_couple {
  two_doubles x, y, z;
} corner_couple;

GEOMETRY_FUNCTION corner_couple corner_couple_make(const double *first, const double *second) {
  const corner_couple couple = {{first[0], second[0]}, {first[1], second[1]}, {first[2], second[2]}};
  return couple;
}

GEOMETRY_FUNCTION two_masks corner_couples_equal(const corner_couple *a, const corner_couple *b) {
  return (a->x == b->x) & (a->y == b->y) & (a->z == b->z);
}

/* On x86 a comparison of two doubles takes three instructions, one per cycle, and one of two pairs takes one. */
GEOMETRY_FUNCTION bool corners_are_shared(const double p[9], const double q[9]) {
  const corner_couple p01 = corner_couple_make(p, p + 3), p22 = corner_couple_make(p + 6, p + 6);
  const corner_couple q01 = corner_couple_make(q, q + 3), q22 = corner_couple_make(q + 6, q + 6);
  const corner_couple q10 = corner_couple_make(q + 3, q);
  const two_masks shared = corner_couples_equal(&p01, &q01) | corner_couples_equal(&p01, &q10) |
                           corner_couples_equal(&p01, &q22) | corner_couples_equal(&p22, &q01) |
                           corner_couples_equal(&p22, &q22);
  return (shared[0] | shared[1]) != 0;
}
#else
GEOMETRY_FUNCTION bool corners_are_shared(const double p[9], const double q[9]) {
  unsigned shared = 0;
  for (int i = 0; i < 9; i += 3) {
    for (int j = 0; j < 9; j += 3)
      shared |= (unsigned)(p[i] == q[j]) & (unsigned)(p[i + 1] == q[j + 1]) & (unsigned)(p[i + 2] == q[j + 2]);
  }
  return shared != 0;
}
#endif

/* The same, not inlined, for callers that rarely need it. */
GEOMETRY_SLOW_FUNCTION bool triangles_share_corner(const double p[9], const double q[9]) {
  return corners_are_shared(p, q);
}

/* Corners in the order that the interval test needs: the first is alone on its side of the other's plane (that side or
 * on the plane, the other two opposite or on it), in the given cyclic order. */
typedef struct lone_corners {
  const double *corner[3];
  int side;     /* of the first; if it is on the plane, the side opposite to the others */
  bool touches; /* the first is on the plane, and the triangle meets it only there */
} lone_corners;

GEOMETRY_FUNCTION lone_corners lone_corners_make(const double p[9], const side_triple *sides) {
  int lone = -1, zero = 0;
  for (int i = 0; i < 3; i++) {
    const int side = sides->side[i];
    if (side == 0) zero = i;
    if (side != 0 && sides->side[(i + 1) % 3] != side && sides->side[(i + 2) % 3] != side) lone = i;
  }
  lone_corners result;
  result.touches = lone < 0;
  if (lone < 0) lone = zero;
  result.side = result.touches ? -sides->side[(lone + 1) % 3] : sides->side[lone];
  for (int i = 0; i < 3; i++) result.corner[i] = p + 3 * ((lone + i) % 3);
  return result;
}

GEOMETRY_FUNCTION void lone_corners_turn(lone_corners *corners) {
  const double *second = corners->corner[1];
  corners->corner[1] = corners->corner[2];
  corners->corner[2] = second;
}

/* Orients both so that each first corner is on the positive side of the other's plane; reversing one triangle reverses
 * the sides of the other.
 *
 * Let the planes meet in the line of direction D = normal(p) x normal(q). Then p meets the line in [j, i] along D and q
 * in [k, l], where i is on the edge p0 p1, j on p0 p2, k on q0 q1, l on q0 q2. And for two such edges, the sign of
 * orientation_3d(p0, p1, q0, q1) is the sign of k - i along D: with p0 - p1 = s u, q0 - q1 = t w for s, t > 0 the
 * determinant is s t det(u, k - i, w), u is in the plane of p and rises over q, w is in the plane of q and rises over
 * p. */
GEOMETRY_FUNCTION void lone_corners_align(lone_corners *p, lone_corners *q) {
  if (p->side < 0) lone_corners_turn(q);
  if (q->side < 0) lone_corners_turn(p);
}

/* The intervals overlap when k <= i and j <= l. */
GEOMETRY_FUNCTION bool crossing_triangles_meet(const double p[9], const side_triple *p_sides, const double q[9],
                                               const side_triple *q_sides, orientation_tally *tally) {
  lone_corners a = lone_corners_make(p, p_sides), b = lone_corners_make(q, q_sides);
  lone_corners_align(&a, &b);
  return orientation_3d(a.corner[0], a.corner[1], b.corner[0], b.corner[1], tally) <= 0 &&
         orientation_3d(a.corner[0], a.corner[2], b.corner[0], b.corner[2], tally) >= 0;
}

/* One of the triangles is degenerate, or both are coplanar. */
GEOMETRY_SLOW_FUNCTION bool flat_triangles_meet(const double p[9], const double q[9], orientation_tally *tally) {
  const simplex a = simplex_from_triangle(p, tally), b = simplex_from_triangle(q, tally);
  return simplices_meet(&a, &b, tally);
}

/* Whether the closed triangles share a point. A triple of sides is all zero if the plane is that of a degenerate
 * triangle or contains the other one; if p and q are proper triangles and the first triple is not all zero, neither is
 * the second. */
GEOMETRY_FUNCTION bool triangle_pair_intersects(const double p[9], const double q[9], orientation_tally *tally) {
  side_triple q_sides, p_sides;
  if (GEOMETRY_UNLIKELY(!side_triple_filter(p, q, &q_sides))) {
    /* Touching copies reach this by the million; a common corner decides them without exact arithmetic. */
    if (triangles_share_corner(p, q)) return true;
    side_triple_complete(p, q, &q_sides, tally);
  }
  if (side_triple_is_apart(&q_sides)) return false;
  if (GEOMETRY_UNLIKELY(side_triple_is_flat(&q_sides))) return flat_triangles_meet(p, q, tally);
  p_sides = side_triple_make(q, p, tally);
  if (side_triple_is_apart(&p_sides)) return false;
  if (GEOMETRY_UNLIKELY(side_triple_is_flat(&p_sides))) return flat_triangles_meet(p, q, tally);
  return crossing_triangles_meet(p, &p_sides, q, &q_sides, tally);
}

/* The sign by the filter alone. */
GEOMETRY_FUNCTION int orientation_3d_filtered(const double *a, const double *b, const double *c, const double *d) {
  const plane_filter plane = plane_filter_make(a, b, c);
  return plane_filter_sign(&plane, d);
}

/* The double filter's answer for triangle_pair_intersects: 1, 0, or SIGN_UNDECIDED if an exact sign would be needed.
 * For callers that gather such pairs and decide them together. */
GEOMETRY_FUNCTION int triangle_pair_filtered(const double p[9], const double q[9]) {
  side_triple q_sides, p_sides;
  if (!side_triple_filter(p, q, &q_sides)) return SIGN_UNDECIDED;
  if (side_triple_is_apart(&q_sides)) return 0;
  if (!side_triple_filter(q, p, &p_sides)) return SIGN_UNDECIDED;
  if (side_triple_is_apart(&p_sides)) return 0;
  lone_corners a = lone_corners_make(p, &p_sides), b = lone_corners_make(q, &q_sides);
  lone_corners_align(&a, &b);
  const int first = orientation_3d_filtered(a.corner[0], a.corner[1], b.corner[0], b.corner[1]);
  if (first == 1) return 0;
  const int second = orientation_3d_filtered(a.corner[0], a.corner[2], b.corner[0], b.corner[2]);
  if (second == -1) return first == SIGN_UNDECIDED ? SIGN_UNDECIDED : 0;
  return first == SIGN_UNDECIDED || second == SIGN_UNDECIDED ? SIGN_UNDECIDED : 1;
}

#endif

/* Decides whether two closed tetrahedra share a point, by orientation signs alone: the answer is that of rational
 * arithmetic on the given coordinates, for any order of corners and tetrahedra.
 *
 * A tetrahedron is the convex hull of its four corners: an inverted one is the same set, and flat ones, needles,
 * segments and points are legal.
 *
 * Two convex sets are apart if the origin is strictly outside their Minkowski difference. If one of them, p, is solid,
 * that set is a polytope whose faces come from a face of p, from the plane of three corners of q, or from an edge of
 * each. So p and q are apart exactly if some plane has them strictly on different sides, though p may touch it, among
 * - the planes of p's faces,
 * - the planes of three corners of q (on either side if q is flat),
 * - the planes through an edge of p that have p on one side.
 * The last form a family for each edge, of which no plane is computed. Let f and g be the faces at the edge ab, and F,
 * G the heights of a point over them, outward. A plane of the family is x F + y G = 0 with x, y >= 0, and q is beyond
 * it if x F + y G > 0 at all its corners. If a corner has F, G <= 0, this holds for no plane; if it has F, G > 0, for
 * every plane. A corner i beyond f only and a corner j beyond g only bound y / x from above and below. All bounds are
 * compatible exactly if F_i G_j > F_j G_i for each such pair, which is the sign of orientation_3d(a, b, i, j). Every
 * sign is that of four of the eight corners; the signs of faces are computed once for faces and edges.
 *
 * Workload: candidates that a float filter leaves undecided. A face decides most of them, and most intersecting pairs
 * have a corner of one in the other. Pairs of flat tetrahedra are rare and handled separately.
 *
 * Ganovelli, Ponchio, Rocchini, "Fast Tetrahedron-Tetrahedron Overlap Algorithm", 2003. */
#ifndef GRAZE_GEOMETRY_TETRAHEDRON_PAIR_H
#define GRAZE_GEOMETRY_TETRAHEDRON_PAIR_H

#include "geometry/triangle_pair.h"

enum { TETRAHEDRON_FACES = 4, TETRAHEDRON_EDGES = 6, FLAT_TETRAHEDRON_TRIANGLES = 3 };

/* 1, 0 or -1: the orientation of its corners, 0 if they are coplanar. */
GEOMETRY_FUNCTION int tetrahedron_volume_sign(const double p[12], orientation_tally *tally) {
  return orientation_3d(p, p + 3, p + 6, p + 9, tally);
}

/* The corners of the face opposite to a corner, in the order for which that corner is on the side of the volume's
 * sign. */
GEOMETRY_FUNCTION void tetrahedron_face(const double p[12], int opposite, const double *corners_out[3]) {
  const int corner[TETRAHEDRON_FACES][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
  for (int i = 0; i < 3; i++) corners_out[i] = p + 3 * corner[opposite][i];
}

/* The same as nine coordinates. */
GEOMETRY_FUNCTION void tetrahedron_face_triangle(const double p[12], int opposite, double triangle_out[9]) {
  const double *corner[3];
  tetrahedron_face(p, opposite, corner);
  for (int i = 0; i < 9; i++) triangle_out[i] = corner[i / 3][i % 3];
}

/* Edge ab of a tetrahedron and the two corners beside it, in an order of positive parity. */
typedef struct tetrahedron_edge {
  int a, b, c, d;
} tetrahedron_edge;

GEOMETRY_FUNCTION tetrahedron_edge tetrahedron_edge_make(int index) {
  const int corner[TETRAHEDRON_EDGES][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                            {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
  tetrahedron_edge edge;
  edge.a = corner[index][0];
  edge.b = corner[index][1];
  edge.c = corner[index][2];
  edge.d = corner[index][3];
  return edge;
}

/* The sides of some points relative to a plane: bit i for point i. A point that is in no mask is in the plane. */
typedef struct side_masks {
  uint32_t positive, negative, undecided;
} side_masks;

/* The filter's answer. */
GEOMETRY_FUNCTION side_masks side_masks_filter(const double *const corner[3], const double *points, uint32_t count) {
  const plane_filter plane = plane_filter_make(corner[0], corner[1], corner[2]);
  side_masks sides = {0, 0, 0};
  for (uint32_t i = 0; i < count; i++) {
    double bound;
    const double height = plane_filter_height(&plane, points + 3 * i, &bound);
    const uint32_t positive = height > bound, negative = height < -bound;
    sides.positive |= positive << i;
    sides.negative |= negative << i;
    sides.undecided |= ((positive | negative) ^ 1u) << i;
  }
  return sides;
}

GEOMETRY_SLOW_FUNCTION void side_masks_complete(const double *const corner[3], const double *points, side_masks *sides,
                                                orientation_tally *tally) {
  for (uint32_t i = 0; sides->undecided >> i != 0; i++) {
    if ((sides->undecided >> i & 1u) == 0) continue;
    const int sign = orientation_3d_exact(corner[0], corner[1], corner[2], points + 3 * i, tally);
    sides->positive |= (uint32_t)(sign > 0) << i;
    sides->negative |= (uint32_t)(sign < 0) << i;
  }
  sides->undecided = 0;
}

/* Whether all points are strictly on the side opposite to `inside`, or on one side for inside 0. */
GEOMETRY_FUNCTION bool side_masks_are_apart(const side_masks *sides, int inside, uint32_t all) {
  return (inside <= 0 && sides->positive == all) || (inside >= 0 && sides->negative == all);
}

/* The sides of up to four points relative to all faces of a tetrahedron. */
typedef struct face_sides {
  side_masks face[TETRAHEDRON_FACES]; /* indexed by the opposite corner */
  int inside;                         /* the side of the tetrahedron, 0 if it is flat */
  uint32_t all;                       /* one bit per point */
} face_sides;

/* Whether a face certainly separates the points from the tetrahedron. Every face is filtered before any exact
 * arithmetic: if one of them decides, the undecided signs of the others do not matter. */
GEOMETRY_FUNCTION bool face_sides_filter(const double p[12], int inside, const double *points, uint32_t count,
                                         face_sides *sides_out) {
  sides_out->inside = inside;
  sides_out->all = (1u << count) - 1u;
  for (int i = 0; i < TETRAHEDRON_FACES; i++) {
    const double *corner[3];
    tetrahedron_face(p, i, corner);
    sides_out->face[i] = side_masks_filter(corner, points, count);
    if (side_masks_are_apart(&sides_out->face[i], inside, sides_out->all)) return true;
  }
  return false;
}

GEOMETRY_FUNCTION bool face_sides_are_complete(const face_sides *sides) {
  return (sides->face[0].undecided | sides->face[1].undecided | sides->face[2].undecided | sides->face[3].undecided) ==
         0;
}

/* Whether a face separates them; if not, all signs are known afterwards. */
GEOMETRY_SLOW_FUNCTION bool face_sides_complete(const double p[12], const double *points, face_sides *sides,
                                                orientation_tally *tally) {
  for (int i = 0; i < TETRAHEDRON_FACES; i++) {
    const double *corner[3];
    tetrahedron_face(p, i, corner);
    side_masks_complete(corner, points, &sides->face[i], tally);
    if (side_masks_are_apart(&sides->face[i], sides->inside, sides->all)) return true;
  }
  return false;
}

/* The points strictly outside a face of a solid tetrahedron. */
GEOMETRY_FUNCTION uint32_t face_sides_outside(const face_sides *sides, int opposite) {
  return sides->inside > 0 ? sides->face[opposite].negative : sides->face[opposite].positive;
}

/* Whether one of the points is in the tetrahedron, as far as the signs are known; false if it is flat. */
GEOMETRY_FUNCTION bool face_sides_hold_point(const face_sides *sides) {
  uint32_t excluded = 0;
  for (int i = 0; i < TETRAHEDRON_FACES; i++) excluded |= face_sides_outside(sides, i) | sides->face[i].undecided;
  return sides->inside != 0 && excluded != sides->all;
}

/* Whether a plane through the edge separates the points from the solid tetrahedron p: 1 or 0. Without a tally no exact
 * sign is computed, and the result is SIGN_UNDECIDED if one would be needed. */
GEOMETRY_FUNCTION int tetrahedron_edge_separates(const double p[12], int index, const face_sides *sides,
                                                 const double *points, orientation_tally *tally) {
  const tetrahedron_edge edge = tetrahedron_edge_make(index);
  const uint32_t beyond_f = face_sides_outside(sides, edge.d), beyond_g = face_sides_outside(sides, edge.c);
  if ((beyond_f | beyond_g) != sides->all) return 0;
  const uint32_t only_f = beyond_f & ~beyond_g, only_g = beyond_g & ~beyond_f;
  int parts = 1;
  for (uint32_t i = 0; only_f >> i != 0; i++) {
    if ((only_f >> i & 1u) == 0) continue;
    for (uint32_t j = 0; only_g >> j != 0; j++) {
      if ((only_g >> j & 1u) == 0) continue;
      const double *a = p + 3 * edge.a, *b = p + 3 * edge.b, *c = points + 3 * i, *d = points + 3 * j;
      const int sign = tally != NULL ? orientation_3d(a, b, c, d, tally) : orientation_3d_filtered(a, b, c, d);
      if (sign == SIGN_UNDECIDED)
        parts = SIGN_UNDECIDED;
      else if (sign * sides->inside >= 0)
        return 0;
    }
  }
  return parts;
}

/* Whether a plane through some edge separates them. */
GEOMETRY_FUNCTION bool tetrahedron_edges_separate(const double p[12], const face_sides *sides, const double *points,
                                                  orientation_tally *tally) {
  for (int i = 0; i < TETRAHEDRON_EDGES; i++) {
    if (tetrahedron_edge_separates(p, i, sides, points, tally) == 1) return true;
  }
  return false;
}

/* Whether one of the first points equals one of the others. */
GEOMETRY_SLOW_FUNCTION bool point_sets_share_one(const double *p, uint32_t p_count, const double *q, uint32_t q_count) {
  for (uint32_t i = 0; i < p_count; i++) {
    for (uint32_t j = 0; j < q_count; j++) {
      if (points_equal(p + 3 * i, q + 3 * j)) return true;
    }
  }
  return false;
}

/* The hull of four coplanar points is the union of any three of its four triangles: two of them fill a convex
 * quadrilateral, on either side of either diagonal; if a point is within the triangle of the others, that triangle or
 * the three around the point do; and on a line, two of them contain both ends. */
GEOMETRY_SLOW_FUNCTION bool flat_tetrahedra_meet(const double p[12], const double q[12], orientation_tally *tally) {
  for (int i = 0; i < FLAT_TETRAHEDRON_TRIANGLES * FLAT_TETRAHEDRON_TRIANGLES; i++) {
    double a[9], b[9];
    tetrahedron_face_triangle(p, i / FLAT_TETRAHEDRON_TRIANGLES, a);
    tetrahedron_face_triangle(q, i % FLAT_TETRAHEDRON_TRIANGLES, b);
    if (triangle_pair_intersects(a, b, tally)) return true;
  }
  return false;
}

/* The verdict of the eight planes of faces: one of them separates the tetrahedra, a corner of one is in the other, or
 * neither. */
typedef enum face_verdict { FACES_SEPARATE, FACES_HOLD_CORNER, FACES_UNDECIDED } face_verdict;

GEOMETRY_SLOW_FUNCTION face_verdict tetrahedra_complete_faces(const double p[12], const double q[12], face_sides *of_p,
                                                              face_sides *of_q, orientation_tally *tally) {
  /* Touching copies reach this by the million; a common corner decides them without exact arithmetic. */
  if (point_sets_share_one(p, 4, q, 4)) return FACES_HOLD_CORNER;
  if (face_sides_complete(p, q, of_p, tally)) return FACES_SEPARATE;
  if (face_sides_hold_point(of_p)) return FACES_HOLD_CORNER;
  if (face_sides_complete(q, p, of_q, tally)) return FACES_SEPARATE;
  return face_sides_hold_point(of_q) ? FACES_HOLD_CORNER : FACES_UNDECIDED;
}

/* For tetrahedra with these volume signs. If the verdict is undecided, all signs are known afterwards. */
GEOMETRY_FUNCTION face_verdict tetrahedra_compare_faces(const double p[12], int p_inside, const double q[12],
                                                        int q_inside, face_sides *of_p_out, face_sides *of_q_out,
                                                        orientation_tally *tally) {
  if (face_sides_filter(p, p_inside, q, 4, of_p_out)) return FACES_SEPARATE;
  if (face_sides_hold_point(of_p_out)) return FACES_HOLD_CORNER;
  if (face_sides_filter(q, q_inside, p, 4, of_q_out)) return FACES_SEPARATE;
  if (face_sides_hold_point(of_q_out)) return FACES_HOLD_CORNER;
  if (face_sides_are_complete(of_p_out) && face_sides_are_complete(of_q_out)) return FACES_UNDECIDED;
  return tetrahedra_complete_faces(p, q, of_p_out, of_q_out, tally);
}

/* Whether the closed tetrahedra share a point. */
GEOMETRY_LARGE_FUNCTION bool tetrahedron_pair_intersects(const double p[12], const double q[12],
                                                         orientation_tally *tally) {
  const int p_inside = tetrahedron_volume_sign(p, tally), q_inside = tetrahedron_volume_sign(q, tally);
  if (GEOMETRY_UNLIKELY(p_inside == 0 && q_inside == 0)) return flat_tetrahedra_meet(p, q, tally);
  face_sides of_p, of_q;
  const face_verdict verdict = tetrahedra_compare_faces(p, p_inside, q, q_inside, &of_p, &of_q, tally);
  if (verdict != FACES_UNDECIDED) return verdict == FACES_HOLD_CORNER;
  return p_inside != 0 ? !tetrahedron_edges_separate(p, &of_p, q, tally)
                       : !tetrahedron_edges_separate(q, &of_q, p, tally);
}

/* The filter's answer: 1, 0, or SIGN_UNDECIDED if an exact sign would be needed. For callers that gather such pairs and
 * decide them together. */
GEOMETRY_FUNCTION int tetrahedron_pair_filtered(const double p[12], const double q[12]) {
  const int p_inside = orientation_3d_filtered(p, p + 3, p + 6, p + 9);
  const int q_inside = orientation_3d_filtered(q, q + 3, q + 6, q + 9);
  if (p_inside == SIGN_UNDECIDED || q_inside == SIGN_UNDECIDED) return SIGN_UNDECIDED;
  face_sides of_p, of_q;
  if (face_sides_filter(p, p_inside, q, 4, &of_p)) return 0;
  if (face_sides_hold_point(&of_p)) return 1;
  if (face_sides_filter(q, q_inside, p, 4, &of_q)) return 0;
  if (face_sides_hold_point(&of_q)) return 1;
  if (!face_sides_are_complete(&of_p)) return SIGN_UNDECIDED;
  int answer = face_sides_are_complete(&of_q) ? 1 : SIGN_UNDECIDED; /* a face of q may still separate them */
  for (int i = 0; i < TETRAHEDRON_EDGES; i++) {
    const int parts = tetrahedron_edge_separates(p, i, &of_p, q, NULL);
    if (parts == 1) return 0;
    if (parts == SIGN_UNDECIDED) answer = SIGN_UNDECIDED;
  }
  return answer;
}

/* Decides exactly whether a closed triangle and a closed tetrahedron share a point. Either may be degenerate: both are
 * the convex hulls of their corners.
 *
 * The argument of tetrahedron_pair.h holds with three points in place of four: if the tetrahedron is solid, the two are
 * apart exactly if one of its faces, the plane of the triangle, or a plane through an edge of the tetrahedron separates
 * them. A triangle that is a segment or a point has no plane, and its difference set has no such face.
 *
 * Workload: surfaces against solids in mixed scenes; most are separated by a face of the tetrahedron.
 *
 * Ganovelli, Ponchio, Rocchini, "Fast Tetrahedron-Tetrahedron Overlap Algorithm", 2003. */

/* A flat tetrahedron is the union of three of its faces; see flat_tetrahedra_meet. */
GEOMETRY_SLOW_FUNCTION bool triangle_meets_flat_tetrahedron(const double t[9], const double q[12],
                                                            orientation_tally *tally) {
  for (int i = 0; i < FLAT_TETRAHEDRON_TRIANGLES; i++) {
    double face[9];
    tetrahedron_face_triangle(q, i, face);
    if (triangle_pair_intersects(t, face, tally)) return true;
  }
  return false;
}

/* Whether the closed triangle and the closed tetrahedron share a point. */
GEOMETRY_LARGE_FUNCTION bool triangle_tetrahedron_intersects(const double t[9], const double q[12],
                                                             orientation_tally *tally) {
  const int inside = tetrahedron_volume_sign(q, tally);
  if (GEOMETRY_UNLIKELY(inside == 0)) return triangle_meets_flat_tetrahedron(t, q, tally);
  const double *const corner[3] = {t, t + 3, t + 6};
  face_sides of_q;
  if (face_sides_filter(q, inside, t, 3, &of_q)) return false;
  if (face_sides_hold_point(&of_q)) return true;
  side_masks of_t = side_masks_filter(corner, q, 4);
  if (side_masks_are_apart(&of_t, 0, 15u)) return false;
  if (GEOMETRY_UNLIKELY(!face_sides_are_complete(&of_q) || of_t.undecided != 0)) {
    if (point_sets_share_one(t, 3, q, 4)) return true;
    if (face_sides_complete(q, t, &of_q, tally)) return false;
    side_masks_complete(corner, q, &of_t, tally);
    if (side_masks_are_apart(&of_t, 0, 15u)) return false;
  }
  return face_sides_hold_point(&of_q) || !tetrahedron_edges_separate(q, &of_q, t, tally);
}

#endif

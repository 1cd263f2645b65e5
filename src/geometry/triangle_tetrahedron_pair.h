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
#ifndef GRAZE_GEOMETRY_TRIANGLE_TETRAHEDRON_PAIR_H
#define GRAZE_GEOMETRY_TRIANGLE_TETRAHEDRON_PAIR_H

#include "geometry/tetrahedron_pair.h"

/* A flat tetrahedron is the union of three of its faces; see flat_tetrahedra_meet. */
GEOMETRY_SLOW_FUNCTION bool triangle_meets_flat_tetrahedron(const double t[9], const double q[12],
                                                            orientation_tally *tally) {
  for (int i = 0; i < FLAT_TETRAHEDRON_TRIANGLES; ++i) {
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

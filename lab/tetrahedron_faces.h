/* Tests two tetrahedra with the planes of their faces only. */
#ifndef GRAZE_LAB_TETRAHEDRON_FACES_H
#define GRAZE_LAB_TETRAHEDRON_FACES_H

#include "geometry/tetrahedron_pair.h"

/* Whether none of the planes of the eight faces separates the tetrahedra: true for all intersecting pairs, and for some
 * others (those that only a plane along an edge of each separates). A flat tetrahedron has the planes of three corners;
 * three collinear corners have no plane, so two segments are never separated. */
GEOMETRY_FUNCTION bool tetrahedron_pair_intersects_no_edges(const double p[12], const double q[12],
                                                            orientation_tally *tally) {
  const int p_inside = tetrahedron_volume_sign(p, tally), q_inside = tetrahedron_volume_sign(q, tally);
  face_sides of_p, of_q;
  return tetrahedra_compare_faces(p, p_inside, q, q_inside, &of_p, &of_q, tally) != FACES_SEPARATE;
}

#endif

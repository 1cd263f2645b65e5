/* A tetrahedron as four half-spaces for cutting, and exact tests of where another primitive touches it.
 *
 * The planes are rounded, so they are only used to measure. One exact sign determines the inner side of all four faces,
 * because a nearly flat tetrahedron with one inverted face would be unbounded instead of small.
 *
 * Workload: one call for each pair with a requested common volume or polygon. */
#ifndef GRAZE_GEOMETRY_TETRAHEDRON_PLANES_H
#define GRAZE_GEOMETRY_TETRAHEDRON_PLANES_H

#include "geometry/local_coordinates.h"
#include "geometry/tetrahedron_pair.h"
#include "geometry/triangle_overlap.h"

enum { TETRAHEDRON_CORNERS = TETRAHEDRON_FACES };

/* Inside means that the height is not negative. Normals have any length. */
typedef struct cutting_plane {
  vector3 point, normal;
} cutting_plane;

GEOMETRY_FUNCTION cutting_plane cutting_plane_make(vector3 a, vector3 b, vector3 c) {
  cutting_plane plane;
  plane.point = a;
  plane.normal = vector3_cross(vector3_subtract(b, a), vector3_subtract(c, a));
  return plane;
}

GEOMETRY_FUNCTION double cutting_plane_height(const cutting_plane *plane, vector3 point) {
  return vector3_dot(plane->normal, vector3_subtract(point, plane->point));
}

/* Six times the signed volume. */
GEOMETRY_FUNCTION double corners_determinant(const vector3 corners[TETRAHEDRON_CORNERS]) {
  const vector3 u = vector3_subtract(corners[1], corners[0]), v = vector3_subtract(corners[2], corners[0]);
  return vector3_dot(vector3_cross(u, v), vector3_subtract(corners[3], corners[0]));
}

/* The four half-spaces of corners whose volume has the given sign, not 0. */
GEOMETRY_FUNCTION void tetrahedron_planes_make(const double q[12], int sign,
                                               cutting_plane planes_out[TETRAHEDRON_FACES]) {
  for (int face = 0; face < TETRAHEDRON_FACES; face++) {
    const double *corner[3];
    tetrahedron_face(q, face, corner);
    const vector3 a = vector3_load(corner[0]), b = vector3_load(corner[1]), c = vector3_load(corner[2]);
    planes_out[face] = sign > 0 ? cutting_plane_make(a, b, c) : cutting_plane_make(a, c, b);
  }
}

/* Whether a point is in a closed tetrahedron whose volume has the given sign, not 0; exact. */
GEOMETRY_FUNCTION bool tetrahedron_contains(const double q[12], int sign, const double *point,
                                            orientation_tally *tally) {
  for (int face = 0; face < TETRAHEDRON_FACES; face++) {
    const double *corner[3];
    tetrahedron_face(q, face, corner);
    if (sign * orientation_3d(corner[0], corner[1], corner[2], point, tally) < 0) return false;
  }
  return true;
}

/* The two points farthest apart among those where a triangle meets the faces of a tetrahedron: 0, 1 or 2 points.
 * Whether there are any is exact. A triangle inside the tetrahedron meets no face. */
GEOMETRY_SLOW_FUNCTION uint32_t triangle_faces_contact(const double t[9], const double q[12], double points_out[2][3]) {
  orientation_tally tally = {0};
  double points[4 * OVERLAP_POINTS][3], face[9], widest = 0.0;
  uint32_t count = 0, result = 0;
  for (int i = 0; i < 4; i++) {
    tetrahedron_face_triangle(q, i, face);
    count += triangle_pair_overlap(t, face, points + count, &tally);
  }
  if (count > 0) overlap_copy(points[0], points_out[result++]);
  for (uint32_t i = 1; i < count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      const double width =
          vector3_largest_magnitude(vector3_subtract(vector3_load(points[i]), vector3_load(points[j])));
      if (width <= widest) continue;
      widest = width;
      overlap_copy(points[i], points_out[0]);
      overlap_copy(points[j], points_out[1]);
      result = 2;
    }
  }
  return result;
}

/* Whether two closed tetrahedra meet, flat ones included, and if so a common point; the decision is exact. */
GEOMETRY_SLOW_FUNCTION bool tetrahedron_pair_contact(const double p[12], const double q[12], double point_out[3]) {
  orientation_tally tally = {0};
  double contact[2][3], face[9];
  for (int i = 0; i < TETRAHEDRON_FACES; i++) {
    tetrahedron_face_triangle(p, i, face);
    if (triangle_faces_contact(face, q, contact) == 0) continue;
    overlap_copy(contact[0], point_out);
    return true;
  }
  const int p_sign = tetrahedron_volume_sign(p, &tally), q_sign = tetrahedron_volume_sign(q, &tally);
  const bool p_inside = q_sign != 0 && tetrahedron_contains(q, q_sign, p, &tally);
  const bool q_inside = !p_inside && p_sign != 0 && tetrahedron_contains(p, p_sign, q, &tally);
  if (p_inside || q_inside) overlap_copy(p_inside ? p : q, point_out);
  return p_inside || q_inside;
}

#endif

/* The common part of a triangle and a tetrahedron: a convex polygon of up to seven corners, its area and centroid.
 *
 * Whether the two intersect is decided exactly, on the given coordinates: by a corner inside, or a face that is met.
 * Then the triangle is cut by the four half-spaces of the tetrahedron (Sutherland and Hodgman, "Reentrant polygon
 * clipping", 1974). Each corner stores its heights over all planes. Those of the triangle's corners have exact signs
 * and a relative error of 2^-44, so a triangle in a face is entirely inside; those of new corners are interpolated, so
 * rounding never moves them to the other side. If a tiny common part is lost nevertheless, the exact contacts with the
 * faces replace it: there is a point exactly if the two intersect.
 *
 * Errors, in units of the extent of the pair from the triangle's first corner: points are on the triangle and in each
 * of the four half-spaces within 2^-42, and the error of the area is at most 2^-40 of the square. The reason is that a
 * height has a relative error of 2^-44, and a new corner as much of its edge, in up to four generations.
 *
 * Workload: one call for each reported pair of a triangle and a tetrahedron with a requested contact. */
#ifndef GRAZE_GEOMETRY_TRIANGLE_TETRAHEDRON_OVERLAP_H
#define GRAZE_GEOMETRY_TRIANGLE_TETRAHEDRON_OVERLAP_H

#include "geometry/tetrahedron_pair.h"
#include "geometry/tetrahedron_planes.h"

/* A polygon has at most seven corners. A flat tetrahedron cuts along its outline, where three collinear corners give
 * the same side more than once: at most six planes. Rounded heights near zero may change their sign more than twice
 * around a polygon, and n corners then become at most n + n / 2: 3, 4, 6, 9, 13, 19, 28. The extra corners are
 * noise. */
enum { TRIANGLE_TETRAHEDRON_POINTS = 7, CLIP_PLANES = 6, CLIPPED_POLYGON_CORNERS = 28 };

/* Inside a plane means that its height is not negative. */
typedef struct clipped_corner {
  vector3 place;
  double height[CLIP_PLANES];
} clipped_corner;

typedef struct clipped_polygon {
  uint32_t count;
  clipped_corner corner[CLIPPED_POLYGON_CORNERS];
} clipped_polygon;

GEOMETRY_FUNCTION bool places_equal(vector3 a, vector3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The corner where an edge passes a plane. */
GEOMETRY_FUNCTION clipped_corner clipped_corner_between(const clipped_corner *from, const clipped_corner *to,
                                                        int plane) {
  const double fraction = crossing_fraction(from->height[plane], to->height[plane]);
  clipped_corner result;
  result.place = vector3_between(from->place, to->place, fraction);
  for (int i = 0; i < CLIP_PLANES; i++)
    result.height[i] = (1.0 - fraction) * from->height[i] + fraction * to->height[i];
  result.height[plane] = 0.0;
  return result;
}

GEOMETRY_FUNCTION void clipped_polygon_clip(const clipped_polygon *polygon, int plane, clipped_polygon *result_out) {
  result_out->count = 0;
  for (uint32_t i = 0; i < polygon->count; i++) {
    const clipped_corner *from = &polygon->corner[i], *to = &polygon->corner[(i + 1) % polygon->count];
    const bool from_inside = from->height[plane] >= 0.0, to_inside = to->height[plane] >= 0.0;
    if (from_inside) result_out->corner[result_out->count++] = *from;
    if (from_inside != to_inside) result_out->corner[result_out->count++] = clipped_corner_between(from, to, plane);
  }
}

GEOMETRY_FUNCTION void clipped_polygon_remove(clipped_polygon *polygon, uint32_t corner) {
  polygon->count--;
  for (uint32_t i = corner; i < polygon->count; i++) polygon->corner[i] = polygon->corner[i + 1];
}

GEOMETRY_FUNCTION double corner_area(const clipped_polygon *polygon, uint32_t corner) {
  const vector3 middle = polygon->corner[corner].place;
  const vector3 next = polygon->corner[(corner + 1) % polygon->count].place;
  const vector3 last = polygon->corner[(corner + polygon->count - 1) % polygon->count].place;
  return vector3_length(vector3_cross(vector3_subtract(middle, last), vector3_subtract(next, last)));
}

/* Merges equal neighbors, and drops the corners that span the least area until at most seven are left. */
GEOMETRY_FUNCTION void clipped_polygon_tidy(clipped_polygon *polygon) {
  for (uint32_t i = 0; i < polygon->count && polygon->count > 1;) {
    if (places_equal(polygon->corner[i].place, polygon->corner[(i + 1) % polygon->count].place))
      clipped_polygon_remove(polygon, i);
    else
      i++;
  }
  while (polygon->count > TRIANGLE_TETRAHEDRON_POINTS) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < polygon->count; i++) {
      if (corner_area(polygon, i) < corner_area(polygon, least)) least = i;
    }
    clipped_polygon_remove(polygon, least);
  }
}

/* The area, and its centroid, or that of the corners if there is no area. */
GEOMETRY_FUNCTION double clipped_polygon_area(const clipped_polygon *polygon, vector3 *centroid_out) {
  double area = 0.0;
  vector3 moment = vector3_make(0.0, 0.0, 0.0), sum = vector3_make(0.0, 0.0, 0.0);
  const vector3 tip = polygon->corner[0].place;
  for (uint32_t i = 0; i < polygon->count; i++) sum = vector3_add(sum, polygon->corner[i].place);
  for (uint32_t i = 1; i + 1 < polygon->count; i++) {
    const vector3 u = vector3_subtract(polygon->corner[i].place, tip);
    const vector3 v = vector3_subtract(polygon->corner[i + 1].place, tip);
    const double part = 0.5 * vector3_length(vector3_cross(u, v));
    area += part;
    moment = vector3_add(moment, vector3_scale(vector3_add(u, v), part / 3.0));
  }
  *centroid_out = area > 0.0 ? vector3_add(tip, vector3_scale(moment, 1.0 / area))
                             : vector3_scale(sum, 1.0 / (double)polygon->count);
  return area;
}

/* Heights of the triangle's corners over the faces; scaled coordinates. */
GEOMETRY_FUNCTION int face_heights(const double t[9], const double q[12], int q_sign, clipped_polygon *polygon) {
  for (int face = 0; face < TETRAHEDRON_FACES; face++) {
    const double *corner[3];
    tetrahedron_face(q, face, corner);
    for (int i = 0; i < 3; i++) {
      const double height = orientation_3d_value(corner[0], corner[1], corner[2], t + 3 * i);
      polygon->corner[i].height[face] = q_sign * height;
    }
  }
  return TETRAHEDRON_FACES;
}

/* The same for a flat tetrahedron in the triangle's plane, over the sides of its outline and within the plane. A pair
 * of corners is a side if the other two are not on different sides of it. */
GEOMETRY_SLOW_FUNCTION int outline_heights(const double t[9], const double q[12], clipped_polygon *polygon) {
  orientation_tally tally = {0};
  int t_sign, count = 0;
  const int axis = projection_choose(t, t + 3, t + 6, &t_sign, &tally);
  for (int a = 0; a < 3 && axis < 3; a++) {
    for (int b = a + 1; b < 4; b++) {
      const int c = a != 0 ? 0 : (b != 1 ? 1 : 2), d = 6 - a - b - c;
      const int c_side = orientation_projected(axis, q + 3 * a, q + 3 * b, q + 3 * c, &tally);
      const int d_side = orientation_projected(axis, q + 3 * a, q + 3 * b, q + 3 * d, &tally);
      if (c_side * d_side < 0 || (c_side == 0 && d_side == 0)) continue;
      const int inside = c_side != 0 ? c_side : d_side;
      for (int i = 0; i < 3; i++) {
        const double height = orientation_projected_value(axis, q + 3 * a, q + 3 * b, t + 3 * i);
        polygon->corner[i].height[count] = inside * height;
      }
      count++;
    }
  }
  return count;
}

/* Whether a triangle and a flat tetrahedron share more than a segment: they are coplanar. */
GEOMETRY_SLOW_FUNCTION bool flat_tetrahedron_shares_area(const double t[9], const double q[12]) {
  orientation_tally tally = {0};
  double face[9], points[OVERLAP_POINTS][3];
  for (int i = 0; i < 4; i++) {
    tetrahedron_face_triangle(q, i, face);
    if (triangle_pair_overlap(t, face, points, &tally) > 2) return true;
  }
  return false;
}

GEOMETRY_FUNCTION void scale_coordinates(const double *values, int count, double factor, double *scaled_out) {
  for (int i = 0; i < count; i++) scaled_out[i] = flush_tiny(values[i] * factor);
}

/* The triangle with its heights; returns the number of planes, 0 if the contacts with the faces are the complete
 * result. */
GEOMETRY_FUNCTION int clipped_polygon_start(const local_coordinates *coordinates, const double t[9], const double q[12],
                                            int q_sign, clipped_polygon *polygon_out) {
  double t_scaled[9], q_scaled[12];
  scale_coordinates(t, 9, coordinates->factor, t_scaled);
  scale_coordinates(q, 12, coordinates->factor, q_scaled);
  polygon_out->count = 3;
  for (int i = 0; i < 3; i++) {
    polygon_out->corner[i].place = local_coordinates_in(coordinates, t + 3 * i);
    for (int plane = 0; plane < CLIP_PLANES; plane++) polygon_out->corner[i].height[plane] = 0.0;
  }
  if (q_sign != 0) return face_heights(t_scaled, q_scaled, q_sign, polygon_out);
  return flat_tetrahedron_shares_area(t, q) ? outline_heights(t_scaled, q_scaled, polygon_out) : 0;
}

/* Replaces a polygon that has no area or was lost by rounding. */
GEOMETRY_SLOW_FUNCTION void clipped_polygon_from_contact(const local_coordinates *coordinates, const double t[9],
                                                         const double q[12], clipped_polygon *polygon_out) {
  double contact[2][3];
  polygon_out->count = triangle_faces_contact(t, q, contact);
  for (uint32_t i = 0; i < polygon_out->count; i++)
    polygon_out->corner[i].place = local_coordinates_in(coordinates, contact[i]);
  if (polygon_out->count > 0) return;
  polygon_out->count = 1;
  polygon_out->corner[0].place = local_coordinates_in(coordinates, t);
}

/* The common part of a closed triangle and a closed tetrahedron, both of any shape, flat ones included: returns the
 * number of points, 0 exactly if they do not meet. Two points are a segment, three to seven the corners of a convex
 * polygon in order around it. If the points span no area, the area is 0 and the centroid their mean; without points
 * only the area is written, 0. */
GEOMETRY_FUNCTION uint32_t triangle_tetrahedron_overlap(const double t[9], const double q[12],
                                                        double points_out[TRIANGLE_TETRAHEDRON_POINTS][3],
                                                        double *area_out, double centroid_out[3]) {
  orientation_tally tally = {0};
  *area_out = 0.0;
  if (!triangle_tetrahedron_intersects(t, q, &tally)) return 0;
  const int q_sign = tetrahedron_volume_sign(q, &tally);
  const local_coordinates coordinates = local_coordinates_make(t, 3, q, 4);
  clipped_polygon polygons[2];
  const int plane_count = clipped_polygon_start(&coordinates, t, q, q_sign, &polygons[0]);
  if (plane_count == 0) polygons[0].count = 0;
  for (int i = 0; i < plane_count; i++) clipped_polygon_clip(&polygons[i % 2], i, &polygons[(i + 1) % 2]);
  clipped_polygon *polygon = &polygons[plane_count % 2];
  clipped_polygon_tidy(polygon);
  if (polygon->count == 0) clipped_polygon_from_contact(&coordinates, t, q, polygon);
  vector3 centroid;
  const double area = clipped_polygon_area(polygon, &centroid);
  const double side = local_coordinates_length(&coordinates, 1.0);
  *area_out = area * side * side;
  for (uint32_t i = 0; i < polygon->count; i++)
    local_coordinates_out(&coordinates, polygon->corner[i].place, points_out[i]);
  local_coordinates_out(&coordinates, centroid, centroid_out);
  return polygon->count;
}

#endif

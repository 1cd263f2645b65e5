/* The least translation that separates two intersecting tetrahedra, or a triangle and a tetrahedron, by separating
 * axes.
 *
 * As for triangles (triangle_penetration.h) it leads out of the Minkowski difference through one of its faces, which
 * are parallel to a face of one or to an edge of each: 8 normals and 36 cross products for two tetrahedra, 5 and 18
 * with a triangle. A direction computed with an error, as for slivers, still separates the pair by its own depth; only
 * minimality suffers. Degenerate tetrahedra need no special treatment: their edges provide the missing faces. Only if
 * all corners are coplanar, no direction is left: the least translation is zero, along the normal of that plane, and
 * the depth is exactly zero; exact signs decide this.
 *
 * All lengths are measured relative to the first corner, after scaling by a power of two: a pair scaled by a power of
 * two has exactly the same normal and the scaled depth. A rounded difference has an error of 2^-53 of itself, so the
 * result is accurate however far the pair is from the origin.
 *
 * Workload: one call for each contact.
 *
 * Cameron and Culley, "Determining the minimum translational distance between two convex polyhedra", 1986; Gottschalk,
 * Lin, Manocha, "OBBTree", 1996 (the axes). */
#ifndef GRAZE_GEOMETRY_TETRAHEDRON_PENETRATION_H
#define GRAZE_GEOMETRY_TETRAHEDRON_PENETRATION_H

#include "geometry/axis_selection.h"
#include "geometry/bits.h"
#include "geometry/tetrahedron_pair.h"
#include "geometry/triangle_penetration.h"

/* Memory of the caller, as a GPU cannot index registers: corners of both hulls, and scratch of axes_select. */
enum { SECOND_HULL = 12, HULL_CORNERS = 24, HULL_ROOM = HULL_CORNERS + EDGE_ROOM };

/* A coordinate times a power of two; results below 2^-300 become zero, as in pair_scale.h. */
GEOMETRY_FUNCTION double scaled_coordinate(double value, double factor) {
  const double scaled = value * factor;
  return fabs(scaled) < 0x1p-300 ? 0.0 : scaled;
}

GEOMETRY_FUNCTION vector3 local_corner(const double *corner, double factor, const double *origin) {
  return vector3_make(scaled_coordinate(corner[0], factor) - scaled_coordinate(origin[0], factor),
                      scaled_coordinate(corner[1], factor) - scaled_coordinate(origin[1], factor),
                      scaled_coordinate(corner[2], factor) - scaled_coordinate(origin[2], factor));
}

/* Two hulls of three or four corners, scaled and relative to the pair's first corner. */
typedef struct local_hulls {
  hull_pair hulls;
  double inverse; /* converts local lengths to given ones */
} local_hulls;

/* The largest coordinate is then between 2^-74 and 2^24, as in pair_scale.h. The memory may contain p. */
GEOMETRY_FUNCTION local_hulls local_hulls_make(const double *p, int p_count, const double *q, int q_count,
                                               double room[HULL_ROOM]) {
  const double p_largest = largest_magnitude(p, 3 * p_count), q_largest = largest_magnitude(q, 3 * q_count);
  int exponent = -binary_exponent(p_largest > q_largest ? p_largest : q_largest);
  exponent = exponent > 1000 ? 1000 : (exponent < -1000 ? -1000 : exponent);
  const double factor = power_of_two(exponent), origin[3] = {p[0], p[1], p[2]};
  for (int i = 0; i < p_count; i++) vector3_store(local_corner(p + 3 * i, factor, origin), room + 3 * i);
  for (int i = 0; i < q_count; i++) vector3_store(local_corner(q + 3 * i, factor, origin), room + SECOND_HULL + 3 * i);
  local_hulls result;
  result.hulls.p = room;
  result.hulls.q = room + SECOND_HULL;
  result.hulls.p_count = p_count;
  result.hulls.q_count = q_count;
  result.inverse = power_of_two(-exponent);
  return result;
}

/* The normal of a plane of three corners: of 2, 1, 0; then of 3, 1, 0, of 3, 2, 0 and of 3, 2, 1. */
GEOMETRY_FUNCTION vector3 hull_face_normal(const double *hull, int number) {
  const uint32_t last = number == 0 ? 2 : 3, middle = number < 2 ? 1 : 2, first = number < 3 ? 0 : 1;
  return vector3_cross(corner_difference(hull, middle, last), corner_difference(hull, first, last));
}

/* The axis of a number, as in axes_select. */
GEOMETRY_FUNCTION vector3 hull_axis(const hull_pair *hulls, int number) {
  const int p_faces = hull_face_count(hulls->p_count), faces = p_faces + hull_face_count(hulls->q_count);
  const int q_edges = hull_edge_count(hulls->q_count);
  if (number < p_faces) return hull_face_normal(hulls->p, number);
  if (number < faces) return hull_face_normal(hulls->q, number - p_faces);
  return vector3_cross(hull_edge(hulls->p, (number - faces) / q_edges),
                       hull_edge(hulls->q, (number - faces) % q_edges));
}

GEOMETRY_FUNCTION void corners_extent(const double *corners, int count, vector3 axis, double *low_out,
                                      double *high_out) {
  double low = vector3_dot(axis, vector3_load(corners)), high = low;
  for (int i = 1; i < count; i++) {
    const double height = vector3_dot(axis, vector3_load(corners + 3 * i));
    low = height < low ? height : low;
    high = height > high ? height : high;
  }
  *low_out = low;
  *high_out = high;
}

/* Offers both directions along an axis of any length; an axis of length zero is ignored. */
GEOMETRY_FUNCTION void hull_penetration_offer(penetration *least, const hull_pair *hulls, vector3 axis) {
  if (!(vector3_largest_magnitude(axis) > 0.0)) return;
  const vector3 unit = vector3_unit(axis);
  double p_low, p_high, q_low, q_high;
  corners_extent(hulls->p, hulls->p_count, unit, &p_low, &p_high);
  corners_extent(hulls->q, hulls->q_count, unit, &q_low, &q_high);
  penetration_take(least, unit, p_high - q_low, q_high - p_low);
}

/* The least depth of some axes, one bit each, in local lengths; infinite if all have length zero. Of equal ones the
 * first. */
GEOMETRY_FUNCTION penetration hull_penetration_along(const hull_pair *hulls, uint64_t axes) {
  penetration least;
  least.depth = HUGE_VAL;
  least.normal = vector3_make(0.0, 0.0, 1.0);
  GEOMETRY_ROLLED
  for (; axes != 0; axes &= axes - 1u)
    hull_penetration_offer(&least, hulls, hull_axis(hulls, (int)lowest_bit_long(axes)));
  return least;
}

/* The least depth of all axes. */
GEOMETRY_FUNCTION penetration hull_penetration_search(const hull_pair *hulls, double edges[EDGE_ROOM]) {
  return hull_penetration_along(hulls, axes_select(hulls, edges));
}

GEOMETRY_FUNCTION double penetration_given_depth(const penetration *least, const local_hulls *local) {
  return least->depth > 0.0 ? least->depth * local->inverse : 0.0;
}

/* The normal of a coplanar pair: the longest cross product of any two edges is the best conditioned. */
GEOMETRY_FUNCTION vector3 flat_hulls_normal(const hull_pair *hulls) {
  vector3 longest = vector3_make(0.0, 0.0, 0.0), edge = longest;
  const int p_count = hull_edge_count(hulls->p_count), count = p_count + hull_edge_count(hulls->q_count);
  for (int i = 0; i < count; i++) {
    const vector3 a = i < p_count ? hull_edge(hulls->p, i) : hull_edge(hulls->q, i - p_count);
    if (vector3_dot(a, a) > vector3_dot(edge, edge)) edge = a;
    for (int j = 0; j < i; j++) {
      const vector3 b = j < p_count ? hull_edge(hulls->p, j) : hull_edge(hulls->q, j - p_count);
      const vector3 normal = vector3_cross(a, b);
      if (vector3_dot(normal, normal) > vector3_dot(longest, longest)) longest = normal;
    }
  }
  const double length = vector3_length(longest);
  return length > 0.0 ? vector3_scale(longest, 1.0 / length) : any_perpendicular(edge);
}

/* For a pair that intersects. */
GEOMETRY_SLOW_FUNCTION penetration hull_penetration_find(const double *p, int p_count, const double *q, int q_count,
                                                         bool is_flat) {
  double room[HULL_ROOM];
  const local_hulls local = local_hulls_make(p, p_count, q, q_count, room);
  penetration least;
  least.depth = HUGE_VAL;
  if (!is_flat) least = hull_penetration_search(&local.hulls, room + HULL_CORNERS);
  if (least.depth == HUGE_VAL) {
    least.normal = flat_hulls_normal(&local.hulls);
    least.depth = 0.0;
  }
  least.depth = penetration_given_depth(&least, &local);
  return least;
}

/* The same for two tetrahedra that are not flat, with memory of the caller, which may contain p; false if all axes have
 * length zero. */
GEOMETRY_FUNCTION bool tetrahedra_penetration_find(const double p[12], const double q[12], double room[HULL_ROOM],
                                                   penetration *least_out) {
  const local_hulls local = local_hulls_make(p, 4, q, 4, room);
  *least_out = hull_penetration_search(&local.hulls, room + HULL_CORNERS);
  const bool found = least_out->depth < HUGE_VAL;
  least_out->depth = penetration_given_depth(least_out, &local);
  return found;
}

/* Whether up to eight points are coplanar: by the plane of the first three that are not collinear. */
GEOMETRY_SLOW_FUNCTION bool points_coplanar(const double *const *points, int count, orientation_tally *tally) {
  int second = 1, third;
  while (second < count && points_equal(points[0], points[second])) second += 1;
  for (third = second + 1; third < count; third++) {
    if (!points_collinear(points[0], points[second], points[third], tally)) break;
  }
  for (int i = third + 1; i < count; i++) {
    if (orientation_3d(points[0], points[second], points[third], points[i], tally) != 0) return false;
  }
  return true;
}

GEOMETRY_FUNCTION bool hulls_are_coplanar(const double *p, int p_count, const double *q, int q_count,
                                          orientation_tally *tally) {
  const double *points[8];
  for (int i = 0; i < p_count; i++) points[i] = p + 3 * i;
  for (int i = 0; i < q_count; i++) points[p_count + i] = q + 3 * i;
  return points_coplanar(points, p_count + q_count, tally);
}

/* The unit normal and depth of two tetrahedra that intersect: q moved along normal * depth touches p; moved farther it
 * is apart. False, without writing, if they do not intersect. */
GEOMETRY_FUNCTION bool tetrahedron_pair_penetration(const double p[12], const double q[12], double normal_out[3],
                                                    double *depth_out, orientation_tally *tally) {
  if (!tetrahedron_pair_intersects(p, q, tally)) return false;
  const penetration found = hull_penetration_find(p, 4, q, 4, hulls_are_coplanar(p, 4, q, 4, tally));
  vector3_store(found.normal, normal_out);
  *depth_out = found.depth;
  return true;
}

/* The same for a triangle and a tetrahedron, which is the one that moves. */
GEOMETRY_FUNCTION bool triangle_tetrahedron_penetration(const double t[9], const double q[12], double normal_out[3],
                                                        double *depth_out, orientation_tally *tally) {
  if (!triangle_tetrahedron_intersects(t, q, tally)) return false;
  const penetration found = hull_penetration_find(t, 3, q, 4, hulls_are_coplanar(t, 3, q, 4, tally));
  vector3_store(found.normal, normal_out);
  *depth_out = found.depth;
  return true;
}

#endif

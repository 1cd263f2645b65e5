/* The least translation that parts two intersecting tetrahedra, or a triangle and a tetrahedron, by separating axes.
 *
 * As for triangles (triangle_penetration.h) it leads out of the Minkowski difference through one of its faces, which
 * are parallel to a face of one or to an edge of each: 8 normals and 36 cross products for two tetrahedra, 5 and 18
 * with a triangle. A direction computed with an error, as those of slivers are, still separates the pair by the depth
 * that goes with it; only minimality suffers. Degenerate tetrahedra need no other treatment: what they lack in faces is
 * offered by their edges. Only where all corners lie in one plane no direction is left, the least translation is none,
 * along the normal of that plane, and the depth is exactly zero; that is decided by exact signs.
 *
 * Everything is measured from the first corner, after scaling by a power of two: a pair scaled by a power of two has
 * the same normal and its depth scaled, to the bit. A rounded difference is off by 2^-53 of itself, so nothing is lost
 * however far from the origin the pair lies.
 *
 * Workload: one call for each contact.
 *
 * Cameron and Culley, "Determining the minimum translational distance between two convex polyhedra", 1986; Gottschalk,
 * Lin, Manocha, "OBBTree", 1996 (the axes). */
#ifndef GRAZE_GEOMETRY_TETRAHEDRON_PENETRATION_H
#define GRAZE_GEOMETRY_TETRAHEDRON_PENETRATION_H

#include "geometry/triangle_penetration.h"
#include "geometry/triangle_tetrahedron_pair.h"

/* Three or four corners, scaled and seen from the pair's first corner. */
typedef struct local_hull {
  vector3 corner[4];
  vector3 edge[TETRAHEDRON_EDGES]; /* 3 or 6 */
  int corner_count, edge_count;
} local_hull;

typedef struct local_hulls {
  local_hull p, q;
  double inverse; /* multiplies local lengths to given ones */
} local_hulls;

/* A coordinate times a power of two; what falls below 2^-300 is zero, as in pair_scale.h. */
GEOMETRY_FUNCTION double scaled_coordinate(double value, double factor) {
  const double scaled = value * factor;
  return fabs(scaled) < 0x1p-300 ? 0.0 : scaled;
}

GEOMETRY_FUNCTION local_hull local_hull_make(const double *corners, int count, double factor, const double *origin) {
  local_hull hull;
  hull.corner_count = count;
  hull.edge_count = 0;
  for (int i = 0; i < count; ++i) {
    double local[3];
    for (int axis = 0; axis < 3; ++axis)
      local[axis] = scaled_coordinate(corners[3 * i + axis], factor) - scaled_coordinate(origin[axis], factor);
    hull.corner[i] = vector3_load(local);
    for (int j = 0; j < i; ++j) hull.edge[hull.edge_count++] = vector3_subtract(hull.corner[i], hull.corner[j]);
  }
  return hull;
}

/* The largest coordinate comes to lie between 2^-74 and 2^24, as in pair_scale.h. */
GEOMETRY_FUNCTION local_hulls local_hulls_make(const double *p, int p_count, const double *q, int q_count) {
  const double p_largest = largest_magnitude(p, 3 * p_count), q_largest = largest_magnitude(q, 3 * q_count);
  int exponent = -binary_exponent(p_largest > q_largest ? p_largest : q_largest);
  exponent = exponent > 1000 ? 1000 : (exponent < -1000 ? -1000 : exponent);
  local_hulls result;
  result.p = local_hull_make(p, p_count, power_of_two(exponent), p);
  result.q = local_hull_make(q, q_count, power_of_two(exponent), p);
  result.inverse = power_of_two(-exponent);
  return result;
}

GEOMETRY_FUNCTION void local_hull_extent(const local_hull *hull, vector3 axis, double *low_out, double *high_out) {
  double low = vector3_dot(axis, hull->corner[0]), high = low;
  for (int i = 1; i < hull->corner_count; ++i) {
    const double height = vector3_dot(axis, hull->corner[i]);
    low = height < low ? height : low;
    high = height > high ? height : high;
  }
  *low_out = low;
  *high_out = high;
}

/* Both ways along an axis of any length; an axis without length is none. */
GEOMETRY_FUNCTION void hull_penetration_offer(penetration *least, const local_hulls *hulls, vector3 axis) {
  /* Brought near one before squaring, so that the cross product of short edges keeps its length. */
  const double largest = vector3_largest_magnitude(axis);
  if (!(largest > 0.0)) return;
  const vector3 near_one = vector3_scale(axis, 1.0 / largest);
  const vector3 unit = vector3_scale(near_one, 1.0 / vector3_length(near_one));
  double p_low, p_high, q_low, q_high;
  local_hull_extent(&hulls->p, unit, &p_low, &p_high);
  local_hull_extent(&hulls->q, unit, &q_low, &q_high);
  const double up = p_high - q_low, down = q_high - p_low;
  const double depth = up < down ? up : down;
  if (depth < least->depth) {
    least->depth = depth;
    least->normal = up < down ? unit : vector3_scale(unit, -1.0);
  }
}

/* The normals of the planes of three corners. */
GEOMETRY_FUNCTION void hull_penetration_offer_faces(penetration *least, const local_hulls *hulls,
                                                    const local_hull *hull) {
  for (int i = 0; i < hull->corner_count; ++i) {
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < j; ++k) {
        const vector3 a = vector3_subtract(hull->corner[j], hull->corner[i]);
        const vector3 b = vector3_subtract(hull->corner[k], hull->corner[i]);
        hull_penetration_offer(least, hulls, vector3_cross(a, b));
      }
    }
  }
}

/* The normal of a pair in one plane: the longest cross product of any two edges is the best conditioned. */
GEOMETRY_FUNCTION vector3 flat_hulls_normal(const local_hulls *hulls) {
  vector3 longest = vector3_make(0.0, 0.0, 0.0), edge = longest;
  const int p_count = hulls->p.edge_count, count = p_count + hulls->q.edge_count;
  for (int i = 0; i < count; ++i) {
    const vector3 a = i < p_count ? hulls->p.edge[i] : hulls->q.edge[i - p_count];
    if (vector3_dot(a, a) > vector3_dot(edge, edge)) edge = a;
    for (int j = 0; j < i; ++j) {
      const vector3 normal = vector3_cross(a, j < p_count ? hulls->p.edge[j] : hulls->q.edge[j - p_count]);
      if (vector3_dot(normal, normal) > vector3_dot(longest, longest)) longest = normal;
    }
  }
  const double length = vector3_length(longest);
  return length > 0.0 ? vector3_scale(longest, 1.0 / length) : any_perpendicular(edge);
}

/* For a pair that intersects. */
GEOMETRY_SLOW_FUNCTION penetration hull_penetration_find(const double *p, int p_count, const double *q, int q_count,
                                                         bool is_flat) {
  const local_hulls hulls = local_hulls_make(p, p_count, q, q_count);
  penetration least;
  least.depth = HUGE_VAL;
  least.normal = vector3_make(0.0, 0.0, 1.0);
  if (!is_flat) {
    hull_penetration_offer_faces(&least, &hulls, &hulls.p);
    hull_penetration_offer_faces(&least, &hulls, &hulls.q);
    for (int i = 0; i < hulls.p.edge_count; ++i) {
      for (int j = 0; j < hulls.q.edge_count; ++j)
        hull_penetration_offer(&least, &hulls, vector3_cross(hulls.p.edge[i], hulls.q.edge[j]));
    }
  }
  if (least.depth == HUGE_VAL) {
    least.normal = flat_hulls_normal(&hulls);
    least.depth = 0.0;
  }
  least.depth = least.depth > 0.0 ? least.depth * hulls.inverse : 0.0;
  return least;
}

/* Whether up to eight points lie in one plane: with the first three that are not on a line. */
GEOMETRY_SLOW_FUNCTION bool points_coplanar(const double *const *points, int count, orientation_tally *tally) {
  int second = 1, third;
  while (second < count && points_equal(points[0], points[second])) second += 1;
  for (third = second + 1; third < count; ++third) {
    if (!points_collinear(points[0], points[second], points[third], tally)) break;
  }
  for (int i = third + 1; i < count; ++i) {
    if (orientation_3d(points[0], points[second], points[third], points[i], tally) != 0) return false;
  }
  return true;
}

GEOMETRY_FUNCTION bool hulls_are_coplanar(const double *p, int p_count, const double *q, int q_count,
                                          orientation_tally *tally) {
  const double *points[8];
  for (int i = 0; i < p_count; ++i) points[i] = p + 3 * i;
  for (int i = 0; i < q_count; ++i) points[p_count + i] = q + 3 * i;
  return points_coplanar(points, p_count + q_count, tally);
}

/* The unit normal and depth of two tetrahedra that intersect: q moved along normal * depth touches p, moved further it
 * is apart. False, and nothing written, where they do not intersect. */
GEOMETRY_FUNCTION bool tetrahedron_pair_penetration(const double p[12], const double q[12], double normal_out[3],
                                                    double *depth_out, orientation_tally *tally) {
  if (!tetrahedron_pair_intersects(p, q, tally)) return false;
  const penetration found = hull_penetration_find(p, 4, q, 4, hulls_are_coplanar(p, 4, q, 4, tally));
  vector3_store(found.normal, normal_out);
  *depth_out = found.depth;
  return true;
}

/* The same for a triangle and a tetrahedron, which is the one to be moved. */
GEOMETRY_FUNCTION bool triangle_tetrahedron_penetration(const double t[9], const double q[12], double normal_out[3],
                                                        double *depth_out, orientation_tally *tally) {
  if (!triangle_tetrahedron_intersects(t, q, tally)) return false;
  const penetration found = hull_penetration_find(t, 3, q, 4, hulls_are_coplanar(t, 3, q, 4, tally));
  vector3_store(found.normal, normal_out);
  *depth_out = found.depth;
  return true;
}

#endif

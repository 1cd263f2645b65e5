/* The least translation that separates two intersecting triangles (minimum translation vector), by separating axes.
 *
 * The translations t for which p and q + t intersect form the Minkowski difference of p and q, a convex polytope whose
 * faces are parallel to a triangle or to two edges, one of each. So the shortest translation out of it is along one of
 * the two plane normals or the nine edge cross products. A direction computed with an error still separates the pair:
 * for any unit vector n, moving q by max(n.p) - min(n.q) along n does; only minimality suffers.
 *
 * If the Minkowski difference is flat (coplanar triangles, a segment in the plane of a triangle, crossing segments),
 * the least translation is zero: any move along the normal separates the pair. The depth is then exactly zero.
 *
 * On a processor, floats first select which of the eleven axes may be the least (axis_selection.h): the result is
 * exactly that of all axes. A GPU measures all of them in doubles, in registers.
 *
 * Workload: one call for each contact.
 *
 * Cameron and Culley, "Determining the minimum translational distance between two convex polyhedra", 1986; Gottschalk,
 * Lin, Manocha, "OBBTree", 1996 (the axes). */
#ifndef GRAZE_GEOMETRY_TRIANGLE_PENETRATION_H
#define GRAZE_GEOMETRY_TRIANGLE_PENETRATION_H

#include "geometry/axis_selection.h"
#include "geometry/triangle_overlap.h"

typedef struct penetration {
  vector3 normal; /* unit: q moved along normal * depth touches p; moved farther it is apart */
  double depth;
} penetration;

GEOMETRY_FUNCTION void project_corners(vector3 axis, const vector3 corners[3], double *low_out, double *high_out) {
  const double a = vector3_dot(axis, corners[0]), b = vector3_dot(axis, corners[1]), c = vector3_dot(axis, corners[2]);
  const double low = a < b ? a : b, high = a < b ? b : a;
  *low_out = low < c ? low : c;
  *high_out = high > c ? high : c;
}

/* Takes the smaller of the depths up and down a unit vector, if it is less than the least so far. */
GEOMETRY_FUNCTION void penetration_take(penetration *least, vector3 unit, double up, double down) {
  const double depth = up < down ? up : down;
  if (depth < least->depth) {
    least->depth = depth;
    least->normal = up < down ? unit : vector3_scale(unit, -1.0);
  }
}

/* Offers both directions along an axis of any length; an axis of length zero is ignored. */
GEOMETRY_FUNCTION void penetration_offer(penetration *least, const local_pair *local, vector3 axis) {
  if (!(vector3_largest_magnitude(axis) > 0.0)) return;
  const vector3 unit = vector3_unit(axis);
  double p_low, p_high, q_low, q_high;
  project_corners(unit, local->p, &p_low, &p_high);
  project_corners(unit, local->q, &q_low, &q_high);
  penetration_take(least, unit, p_high - q_low, q_high - p_low);
}

GEOMETRY_FUNCTION void triangle_edges(const vector3 corners[3], vector3 edges_out[3]) {
  for (int i = 0; i < 3; i++) edges_out[i] = vector3_subtract(corners[(i + 1) % 3], corners[i]);
}

/* The normal of a flat difference set: the longest cross product of any two edges is the best conditioned. */
GEOMETRY_FUNCTION vector3 flat_normal(const vector3 p_edges[3], const vector3 q_edges[3]) {
  vector3 longest = vector3_make(0.0, 0.0, 0.0), edge = longest;
  for (int i = 0; i < 6; i++) {
    const vector3 a = i < 3 ? p_edges[i] : q_edges[i - 3];
    if (vector3_dot(a, a) > vector3_dot(edge, edge)) edge = a;
    for (int j = 0; j < i; j++) {
      const vector3 normal = vector3_cross(a, j < 3 ? p_edges[j] : q_edges[j - 3]);
      if (vector3_dot(normal, normal) > vector3_dot(longest, longest)) longest = normal;
    }
  }
  const double length = vector3_length(longest);
  return length > 0.0 ? vector3_scale(longest, 1.0 / length) : any_perpendicular(edge);
}

/* One bit for each axis that may have the least depth: the normals of p and q, then the cross products of edges, three
 * of q for each of p, with edges numbered as in axes_select. */
GEOMETRY_FUNCTION uint32_t triangle_axes_select(const local_pair *local) {
#if defined(__CUDA_ARCH__)
  (void)local;
  return UINT32_MAX;
#else
  double p[9], q[9];
  for (int i = 0; i < 3; i++) {
    vector3_store(local->p[i], p + 3 * i);
    vector3_store(local->q[i], q + 3 * i);
  }
  const hull_pair hulls = {p, q, 3, 3};
  return (uint32_t)axes_select_side_by_side(&hulls);
#endif
}

/* The number in axes_select of an edge of triangle_edges: between the corners 0 and 1, 0 and 2, 1 and 2. */
GEOMETRY_FUNCTION int hull_number_of_edge(int edge) {
  return edge == 0 ? 0 : 3 - edge;
}

/* For a pair that intersects. Both triples of sides are zero exactly if the difference set is flat: coplanar triangles,
 * a segment in a triangle's plane, two segments that meet, or a point. */
GEOMETRY_FUNCTION penetration penetration_find(const double p[9], const double q[9], bool is_flat) {
  const local_pair local = local_pair_make(p, q);
  vector3 p_edges[3], q_edges[3];
  triangle_edges(local.p, p_edges);
  triangle_edges(local.q, q_edges);
  penetration least;
  least.depth = HUGE_VAL;
  least.normal = vector3_make(0.0, 0.0, 1.0);
  if (!is_flat) {
    const uint32_t axes = triangle_axes_select(&local);
    if ((axes & 1u) != 0) penetration_offer(&least, &local, vector3_cross(p_edges[0], p_edges[1]));
    if ((axes & 2u) != 0) penetration_offer(&least, &local, vector3_cross(q_edges[0], q_edges[1]));
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        const int number = 2 + 3 * hull_number_of_edge(i) + hull_number_of_edge(j);
        if ((axes >> number & 1u) != 0) penetration_offer(&least, &local, vector3_cross(p_edges[i], q_edges[j]));
      }
    }
  }
  if (least.depth == HUGE_VAL) {
    least.normal = flat_normal(p_edges, q_edges);
    least.depth = 0.0;
  }
  least.depth = least.depth > 0.0 ? least.depth * local.size * local.inverse : 0.0;
  return least;
}

/* False, without writing, if the triangles do not intersect. */
GEOMETRY_FUNCTION bool triangle_pair_penetration(const double p[9], const double q[9], double normal_out[3],
                                                 double *depth_out, orientation_tally *tally) {
  if (!triangle_pair_intersects(p, q, tally)) return false;
  const side_triple q_sides = side_triple_make(p, q, tally), p_sides = side_triple_make(q, p, tally);
  const penetration found = penetration_find(p, q, side_triple_is_flat(&q_sides) && side_triple_is_flat(&p_sides));
  vector3_store(found.normal, normal_out);
  *depth_out = found.depth;
  return true;
}

#endif

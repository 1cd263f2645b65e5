/* The least translation that separates a ball from a convex piece that it meets, and where the two then touch.
 *
 * A ball separates from a piece like a point from the piece grown by the radius: along the direction from the center to
 * the nearest point of the piece, or, from inside, out through the nearest face. So the result is the distance or the
 * depth of the center, by GJK and EPA, combined with the radius. Which of the two applies is decided exactly. Between
 * the two the normal is continuous: it points into the piece on either side.
 *
 * The depth has an error of at most 1e-12 of the extent of the piece and its distance from the center, plus the
 * rounding of the radius.
 *
 * Workload: one call for each contact of a ball with something else. */
#ifndef GRAZE_GEOMETRY_SPHERE_MEASURE_H
#define GRAZE_GEOMETRY_SPHERE_MEASURE_H

#include "geometry/convex_pair.h"
#include "geometry/epa.h"
#include "geometry/sphere_lens.h"

/* For a ball a and a piece b: b moved along the unit normal by the depth touches a; moved farther it is apart. For a
 * ball that is b, negate the normal and exchange the witnesses. */
typedef struct sphere_touch {
  double depth, normal[3];
  double witness_a[3]; /* on the surface of the ball, c + r n */
  double witness_b[3]; /* the nearest point of the piece, or of its boundary */
  bool is_inside;      /* the piece contains the center */
} sphere_touch;

/* For a center outside the piece: from it to the nearest point. False if the two are in contact for GJK, too close for
 * a direction. */
GEOMETRY_FUNCTION bool sphere_touch_outside(const double *c, double r, const double *points, uint32_t count,
                                            sphere_touch *touch_out) {
  gjk_result nearest;
  gjk_distance(c, 1, points, count, &nearest);
  const vector3 unit = vector3_unit(vector3_load(nearest.direction));
  if (nearest.meets || !(vector3_largest_magnitude(unit) > 0.0)) return false;
  const double depth = r - nearest.distance;
  touch_out->depth = depth > 0.0 ? depth : 0.0;
  vector3_store(vector3_scale(unit, -1.0), touch_out->normal);
  for (int axis = 0; axis < 3; axis++) touch_out->witness_b[axis] = nearest.on_q[axis];
  return true;
}

/* For a center in the piece, or on it, or next to it. */
GEOMETRY_SLOW_FUNCTION void sphere_touch_inside(const double *c, double r, const double *points, uint32_t count,
                                                sphere_touch *touch_out) {
  double depth;
  epa_penetration(c, 1, points, count, touch_out->normal, &depth);
  touch_out->depth = r + depth;
  for (int axis = 0; axis < 3; axis++) touch_out->witness_b[axis] = c[axis] - depth * touch_out->normal[axis];
}

/* For a ball and the hull of count points, at least one, that meet by sphere_convex_intersects or an equivalent test: a
 * triangle, a tetrahedron, a cell. */
GEOMETRY_FUNCTION void sphere_convex_touch(const double *c, double r, const double *points, uint32_t count,
                                           sphere_touch *touch_out) {
  orientation_tally tally = {0};
  touch_out->is_inside = convex_pair_intersects(c, 1, points, count, &tally);
  if (touch_out->is_inside || !sphere_touch_outside(c, r, points, count, touch_out))
    sphere_touch_inside(c, r, points, count, touch_out);
  for (int axis = 0; axis < 3; axis++) touch_out->witness_a[axis] = c[axis] + r * touch_out->normal[axis];
}

#endif

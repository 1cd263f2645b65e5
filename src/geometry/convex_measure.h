/* Distance and depth of two convex cells: measured by GJK and EPA, but zero exactly if the exact test requires it.
 *
 * Workload: clearance queries and contacts, one call for each; the exact test runs only if the measure has not proven
 * its own answer. */
#ifndef GRAZE_GEOMETRY_CONVEX_MEASURE_H
#define GRAZE_GEOMETRY_CONVEX_MEASURE_H

#include "geometry/convex_pair.h"
#include "geometry/epa.h"

#include <float.h>

/* The distance, and points that attain it. It is 0 exactly if the cells intersect, otherwise at least the smallest
 * double, with an error of at most 1e-12 of the size of the pair, and infinite if it exceeds the largest double. */
GEOMETRY_FUNCTION double convex_pair_distance(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                              double on_p_out[3], double on_q_out[3], orientation_tally *tally) {
  gjk_result found;
  gjk_distance(p, p_count, q, q_count, &found);
  const bool is_apart = found.distance > 0.0 && direction_separates(found.direction, p, p_count, q, q_count);
  const bool meets = !is_apart && convex_pair_intersects(p, p_count, q, q_count, tally);
  for (int axis = 0; axis < 3; axis++) {
    on_p_out[axis] = found.on_p[axis];
    on_q_out[axis] = meets ? found.on_p[axis] : found.on_q[axis];
  }
  if (meets) return 0.0;
  return found.distance > DBL_TRUE_MIN ? found.distance : DBL_TRUE_MIN;
}

/* Depths below this fraction of the size of the pair are checked by the exact test: touching cells have none. */
#define TOUCHING_DEPTH 1e-11

/* False, without writing, if the cells do not intersect. Otherwise q moved along the unit normal by the depth touches
 * p, and no shorter move does; the depth is 0 exactly if the cells only touch. */
GEOMETRY_FUNCTION bool convex_pair_penetration(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                               double normal_out[3], double *depth_out, orientation_tally *tally) {
  if (!convex_pair_intersects(p, p_count, q, q_count, tally)) return false;
  const convex_coordinates coordinates = convex_coordinates_make(p, p_count, q, q_count);
  vector3 normal;
  double depth = convex_coordinates_length(&coordinates, epa_find(&coordinates, &normal));
  if (depth <= convex_coordinates_length(&coordinates, TOUCHING_DEPTH)) {
    const bool overlaps = hull_separation_find(p, p_count, q, q_count, tally).overlaps;
    depth = !overlaps ? 0.0 : (depth > DBL_TRUE_MIN ? depth : DBL_TRUE_MIN);
  }
  vector3_store(normal, normal_out);
  *depth_out = depth;
  return true;
}

#endif

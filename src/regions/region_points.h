/* Depths of regions, and the points that represent them, computed from the contact of each pair. */
#ifndef GRAZE_REGIONS_REGION_POINTS_H
#define GRAZE_REGIONS_REGION_POINTS_H

#include "graze/regions.h"
#include "regions/region_scene.h"

/* Measures the contact of each pair, as a point of its region. */
void region_points_measure(const region_scene *scene, const index_pair *pairs, size_t count,
                           graze_region_point *points_out);

/* Chooses the points of a region from its pairs, the first of which has the number `first`: the deepest, then those
 * farthest from the ones before. Returns their number. */
uint32_t region_points_choose(const graze_region_point *points, size_t first, size_t count,
                              graze_region_point chosen_out[GRAZE_REGION_POINTS]);

#endif

/* Depths of regions, and the points that represent them: from the contact of each pair. */
#ifndef GRAZE_REGIONS_REGION_POINTS_H
#define GRAZE_REGIONS_REGION_POINTS_H

#include "graze/regions.h"
#include "regions/region_scene.h"

/* The contact of each pair, as the point that it would be of its region. */
void region_points_measure(const region_scene *scene, const index_pair *pairs, size_t count,
                           graze_region_point *points_out);

/* Of the pairs of a region, of which the first is number `first` of all: writes its points, the deepest and then those
 * farthest from the ones before. How many they are. */
uint32_t region_points_choose(const graze_region_point *points, size_t first, size_t count,
                              graze_region_point chosen_out[GRAZE_REGION_POINTS]);

#endif

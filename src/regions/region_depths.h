/* Depths: of regions, with the points that represent them, and of objects, the distance that one must be moved along a
 * direction to separate it from another. */
#ifndef GRAZE_REGIONS_REGION_DEPTHS_H
#define GRAZE_REGIONS_REGION_DEPTHS_H

#include "graze/regions.h"
#include "regions/region_scene.h"

/* Measures the contact of each pair, as a point of its region. */
void region_points_measure(const region_scene *scene, const index_pair *pairs, size_t count,
                           graze_region_point *points_out);

/* Chooses the points of a region from its pairs, the first of which has the number `first`: the deepest, then those
 * farthest from the ones before. Returns their number. */
uint32_t region_points_choose(const graze_region_point *points, size_t first, size_t count,
                              graze_region_point chosen_out[GRAZE_REGION_POINTS]);

/* The three axes in both directions, the line between the centers of the two boxes, and the normals of three
 * regions. */
enum { OBJECT_DIRECTIONS = 10, REGION_DIRECTIONS = 3 };

/* Finds the least depth of two objects, each given by the object that represents its parts. Tries the six axis
 * directions, the one between the centers, and the given unit vectors. After b moves by the depth along the normal, the
 * two at most touch. False when out of memory. */
bool object_depth_find(const region_scene *scene, uint32_t object_a, uint32_t object_b, const double (*directions)[3],
                       uint32_t direction_count, double *depth_out, double normal_out[3]);

#endif

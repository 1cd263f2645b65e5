/* The distance that an object must be moved along a direction to separate it from another. */
#ifndef GRAZE_REGIONS_OBJECT_DEPTH_H
#define GRAZE_REGIONS_OBJECT_DEPTH_H

#include "regions/region_scene.h"

/* The three axes in both directions, the line between the centers of the two boxes, and the normals of three
 * regions. */
enum { OBJECT_DIRECTIONS = 10, REGION_DIRECTIONS = 3 };

/* Finds the least depth of two objects, each given by the object that represents its parts. Tries the six axis
 * directions, the one between the centers, and the given unit vectors. After b moves by the depth along the normal, the
 * two at most touch. False when out of memory. */
bool object_depth_find(const region_scene *scene, uint32_t object_a, uint32_t object_b, const double (*directions)[3],
                       uint32_t direction_count, double *depth_out, double normal_out[3]);

#endif

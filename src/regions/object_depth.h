/* How far an object must be moved along a direction, so that it is separate from another. */
#ifndef GRAZE_REGIONS_OBJECT_DEPTH_H
#define GRAZE_REGIONS_OBJECT_DEPTH_H

#include "regions/region_scene.h"

/* Along three axes both ways, between the middles of the two boxes, and the normals of three regions. */
enum { OBJECT_DIRECTIONS = 10, REGION_DIRECTIONS = 3 };

/* The least depth of two objects over the six directions of axes, that between the middles, and the given ones, which
 * are unit vectors: b moved by the depth along the normal shares no more than a touch with a. False when out of memory.
 */
bool object_depth_find(const region_scene *scene, uint32_t object_a, uint32_t object_b, const double (*directions)[3],
                       uint32_t direction_count, double *depth_out, double normal_out[3]);

#endif

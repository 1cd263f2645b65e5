/* The class of a pair of primitives of any kinds: touching, crossing, coplanar or duplicate, by exact signs; and
 * where. */
#ifndef GRAZE_REGIONS_CLASH_KIND_H
#define GRAZE_REGIONS_CLASH_KIND_H

#include "graze/regions.h"
#include "regions/region_scene.h"

/* Writes the class, and the intersection of the two boxes. False if the primitives do not meet. */
bool clash_of_pair(const region_scene *scene, index_pair pair, graze_clash *clash_out, exact_box *box_out);

/* Fetches a triangle, or one of a polygon. */
void fetch_region_triangle(const region_scene *scene, uint32_t primitive, uint32_t element, double corners_out[9]);

#endif

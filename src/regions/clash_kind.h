/* How two primitives of any kinds meet: touching, crossing, coplanar or duplicate, by exact signs; and where. */
#ifndef GRAZE_REGIONS_CLASH_KIND_H
#define GRAZE_REGIONS_CLASH_KIND_H

#include "graze/regions.h"
#include "regions/region_scene.h"

/* The class, and what the boxes of the two have in common. False where they do not meet. */
bool clash_of_pair(const region_scene *scene, index_pair pair, graze_clash *clash_out, exact_box *box_out);

#endif

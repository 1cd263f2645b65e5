/* Pairs grouped into regions, by the places that their primitives share on both sides. */
#ifndef GRAZE_REGIONS_REGION_GROUPS_H
#define GRAZE_REGIONS_REGION_GROUPS_H

#include "regions/region_vertices.h"

/* Writes for each pair the first pair of its region. False when out of memory. */
bool region_groups_find(const region_scene *scene, const region_vertices *vertices, const index_pair *pairs,
                        size_t count, uint32_t *first_of);

#endif

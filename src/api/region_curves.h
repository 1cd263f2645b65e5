/* Curves of regions in the form of the public list. */
#ifndef GRAZE_API_REGION_CURVES_H
#define GRAZE_API_REGION_CURVES_H

#include "backend/backend.h"
#include "graze/regions.h"
#include "regions/curve_chains.h"

/* Makes the curves of all pairs, which are in the order of their regions, and writes them to the list; sets the range
 * of curves of each region. */
graze_result region_curves_write(const graze_scene *scene, const region_scene *work, const region_vertices *vertices,
                                 const index_pair *pairs, const uint32_t *region_of, graze_region *regions,
                                 graze_list_memory *list, graze_regions *fields);

#endif

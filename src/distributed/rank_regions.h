/* Regions over all ranks: each on one rank, the same as those of one scene with all objects. */
#ifndef GRAZE_DISTRIBUTED_RANK_REGIONS_H
#define GRAZE_DISTRIBUTED_RANK_REGIONS_H

#include "distributed/rank_find.h"
#include "graze/regions.h"

/* Finds the pairs of a query like rank_find, and groups those of all ranks. Each region is returned by one rank, in
 * `regions`, and all its primitives are in the scene state->region_share of that rank. The options have no
 * object_depths. */
graze_result rank_find_regions(rank_state *state, const graze_scene *scene, const graze_query *query,
                               const graze_region_options *options, graze_pairs *pairs, graze_regions *regions,
                               rank_totals *totals_out);

#endif

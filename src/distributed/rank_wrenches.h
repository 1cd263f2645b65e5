/* Wrenches over all ranks, bit for bit those of one scene with all objects. */
#ifndef GRAZE_DISTRIBUTED_RANK_WRENCHES_H
#define GRAZE_DISTRIBUTED_RANK_WRENCHES_H

#include "distributed/rank_find.h"

/* Finds the pairs of a query like rank_find, and sums the wrenches of all ranks. Each rank receives all of them,
 * sorted: `wrenches` is an array of graze_wrench. `pairs` receives the pairs of this rank. */
graze_result rank_find_wrenches(rank_state *state, const graze_scene *scene, const graze_query *query,
                                const graze_wrench_options *options, graze_pairs *pairs, array *wrenches);

#endif

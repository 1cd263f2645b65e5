/* Wrenches over all ranks, bit for bit those of one scene with all objects. */
#ifndef GRAZE_DISTRIBUTED_RANK_WRENCHES_H
#define GRAZE_DISTRIBUTED_RANK_WRENCHES_H

#include "base/array.h"
#include "distributed/rank_find.h"
#include "graze/graze.h"

/* Appends the objects of a pair to an array of graze_object_pair. Objects repeat in runs, and the list is sorted before
 * it grows, so it stays short. False when out of memory. */
bool object_list_add(array *objects, memory *heap, uint32_t object_a, uint32_t object_b);

/* Sorts, and removes duplicates. */
void object_list_sort(array *objects);

/* The index of two objects in a sorted list that contains them. */
size_t object_list_find(const array *objects, uint32_t object_a, uint32_t object_b);

/* Finds the pairs of a query like rank_find, and sums the wrenches of all ranks. Each rank receives all of them,
 * sorted: `wrenches` is an array of graze_wrench. `pairs` receives the pairs of this rank. */
graze_result rank_find_wrenches(rank_state *state, const graze_scene *scene, const graze_query *query,
                                const graze_contact_options *options, graze_pairs *pairs, array *wrenches);

#endif

/* The broad phase over bodies: which of them may meet at all, by boxes around each in the scene. */
#ifndef GRAZE_BROAD_TREE_BODIES_H
#define GRAZE_BROAD_TREE_BODIES_H

#include "broad/tree_pair_list.h"

/* Fills a list, in an order that depends on the scene alone; zeroed at first. Of the search it reads view, memory,
 * workers, stop and simd. */
graze_result tree_find_body_pairs(const tree_forest *forest, const search *s, body_pair_list *list);

/* The leaves of all bodies that are in a pair: what a search has to look at. False when out of memory. */
bool tree_count_searched(const tree_forest *forest, const body_pair_list *list, memory *heap, uint64_t *count_out);

#endif

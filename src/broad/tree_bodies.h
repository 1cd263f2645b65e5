/* The broad phase over bodies: which of them may intersect, by their boxes in the scene. */
#ifndef GRAZE_BROAD_TREE_BODIES_H
#define GRAZE_BROAD_TREE_BODIES_H

#include "broad/tree_pair_list.h"

/* Fills a list, in an order that depends on the scene alone; zeroed at first. Of the search it reads view, memory,
 * workers, stop and simd. */
graze_result tree_find_body_pairs(const tree_forest *forest, const search *s, body_pair_list *list);

/* The same trees, with bodies that may lie anywhere within half of a clearance of where they are, for a query with one.
 * False when out of memory. To be released in any case, which leaves the forest alone. */
bool tree_bodies_grow(const tree_forest *forest, double clearance, memory *heap, tree_forest *grown_out);
void tree_bodies_release(tree_forest *grown, memory *heap);

/* The leaves of all bodies that are in a pair: what a search has to look at. False when out of memory. */
bool tree_count_searched(const tree_forest *forest, const body_pair_list *list, memory *heap, uint64_t *count_out);

#endif

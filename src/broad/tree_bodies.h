/* The broad phase over bodies: which of them may intersect, by their boxes in the scene. */
#ifndef GRAZE_BROAD_TREE_BODIES_H
#define GRAZE_BROAD_TREE_BODIES_H

#include "broad/tree_forest.h"

/* A list of pairs of bodies, initially zeroed. */
typedef struct body_pair_list {
  body_pair *pairs;
  size_t count, capacity;
} body_pair_list;

void body_pair_list_release(body_pair_list *list, memory *heap);

/* Fills a list, initially zeroed, in an order that depends only on the scene. Reads view, memory, workers, stop and
 * simd of the search. */
graze_result tree_find_body_pairs(const tree_forest *forest, const search *s, body_pair_list *list);

/* The same trees, with bodies that may be anywhere within half of a clearance of their positions, for a query with
 * one. False when out of memory. Must be released in any case, which does not affect the forest. */
bool tree_bodies_grow(const tree_forest *forest, double clearance, memory *heap, tree_forest *grown_out);
void tree_bodies_release(tree_forest *grown, memory *heap);

/* Counts the leaves of all bodies in a pair, which a search must examine. False when out of memory. */
bool tree_count_searched(const tree_forest *forest, const body_pair_list *list, memory *heap, uint64_t *count_out);

#endif

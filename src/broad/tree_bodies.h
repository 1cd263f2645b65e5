/* The broad phase over bodies: which of them may meet at all, by boxes around each in the scene. */
#ifndef GRAZE_BROAD_TREE_BODIES_H
#define GRAZE_BROAD_TREE_BODIES_H

#include "broad/tree_forest.h"

typedef struct body_pair_list {
  body_pair *pairs;
  size_t count, room;
} body_pair_list;

/* Fills a list, in an order that depends on the scene alone; zeroed at first. Of the search it reads view, memory,
 * workers, stop and simd. */
graze_result tree_find_body_pairs(const tree_forest *forest, const search *s, body_pair_list *list);
bool body_pair_list_append(body_pair_list *list, memory *heap, uint32_t s, uint32_t t); /* false: out of memory */
bool body_pair_list_reserve(body_pair_list *list, memory *heap, size_t room);           /* likewise */
void body_pair_list_release(body_pair_list *list, memory *heap);

/* The leaves of all bodies that are in a pair: what a search has to look at. False when out of memory. */
bool tree_count_searched(const tree_forest *forest, const body_pair_list *list, memory *heap, uint64_t *count_out);

/* Whether the query asks for pairs of the two, and both are where it looks; their boxes may not meet. */
bool tree_bodies_are_asked_for(const tree_forest *forest, const primitive_view *view, uint32_t s, uint32_t t);

/* Adds the pairs of different bodies, where there are many of these: tree_rank_pairs.c. False when out of memory; a
 * list that is not complete is answered only where the search is stopped. */
bool tree_compare_by_ranks(const tree_forest *forest, const search *s, body_pair_list *list);

#endif

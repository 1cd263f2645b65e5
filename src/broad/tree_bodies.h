/* The broad phase over bodies: which of them may meet at all, by boxes around each in the scene. */
#ifndef GRAZE_BROAD_TREE_BODIES_H
#define GRAZE_BROAD_TREE_BODIES_H

#include "broad/tree_forest.h"

/* Two bodies whose boxes meet and whose pairs the query asks for; the same body twice where it asks for those within.
 */
typedef struct body_pair {
  uint32_t s, t;
} body_pair;

typedef struct body_pair_list {
  body_pair *pairs;
  size_t count, room;
} body_pair_list;

/* Fills a list, in an order that depends on the scene alone; zeroed at first. Of the search it reads view, memory,
 * workers, stop and simd. */
graze_result tree_find_body_pairs(const tree_forest *forest, const search *s, body_pair_list *list);
void body_pair_list_release(body_pair_list *list, memory *heap);

#endif

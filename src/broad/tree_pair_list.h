/* A list of pairs of bodies, initially zeroed, and the pairs that a query requests. */
#ifndef GRAZE_BROAD_TREE_PAIR_LIST_H
#define GRAZE_BROAD_TREE_PAIR_LIST_H

#include "broad/tree_forest.h"

typedef struct body_pair_list {
  body_pair *pairs;
  size_t count, capacity;
} body_pair_list;

bool body_pair_list_append(body_pair_list *list, memory *heap, uint32_t s, uint32_t t); /* false: out of memory */
bool body_pair_list_reserve(body_pair_list *list, memory *heap, size_t capacity);       /* likewise */
void body_pair_list_release(body_pair_list *list, memory *heap);

/* Whether the query requests pairs of the two, and both are in its region; their boxes may be apart. */
bool tree_bodies_are_requested(const tree_forest *forest, const primitive_view *view, uint32_t s, uint32_t t);

#endif

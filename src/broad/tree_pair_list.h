/* A list of pairs of bodies, zeroed at first, and which pairs a query asks for. */
#ifndef GRAZE_BROAD_TREE_PAIR_LIST_H
#define GRAZE_BROAD_TREE_PAIR_LIST_H

#include "broad/tree_forest.h"

typedef struct body_pair_list {
  body_pair *pairs;
  size_t count, room;
} body_pair_list;

bool body_pair_list_append(body_pair_list *list, memory *heap, uint32_t s, uint32_t t); /* false: out of memory */
bool body_pair_list_reserve(body_pair_list *list, memory *heap, size_t room);           /* likewise */
void body_pair_list_release(body_pair_list *list, memory *heap);

/* Whether the query asks for pairs of the two, and both are where it looks; their boxes may not meet. */
bool tree_bodies_are_asked_for(const tree_forest *forest, const primitive_view *view, uint32_t s, uint32_t t);

#endif

/* Pairs of many bodies, by a tree over the ranks of their boxes. */
#ifndef GRAZE_BROAD_TREE_RANK_PAIRS_H
#define GRAZE_BROAD_TREE_RANK_PAIRS_H

#include "broad/tree_pair_list.h"

/* Adds the pairs of different bodies, for many bodies. False when out of memory; the list may be incomplete only if
 * the search is stopped. */
bool tree_compare_by_ranks(const tree_forest *forest, const search *s, body_pair_list *list);

#endif

/* The nodes of trees as nodes of a structure; see graze/inspect.h. */
#ifndef GRAZE_BROAD_TREE_LISTING_H
#define GRAZE_BROAD_TREE_LISTING_H

#include "broad/tree_forest.h"

/* Lists the trees of all bodies, each from its root down. */
graze_result tree_list(const tree_forest *forest, search *s, structure_list *list);

#endif

/* The method "tree-entrance": the library's trees, with a search of two bodies that begins at the level at which most
 * nodes intersected in the search before the last update; see tree_entrance.h. It is complete for any level. */
#ifndef GRAZE_LAB_ENTRANCE_TREE_H
#define GRAZE_LAB_ENTRANCE_TREE_H

#include "broad/method.h"

extern const method method_tree_entrance;

#endif

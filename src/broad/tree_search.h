/* One traversal for all pairs of bodies of a scene, from their roots to candidates. */
#ifndef GRAZE_BROAD_TREE_SEARCH_H
#define GRAZE_BROAD_TREE_SEARCH_H

#include "broad/tree_bodies.h"

/* Passes the candidates of the search's query to its sink, in tasks whose content does not depend on the workers,
 * and counts. */
graze_result tree_search(const tree_forest *forest, search *s);

#endif

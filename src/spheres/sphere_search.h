/* All pairs of spheres of two trees that meet, found without a budget. */
#ifndef GRAZE_SPHERES_SPHERE_SEARCH_H
#define GRAZE_SPHERES_SPHERE_SEARCH_H

#include "base/pair_list.h"
#include "spheres/posed_trees.h"

/* Appends them to a list made for the workers of a; counts the node pairs that were opened. `most` ends the search when
 * about so many were found; 0: nothing does. False when out of memory. */
bool sphere_search(const posed_trees *pair, pair_list *found, size_t most, uint64_t *opened_out);

#endif

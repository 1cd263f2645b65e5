/* All pairs of spheres of two trees that meet, without a budget. */
#ifndef GRAZE_SPHERES_SPHERE_SEARCH_H
#define GRAZE_SPHERES_SPHERE_SEARCH_H

#include "base/pair_list.h"
#include "spheres/posed_trees.h"
#include "spheres/sphere_nodes.h"

/* Appends them to a list with lanes for the workers of a; counts the opened node pairs. `most` ends the search after
 * about this many pairs; 0: no limit. False when out of memory. */
bool sphere_search(const posed_trees *pair, pair_list *found, size_t most, uint64_t *opened_out);

/* Computes the number of spheres that can cover a point, from the nodes. False when out of memory. */
bool sphere_tree_count_overlaps(graze_sphere_tree *tree);

#endif

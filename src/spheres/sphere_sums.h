/* Sums over the leaves of each node of a sphere tree. */
#ifndef GRAZE_SPHERES_SPHERE_SUMS_H
#define GRAZE_SPHERES_SPHERE_SUMS_H

#include "spheres/sphere_nodes.h"

/* Computes volumes, areas and numbers of leaves, and the extent. False when out of memory. */
bool sphere_tree_sum(graze_sphere_tree *tree);

#endif

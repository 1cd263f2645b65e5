/* The number of spheres of a tree that can cover a point. */
#ifndef GRAZE_SPHERES_SPHERE_OVERLAPS_H
#define GRAZE_SPHERES_SPHERE_OVERLAPS_H

#include "spheres/sphere_nodes.h"

/* Computes the number of spheres that can cover a point, from the nodes. False when out of memory. */
bool sphere_tree_count_overlaps(graze_sphere_tree *tree);

#endif

/* How many spheres of a tree can cover a point. */
#ifndef GRAZE_SPHERES_SPHERE_OVERLAPS_H
#define GRAZE_SPHERES_SPHERE_OVERLAPS_H

#include "spheres/sphere_nodes.h"

/* How many spheres can cover a point; the nodes must be there. False when out of memory. */
bool sphere_tree_count_overlaps(graze_sphere_tree *tree);

#endif

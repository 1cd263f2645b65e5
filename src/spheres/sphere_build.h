/* Builds the nodes of a sphere tree, and their sums over leaves. */
#ifndef GRAZE_SPHERES_SPHERE_BUILD_H
#define GRAZE_SPHERES_SPHERE_BUILD_H

#include "spheres/sphere_nodes.h"

/* Builds nodes over the tree's spheres. The stages run neural gas; if NULL, the workers do. GRAZE_OUT_OF_MEMORY, and
 * errors of the stages; allocations are released with the tree. */
graze_result sphere_tree_build(graze_sphere_tree *tree, const graze_sphere_tree_def *def,
                               const gas_stages *gas_or_null);

/* Computes volumes, areas and numbers of leaves, and the extent. False when out of memory. */
bool sphere_tree_sum(graze_sphere_tree *tree);

#endif

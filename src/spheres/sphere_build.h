/* Building the nodes of a sphere tree. */
#ifndef GRAZE_SPHERES_SPHERE_BUILD_H
#define GRAZE_SPHERES_SPHERE_BUILD_H

#include "spheres/sphere_nodes.h"

/* Builds nodes over spheres that are there; neural gas by the stages, or by the workers. GRAZE_OUT_OF_MEMORY, and what
 * the stages answer; what was allocated is given back with the tree. */
graze_result sphere_tree_build(graze_sphere_tree *tree, const graze_sphere_tree_def *def,
                               const gas_stages *gas_or_null);

#endif

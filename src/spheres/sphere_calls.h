/* Making a sphere tree, for graze_sphere_tree_create, which knows where the steps of neural gas run. */
#ifndef GRAZE_SPHERES_SPHERE_CALLS_H
#define GRAZE_SPHERES_SPHERE_CALLS_H

#include "spheres/sphere_nodes.h"

/* The definition over the defaults, in good order but for its backend. */
graze_result sphere_tree_read(const graze_sphere_tree_def *given, graze_sphere_tree_def *def_out);

/* Of a definition that was read. What fails has its message. */
graze_result sphere_tree_make(const graze_sphere_tree_def *def, const gas_stages *gas_or_null,
                              graze_sphere_tree **tree_out);

#endif

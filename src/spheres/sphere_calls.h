/* Creates a sphere tree for graze_sphere_tree_create, which chooses where the steps of neural gas run. */
#ifndef GRAZE_SPHERES_SPHERE_CALLS_H
#define GRAZE_SPHERES_SPHERE_CALLS_H

#include "spheres/sphere_nodes.h"

/* The definition with defaults, checked except for its backend. */
graze_result sphere_tree_read(const graze_sphere_tree_def *given, graze_sphere_tree_def *def_out);

/* Creates a tree from such a definition. Failures set a message. */
graze_result sphere_tree_make(const graze_sphere_tree_def *def, const gas_stages *gas_or_null,
                              graze_sphere_tree **tree_out);

#endif

/* The questions of two sphere trees, their arguments checked; what is public of them is in sphere_calls.c. */
#ifndef GRAZE_SPHERES_SPHERE_QUESTION_H
#define GRAZE_SPHERES_SPHERE_QUESTION_H

#include "spheres/posed_trees.h"

/* False when out of memory. */
bool sphere_trees_volume(const posed_trees *pair, const graze_sphere_options *options, graze_sphere_volume *volume_out);
bool sphere_trees_distance(const posed_trees *pair, uint64_t budget, graze_sphere_distance *distance_out);

#endif

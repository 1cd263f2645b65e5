/* The distance of two sphere trees, by arguments that were checked. */
#ifndef GRAZE_SPHERES_DISTANCE_QUESTION_H
#define GRAZE_SPHERES_DISTANCE_QUESTION_H

#include "spheres/posed_trees.h"

/* False when out of memory. */
bool sphere_trees_distance(const posed_trees *pair, uint64_t budget, graze_sphere_distance *distance_out);

#endif

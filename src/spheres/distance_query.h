/* The distance of two sphere trees; the caller has checked the arguments. */
#ifndef GRAZE_SPHERES_DISTANCE_QUERY_H
#define GRAZE_SPHERES_DISTANCE_QUERY_H

#include "spheres/posed_trees.h"

/* False when out of memory. */
bool sphere_trees_distance(const posed_trees *pair, uint64_t budget, graze_sphere_distance *distance_out);

#endif

/* The shared volume and the distance of two sphere trees; the caller has checked the arguments. */
#ifndef GRAZE_SPHERES_SPHERE_QUERIES_H
#define GRAZE_SPHERES_SPHERE_QUERIES_H

#include "spheres/posed_trees.h"

/* False when out of memory. */
bool sphere_trees_volume(const posed_trees *pair, const graze_sphere_options *options, graze_sphere_volume *volume_out);

/* False when out of memory. */
bool sphere_trees_distance(const posed_trees *pair, uint64_t budget, graze_sphere_distance *distance_out);

#endif

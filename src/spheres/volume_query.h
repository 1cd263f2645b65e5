/* The shared volume of two sphere trees; the caller has checked the arguments. */
#ifndef GRAZE_SPHERES_VOLUME_QUERY_H
#define GRAZE_SPHERES_VOLUME_QUERY_H

#include "spheres/posed_trees.h"

/* False when out of memory. */
bool sphere_trees_volume(const posed_trees *pair, const graze_sphere_options *options, graze_sphere_volume *volume_out);

#endif

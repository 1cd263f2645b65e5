/* The volume that two sphere trees share, by arguments that were checked. */
#ifndef GRAZE_SPHERES_VOLUME_QUESTION_H
#define GRAZE_SPHERES_VOLUME_QUESTION_H

#include "spheres/posed_trees.h"

/* False when out of memory. */
bool sphere_trees_volume(const posed_trees *pair, const graze_sphere_options *options, graze_sphere_volume *volume_out);

#endif

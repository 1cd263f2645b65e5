/* The piecewise linear map of coordinates of a scene whose extent is much larger than its details. */
#ifndef GRAZE_SCENE_SCENE_AXIS_MAP_H
#define GRAZE_SCENE_SCENE_AXIS_MAP_H

#include "scene/scene_data.h"

/* Chooses between the normalized cube and a map of each axis. Sources must point at positions, and the cube must be
 * set. */
graze_result scene_choose_axis_map(const graze_scene *scene, const vertex_bounds *bounds, memory *heap,
                                   rounded_scene *rounded);

#endif

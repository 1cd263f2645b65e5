/* Vertices of a scene on the host: posed, measured, rounded into normalized coordinates; or, where nobody needs that,
 * only made sure of being finite. */
#ifndef GRAZE_SCENE_SCENE_VERTICES_H
#define GRAZE_SCENE_SCENE_VERTICES_H

#include "scene/scene_data.h"

/* Rounds all vertices. Arrays come from the heap where there are none yet, also after a failure. Sources must point at
 * positions and poses. */
graze_result scene_round(const graze_scene *scene, memory *heap, rounded_scene *rounded);
void rounded_scene_release(const graze_scene *scene, memory *heap, rounded_scene *rounded);

/* Rounded vertices and the boxes of objects, where they are not those of the scene as it is: twice over all vertices.
 * Sources must point at positions and poses. */
graze_result scene_round_up(graze_scene *scene);

/* Whether all posed coordinates are finite, in the time of the objects and of the vertices that have moved by
 * themselves since the last call: a pose costs nothing more.
 *
 * A posed coordinate is made of products and sums of which each, rounded, rises or falls with each coordinate of the
 * position. So over a box it lies between its values at the corners; and where those are finite, all that goes into
 * them is, and nothing in between can be a NaN. Where a corner's is not finite the object's vertices are looked at. */
graze_result scene_check_poses(graze_scene *scene);

#endif

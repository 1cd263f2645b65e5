/* Vertices of a scene on the host: posed, measured and rounded to normalized coordinates; or only checked to be finite,
 * if no method needs rounded ones. */
#ifndef GRAZE_SCENE_SCENE_VERTICES_H
#define GRAZE_SCENE_SCENE_VERTICES_H

#include "scene/scene_data.h"

/* Rounds all vertices. Allocates missing arrays from the heap, which remain after a failure. Sources must point at
 * positions and poses. */
graze_result scene_round(const graze_scene *scene, memory *heap, rounded_scene *rounded);
void rounded_scene_release(const graze_scene *scene, memory *heap, rounded_scene *rounded);

/* Computes rounded vertices and the boxes of objects if they are out of date, in two passes over all vertices. Sources
 * must point at positions and poses. */
graze_result scene_round_up(graze_scene *scene);

/* Whether all posed coordinates are finite. Takes time linear in the objects, and in the vertices set since the last
 * call; a changed pose alone costs no pass over vertices.
 *
 * A posed coordinate is a composition of products and sums, each of which, rounded, is monotonic in each coordinate of
 * the position. So over a box it lies between its values at the corners. If those are finite, all intermediate results
 * are, and no NaN can occur in the box. If a corner's value is not finite, the object's vertices are checked. */
graze_result scene_check_poses(graze_scene *scene);

/* The whole scene, not for a particular query. */
primitive_view scene_view(const graze_scene *scene);

#endif

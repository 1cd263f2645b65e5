/* What lies where two objects are: the triangles that a query between objects has to look at. */
#ifndef GRAZE_SCENE_SHARED_SPACE_H
#define GRAZE_SCENE_SHARED_SPACE_H

#include "scene/scene_internal.h"

/* Marks, in a coarse array of cells over the region, where triangles of more than one object lie, and sets levels[i] to
 * LEVEL_NOT_SEARCHED for every triangle that meets no such cell; triangles that have that level already take no part.
 * For queries that ask for no pairs within an object; the region holds the common part of any two object boxes that may
 * meet. Does nothing where it would not pay or memory is short: it only ever saves work. */
void shared_space_thin_out(const graze_scene *scene, const primitive_box *region, memory *heap, uint8_t *levels);

#endif

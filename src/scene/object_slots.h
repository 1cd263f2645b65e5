/* Slots of objects: taken, kept, released; and the poses that lie beside them. */
#ifndef GRAZE_SCENE_OBJECT_SLOTS_H
#define GRAZE_SCENE_OBJECT_SLOTS_H

#include "scene/scene_data.h"

/* The lowest free slot, or one more at the end; SIZE_MAX when out of memory. It stays free until scene_keep_slot. */
size_t scene_find_slot(graze_scene *scene);

/* Puts the object into the slot and returns its generation. */
uint32_t scene_keep_slot(graze_scene *scene, size_t slot, const scene_object *object);

/* Moves poses into memory of another heap; false, and they stay where they were, when it has none. */
bool scene_move_poses(graze_scene *scene, memory *heap);

/* Releases what the object holds; the caller clears its slot. */
void scene_object_release(graze_scene *scene, scene_object *object);

#endif

/* The object of an id. */
#ifndef GRAZE_SCENE_OBJECT_LOOKUP_H
#define GRAZE_SCENE_OBJECT_LOOKUP_H

#include "scene/scene_data.h"

/* Returns NULL, and sets a message, if the object was removed or never existed, or the scene is NULL. */
scene_object *scene_find_object(const graze_scene *scene, graze_object id);

/* The result of a call that did not find its object. */
static inline graze_result scene_lookup_failure(const graze_scene *scene) {
  return scene == NULL ? GRAZE_INVALID_ARGUMENT : GRAZE_NO_SUCH_OBJECT;
}

/* The same without a message. */
scene_object *scene_peek_object(const graze_scene *scene, graze_object id);

/* Finds the lowest free slot, or appends one; SIZE_MAX when out of memory. It stays free until scene_keep_slot. */
size_t scene_find_slot(graze_scene *scene);

/* Puts the object into the slot and returns its generation. */
uint32_t scene_keep_slot(graze_scene *scene, size_t slot, const scene_object *object);

/* Moves poses into memory of another heap; false if it has none, and they stay in place. */
bool scene_move_poses(graze_scene *scene, memory *heap);

/* Releases the object's memory; the caller clears its slot. */
void scene_object_release(graze_scene *scene, scene_object *object);

#endif

/* The object of an id; see object_lookup.h. */
#include "scene/object_lookup.h"

#include "scene/scene_failure.h"

scene_object *scene_peek_object(const graze_scene *scene, graze_object id) {
  if (id.index >= scene_object_slots(scene)) return NULL;
  const object_slot *slot = &scene_slots(scene)[id.index];
  return slot->alive && slot->generation == id.generation ? &scene_objects(scene)[id.index] : NULL;
}

scene_object *scene_find_object(const graze_scene *scene, graze_object id) {
  scene_object *object = scene_peek_object(scene, id);
  if (object != NULL) return object;
  if (id.generation == 0)
    scene_fail(scene, GRAZE_NO_SUCH_OBJECT,
               "an object id of generation 0 (%u) is invalid: take the id from the call that adds the object",
               id.index);
  else if (id.index < scene_object_slots(scene))
    scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "object %u of generation %u is not in the scene", id.index, id.generation);
  else
    scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "there is no object %u; the scene has created %zu", id.index,
               scene_object_slots(scene));
  return NULL;
}

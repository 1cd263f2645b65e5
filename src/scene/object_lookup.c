/* The object of an id; see object_lookup.h. */
#include "scene/object_lookup.h"

#include "scene/object_elements.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <string.h>

scene_object *scene_peek_object(const graze_scene *scene, graze_object id) {
  if (id.index >= scene_object_slots(scene)) return NULL;
  const object_slot *slot = &scene_slots(scene)[id.index];
  return slot->alive && slot->generation == id.generation ? &scene_objects(scene)[id.index] : NULL;
}

scene_object *scene_find_object(const graze_scene *scene, graze_object id) {
  scene_object *object = scene != NULL ? scene_peek_object(scene, id) : NULL;
  if (object != NULL) return object;
  if (scene == NULL)
    scene_fail_null("scene");
  else if (id.generation == 0)
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

/* ---------------------------------------------------------------------------------------------- slots */

void scene_object_release(graze_scene *scene, scene_object *object) {
  if (object->positions.element_bytes == 0) return; /* an empty slot */
  memory *heap = &scene->memory;
  memory_release(heap, object->name, object->name_bytes, 1);
  if (object->shape != NULL) {
    shape_release(object->shape);
  } else {
    array_release(&object->positions, heap);
    array_release(&object->radii, heap);
    object_elements_release(&object->elements, heap);
  }
  array_release(&object->removed, heap);
  object_numbers_release(&object->numbers, heap);
  *object = (scene_object){0};
}

/* Points the last update's view at the moved poses: the call that moved them may still be refused, and queries then
 * continue with the old view. */
static void point_at_poses(graze_scene *scene) {
  if (!scene_is_numbered(scene)) return;
  for (size_t i = 0; i < scene->object_count; i++)
    if (scene->sources[i].pose != NULL) scene->sources[i].pose = &scene_poses(scene)[i];
}

/* Reserves poses for all objects. */
static bool reserve_poses(graze_scene *scene) {
  const size_t before = scene->poses.capacity;
  if (!array_reserve(&scene->poses, scene->pose_heap, scene->objects.capacity)) return false;
  if (scene->poses.capacity != before) point_at_poses(scene);
  return true;
}

bool scene_move_poses(graze_scene *scene, memory *heap) {
  array moved;
  array_init(&moved, sizeof(rigid_pose));
  if (!array_reserve(&moved, heap, scene->poses.capacity)) return false;
  if (scene->poses.count > 0) memcpy(moved.data, scene->poses.data, scene->poses.count * sizeof(rigid_pose));
  moved.count = scene->poses.count;
  array_release(&scene->poses, scene->pose_heap);
  scene->poses = moved;
  scene->pose_heap = heap;
  point_at_poses(scene);
  return true;
}

/* Finds the lowest free slot, or appends one; SIZE_MAX when out of memory. It stays free until scene_keep_slot. */
size_t scene_find_slot(graze_scene *scene) {
  if (scene->free_slots.count > 0) return scene->free_slots.numbers[0];
  const scene_object fresh = {0};
  const size_t slot = scene_object_slots(scene);
  if (!array_push(&scene->objects, &scene->memory, &fresh)) return SIZE_MAX;
  scene->objects.count = slot;
  if (!array_reserve(&scene->slots, &scene->memory, scene->objects.capacity) || !reserve_poses(scene)) return SIZE_MAX;
  /* reserved here so that removing an object cannot fail */
  return number_heap_reserve(&scene->free_slots, &scene->memory, scene->objects.capacity) ? slot : SIZE_MAX;
}

/* 0 is never a generation, also after wrapping around. */
static uint32_t next_generation(uint32_t last) {
  return last != UINT32_MAX ? last + 1 : 1;
}

/* Returns the object's generation. */
uint32_t scene_keep_slot(graze_scene *scene, size_t slot, const scene_object *object) {
  static const rigid_pose identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  if (slot == scene_object_slots(scene)) {
    scene_slots(scene)[slot] = (object_slot){0};
    scene->objects.count = scene->slots.count = scene->poses.count = slot + 1;
  } else {
    number_heap_drop_lowest(&scene->free_slots);
  }
  scene_objects(scene)[slot] = *object;
  scene_poses(scene)[slot] = identity;
  object_slot *kept = &scene_slots(scene)[slot];
  *kept = (object_slot){.generation = next_generation(kept->generation), .alive = true};
  return kept->generation;
}

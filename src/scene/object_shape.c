/* Shapes; see object_shape.h. */
#include "scene/object_shape.h"

#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <string.h>

void shape_retain(graze_shape *shape) {
  atomic_fetch_add(&shape->users, 1);
}

void shape_release(graze_shape *shape) {
  if (shape != NULL && atomic_fetch_sub(&shape->users, 1) == 1) shape->destroy(shape);
}

void object_share(scene_object *object, graze_shape *shape) {
  const scene_object *from = shape_object(shape);
  shape_retain(shape);
  object->shape = shape;
  object->is_double = from->is_double;
  object->positions = from->positions;
  object->radii = from->radii;
  object->elements = from->elements;
  object->local_box = from->local_box;
  object->has_local_box = from->has_local_box;
}

/* ---------------------------------------------------------------------------------------------- copies */

enum { SHARED_ARRAYS = 7 };

static void list_arrays(scene_object *object, array *arrays_out[SHARED_ARRAYS]) {
  object_elements *elements = &object->elements;
  array *const arrays[SHARED_ARRAYS] = {&object->positions,       &object->radii,
                                        &elements->corners,       &elements->corner_first,
                                        &elements->triangulation, &elements->triangulation_first,
                                        &elements->repeats};
  memcpy(arrays_out, arrays, sizeof arrays);
}

graze_result object_unshare(graze_scene *scene, uint32_t index) {
  scene_object *object = &scene_objects(scene)[index];
  if (object->shape == NULL) return GRAZE_OK;
  scene_object own = *object;
  array *arrays[SHARED_ARRAYS];
  list_arrays(&own, arrays);
  bool ready = true;
  for (int i = 0; i < SHARED_ARRAYS; i++) {
    const array from = *arrays[i];
    array_init(arrays[i], from.element_bytes);
    ready = ready && array_resize(arrays[i], &scene->memory, from.count);
    if (ready && from.count > 0) memcpy(arrays[i]->data, from.data, from.count * from.element_bytes);
  }
  if (!ready) {
    for (int i = 0; i < SHARED_ARRAYS; i++) array_release(arrays[i], &scene->memory);
    return scene_fail_memory(scene);
  }
  graze_shape *shape = object->shape;
  own.shape = NULL;
  *object = own;
  scene_point_source(scene, index);
  shape_release(shape);
  /* methods that shared its tree build one for it */
  scene_slots(scene)[index].changes |= CHANGED_TOPOLOGY;
  scene_slots(scene)[index].device_changes |= CHANGED_TOPOLOGY;
  scene->device_change_union |= CHANGED_TOPOLOGY;
  return GRAZE_OK;
}

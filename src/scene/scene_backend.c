/* Who runs a scene: the processor or a device, chosen when the scene is made and changed by the call below.
 *
 * Workload: once in a scene's life, or never: after a device has failed, or where a program tries both. All positions
 * that the device alone has are copied once. */
#include "scene/scene_device.h"

#include "base/float_environment.h"

#include <string.h>

/* Positions that come back from a device, a slot of the scene each; empty where the host has them. */
typedef struct fetched_positions {
  array *arrays;
  size_t count;
} fetched_positions;

static bool begin_fetching(graze_scene *scene, fetched_positions *fetched_out) {
  const size_t count = scene_object_slots(scene);
  *fetched_out = (fetched_positions){memory_allocate(&scene->memory, count, sizeof(array)), count};
  if (fetched_out->arrays == NULL) return false;
  for (size_t i = 0; i < count; i++)
    array_init(&fetched_out->arrays[i],
               3 * (scene_objects(scene)[i].device_is_double ? sizeof(double) : sizeof(float)));
  return true;
}

static void end_fetching(graze_scene *scene, fetched_positions *fetched) {
  for (size_t i = 0; i < fetched->count && fetched->arrays != NULL; i++)
    array_release(&fetched->arrays[i], &scene->memory);
  memory_release(&scene->memory, fetched->arrays, fetched->count, sizeof(array));
}

/* One object's positions, checked as those that a caller gives are. */
static graze_result fetch_object(graze_scene *scene, uint32_t index, array *positions) {
  const scene_object *object = &scene_objects(scene)[index];
  const object_label label = scene_label(index, object->name);
  if (!array_resize(positions, &scene->memory, object->positions.count)) return scene_fail_memory(scene);
  if (positions->count == 0) return GRAZE_OK;
  const graze_result result = scene_device_fetch_positions(scene, object, label.text, positions->data);
  if (result != GRAZE_OK) return result;
  const graze_view view = {positions->data, positions->count, 0,
                           object->device_is_double ? GRAZE_DOUBLE3 : GRAZE_FLOAT3};
  return scene_copy_positions(scene, &label, &view, 0, object->device_is_double, positions->data);
}

static void take_fetched(graze_scene *scene, fetched_positions *fetched) {
  for (size_t i = 0; i < fetched->count; i++) {
    scene_object *object = &scene_objects(scene)[i];
    if (object->device_positions == NULL) continue;
    const array old = object->positions;
    object->positions = fetched->arrays[i];
    object->is_double = object->device_is_double;
    object->device_positions = NULL;
    fetched->arrays[i] = old; /* to be released with the list */
  }
}

/* Brings home what the device alone has: all of it, or the scene stays as it is. */
static graze_result fetch_positions(graze_scene *scene) {
  fetched_positions fetched;
  if (!begin_fetching(scene, &fetched)) return scene_fail_memory(scene);
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < fetched.count && result == GRAZE_OK; i++)
    if (scene_objects(scene)[i].device_positions != NULL) result = fetch_object(scene, (uint32_t)i, &fetched.arrays[i]);
  if (result == GRAZE_OK) take_fetched(scene, &fetched);
  end_fetching(scene, &fetched);
  return result;
}

static graze_result open_device(graze_scene *scene, int device, struct device_state **state_out) {
  const graze_result result = scene_device_check_method(scene, scene->method);
  return result == GRAZE_OK ? scene_device_open(scene, device, state_out) : result;
}

graze_result graze_scene_set_backend(graze_scene *scene, graze_backend backend, int device) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return GRAZE_INVALID_ARGUMENT;
  if (backend != GRAZE_BACKEND_CPU && backend != GRAZE_BACKEND_CUDA)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no backend number %d", (int)backend);
  const bool has_device = scene->device != NULL, wants_device = backend == GRAZE_BACKEND_CUDA;
  if (has_device == wants_device && (!has_device || scene->device_number == device)) return GRAZE_OK;
  struct device_state *opened = NULL;
  graze_result result = wants_device ? open_device(scene, device, &opened) : GRAZE_OK;
  if (result == GRAZE_OK && has_device) result = fetch_positions(scene);
  if (result != GRAZE_OK) {
    scene_device_close(scene, opened);
    return result;
  }
  scene_device_close(scene, scene->device);
  scene->device = opened;
  scene->device_number = device;
  scene->host_behind = false;
  scene_touch(scene, false);
  return GRAZE_OK;
}

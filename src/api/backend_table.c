/* The list of backends, and how a scene switches between them. A new backend has its own files and one row here; a
 * backend with several devices has an extra row without a name that runs them. */
#include "api/backend_table.h"

#include "api/definitions.h"
#include "api/method_options.h"
#include "base/float_environment.h"
#include "scene/object_lookup.h"
#include "scene/scene_change.h"
#include "scene/scene_failure.h"

#include <string.h>

static const backend *const table[] = {&backend_cpu, &backend_cuda};
enum { BACKEND_COUNT = sizeof table / sizeof table[0] };

/* The maximum number of devices of a scene. A large primitive is sent to all of them, and few keys and cuts suffice for
 * this number. */
enum { DEVICES_MOST = 64 };

const backend *backend_at(size_t index) {
  return index < BACKEND_COUNT ? table[index] : NULL;
}

const backend *backend_named(const char *name) {
  for (size_t i = 0; i < BACKEND_COUNT; i++)
    if (strcmp(table[i]->name, name) == 0) return table[i];
  return NULL;
}

static graze_result check_backend(const graze_backend_def *def) {
  if (def->name == NULL || backend_named(def->name) == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "there is no backend \"%.64s\"; the backends are cpu, cuda",
                def->name != NULL ? def->name : "");
  if (def->device_count > 0 && !backend_named(def->name)->on_device)
    return fail(GRAZE_UNSUPPORTED, "the backend %s has no devices", def->name);
  if (def->device_count > 0 && def->devices == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "the list of the %zu devices of the backend is NULL", def->device_count);
  if (def->device_count > DEVICES_MOST)
    return fail(GRAZE_UNSUPPORTED, "a scene runs on at most %d devices, not on %zu", DEVICES_MOST, def->device_count);
  if (def->device_count > 1 && def->stream != NULL)
    return fail(GRAZE_UNSUPPORTED, "a stream belongs to one device: a scene on several devices cannot have one");
  if (def->stream != NULL && !backend_named(def->name)->on_device)
    return fail(GRAZE_UNSUPPORTED, "the backend %s has no streams", def->name);
  return GRAZE_OK;
}

graze_result backend_read(const graze_backend_def *given_or_null, graze_backend_def *def_out, const backend **row_out) {
  graze_result result = definition_read(&backend_definition, given_or_null, true, def_out);
  if (result == GRAZE_OK) result = check_backend(def_out);
  if (result == GRAZE_OK) *row_out = def_out->device_count > 1 ? &backend_devices : backend_named(def_out->name);
  return result;
}

graze_result graze_scene_set_backend(graze_scene *scene, const graze_backend_def *given) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  graze_backend_def def;
  const backend *wanted;
  graze_result result = backend_read(given, &def, &wanted);
  if (result != GRAZE_OK) return result;
  if (scene->backend == wanted && wanted->is_active(scene, &def)) {
    if (wanted->change_stream != NULL) wanted->change_stream(scene, def.stream);
    return GRAZE_OK;
  }
  void *opened = NULL;
  result = method_options_check(scene, wanted, scene->method, &scene->method_def);
  if (result == GRAZE_OK) result = wanted->open(scene, &def, &opened);
  if (result == GRAZE_OK && scene->backend != NULL) result = scene->backend->leave(scene);
  if (result == GRAZE_OK && !scene_move_poses(scene, wanted->pose_heap(scene, opened)))
    result = scene_fail_memory(scene);
  if (result != GRAZE_OK) {
    wanted->close(scene, opened);
    return result;
  }
  if (scene->backend != NULL) scene->backend->close(scene, scene->backend_state);
  scene->backend = wanted;
  scene->backend_state = opened;
  scene->stamps.device = STAMP_NEVER;
  scene_touch(scene, false);
  return GRAZE_OK;
}

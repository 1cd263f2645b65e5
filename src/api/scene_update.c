/* Update: renumbers after a change of topology, rounds vertices if the method needs them, counts volumes, and updates
 * the method.
 *
 * Workload: once per frame; the time is linear in all vertices, whatever objects they belong to. */
#include "backend/backend.h"
#include "base/float_environment.h"
#include "scene/scene_change.h"
#include "scene/scene_data.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

graze_result graze_scene_update(graze_scene *scene) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  scene_touch(scene, false);
  graze_result result = scene_is_numbered(scene) ? GRAZE_OK : scene_number(scene);
  if (result == GRAZE_OK && scene_has_parts(scene)) result = scene_check_parts(scene);
  if (result == GRAZE_OK && scene->backend->on_device) result = scene_check_kinds(scene, SUPPORTS_DEVICES);
  if (result == GRAZE_OK) result = scene->backend->update(scene, &scene->update_ms);
  if (result == GRAZE_OK) scene->stamps.updated = scene->stamps.changed;
  return result;
}

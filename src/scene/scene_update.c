/* Update: numbers given where the topology changed, vertices rounded where the method needs it, volumes counted, the
 * method told.
 *
 * Workload: once a frame; what takes time is linear in all vertices, whatever objects they belong to. */
#include "base/float_environment.h"
#include "scene/device_backend.h"
#include "scene/scene_internal.h"
#include "scene/scene_method.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

graze_counters scene_update_counters(const graze_scene *scene) {
  return (graze_counters){.primitives = scene->live_count,
                          .repeated_index = scene->repeated_index,
                          .inverted = scene->inverted_count,
                          .flat = scene->flat_count};
}

graze_result scene_update_on_host(graze_scene *scene) {
  scene_point_sources(scene);
  const graze_result result = scene_method_rounds(scene) ? scene_round_up(scene) : scene_check_poses(scene);
  if (result != GRAZE_OK) return result;
  scene_count_volumes(scene);
  const graze_result prepared = scene_prepare_method(scene);
  if (prepared == GRAZE_OK) scene->stamps.host = scene->stamps.changed;
  return prepared;
}

graze_result scene_catch_up(const graze_scene *scene) {
  if (scene->device == NULL || scene_is_on_host(scene)) return GRAZE_OK;
  const graze_result result = scene_device_check_host(scene);
  /* Within a turn: nobody else looks at the scene. */
  return result == GRAZE_OK ? scene_update_on_host((graze_scene *)(uintptr_t)scene) : result;
}

graze_result graze_scene_update(graze_scene *scene) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  scene_touch(scene, false);
  graze_result result = scene_is_numbered(scene) ? GRAZE_OK : scene_number(scene);
  if (result == GRAZE_OK) {
    scene_note_motion(scene);
    result = scene->backend->update(scene, &scene->update_ms);
  }
  if (result == GRAZE_OK) scene->stamps.updated = scene->stamps.changed;
  return result;
}

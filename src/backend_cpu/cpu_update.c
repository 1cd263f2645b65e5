/* An update on the processor; see cpu_update.h. */
#include "backend_cpu/cpu_update.h"

#include "backend_cpu/cpu_method.h"
#include "scene/object_positions.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

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
  const graze_result result = scene_check_on_host(scene);
  /* Within a turn: nobody else looks at the scene. */
  return result == GRAZE_OK ? scene_update_on_host((graze_scene *)(uintptr_t)scene) : result;
}

/* Messages shared by several calls of a scene; see scene_failure.h. */
#include "scene/scene_failure.h"

#include <inttypes.h>
#include <stdio.h>

object_label scene_label(uint32_t index, const char *name_or_null) {
  object_label label;
  if (name_or_null != NULL)
    snprintf(label.text, sizeof label.text, "object %u (%.64s)", index, name_or_null);
  else
    snprintf(label.text, sizeof label.text, "object %u", index);
  return label;
}

graze_result scene_fail_memory(const graze_scene *scene) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory: the scene holds %zu bytes",
              (size_t)atomic_load(&scene->memory.bytes_now));
}

graze_result scene_fail_null(const char *what) {
  return fail(GRAZE_INVALID_ARGUMENT, "the %s is NULL", what);
}

graze_result scene_check_updated(const graze_scene *scene) {
  return scene_is_updated(scene)
             ? GRAZE_OK
             : fail(GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
}

graze_result scene_fail_pair(const graze_scene *scene, const graze_pair *pair, size_t number) {
  return scene_fail(
      scene, GRAZE_INVALID_ARGUMENT,
      "pair %zu (object %u primitive %u, object %u primitive %u) does not intersect or is not in the scene", number,
      pair->object_a, pair->primitive_a, pair->object_b, pair->primitive_b);
}

graze_result scene_fail_points(const graze_scene *scene, uint64_t point_count) {
  return scene_fail(scene, GRAZE_TOO_LARGE, "%" PRIu64 " contact points or more cannot be numbered: pass fewer pairs",
                    point_count);
}

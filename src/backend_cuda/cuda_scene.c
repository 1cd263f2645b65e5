/* Messages of a scene on a device. */
#include "backend_cuda/cuda_scene.h"

#include "scene/scene_failure.h"

graze_result device_backend_fail(const graze_scene *scene, graze_result result) {
  if (result == GRAZE_STOPPED) return scene_fail(scene, result, "the caller stopped the query");
  const device_operations *operations = &scene_device(scene)->memory.operations;
  const char *error = operations->error(operations->context);
  if (error[0] != '\0') return scene_fail(scene, result, "%s", error);
  if (result == GRAZE_TOO_LARGE)
    return scene_fail(scene, result, "the query has more candidates or pairs than can be numbered");
  return scene_fail_memory(scene);
}

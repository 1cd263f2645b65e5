/* The trees of a call; see call_trees.h. */
#include "backend_cuda/call_trees.h"

#include "backend_cuda/cuda_scene.h"
#include "backend_cuda/device_method.h"
#include "scene/scene_numbers.h"

static graze_result upload_own_trees(const graze_scene *scene, const uint32_t *objects, size_t count,
                                     call_trees *trees) {
  memory *heap = scene_scratch(scene);
  device_state *device = scene_device(scene);
  device_forest *there = &device->poses.trees;
  object_source *sources = memory_allocate(heap, count, sizeof *sources);
  if (sources == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) sources[i] = scene_source_of(scene, objects[i]);
  graze_result result = device_forest_take(there, &device->memory, &trees->here.own, sources);
  if (result == GRAZE_OK) result = device_forest_take_posed(there, &device->memory, &trees->here.own);
  memory_release(heap, sources, count, sizeof *sources);
  trees->there = there;
  return result;
}

graze_result call_trees_open(const graze_scene *scene, const uint32_t *objects, size_t count, call_trees *trees) {
  tree_forest_init(&trees->here.own, scene_scratch(scene), &(tree_options){0});
  trees->there = device_method_trees(scene);
  trees->is_own = trees->there == NULL;
  trees->here.forest = trees->is_own ? &trees->here.own : trees->there->of;
  graze_result result = device_state_follow_host(scene_device(scene));
  if (!trees->is_own || result != GRAZE_OK) return result;
  result = pose_trees_build(scene, objects, count, true, &trees->here.own);
  return result == GRAZE_OK ? upload_own_trees(scene, objects, count, trees) : result;
}

void call_trees_close(const graze_scene *scene, call_trees *trees) {
  if (trees->is_own) scene_device(scene)->poses.trees.of = NULL;
  tree_forest_release(&trees->here.own);
}

/* The trees of a call that poses objects; see pose_trees.h.
 *
 * Workload: once per call, of two objects or some dozen; if trees are built, linear in their primitives. */
#include "backend_cpu/pose_trees.h"

#include "backend/backend.h"
#include "backend_cpu/cpu_state.h"
#include "broad/method.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

graze_result pose_trees_build(const graze_scene *scene, const uint32_t *objects, size_t count, bool for_device,
                              tree_forest *forest_out) {
  memory *heap = scene_scratch(scene);
  object_source *sources = memory_allocate(heap, count, sizeof *sources);
  object_change *changes = memory_allocate(heap, count, sizeof *changes);
  tree_forest_init(forest_out, heap, &(tree_options){0});
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (sources != NULL && changes != NULL) {
    for (size_t i = 0; i < count; i++) {
      sources[i] = scene_source_of(scene, objects[i]);
      changes[i] = CHANGED_ALL;
    }
    primitive_view view = scene_view(scene);
    view.sources = sources;
    view.object_count = count;
    const search_notes notes = {{0}};
    const update_input input = {&view, changes, &notes, scene->workers, heap};
    result = for_device ? tree_forest_update_for_device(forest_out, &input) : tree_forest_update(forest_out, &input);
  }
  memory_release(heap, changes, count, sizeof *changes);
  memory_release(heap, sources, count, sizeof *sources);
  return result;
}

graze_result pose_trees_open(const graze_scene *scene, const uint32_t *objects, size_t count, pose_trees *trees_out) {
  tree_forest_init(&trees_out->own, scene_scratch(scene), &(tree_options){0});
  trees_out->forest = &trees_out->own;
  const method_state *state = scene->backend->on_device ? NULL : &cpu_state_of(scene)->search;
  if (state == NULL || !method_has_traits(state->row, METHOD_KEEPS_TREES))
    return pose_trees_build(scene, objects, count, false, &trees_out->own);
  trees_out->forest = state->own;
  return GRAZE_OK;
}

void pose_trees_close(pose_trees *trees) {
  tree_forest_release(&trees->own);
}

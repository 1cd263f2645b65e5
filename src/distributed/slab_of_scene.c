/* A slab that owns its scene; see slab_of_scene.h. */
#include "distributed/slab_of_scene.h"

graze_result slab_create(slab *made, const graze_scene_def *def, const graze_method_def *method,
                         rank_failure *failure) {
  graze_scene *scene = NULL;
  graze_result result = graze_scene_create(def, &scene);
  if (result == GRAZE_OK && method != NULL) result = graze_scene_set_method(scene, method);
  slab_init(made, scene, 0);
  return rank_failure_note(failure, result);
}

void slab_destroy(slab *made, memory *heap) {
  graze_scene_destroy(made->scene);
  slab_release(made, heap);
}

graze_result slab_update_and_find(slab *made, const division *parts, double clearance, const graze_query *query,
                                  graze_pairs *pairs, rank_failure *failure) {
  const graze_result result = rank_failure_note(failure, graze_scene_update(made->scene));
  return result == GRAZE_OK ? slab_find(made, parts, clearance, query, pairs, failure) : result;
}

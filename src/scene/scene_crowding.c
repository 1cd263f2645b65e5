/* The k-free measure of an object of the scene: hands its arrays to analysis/crowding.h, or asks the scene's device,
 * and keeps the counts. */
#include "base/float_environment.h"
#include "scene/scene_device.h"
#include "scene/scene_internal.h"
#include "scene/scene_method.h"

/* Below this many primitives nothing pays for building a grid. */
enum { CROWDING_BRUTE_PRIMITIVES = 32 };

void scene_release_crowding(graze_scene *scene) {
  memory *heap = &scene->memory;
  scene_crowding *kept = &scene->crowding;
  memory_release(heap, kept->k_of, kept->count, sizeof *kept->k_of);
  memory_release(heap, kept->neighbours_of, kept->count, sizeof *kept->neighbours_of);
  memory_release(heap, kept->diameter_of, kept->count, sizeof *kept->diameter_of);
  *kept = (scene_crowding){0};
}

static bool keep_crowding(graze_scene *scene, size_t count) {
  memory *heap = &scene->memory;
  if (scene->crowding.k_of != NULL && scene->crowding.count == count) return true;
  scene_release_crowding(scene);
  scene->crowding = (scene_crowding){.k_of = memory_allocate(heap, count, sizeof(uint32_t)),
                                     .neighbours_of = memory_allocate(heap, count, sizeof(uint32_t)),
                                     .diameter_of = memory_allocate(heap, count, sizeof(double)),
                                     .count = count};
  return scene->crowding.k_of != NULL && scene->crowding.neighbours_of != NULL && scene->crowding.diameter_of != NULL;
}

static graze_result measure_here(graze_scene *scene, uint32_t index, const crowding_counts *counts,
                                 crowding_outcome *outcome_out) {
  const graze_result behind = scene_catch_up(scene);
  if (behind != GRAZE_OK) return behind;
  const scene_object *object = &scene_objects(scene)[index];
  const size_t count = object->elements.count;
  const method *chosen = scene_method_for(scene, count, CROWDING_BRUTE_PRIMITIVES);
  const grid_options grid = {scene->hash, scene->dedup};
  const crowding_question question = {.source = scene->sources[index],
                                      .headers = scene->headers + object->first_primitive,
                                      .rounded_vertices = scene->rounded_vertices,
                                      .erased = object->erased.count > 0 ? object->erased.data : NULL,
                                      .count = count,
                                      .scale = scene->normalisation.scale,
                                      .map = scene->mapped ? scene->map : NULL,
                                      .normalisation = &scene->normalisation,
                                      .method = chosen,
                                      .options = {chosen == &method_grid ? &grid : NULL},
                                      .simd = scene->simd,
                                      .memory = &scene->scratch.heap,
                                      .workers = scene->workers};
  return crowding_measure(&question, counts, outcome_out) ? GRAZE_OK : scene_fail_memory(scene);
}

/* The update's part stays. */
static void record(graze_scene *scene, const crowding_outcome *outcome) {
  const graze_counters update = scene_update_counters(scene);
  const double update_ms = scene->timings.update_ms;
  scene->timings = outcome->timings;
  scene->timings.update_ms = update_ms;
  scene->counters = outcome->counters;
  scene->counters.primitives = update.primitives;
  scene->counters.repeated_index = update.repeated_index;
  scene->counters.inverted = update.inverted;
  scene->counters.flat = update.flat;
}

static graze_result measure(graze_scene *scene, uint32_t index, graze_crowding *crowding_out) {
  const object_elements *elements = &scene_objects(scene)[index].elements;
  if (!keep_crowding(scene, elements->count)) return scene_fail_memory(scene);
  const crowding_counts counts = {scene->crowding.k_of, scene->crowding.neighbours_of, scene->crowding.diameter_of};
  crowding_outcome outcome;
  const graze_result result = scene->device != NULL ? scene_device_measure(scene, index, &counts, &outcome)
                                                    : measure_here(scene, index, &counts, &outcome);
  if (result != GRAZE_OK) return result;
  record(scene, &outcome);
  *crowding_out = crowding_sum_up(elements->kind, &counts, elements->count, outcome.levels);
  return GRAZE_OK;
}

graze_result graze_scene_measure_crowding(graze_scene *scene, graze_object object, graze_crowding *crowding_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL || crowding_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *crowding_out = (graze_crowding){0};
  if (scene_find_object(scene, object) == NULL) return GRAZE_NO_SUCH_OBJECT;
  if (!scene->updated)
    return scene_fail(scene, GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
  const graze_result result = measure(scene, object.index, crowding_out);
  if (result != GRAZE_OK) scene_release_crowding(scene);
  return result;
}

/* The k-free measure of an object of the scene: hands its arrays to analysis/freeness.h, or asks the scene's device,
 * and keeps the counts. */
#include "scene/scene_device.h"
#include "scene/scene_internal.h"

/* Below this many primitives nothing pays for building a grid. */
enum { FREENESS_BRUTE_PRIMITIVES = 32 };

void scene_release_freeness(graze_scene *scene) {
  memory *heap = &scene->memory;
  scene_freeness *kept = &scene->freeness;
  memory_release(heap, kept->k_of, kept->count, sizeof *kept->k_of);
  memory_release(heap, kept->neighbours_of, kept->count, sizeof *kept->neighbours_of);
  memory_release(heap, kept->diameter_of, kept->count, sizeof *kept->diameter_of);
  *kept = (scene_freeness){0};
}

static bool keep_freeness(graze_scene *scene, size_t count) {
  memory *heap = &scene->memory;
  scene_release_freeness(scene);
  scene->freeness = (scene_freeness){.k_of = memory_allocate(heap, count, sizeof(uint32_t)),
                                     .neighbours_of = memory_allocate(heap, count, sizeof(uint32_t)),
                                     .diameter_of = memory_allocate(heap, count, sizeof(double)),
                                     .count = count};
  return scene->freeness.k_of != NULL && scene->freeness.neighbours_of != NULL && scene->freeness.diameter_of != NULL;
}

static const method *method_for(const graze_scene *scene, size_t count) {
  if (scene->method != NULL) return scene->method;
  return count <= FREENESS_BRUTE_PRIMITIVES ? &method_brute : &method_grid;
}

static graze_result measure_here(graze_scene *scene, uint32_t index, const freeness_counts *counts,
                                 freeness_outcome *outcome_out) {
  const graze_result behind = scene_catch_up(scene);
  if (behind != GRAZE_OK) return behind;
  const scene_object *object = &scene_objects(scene)[index];
  const size_t count = object->elements.count;
  const freeness_question question = {.source = scene->sources[index],
                                      .tags = scene->tags + object->first_primitive,
                                      .near_vertices = scene->near_vertices,
                                      .erased = object->erased.count > 0 ? object->erased.data : NULL,
                                      .count = count,
                                      .scale = scene->frame.scale,
                                      .method = method_for(scene, count),
                                      .hash = scene->hash,
                                      .once = scene->once,
                                      .simd = scene->simd,
                                      .memory = &scene->memory,
                                      .workers = scene->workers};
  return freeness_measure(&question, counts, outcome_out) ? GRAZE_OK : scene_fail_memory(scene);
}

/* The update's part stays. */
static void record(graze_scene *scene, const freeness_outcome *outcome) {
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

static graze_result measure(graze_scene *scene, uint32_t index, graze_freeness *freeness_out) {
  const object_elements *elements = &scene_objects(scene)[index].elements;
  if (!keep_freeness(scene, elements->count)) return scene_fail_memory(scene);
  const freeness_counts counts = {scene->freeness.k_of, scene->freeness.neighbours_of, scene->freeness.diameter_of};
  freeness_outcome outcome;
  const graze_result result = scene->device != NULL ? scene_device_measure(scene, index, &counts, &outcome)
                                                    : measure_here(scene, index, &counts, &outcome);
  if (result != GRAZE_OK) return result;
  record(scene, &outcome);
  *freeness_out = freeness_sum_up(elements->kind, &counts, elements->count, outcome.levels);
  return GRAZE_OK;
}

graze_result graze_scene_measure_freeness(graze_scene *scene, graze_object object, graze_freeness *freeness_out) {
  if (scene == NULL || freeness_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *freeness_out = (graze_freeness){0};
  if (scene_find_object(scene, object) == NULL) return GRAZE_NO_SUCH_OBJECT;
  if (!scene->updated)
    return scene_fail(scene, GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
  const graze_result result = measure(scene, object.index, freeness_out);
  if (result != GRAZE_OK) scene_release_freeness(scene);
  return result;
}

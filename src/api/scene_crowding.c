/* The k-free measure of an object: counts with the scene's backend, and fills the caller's struct. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "scene/object_lookup.h"
#include "scene/scene_failure.h"

static graze_result measure(const graze_scene *scene, graze_object id, graze_list_memory *list,
                            graze_crowding *fields) {
  if (scene_find_object(scene, id) == NULL) return GRAZE_NO_SUCH_OBJECT;
  graze_result result = scene_check_updated(scene);
  if (result != GRAZE_OK) return result;
  const object_elements *elements = &scene_objects(scene)[id.index].elements;
  const size_t count = elements->count;
  const crowding_counts counts = {answer_list_reserve(list, BLOCK_K, count, sizeof(uint32_t)),
                                  answer_list_reserve(list, BLOCK_NEIGHBORS, count, sizeof(uint32_t)),
                                  answer_list_reserve(list, BLOCK_DIAMETERS, count, sizeof(double))};
  if (counts.k_of == NULL || counts.neighbors_of == NULL || counts.diameter_of == NULL) return scene_fail_memory(scene);
  crowding_outcome outcome;
  scene_lock_device(scene);
  result = scene->backend->measure(scene, id.index, &counts, &outcome);
  scene_unlock_device(scene);
  if (result != GRAZE_OK) return result;
  *fields = crowding_sum_up(elements->kind, &counts, count, outcome.levels);
  scene_record(scene, &outcome.timings, &outcome.counters, list);
  fields->timings = &list->timings;
  fields->counters = &list->counters;
  fields->memory = list;
  return GRAZE_OK;
}

graze_result graze_scene_measure_crowding(const graze_scene *scene, graze_object object, graze_crowding *crowding) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (crowding == NULL) return scene_fail_null("crowding");
  graze_list_memory *list = crowding->memory;
  graze_result result = scene_open_list(scene, &crowding_definition, crowding, &list);
  if (result != GRAZE_OK) return result;
  graze_crowding fields = {.memory = list};
  result = measure(scene, object, list, &fields);
  answer_list_write(&crowding_definition, crowding, &fields);
  return result;
}

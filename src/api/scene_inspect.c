/* The search structure of a query: reads and checks graze_scene_inspect, and passes it to the backend. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "scene/object_lookup.h"
#include "scene/scene_failure.h"

#include <string.h>

static graze_result check_options(const graze_scene *scene, const graze_inspect_options *options) {
  if (options->lowest_level > options->highest_level)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the lowest level is %zu, above the highest, %zu",
                      options->lowest_level, options->highest_level);
  if (scene->backend->inspect == NULL)
    return scene_fail(scene, GRAZE_UNSUPPORTED,
                      "search structures cannot be inspected on the backend %s; graze_scene_set_backend changes it",
                      scene->backend->name);
  return GRAZE_OK;
}

static graze_result run_query(const graze_scene *scene, const graze_query *query, inspect_answer *answer) {
  stop_check stops, *stop = NULL;
  if (query->should_stop != NULL) {
    stop_check_init(&stops, query->should_stop, query->stop_context);
    stop = &stops;
  }
  const inspect_request request = {query, stop};
  const graze_result result = scene->backend->inspect(scene, &request, answer);
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the call") : result;
}

static graze_result fill_structure(const graze_scene *scene, const inspect_answer *answer, graze_structure *fields) {
  const structure_list *list = &answer->list;
  uint64_t *level_counts =
      answer_list_reserve(list->memory, BLOCK_STRUCTURE_LEVELS, list->level_count, sizeof *level_counts);
  if (level_counts == NULL) return scene_fail_memory(scene);
  memcpy(level_counts, list->level_counts, list->level_count * sizeof *level_counts);
  scene_record(scene, &answer->timings, &answer->counters, list->memory);
  *fields = (graze_structure){.method = answer->method,
                              .nodes = list->nodes,
                              .count = list->node_count,
                              .members = list->members,
                              .member_count = list->members != NULL ? list->member_count : 0,
                              .level_counts = level_counts,
                              .level_count = list->level_count,
                              .timings = &list->memory->timings,
                              .counters = &list->memory->counters,
                              .memory = list->memory};
  return GRAZE_OK;
}

graze_result graze_scene_inspect(const graze_scene *scene, const graze_query *given_query,
                                 const graze_inspect_options *given_options, graze_structure *structure) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &structure_definition, structure, &list);
  if (result != GRAZE_OK) return result;
  graze_structure fields = {.memory = list};
  graze_query query;
  graze_inspect_options options;
  inspect_answer answer = {.list = {.memory = list, .options = &options}};
  result = scene_read_query(scene, given_query, &query);
  if (result == GRAZE_OK) result = definition_read(&inspect_options_definition, given_options, true, &options);
  if (result == GRAZE_OK) result = check_options(scene, &options);
  if (result == GRAZE_OK) result = run_query(scene, &query, &answer);
  if (result == GRAZE_OK) result = fill_structure(scene, &answer, &fields);
  answer_list_write(&structure_definition, structure, &fields);
  return result;
}

/* ---------------------------------------------------------------------------------------------- crowding */

/* The k-free measure of an object: counts with the scene's backend, and fills the caller's struct. */

static graze_result measure_crowding(const graze_scene *scene, graze_object id, graze_list_memory *list,
                                     graze_crowding *fields) {
  if (scene_find_object(scene, id) == NULL) return GRAZE_NO_SUCH_OBJECT;
  graze_result result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = scene_check_kind(scene, id.index, SUPPORTS_CROWDING);
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
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &crowding_definition, crowding, &list);
  if (result != GRAZE_OK) return result;
  graze_crowding fields = {.memory = list};
  result = measure_crowding(scene, object, list, &fields);
  answer_list_write(&crowding_definition, crowding, &fields);
  return result;
}

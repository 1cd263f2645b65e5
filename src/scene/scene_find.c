/* The public queries: what is asked is read and checked, the scene's backend finds it, the caller's list is filled. */
#include "base/float_environment.h"
#include "broad/kind_table.h"
#include "scene/cpu_backend.h"
#include "scene/definitions.h"
#include "scene/query_focus.h"

#include <string.h>

/* What neighbours share beyond their common corners is defined for surfaces alone. */
static graze_result check_neighbour_rule(const graze_scene *scene, const graze_query *query) {
  if (query->neighbours == GRAZE_NEIGHBOURS_SKIP || (query->scope & GRAZE_WITHIN) == 0 || !scene->has_solids)
    return GRAZE_OK;
  for (uint32_t i = 0; i < scene->object_count; i++) {
    const scene_object *object = &scene_objects(scene)[i];
    if (kind_is_solid(object->elements.kind) && object->elements.count > 0 && object->rule.self)
      return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: pairs of %s within an object are found with neighbours skipped",
                        scene_label(i, object->name).text, graze_kind_text(object->elements.kind, 2));
  }
  return GRAZE_OK;
}

graze_result scene_read_query(const graze_scene *scene, const graze_query *given_or_null, graze_query *query_out) {
  graze_result result = definition_read(&query_definition, given_or_null, true, query_out);
  if (result != GRAZE_OK) return result;
  if (query_out->scope < GRAZE_BETWEEN || query_out->scope > GRAZE_BOTH)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no scope number %d", (int)query_out->scope);
  if (query_out->neighbours != GRAZE_NEIGHBOURS_SKIP && query_out->neighbours != GRAZE_NEIGHBOURS_BEYOND)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no neighbour rule number %d",
                      (int)query_out->neighbours);
  result = scene_check_test(scene, query_out->test);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = query_focus_check(scene, query_out);
  return result == GRAZE_OK ? check_neighbour_rule(scene, query_out) : result;
}

graze_result scene_open_list(const graze_scene *scene, const definition_kind *kind, const void *list,
                             graze_list_memory **opened) {
  size_t struct_bytes;
  memcpy(&struct_bytes, list, sizeof struct_bytes);
  if (definition_room(kind, struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  *opened = answer_list_open(*opened, &scene->host, scene->workers);
  return *opened != NULL ? GRAZE_OK : scene_fail_memory(scene);
}

void scene_record(const graze_scene *scene, const graze_timings *timings, const graze_counters *counters,
                  graze_list_memory *list) {
  const graze_counters update = scene_update_counters(scene);
  list->timings = *timings;
  list->timings.struct_bytes = sizeof list->timings;
  list->timings.update_ms = scene->update_ms;
  list->counters = *counters;
  list->counters.primitives = update.primitives;
  list->counters.repeated_index = update.repeated_index;
  list->counters.inverted = update.inverted;
  list->counters.flat = update.flat;
  scene_count_memory(scene, &list->counters);
}

static graze_result ask(const graze_scene *scene, const graze_query *query, bool first_only, graze_list_memory *list,
                        pair_answer *answer) {
  stop_check stops, *stop = NULL;
  if (query->should_stop != NULL) {
    stop_check_init(&stops, query->should_stop, query->stop_context);
    stop = &stops;
  }
  const pair_request request = {query, stop, first_only, false, list};
  scene_take_turn(scene);
  const graze_result result = scene->backend->find(scene, &request, answer);
  scene_end_turn(scene);
  answer->counters.pairs = answer->count;
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the query was stopped by the caller") : result;
}

/* Fills the list, which is there, with the answer; after a failure it is empty. */
static graze_result find(const graze_scene *scene, const graze_query *given, bool first_only, graze_pairs *pairs) {
  graze_list_memory *list = pairs->memory;
  graze_result result = scene_open_list(scene, &pairs_definition, pairs, &list);
  if (result != GRAZE_OK) return result;
  graze_pairs fields = {.memory = list};
  graze_query query;
  pair_answer answer = {0};
  result = scene_read_query(scene, given, &query);
  if (result == GRAZE_OK) result = ask(scene, &query, first_only, list, &answer);
  if (result == GRAZE_OK) {
    scene_record(scene, &answer.timings, &answer.counters, list);
    fields = (graze_pairs){.pairs = answer.pairs,
                           .count = answer.count,
                           .hash = answer.hash,
                           .limit_reached = answer.limit_reached,
                           .timings = &list->timings,
                           .counters = &list->counters,
                           .memory = list};
  }
  answer_list_write(&pairs_definition, pairs, &fields);
  return result;
}

graze_result graze_scene_find_pairs(const graze_scene *scene, const graze_query *query, graze_pairs *pairs) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (pairs == NULL) return scene_fail_null("list of pairs");
  return find(scene, query, false, pairs);
}

graze_result graze_scene_any_pair(const graze_scene *scene, const graze_query *query, bool *found_out,
                                  graze_pairs *pair) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (found_out == NULL) return scene_fail_null("found_out");
  *found_out = false;
  graze_pairs own = {0}, *list = pair != NULL ? pair : &own;
  const graze_result result = find(scene, query, true, list);
  *found_out = result == GRAZE_OK && list->count > 0;
  graze_pairs_free(&own);
  return result;
}

/* The public queries: reads and checks the query, runs it on the scene's backend, and fills the caller's list. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "scene/scene_failure.h"

static graze_result run_query(const graze_scene *scene, const graze_query *query, bool first_only,
                              graze_list_memory *list, pair_answer *answer) {
  stop_check stops, *stop = NULL;
  if (query->should_stop != NULL) {
    stop_check_init(&stops, query->should_stop, query->stop_context);
    stop = &stops;
  }
  const pair_request request = {query, stop, first_only, false, list};
  scene_lock_device(scene);
  const graze_result result = scene->backend->find(scene, &request, answer);
  scene_unlock_device(scene);
  answer->counters.pairs = answer->count;
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the query") : result;
}

/* Fills the caller's list with the answer; after a failure it is empty. */
static graze_result find_pairs(const graze_scene *scene, const graze_query *given, bool first_only,
                               graze_pairs *pairs) {
  graze_list_memory *list = pairs->memory;
  graze_result result = scene_open_list(scene, &pairs_definition, pairs, &list);
  if (result != GRAZE_OK) return result;
  graze_pairs fields = {.memory = list};
  graze_query query;
  pair_answer answer = {0};
  result = scene_read_query(scene, given, &query);
  if (result == GRAZE_OK) result = run_query(scene, &query, first_only, list, &answer);
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
  return find_pairs(scene, query, false, pairs);
}

graze_result graze_scene_any_pair(const graze_scene *scene, const graze_query *query, bool *found_out,
                                  graze_pairs *pair) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (found_out == NULL) return scene_fail_null("found_out");
  *found_out = false;
  graze_pairs own = {0}, *list = pair != NULL ? pair : &own;
  const graze_result result = find_pairs(scene, query, true, list);
  *found_out = result == GRAZE_OK && list->count > 0;
  graze_pairs_free(&own);
  return result;
}

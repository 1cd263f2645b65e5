/* Regions: finds pairs if necessary, and fills the caller's list. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "base/timer.h"
#include "graze/names.h"
#include "regions/region_list.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

/* Pair numbers have 31 bits: the remaining bit is the side of the pair. */
#define PAIR_LIMIT ((size_t)INT32_MAX)

/* Sets the fields of a list; after a failure, to those of an empty one. */
static graze_result fill_list(const graze_scene *scene, const graze_pair *pairs, size_t count,
                              const graze_region_options *options, stop_check *stop, graze_list_memory *list,
                              graze_regions *fields) {
  const graze_regions empty = *fields;
  if (count > 0 && pairs == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu pairs is NULL", count);
  if (count > PAIR_LIMIT)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%zu pairs: regions support at most %zu", count, PAIR_LIMIT);
  if (count == 0) return GRAZE_OK;
  graze_result result = scene_check_kinds(scene, SUPPORTS_REGIONS);
  if (result == GRAZE_OK) result = scene_check_on_host(scene);
  if (result != GRAZE_OK) return result;
  result = region_list_make(scene, pairs, count, options, stop, list, fields);
  if (result != GRAZE_OK) *fields = empty;
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the query") : result;
}

static graze_result read_options(const graze_scene *scene, const graze_region_options *given_or_null,
                                 graze_region_options *options_out) {
  const graze_result result = definition_read(&region_options_definition, given_or_null, true, options_out);
  if (result != GRAZE_OK) return result;
  if (options_out->object_names == NULL && options_out->object_name_count > 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu object names is NULL",
                      options_out->object_name_count);
  if (!options_out->depths) options_out->object_depths = false;
  return scene_check_test(scene, options_out->test);
}

static graze_result check_query(const graze_query *query, const graze_region_options *options) {
  if (query->pair_limit != 0 || query->stop_after != 0)
    return fail(GRAZE_UNSUPPORTED, "regions need all pairs: pair_limit and stop_after are not supported");
  if (query->candidates_only)
    return fail(GRAZE_UNSUPPORTED, "regions need pairs that intersect: candidates_only does not test them");
  if (query->clearance > 0.0)
    return fail(GRAZE_UNSUPPORTED, "regions need pairs that intersect: the query has a clearance of %g",
                query->clearance);
  if (options->test != GRAZE_TEST_SAT && options->test != query->test)
    return fail(GRAZE_INVALID_ARGUMENT, "the test of the options is %s, but the query measures its pairs with %s",
                graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)options->test),
                graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)query->test));
  return GRAZE_OK;
}

/* The pairs use a block of the list that regions do not. */
static graze_result find_regions(const graze_scene *scene, const graze_query *query, graze_region_options *options,
                                 graze_list_memory *list, graze_regions *fields) {
  stop_check stops, *stop = NULL;
  if (query->should_stop != NULL) {
    stop_check_init(&stops, query->should_stop, query->stop_context);
    stop = &stops;
  }
  const pair_request request = {query, stop, false, false, list};
  pair_answer answer = {0};
  options->test = query->test;
  scene_lock_device(scene);
  graze_result result = scene->backend->find(scene, &request, &answer);
  scene_unlock_device(scene);
  if (result == GRAZE_STOPPED) return scene_fail(scene, result, "the caller stopped the query");
  const double begin = timer_now_ms();
  if (result == GRAZE_OK) result = fill_list(scene, answer.pairs, answer.count, options, stop, list, fields);
  if (result != GRAZE_OK) return result;
  answer.timings.regions_ms = timer_now_ms() - begin;
  answer.counters.pairs = answer.count;
  scene_record(scene, &answer.timings, &answer.counters, list);
  fields->timings = &list->timings;
  fields->counters = &list->counters;
  return GRAZE_OK;
}

graze_result graze_scene_make_regions(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                      const graze_region_options *given, graze_regions *regions) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &regions_definition, regions, &list);
  if (result != GRAZE_OK) return result;
  graze_regions fields = {.memory = list};
  graze_region_options options;
  const double begin = timer_now_ms();
  result = read_options(scene, given, &options);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = fill_list(scene, pairs, count, &options, NULL, list, &fields);
  if (result == GRAZE_OK) {
    const graze_timings timings = {.regions_ms = timer_now_ms() - begin};
    const graze_counters counters = {.pairs = count};
    scene_record(scene, &timings, &counters, list);
    fields.timings = &list->timings;
    fields.counters = &list->counters;
  }
  answer_list_write(&regions_definition, regions, &fields);
  return result;
}

graze_result graze_scene_find_regions(const graze_scene *scene, const graze_query *given_query,
                                      const graze_region_options *given, graze_regions *regions) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &regions_definition, regions, &list);
  if (result != GRAZE_OK) return result;
  graze_regions fields = {.memory = list};
  graze_query query;
  graze_region_options options;
  result = read_options(scene, given, &options);
  if (result == GRAZE_OK) result = scene_read_query(scene, given_query, &query);
  if (result == GRAZE_OK) result = check_query(&query, &options);
  if (result == GRAZE_OK) result = find_regions(scene, &query, &options, list, &fields);
  answer_list_write(&regions_definition, regions, &fields);
  return result;
}

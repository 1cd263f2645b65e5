/* Queries: bounds, search, test, order. Everything is made for the one query, in scratch that the scene keeps for the
 * next one, and given back at its end, but the pairs. */
#include "base/float_environment.h"
#include "base/pair_order.h"
#include "base/timer.h"
#include "narrow/candidate_test.h"
#include "narrow/primitive_pair.h"
#include "scene/pairs_hash.h"
#include "scene/query_focus.h"
#include "scene/scene_device.h"
#include "scene/scene_method.h"

#include <string.h>

enum { FALSE_PAIR_GRAIN = 1024, PAIRS_BETWEEN_STOPS = 65536 };

static primitive_view view_of(const graze_scene *scene, const graze_query *query) {
  primitive_view view = scene_view(scene);
  view.between = (query->scope & GRAZE_BETWEEN) != 0;
  view.within = (query->scope & GRAZE_WITHIN) != 0;
  view.skip_neighbours = query->neighbours == GRAZE_NEIGHBOURS_SKIP;
  view.focus = query_focus_of(query);
  view.rules_differ = view.rules_differ || view.focus.object_count > 0;
  return view;
}

/* What neighbours share beyond their common corners is defined for surfaces alone. */
static graze_result check_neighbour_rule(graze_scene *scene, const graze_query *query) {
  if (query->neighbours == GRAZE_NEIGHBOURS_SKIP || (query->scope & GRAZE_WITHIN) == 0) return GRAZE_OK;
  for (uint32_t i = 0; i < scene->object_count; i++) {
    const scene_object *object = &scene_objects(scene)[i];
    if (kind_is_solid(object->elements.kind) && object->elements.count > 0 && object->rule.self)
      return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: pairs of %s within an object are found with neighbours skipped",
                        scene_label(i, object->name).text, graze_kind_text(object->elements.kind, 2));
  }
  return GRAZE_OK;
}

static graze_result read_query(graze_scene *scene, const graze_query *query_or_null, graze_query *query_out) {
  *query_out = graze_query_default();
  if (query_or_null != NULL) {
    if (query_or_null->struct_bytes == 0)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                        "struct_bytes of the query is 0: begin with graze_query_default()");
    SCENE_READ_DEF(*query_out, query_or_null);
  }
  if (query_out->scope < GRAZE_BETWEEN || query_out->scope > GRAZE_BOTH)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no scope number %d", (int)query_out->scope);
  if (query_out->neighbours != GRAZE_NEIGHBOURS_SKIP && query_out->neighbours != GRAZE_NEIGHBOURS_BEYOND)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no neighbour rule number %d",
                      (int)query_out->neighbours);
  if ((unsigned)query_out->test > GRAZE_TEST_GJK)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no pair test number %d", (int)query_out->test);
  if (!scene->updated)
    return scene_fail(scene, GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
  const graze_result result = query_focus_check(scene, query_out);
  return result == GRAZE_OK ? check_neighbour_rule(scene, query_out) : result;
}

static void record(graze_scene *scene, const search *s, const test_counts *tests, double find_ms) {
  graze_counters *counters = &scene->counters;
  counters->searched = s->searched_count;
  counters->levels = s->level_count;
  counters->box_tests = s->counts.box_tests;
  counters->candidates = s->counts.candidates;
  counters->neighbours = s->counts.neighbours;
  counters->duplicates = s->counts.duplicates;
  counters->float_decided = tests->float_decided;
  counters->double_decided = tests->double_decided;
  counters->exact_decided = tests->exact_decided;
  counters->wide_decided = tests->wide_decided;
  const double test_ms = tests->milliseconds / workers_count(scene->workers);
  scene->timings.bounds_ms = s->bounds_ms;
  scene->timings.build_ms = s->build_ms;
  scene->timings.unique_ms = s->unique_ms;
  scene->timings.test_ms = test_ms;
  const double search_ms = find_ms - s->bounds_ms - s->build_ms - s->unique_ms - test_ms;
  scene->timings.search_ms = search_ms > 0.0 ? search_ms : 0.0;
}

/* Runs the query into the sink. */
static graze_result search_scene(graze_scene *scene, const graze_query *query, stop_check *stop, pair_sink *sink) {
  memory *heap = &scene->scratch.heap;
  const uint32_t worker_count = workers_count(scene->workers);
  graze_result result = scene->search_state.row == NULL ? scene_prepare_method(scene) : GRAZE_OK;
  if (result != GRAZE_OK) return result;
  const double begin = timer_now_ms();
  const primitive_view view = view_of(scene, query);
  const bool filters = (scene->search_state.row->traits & METHOD_IS_REFERENCE) == 0;
  search s = {.view = &view, .simd = scene->simd, .memory = heap, .workers = scene->workers, .stop = stop};
  search_init_ends(&s);
  candidate_test test;
  test_lane *lanes = memory_allocate(heap, worker_count, sizeof *lanes);
  result = GRAZE_OUT_OF_MEMORY;
  if (lanes != NULL) {
    candidate_test_init(&test, &s, sink, lanes, filters, query);
    result = method_find(&scene->search_state, &s);
    const test_counts tests = candidate_test_counts(&test, worker_count);
    record(scene, &s, &tests, timer_now_ms() - begin);
  }
  memory_release(heap, lanes, worker_count, sizeof *lanes);
  return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
}

static graze_result fail_stopped(graze_scene *scene) {
  return scene_fail(scene, GRAZE_STOPPED, "the query was stopped by the caller");
}

/* Room for exactly `count` pairs in the scene's list. It is not kept from query to query: while a search runs, memory
 * is worth more to it. The scratch that a query starts with holds it. */
static bool size_pairs(graze_scene *scene, size_t count) {
  scene->pairs = memory_allocate(&scene->scratch.heap, count, sizeof *scene->pairs);
  scene->pair_capacity = scene->pairs != NULL ? count : 0;
  return scene->pairs != NULL;
}

static graze_pair public_pair(const graze_scene *scene, index_pair pair) {
  const uint32_t a = scene->headers[pair.a].object, b = scene->headers[pair.b].object;
  return (graze_pair){a, pair.a - scene_objects(scene)[a].first_primitive, b,
                      pair.b - scene_objects(scene)[b].first_primitive};
}

/* Sorts the sink's pairs into the scene's list. They are ordered as pairs of 8 bytes in the upper half of the list's
 * own memory and spread from the front: pair i is read from behind the place where it is written. */
static bool order_pairs(graze_scene *scene, const pair_sink *sink, size_t keep, stop_check *stop, uint64_t *hash_out) {
  const size_t count = pair_list_count(&sink->list);
  if (!size_pairs(scene, count)) return false;
  unsigned char *upper = (unsigned char *)scene->pairs + count * sizeof(index_pair);
  if (count > 0 && !pair_order_stoppable(&sink->list, &scene->scratch.heap, scene->workers,
                                         (uint32_t)scene->primitive_count, (index_pair *)(void *)upper, stop))
    return false;
  uint64_t hash = PAIRS_HASH_START;
  for (size_t i = 0; i < keep; i++) {
    if (i % PAIRS_BETWEEN_STOPS == 0 && stop_is_asked_for(stop)) return false;
    index_pair pair;
    memcpy(&pair, upper + i * sizeof pair, sizeof pair);
    scene->pairs[i] = public_pair(scene, pair);
    hash = pairs_hash_next(hash, &scene->pairs[i]);
  }
  scene->pair_count = keep;
  *hash_out = hash;
  return true;
}

static graze_result find_into(graze_scene *scene, const graze_query *query, stop_check *stop, pair_sink *sink,
                              graze_pairs *pairs_out) {
  graze_result result = search_scene(scene, query, stop, sink);
  if (result != GRAZE_OK) return result;
  const double begin = timer_now_ms();
  bool trimmed;
  if (!pair_sink_finish(sink, &scene->scratch.heap, &trimmed)) return scene_fail_memory(scene);
  const size_t found = pair_list_count(&sink->list);
  const bool over = query->pair_limit != 0 && found > query->pair_limit;
  size_t keep = over ? query->pair_limit : found;
  if (query->stop_after != 0 && keep > query->stop_after) keep = query->stop_after;
  uint64_t hash;
  if (!order_pairs(scene, sink, keep, stop, &hash))
    return stop_was_asked_for(stop) ? GRAZE_STOPPED : scene_fail_memory(scene);
  scene->counters.pairs = scene->pair_count;
  scene->timings.order_ms = timer_now_ms() - begin;
  *pairs_out = (graze_pairs){scene->pairs, scene->pair_count, hash, over || trimmed};
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- an inexact test
 * compared
 */

typedef struct false_work {
  const graze_scene *scene;
  primitive_view view;
  memory *heap; /* for scratch */
  stop_check *stop;
  _Atomic(uint64_t) false_pairs; /* a sum: the order of its terms does not matter */
} false_work;

static void false_range(void *context, size_t first, size_t end, uint32_t worker) {
  false_work *work = context;
  const scene_object *objects = scene_objects(work->scene);
  uint64_t count = 0;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_asked_for(work->stop); i++) {
    const graze_pair *pair = &work->scene->pairs[i];
    const index_pair numbers = {objects[pair->object_a].first_primitive + pair->primitive_a,
                                objects[pair->object_b].first_primitive + pair->primitive_b};
    orientation_tally tally = {0};
    count += !primitive_pair_meets(&work->view, numbers, GRAZE_TEST_SAT, false, work->heap, &tally);
  }
  atomic_fetch_add(&work->false_pairs, count);
}

/* How many of the pairs found do not meet; its time is in no stage. */
static void count_false_pairs(graze_scene *scene, stop_check *stop) {
  false_work work = {.scene = scene,
                     .stop = stop,
                     .heap = &scene->scratch.heap,
                     .view = {.headers = scene->headers, .sources = scene->sources}};
  workers_for(scene->workers, scene->pair_count, FALSE_PAIR_GRAIN, false_range, &work);
  scene->counters.false_pairs = atomic_load(&work.false_pairs);
}

static graze_result count_false_found(graze_scene *scene, const graze_query *query, stop_check *stop) {
  if (query->test != GRAZE_TEST_SAT_NO_EDGES || query->candidates_only) return GRAZE_OK;
  const graze_result result = scene_catch_up(scene);
  if (result == GRAZE_OK) count_false_pairs(scene, stop);
  return result == GRAZE_OK && stop_was_asked_for(stop) ? GRAZE_STOPPED : result;
}

/* Forgets what an earlier query left; the update's part stays. */
static void begin_query(graze_scene *scene, const graze_query *query) {
  scene->last_test = query->test;
  scene->timings = (graze_timings){.update_ms = scene->timings.update_ms};
  scene->counters = scene_update_counters(scene);
  memory_release(&scene->scratch.heap, scene->pairs, scene->pair_capacity, sizeof *scene->pairs);
  scene->pairs = NULL;
  scene->pair_capacity = scene->pair_count = 0;
  scene->contacts.count = 0;
  scene->contact_points.count = 0;
}

static graze_result find_on_host(graze_scene *scene, const graze_query *query, stop_check *stop,
                                 graze_pairs *pairs_out) {
  pair_sink sink;
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (pair_sink_init(&sink, &scene->scratch.heap, workers_count(scene->workers), query->pair_limit, false)) {
    pair_sink_set_enough(&sink, query->stop_after);
    result = find_into(scene, query, stop, &sink, pairs_out);
  } else {
    result = scene_fail_memory(scene);
  }
  pair_sink_release(&sink, &scene->scratch.heap);
  return result;
}

/* A device finds all pairs: of those any as many as are enough are the first. */
static graze_result find_on_device(graze_scene *scene, graze_query query, stop_check *stop, graze_pairs *pairs_out) {
  if (stop_is_asked_for(stop)) return GRAZE_STOPPED;
  if (query.stop_after != 0) query.pair_limit = query.stop_after;
  const graze_result result = scene_device_find(scene, &query, pairs_out);
  if (query.stop_after != 0) pairs_out->limit_reached = false;
  return result == GRAZE_OK && stop_is_asked_for(stop) ? GRAZE_STOPPED : result;
}

/* The stop of a query, or NULL where it has none. */
static stop_check *stop_of(const graze_query *query, stop_check *stop_out) {
  if (query->should_stop == NULL) return NULL;
  stop_check_init(stop_out, query->should_stop, query->stop_context);
  return stop_out;
}

graze_result graze_scene_find_pairs(graze_scene *scene, const graze_query *query_in, graze_pairs *pairs_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL || pairs_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *pairs_out = (graze_pairs){0};
  graze_query query;
  graze_result result = read_query(scene, query_in, &query);
  if (result != GRAZE_OK) return result;
  begin_query(scene, &query);
  stop_check stops, *stop = stop_of(&query, &stops);
  result = scene->device != NULL ? find_on_device(scene, query, stop, pairs_out)
                                 : find_on_host(scene, &query, stop, pairs_out);
  if (result == GRAZE_OK) result = count_false_found(scene, &query, stop);
  if (result != GRAZE_STOPPED) return result;
  *pairs_out = (graze_pairs){0};
  scene->pair_count = 0;
  return fail_stopped(scene);
}

/* A device finds all pairs as fast as one; the first in order is as good as any. */
static graze_result any_on_device(graze_scene *scene, graze_query query, bool *found_out, graze_pair *pair_out) {
  graze_pairs pairs = {0};
  query.pair_limit = 1;
  const graze_result result = scene_device_find(scene, &query, &pairs);
  *found_out = result == GRAZE_OK && pairs.count > 0;
  if (*found_out && pair_out != NULL) *pair_out = pairs.pairs[0];
  scene->pair_count = 0;
  return result;
}

graze_result graze_scene_any_pair(graze_scene *scene, const graze_query *query_in, bool *found_out,
                                  graze_pair *pair_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL || found_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *found_out = false;
  graze_query query;
  graze_result result = read_query(scene, query_in, &query);
  if (result != GRAZE_OK) return result;
  begin_query(scene, &query);
  stop_check stops, *stop = stop_of(&query, &stops);
  if (scene->device != NULL)
    return stop_is_asked_for(stop) ? fail_stopped(scene) : any_on_device(scene, query, found_out, pair_out);
  pair_sink sink;
  index_pair pair;
  result = pair_sink_init(&sink, &scene->scratch.heap, workers_count(scene->workers), 0, true)
               ? search_scene(scene, &query, stop, &sink)
               : scene_fail_memory(scene);
  if (result == GRAZE_OK && pair_sink_first(&sink, &pair)) {
    *found_out = true;
    scene->counters.pairs = 1;
    if (pair_out != NULL) *pair_out = public_pair(scene, pair);
  }
  pair_sink_release(&sink, &scene->scratch.heap);
  return result == GRAZE_STOPPED ? fail_stopped(scene) : result;
}

graze_result graze_scene_find_pairs_on_device(graze_scene *scene, const graze_query *query_in,
                                              graze_device_pairs *pairs_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL || pairs_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *pairs_out = (graze_device_pairs){0};
  graze_query query;
  const graze_result result = read_query(scene, query_in, &query);
  if (result != GRAZE_OK) return result;
  if (scene->device == NULL)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "the scene has no device: the processor runs it");
  begin_query(scene, &query);
  return scene_device_find_there(scene, &query, pairs_out);
}

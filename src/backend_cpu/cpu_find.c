/* Queries on the processor: bounds, search, test, order. All memory of a query comes from the scene's scratch and is
 * returned at its end; the pairs are written to the caller's list.
 *
 * Any number of threads may run queries of one scene at the same time. They modify only the scratch of the scene and
 * the notes of its method, each of which has a lock. */
#include "backend_cpu/cpu_find.h"

#include "backend/backend.h"
#include "backend_cpu/cpu_state.h"
#include "backend_cpu/pair_listing.h"
#include "backend_cpu/query_view.h"
#include "base/pair_order.h"
#include "base/timer.h"
#include "base/workers.h"
#include "methods/method_table.h"
#include "narrow/candidate_test.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

static void record_search(const graze_scene *scene, const search *s, const test_counts *tests, double find_ms,
                          graze_timings *timings, graze_counters *counters) {
  counters->searched = s->searched_count;
  counters->levels = s->level_count;
  counters->clusters = s->cluster_count;
  counters->members = s->member_count;
  counters->members_1 = s->in_clusters[0];
  counters->members_2 = s->in_clusters[1];
  counters->members_3 = s->in_clusters[2];
  counters->members_4 = s->in_clusters[3];
  counters->box_tests = s->counts.box_tests;
  counters->candidates = s->counts.candidates;
  counters->neighbors = s->counts.neighbors;
  counters->duplicates = s->counts.duplicates;
  counters->float_decided = tests->float_decided;
  counters->double_decided = tests->double_decided;
  counters->exact_decided = tests->exact_decided;
  counters->wide_decided = tests->wide_decided;
  const double test_ms = tests->milliseconds / workers_count(scene->workers);
  timings->bounds_ms = s->bounds_ms;
  timings->build_ms = s->build_ms;
  timings->order_ms = s->order_ms;
  timings->test_ms = test_ms;
  const double search_ms = find_ms - s->bounds_ms - s->build_ms - s->order_ms - test_ms;
  timings->search_ms = search_ms > 0.0 ? search_ms : 0.0;
}

/* One per worker if the query is for pairs of objects, otherwise NULL; sets *failed_out when out of memory. */
static known_objects *make_known(memory *heap, const pair_request *request, uint32_t worker_count, bool *failed_out) {
  known_objects *known = request->objects_only ? memory_allocate(heap, worker_count, sizeof *known) : NULL;
  *failed_out = request->objects_only && known == NULL;
  for (uint32_t i = 0; known != NULL && i < worker_count; i++) known[i] = (known_objects){0};
  return known;
}

static void release_known(memory *heap, known_objects *known, uint32_t worker_count) {
  for (uint32_t i = 0; known != NULL && i < worker_count; i++) pair_set_release(&known[i].pairs, heap);
  memory_release(heap, known, worker_count, sizeof *known);
}

/* Whether one pair is enough, of all or of each two objects, and within a clearance. Clusters list all pairs of grown
 * boxes, which a large clearance makes by the million; the grid skips crowds. */
static bool is_for_grid(const method *row, const pair_request *request) {
  return (request->first_only || request->objects_only) && request->query->clearance > 0.0 &&
         method_has_traits(row, METHOD_KEEPS_STATE | METHOD_NEEDS_BOXES);
}

/* Runs the query; pairs go to the sink. */
static graze_result search_scene(const graze_scene *scene, const pair_request *request, pair_sink *sink,
                                 graze_timings *timings, graze_counters *counters) {
  memory *heap = scene_scratch(scene);
  const uint32_t worker_count = workers_count(scene->workers);
  const double begin = timer_now_ms();
  primitive_view view;
  primitive_box *grown = NULL;
  const bool has_view = query_view_make(scene, request->query, heap, &view, &grown);
  method_state *state = &cpu_state_of(scene)->search, grid = {.row = &method_grid};
  if (is_for_grid(state->row, request)) state = &grid;
  const uint32_t traits = state->row->traits;
  /* Piecewise-mapped coordinates are filtered by boxes, which not every method builds. The clearance filter reads
   * the given coordinates. */
  const bool has_rounded = view.rounded_vertices != NULL && (view.slots == 0.0f || (traits & METHOD_NEEDS_BOXES) != 0);
  const bool filters = (traits & METHOD_IS_REFERENCE) == 0 && (view.clearance > 0.0 || has_rounded);
  search s = {.view = &view,
              .simd = scene->simd,
              .memory = heap,
              .workers = scene->workers,
              .stop = request->stop,
              .one_is_enough = request->first_only,
              .one_of_each = request->objects_only,
              /* If objects have numbers in common, two pairs of objects may be the same pair of the list. */
              .each_enough = request->objects_only && scene->by_number.count == 0 ? request->query->stop_after : 0,
              .by_boxes = request->query->candidates_only};
  search_init_ends(&s);
  candidate_test test;
  test_lane *lanes = memory_allocate(heap, worker_count, sizeof *lanes);
  bool failed;
  s.known = make_known(heap, request, worker_count, &failed);
  const bool has_rings = view.clearance > 0.0 && view.within && request->query->clearance_rings > 1;
  mesh_rings rings = {0};
  if (has_rings)
    failed = !mesh_rings_make(&rings, &view, request->query->clearance_rings, worker_count, heap) || failed;
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (lanes != NULL && !failed && has_view) {
    candidate_test_init(&test, &s, sink, lanes, filters, request->query);
    if (has_rings) test.rings = &rings;
    result = method_find(state, &s);
    const test_counts tests = candidate_test_counts(&test, worker_count);
    record_search(scene, &s, &tests, timer_now_ms() - begin, timings, counters);
  }
  mesh_rings_release(&rings, heap);
  release_known(heap, s.known, worker_count);
  memory_release(heap, lanes, worker_count, sizeof *lanes);
  query_view_release(&view, heap, grown);
  return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
}

/* Sorts the sink's pairs into the list: as packed numbers in the upper half of its memory, then expanded in place. */
static bool order_pairs(const graze_scene *scene, const pair_request *request, const pair_sink *sink, size_t keep,
                        pair_answer *answer) {
  const size_t count = pair_list_count(&sink->list);
  graze_pair *pairs = answer_list_reserve(request->list, BLOCK_PAIRS, count, sizeof *pairs);
  if (pairs == NULL) return false;
  first_touch(scene->workers, pairs, count * sizeof *pairs);
  if (count > 0 &&
      !pair_order_stoppable(&sink->list, scene_scratch(scene), scene->workers, (uint32_t)scene->primitive_count,
                            pair_listing_numbers(pairs, count), request->stop))
    return false;
  answer->pairs = pairs;
  answer->count = keep;
  return pair_listing_spread(scene, pairs, count, keep, request->stop, &answer->hash);
}

static graze_result find_all(const graze_scene *scene, const pair_request *request, pair_sink *sink,
                             pair_answer *answer) {
  const graze_query *query = request->query;
  pair_sink_set_enough(sink, query->stop_after);
  const graze_result result = search_scene(scene, request, sink, &answer->timings, &answer->counters);
  if (result != GRAZE_OK) return result;
  const double begin = timer_now_ms();
  bool trimmed;
  if (!pair_sink_finish(sink, scene_scratch(scene), &trimmed)) return scene_fail_memory(scene);
  const size_t found = pair_list_count(&sink->list);
  const bool over = query->pair_limit != 0 && found > query->pair_limit;
  size_t keep = over ? query->pair_limit : found;
  if (query->stop_after != 0 && keep > query->stop_after) keep = query->stop_after;
  if (!order_pairs(scene, request, sink, keep, answer))
    return stop_was_requested(request->stop) ? GRAZE_STOPPED : scene_fail_memory(scene);
  answer->limit_reached = over || trimmed;
  answer->timings.order_ms += timer_now_ms() - begin;
  return GRAZE_OK;
}

static graze_result find_first(const graze_scene *scene, const pair_request *request, pair_sink *sink,
                               pair_answer *answer) {
  const graze_result result = search_scene(scene, request, sink, &answer->timings, &answer->counters);
  index_pair first;
  if (result != GRAZE_OK || !pair_sink_first(sink, &first)) return result;
  graze_pair *pair = answer_list_reserve(request->list, BLOCK_PAIRS, 1, sizeof *pair);
  if (pair == NULL) return scene_fail_memory(scene);
  *pair = scene_public_pair(scene, first, (public_number[2]){{0}});
  answer->pairs = pair;
  answer->count = 1;
  answer->hash = graze_pairs_hash(pair, 1);
  return GRAZE_OK;
}

graze_result cpu_find(const graze_scene *scene, const pair_request *request, pair_answer *answer) {
  pair_sink sink;
  const size_t limit = request->first_only ? 0 : request->query->pair_limit;
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (!pair_sink_init(&sink, scene_scratch(scene), workers_count(scene->workers), limit, request->first_only))
    result = scene_fail_memory(scene);
  else {
    sink.ranks = scene_ranks(scene);
    result = request->first_only ? find_first(scene, request, &sink, answer) : find_all(scene, request, &sink, answer);
  }
  pair_sink_release(&sink, scene_scratch(scene));
  return result;
}

/* ---------------------------------------------------------------------------------------------- objects */

/* Sorts the sink's object pairs, which have the scene's numbers of objects; public numbers may be in another order. */
static graze_result list_objects(const graze_scene *scene, const pair_sink *sink, object_pair_answer *answer) {
  const scene_object *objects = scene_objects(scene);
  const size_t count = pair_list_count(&sink->list);
  answer->keys = memory_allocate(scene_scratch(scene), 2 * count, sizeof *answer->keys);
  if (answer->keys == NULL) return scene_fail_memory(scene);
  for (uint32_t worker = 0; worker < sink->worker_count; worker++)
    for (const pair_chunk *chunk = pair_list_first_chunk(&sink->list, worker); chunk != NULL; chunk = chunk->next)
      for (size_t i = 0; i < chunk->count; i++) {
        const uint32_t a = objects[chunk->pairs[i].a].public_object, b = objects[chunk->pairs[i].b].public_object;
        answer->keys[answer->count++] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
      }
  return GRAZE_OK;
}

graze_result cpu_find_object_pairs(const graze_scene *scene, const pair_request *request, object_pair_answer *answer) {
  pair_sink sink;
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (!pair_sink_init(&sink, scene_scratch(scene), workers_count(scene->workers), 0, false))
    result = scene_fail_memory(scene);
  else
    result = search_scene(scene, request, &sink, &answer->timings, &answer->counters);
  if (result == GRAZE_OK) result = list_objects(scene, &sink, answer);
  pair_sink_release(&sink, scene_scratch(scene));
  return result;
}

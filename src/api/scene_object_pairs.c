/* Touching objects: reads and checks graze_scene_find_object_pairs, passes it to the backend, and sorts the answer.
 *
 * Workload: some thousand pairs of some ten thousand objects; for a backend that lists pairs of primitives first, up to
 * millions of those. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "base/pair_hash.h"
#include "base/radix_sort.h"
#include "base/timer.h"
#include "scene/scene_failure.h"

/* Whether the objects of a pair differ from those of the previous one. */
static bool is_new(const pair_answer *found, size_t i) {
  const graze_pair *pair = &found->pairs[i];
  return i == 0 || pair[-1].object_a != pair->object_a || pair[-1].object_b != pair->object_b;
}

/* For a backend without object pairs: lists all pairs, and takes one of each run of pairs with the same objects. */
static graze_result reduce_pairs(const graze_scene *scene, const pair_request *request, object_pair_answer *answer) {
  graze_query all = *request->query;
  all.pair_limit = 0;
  all.stop_after = 0;
  const pair_request listing = {&all, request->stop, false, false, request->list};
  pair_answer found = {0};
  const graze_result result = scene->backend->find(scene, &listing, &found);
  if (result != GRAZE_OK) return result;
  answer->timings = found.timings;
  answer->counters = found.counters;
  size_t count = 0;
  for (size_t i = 0; i < found.count; i++) count += is_new(&found, i);
  answer->keys = memory_allocate(scene_scratch(scene), 2 * count, sizeof *answer->keys);
  if (answer->keys == NULL) return scene_fail_memory(scene);
  for (size_t i = 0; i < found.count; i++)
    if (is_new(&found, i))
      answer->keys[answer->count++] = (uint64_t)found.pairs[i].object_a << 32 | found.pairs[i].object_b;
  return GRAZE_OK;
}

static graze_result search_objects(const graze_scene *scene, const pair_request *request, object_pair_answer *answer) {
  scene_lock_device(scene);
  const graze_result result = scene->backend->object_pairs != NULL
                                  ? scene->backend->object_pairs(scene, request, answer)
                                  : reduce_pairs(scene, request, answer);
  scene_unlock_device(scene);
  return result;
}

/* Sorts the keys and removes duplicates; false if a stop was requested. */
static bool order_objects(const graze_scene *scene, stop_check *stop, object_pair_answer *answer) {
  uint64_t *keys = answer->keys;
  const size_t count = answer->count;
  radix_sort_keys_stoppable(keys, keys + count, count, 64, scene_scratch(scene), scene->workers, stop);
  answer->count = 0;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || keys[i] != keys[answer->count - 1]) keys[answer->count++] = keys[i];
  return !stop_was_requested(stop);
}

/* Converts the first `keep` of them to public pairs; NULL when out of memory. */
static const graze_object_pair *list_objects(const uint64_t *keys, size_t keep, graze_list_memory *list,
                                             uint64_t *hash_out) {
  graze_object_pair *pairs = answer_list_reserve(list, BLOCK_OBJECT_PAIRS, keep, sizeof *pairs);
  *hash_out = 0;
  for (size_t i = 0; i < keep && pairs != NULL; i++) {
    pairs[i] = (graze_object_pair){(uint32_t)(keys[i] >> 32), (uint32_t)keys[i]};
    *hash_out += pair_hash((graze_pair){pairs[i].object_a, 0, pairs[i].object_b, 0});
  }
  return pairs;
}

/* Sorts an answer and writes it to the caller's list. */
static graze_result fill(const graze_scene *scene, const pair_request *request, object_pair_answer *answer,
                         graze_object_pairs *fields) {
  const graze_query *query = request->query;
  graze_list_memory *list = request->list;
  const double begin = timer_now_ms();
  if (!order_objects(scene, request->stop, answer)) return GRAZE_STOPPED;
  size_t keep = answer->count;
  if (query->pair_limit != 0 && keep > query->pair_limit) keep = query->pair_limit;
  if (query->stop_after != 0 && keep > query->stop_after) keep = query->stop_after;
  uint64_t hash;
  const graze_object_pair *pairs = list_objects(answer->keys, keep, list, &hash);
  if (pairs == NULL) return scene_fail_memory(scene);
  *fields = (graze_object_pairs){.pairs = pairs,
                                 .count = keep,
                                 .hash = hash,
                                 .limit_reached = query->pair_limit != 0 && answer->count > query->pair_limit,
                                 .timings = &list->timings,
                                 .counters = &list->counters,
                                 .memory = list};
  answer->timings.order_ms += timer_now_ms() - begin;
  answer->counters.pairs = keep;
  scene_record(scene, &answer->timings, &answer->counters, list);
  return GRAZE_OK;
}

static graze_result run_query(const graze_scene *scene, const graze_query *query, graze_list_memory *list,
                              graze_object_pairs *fields) {
  stop_check stops, *stop = NULL;
  if (query->should_stop != NULL) {
    stop_check_init(&stops, query->should_stop, query->stop_context);
    stop = &stops;
  }
  const pair_request request = {query, stop, false, true, list};
  object_pair_answer answer = {0};
  graze_result result = search_objects(scene, &request, &answer);
  const size_t room = 2 * answer.count;
  if (result == GRAZE_OK) result = fill(scene, &request, &answer, fields);
  memory_release(scene_scratch(scene), answer.keys, room, sizeof *answer.keys);
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the query") : result;
}

graze_result graze_scene_find_object_pairs(const graze_scene *scene, const graze_query *given,
                                           graze_object_pairs *object_pairs) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (object_pairs == NULL) return scene_fail_null("list of object pairs");
  graze_list_memory *list = object_pairs->memory;
  graze_result result = scene_open_list(scene, &object_pairs_definition, object_pairs, &list);
  if (result != GRAZE_OK) return result;
  graze_object_pairs fields = {.memory = list};
  graze_query query;
  result = scene_read_query(scene, given, &query);
  if (result == GRAZE_OK) result = run_query(scene, &query, list, &fields);
  answer_list_write(&object_pairs_definition, object_pairs, &fields);
  return result;
}

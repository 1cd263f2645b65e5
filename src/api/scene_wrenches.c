/* Forces and torques between solids, from the volumes that their pairs share.
 *
 * Pairs are measured in parallel; sums do not depend on the order of their terms (geometry/push_sum.h). */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "api/scene_contacts.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "graze/names.h"
#include "narrow/push_rule.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_wrenches(const void *a, const void *b) {
  const graze_wrench *x = a, *y = b;
  if (x->object_a != y->object_a) return x->object_a < y->object_a ? -1 : 1;
  return (x->object_b > y->object_b) - (x->object_b < y->object_b);
}

static bool is_last(const array *wrenches, const graze_wrench *wrench) {
  return wrenches->count > 0 && compare_wrenches(ARRAY_AS(graze_wrench, wrenches) + wrenches->count - 1, wrench) == 0;
}

/* A wrench for every two objects that push, without sums, in order. Pairs of one primitive come together, so that most
 * repetitions are seen at once; the rest goes with the sort. */
static bool name_wrenches(const graze_contact *pushes, size_t count, memory *heap, array *wrenches) {
  for (size_t i = 0; i < count; i++) {
    if (pushes[i].kind != GRAZE_CONTACT_KIND_VOLUME) continue;
    const graze_wrench wrench = {.object_a = pushes[i].pair.object_a, .object_b = pushes[i].pair.object_b};
    if (is_last(wrenches, &wrench)) continue;
    if (!array_push(wrenches, heap, &wrench)) return false;
  }
  graze_wrench *named = wrenches->data;
  if (wrenches->count > 1) qsort(named, wrenches->count, sizeof *named, compare_wrenches);
  size_t kept = 0;
  for (size_t i = 0; i < wrenches->count; i++)
    if (kept == 0 || compare_wrenches(&named[kept - 1], &named[i]) != 0) named[kept++] = named[i];
  wrenches->count = kept;
  return true;
}

/* The place of a contact's objects among the wrenches. */
static size_t place_of(const graze_contact *push, const graze_wrench *wrenches, size_t wrench_count) {
  const graze_wrench key = {.object_a = push->pair.object_a, .object_b = push->pair.object_b};
  const graze_wrench *found = bsearch(&key, wrenches, wrench_count, sizeof key, compare_wrenches);
  return (size_t)(found - wrenches);
}

static void sum_pushes(const graze_contact *pushes, size_t count, const push_rule *rule, const array *wrenches,
                       push_sum *sums) {
  for (size_t i = 0; i < count; i++) {
    if (pushes[i].kind != GRAZE_CONTACT_KIND_VOLUME) continue;
    const push_terms terms = push_terms_of(&pushes[i], rule);
    note_highest(&sums[place_of(&pushes[i], wrenches->data, wrenches->count)], &terms);
  }
  for (size_t i = 0; i < count; i++) {
    if (pushes[i].kind != GRAZE_CONTACT_KIND_VOLUME) continue;
    const push_terms terms = push_terms_of(&pushes[i], rule);
    add_terms(&sums[place_of(&pushes[i], wrenches->data, wrenches->count)], &terms);
  }
}

static void write_wrench(const push_sum *sum, graze_wrench *wrench) {
  const push_total total = push_sum_total(sum);
  wrench->pair_count = sum->count;
  wrench->volume = total.volume;
  memcpy(wrench->centroid, total.centroid, sizeof wrench->centroid);
  memcpy(wrench->force, total.force, sizeof wrench->force);
  memcpy(wrench->torque, total.torque, sizeof wrench->torque);
}

static push_rule rule_of(const graze_wrench_options *options) {
  return (push_rule){.stiffness = options->stiffness,
                     .about = {options->about[0], options->about[1], options->about[2]},
                     .by_area = options->force == GRAZE_FORCE_GRADIENT};
}

/* The sums, in scratch, are copied into the list at their end: how many there are is known only then. */
static graze_result sum(const graze_scene *scene, const graze_contact *pushes, size_t count,
                        const graze_wrench_options *options, graze_list_memory *list, graze_wrenches *fields) {
  memory *heap = scene_scratch(scene);
  array wrenches;
  array_init(&wrenches, sizeof(graze_wrench));
  graze_wrench *kept = NULL;
  push_sum *sums = NULL;
  const push_rule rule = rule_of(options);
  const bool named = name_wrenches(pushes, count, heap, &wrenches);
  if (named) sums = memory_allocate(heap, wrenches.count, sizeof *sums);
  if (sums != NULL) kept = answer_list_room(list, BLOCK_POINTS, wrenches.count, sizeof *kept);
  if (kept != NULL) {
    memset(sums, 0, wrenches.count * sizeof *sums);
    sum_pushes(pushes, count, &rule, &wrenches, sums);
    for (size_t i = 0; i < wrenches.count; i++) {
      kept[i] = ARRAY_AS(graze_wrench, &wrenches)[i];
      write_wrench(&sums[i], &kept[i]);
    }
    fields->wrenches = kept;
    fields->count = wrenches.count;
  }
  memory_release(heap, sums, wrenches.count, sizeof *sums);
  array_release(&wrenches, heap);
  return kept != NULL ? GRAZE_OK : scene_fail_memory(scene);
}

static graze_result check_options(const graze_scene *scene, const graze_wrench_options *options) {
  if (!isfinite(options->stiffness))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the stiffness is %g; it must be finite", options->stiffness);
  const graze_result result = scene_check_test(scene, options->test);
  if (result != GRAZE_OK) return result;
  if (options->force != GRAZE_FORCE_VOLUME && options->force != GRAZE_FORCE_GRADIENT)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no force %d", (int)options->force);
  for (int axis = 0; axis < 3; axis++)
    if (!isfinite(options->about[axis]))
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "coordinate %c of the point of the torques is %g", "xyz"[axis],
                        options -> about[axis]);
  return GRAZE_OK;
}

/* Only what two spheres share has a known gradient. */
static graze_result check_gradients(const graze_scene *scene, const graze_contact *pushes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    index_pair numbers;
    if (pushes[i].kind != GRAZE_CONTACT_KIND_VOLUME || !scene_pair_numbers(scene, &pushes[i].pair, &numbers)) continue;
    const graze_kind kind = scene->sources[scene_owner(scene, numbers.a)].kind;
    if (!kind_is_ball(kind))
      return scene_fail(scene, GRAZE_UNSUPPORTED, "pair %zu has %s: the force gradient supports only spheres", i,
                        graze_kind_text(kind, 2));
  }
  return GRAZE_OK;
}

graze_result graze_scene_sum_wrenches(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                      const graze_wrench_options *given, graze_wrenches *wrenches) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (wrenches == NULL) return scene_fail_null("list of wrenches");
  graze_list_memory *list = wrenches->memory;
  graze_result result = scene_open_list(scene, &wrenches_definition, wrenches, &list);
  if (result != GRAZE_OK) return result;
  graze_wrenches fields = {.element_bytes = sizeof(graze_wrench), .memory = list};
  graze_wrench_options options;
  contact_answer answer = {0};
  result = definition_read(&wrench_options_definition, given, true, &options);
  if (result == GRAZE_OK) result = check_options(scene, &options);
  if (result == GRAZE_OK)
    result = scene_ask_contacts(
        scene,
        &(contact_request){.pairs = pairs, .count = count, .test = options.test, .only_pushes = true, .list = list},
        &answer);
  if (result == GRAZE_OK && options.force == GRAZE_FORCE_GRADIENT)
    result = check_gradients(scene, answer.contacts, count);
  if (result == GRAZE_OK) result = sum(scene, answer.contacts, count, &options, list, &fields);
  if (result == GRAZE_OK) {
    list->timings = (graze_timings){
        .struct_bytes = sizeof(graze_timings), .update_ms = scene->update_ms, .contacts_ms = answer.milliseconds};
    fields.timings = &list->timings;
  }
  answer_list_write(&wrenches_definition, wrenches, &fields);
  return result;
}

/* ---------------------------------------------------------------------------------------------- a query's wrenches */

enum { MOST_OBJECTS = 64 }; /* of a table with a place for every two */

/* Whether the scene's backend sums up by itself: objects are few and have their own numbers, and what a gradient cannot
 * be told of is not there. */
static bool backend_sums(const graze_scene *scene, const graze_wrench_options *options) {
  bool sums = scene->backend->pushes != NULL && scene->object_count <= MOST_OBJECTS && scene->by_number.count == 0;
  for (size_t i = 0; i < scene->object_count && sums && options->force == GRAZE_FORCE_GRADIENT; i++) {
    const graze_kind kind = scene->sources[i].kind;
    sums = kind_is_ball(kind) || !kind_is_solid(kind);
  }
  return sums;
}

static size_t count_sums(const push_sum *sums, size_t places) {
  size_t count = 0;
  for (size_t i = 0; i < places; i++) count += sums[i].count > 0;
  return count;
}

static graze_result write_sums(const graze_scene *scene, const push_sum *sums, size_t places, graze_list_memory *list,
                               graze_wrenches *fields) {
  const size_t count = count_sums(sums, places), objects = scene->object_count;
  graze_wrench *kept = answer_list_room(list, BLOCK_POINTS, count, sizeof *kept);
  if (kept == NULL) return scene_fail_memory(scene);
  fields->wrenches = kept;
  fields->count = count;
  for (size_t i = 0; i < places; i++) {
    if (sums[i].count == 0) continue;
    *kept = (graze_wrench){.object_a = (uint32_t)(i / objects), .object_b = (uint32_t)(i % objects)};
    write_wrench(&sums[i], kept++);
  }
  return GRAZE_OK;
}

/* By the backend, without a list of pairs. */
static graze_result sum_there(const graze_scene *scene, const graze_query *query, const graze_wrench_options *options,
                              graze_list_memory *list, graze_wrenches *fields) {
  memory *heap = scene_scratch(scene);
  const size_t places = scene->object_count * scene->object_count;
  push_answer answer = {.sums = memory_allocate(heap, places, sizeof(push_sum))};
  if (answer.sums == NULL) return scene_fail_memory(scene);
  stop_check stops;
  stop_check_init(&stops, query->should_stop, query->stop_context);
  const push_request request = {query, query->should_stop != NULL ? &stops : NULL, rule_of(options)};
  graze_result result = stop_is_asked_for(request.stop) ? fail(GRAZE_STOPPED, "the caller stopped the query")
                                                        : scene->backend->pushes(scene, &request, &answer);
  if (result == GRAZE_OK) result = write_sums(scene, answer.sums, places, list, fields);
  if (result == GRAZE_OK) scene_record(scene, &answer.timings, &answer.counters, list);
  if (result == GRAZE_OK) fields->timings = &list->timings;
  memory_release(heap, answer.sums, places, sizeof(push_sum));
  return result;
}

/* A list of pairs first, in the block of the wrenches' list that is left: frames that are alike allocate nothing. */
static graze_result find_and_sum(const graze_scene *scene, const graze_query *query,
                                 const graze_wrench_options *options, graze_wrenches *wrenches) {
  graze_pairs pairs = {.memory = wrenches->memory};
  graze_wrench_options asked = *options;
  asked.test = query->test;
  graze_result result = graze_scene_find_pairs(scene, query, &pairs);
  if (result == GRAZE_OK) result = graze_scene_sum_wrenches(scene, pairs.pairs, pairs.count, &asked, wrenches);
  return result;
}

static graze_result find_wrenches(const graze_scene *scene, const graze_query *given_query,
                                  const graze_wrench_options *given, graze_wrenches *wrenches) {
  graze_query query;
  graze_wrench_options options;
  graze_list_memory *list = wrenches->memory;
  graze_result result = scene_open_list(scene, &wrenches_definition, wrenches, &list);
  if (result != GRAZE_OK) return result;
  graze_wrenches fields = {.element_bytes = sizeof(graze_wrench), .memory = list};
  answer_list_write(&wrenches_definition, wrenches, &fields);
  result = definition_read(&wrench_options_definition, given, true, &options);
  if (result == GRAZE_OK) result = check_options(scene, &options);
  if (result == GRAZE_OK) result = scene_read_query(scene, given_query, &query);
  if (result == GRAZE_OK && (query.pair_limit != 0 || query.stop_after != 0))
    result = fail(GRAZE_UNSUPPORTED, "wrenches need all pairs: pair_limit and stop_after are not supported");
  if (result == GRAZE_OK && query.clearance > 0.0)
    result =
        fail(GRAZE_UNSUPPORTED, "wrenches need pairs that intersect: the query has a clearance of %g", query.clearance);
  if (result == GRAZE_OK && options.test != GRAZE_TEST_SAT && options.test != query.test)
    result = fail(GRAZE_INVALID_ARGUMENT, "the test of the options is %s, but the query measures its pairs with %s",
                  graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)options.test),
                  graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)query.test));
  if (result != GRAZE_OK) return result;
  if (!backend_sums(scene, &options)) return find_and_sum(scene, &query, &options, wrenches);
  scene_take_turn(scene);
  result = sum_there(scene, &query, &options, list, &fields);
  scene_end_turn(scene);
  answer_list_write(&wrenches_definition, wrenches, &fields);
  return result;
}

graze_result graze_scene_find_wrenches(const graze_scene *scene, const graze_query *query,
                                       const graze_wrench_options *options, graze_wrenches *wrenches) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (wrenches == NULL) return scene_fail_null("list of wrenches");
  return find_wrenches(scene, query, options, wrenches);
}

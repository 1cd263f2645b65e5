/* The public calls for wrenches: forces and torques between solids, from the volumes that their pairs share.
 *
 * Pairs are measured in parallel; sums do not depend on the order of their terms (geometry/wrench_sum.h). */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "api/scene_contacts.h"
#include "base/float_environment.h"
#include "base/unique_sort.h"
#include "graze/inside/parts.h"
#include "graze/names.h"
#include "narrow/pair_measure.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)FORCE_BY_VOLUME == GRAZE_FORCE_VOLUME && (int)FORCE_BY_GRADIENT == GRAZE_FORCE_GRADIENT &&
                   (int)FORCE_BY_BOTH == GRAZE_FORCE_ENERGY,
               "wrench_sum.h has the forces of graze/contacts.h");

static int compare_wrenches(const void *a, const void *b) {
  const graze_wrench *x = a, *y = b;
  if (x->object_a != y->object_a) return x->object_a < y->object_a ? -1 : 1;
  return (x->object_b > y->object_b) - (x->object_b < y->object_b);
}

static bool is_last(const array *wrenches, const graze_wrench *wrench) {
  return wrenches->count > 0 && compare_wrenches(ARRAY_AS(graze_wrench, wrenches) + wrenches->count - 1, wrench) == 0;
}

/* Creates a wrench for each pair of objects that exert a force, without sums, in order. Pairs of one primitive are
 * consecutive, so most repetitions are detected at once; sorting removes the rest. */
static bool create_wrenches(const graze_contact *measured, size_t count, memory *heap, array *wrenches) {
  for (size_t i = 0; i < count; i++) {
    if (measured[i].kind != GRAZE_CONTACT_KIND_VOLUME) continue;
    const graze_wrench wrench = {.object_a = measured[i].pair.object_a, .object_b = measured[i].pair.object_b};
    if (is_last(wrenches, &wrench)) continue;
    if (!array_push(wrenches, heap, &wrench)) return false;
  }
  array_sort_unique(wrenches, compare_wrenches);
  return true;
}

/* The index of a contact's objects among the wrenches. */
static size_t place_of(const graze_contact *contact, const graze_wrench *wrenches, size_t wrench_count) {
  const graze_wrench key = {.object_a = contact->pair.object_a, .object_b = contact->pair.object_b};
  const graze_wrench *found = bsearch(&key, wrenches, wrench_count, sizeof key, compare_wrenches);
  return (size_t)(found - wrenches);
}

static void sum_contacts(const graze_contact *measured, size_t count, const wrench_rule *rule, const array *wrenches,
                         wrench_sum *sums) {
  for (size_t i = 0; i < count; i++) {
    if (measured[i].kind != GRAZE_CONTACT_KIND_VOLUME) continue;
    const wrench_terms terms = wrench_terms_of(&measured[i], rule);
    note_highest(&sums[place_of(&measured[i], wrenches->data, wrenches->count)], &terms);
  }
  for (size_t i = 0; i < count; i++) {
    if (measured[i].kind != GRAZE_CONTACT_KIND_VOLUME) continue;
    const wrench_terms terms = wrench_terms_of(&measured[i], rule);
    add_terms(&sums[place_of(&measured[i], wrenches->data, wrenches->count)], &terms);
  }
}

static void write_wrench(const wrench_sum *sum, const graze_contact_options *options, graze_wrench *wrench) {
  const wrench_law law = {options->stiffness, (int)options->force};
  const wrench_total total = wrench_sum_total(sum, &law);
  wrench->pair_count = sum->count;
  wrench->volume = total.volume;
  memcpy(wrench->centroid, total.centroid, sizeof wrench->centroid);
  memcpy(wrench->gradient, total.gradient, sizeof wrench->gradient);
  memcpy(wrench->gradient_moment, total.gradient_moment, sizeof wrench->gradient_moment);
  memcpy(wrench->force, total.force, sizeof wrench->force);
  memcpy(wrench->torque, total.torque, sizeof wrench->torque);
}

static wrench_rule rule_of(const graze_contact_options *options) {
  return (wrench_rule){{options->about[0], options->about[1], options->about[2]}};
}

/* The sums, in scratch, are copied to the list at the end, when their number is known. */
static graze_result sum_wrenches(const graze_scene *scene, const graze_contact *measured, size_t count,
                                 const graze_contact_options *options, graze_list_memory *list,
                                 graze_wrenches *fields) {
  memory *heap = scene_scratch(scene);
  array wrenches;
  array_init(&wrenches, sizeof(graze_wrench));
  graze_wrench *kept = NULL;
  wrench_sum *sums = NULL;
  const wrench_rule rule = rule_of(options);
  const bool named = create_wrenches(measured, count, heap, &wrenches);
  if (named) sums = memory_allocate(heap, wrenches.count, sizeof *sums);
  if (sums != NULL) kept = answer_list_reserve(list, BLOCK_POINTS, wrenches.count, sizeof *kept);
  if (kept != NULL) {
    memset(sums, 0, wrenches.count * sizeof *sums);
    sum_contacts(measured, count, &rule, &wrenches, sums);
    for (size_t i = 0; i < wrenches.count; i++) {
      kept[i] = ARRAY_AS(graze_wrench, &wrenches)[i];
      write_wrench(&sums[i], options, &kept[i]);
    }
    fields->wrenches = kept;
    fields->count = wrenches.count;
  }
  memory_release(heap, sums, wrenches.count, sizeof *sums);
  array_release(&wrenches, heap);
  return kept != NULL ? GRAZE_OK : scene_fail_memory(scene);
}

static graze_result check_options(const graze_scene *scene, const graze_contact_options *options) {
  if (!isfinite(options->stiffness))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the stiffness is %g; it must be finite", options->stiffness);
  if ((unsigned)options->force > GRAZE_FORCE_GRADIENT)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown force %d", (int)options->force);
  for (int axis = 0; axis < 3; axis++)
    if (!isfinite(options->about[axis]))
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "coordinate %c of the reference point of torques is %g",
                        'x' + axis, options->about[axis]);
  return GRAZE_OK;
}

graze_result graze_scene_make_wrenches(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                       const graze_contact_options *given, graze_wrenches *wrenches) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &wrenches_definition, wrenches, &list);
  if (result != GRAZE_OK) return result;
  graze_wrenches fields = {.memory = list};
  graze_contact_options options;
  contact_answer answer = {0};
  result = scene_read_contact_options(scene, given, &options);
  if (result == GRAZE_OK) result = check_options(scene, &options);
  if (result == GRAZE_OK)
    result = scene_query_contacts(
        scene,
        &(contact_request){.pairs = pairs, .count = count, .test = options.test, .wrenches_only = true, .list = list},
        &answer);
  if (result == GRAZE_OK) result = sum_wrenches(scene, answer.contacts, count, &options, list, &fields);
  if (result == GRAZE_OK) {
    list->timings = (graze_timings){
        .struct_bytes = sizeof(graze_timings), .update_ms = scene->update_ms, .contacts_ms = answer.milliseconds};
    fields.timings = &list->timings;
  }
  answer_list_write(&wrenches_definition, wrenches, &fields);
  return result;
}

/* ---------------------------------------------------------------------------------------------- terms */

enum { MEASURED_AT_ONCE = 1 << 16 };

static size_t write_terms(const graze_contact *measured, size_t count, const wrench_rule *rule,
                          graze_wrench_terms *terms_out) {
  size_t written = 0;
  for (size_t i = 0; i < count; i++) {
    if (measured[i].kind != GRAZE_CONTACT_KIND_VOLUME) continue;
    const wrench_terms terms = wrench_terms_of(&measured[i], rule);
    graze_wrench_terms *to = &terms_out[written++];
    *to = (graze_wrench_terms){
        .object_a = measured[i].pair.object_a, .object_b = measured[i].pair.object_b, .unit = terms.unit};
    memcpy(to->values, terms.value, sizeof to->values);
  }
  return written;
}

static graze_result make_terms(const graze_scene *scene, const graze_pair *pairs, size_t count,
                               const graze_contact_options *options, graze_list_memory *list,
                               graze_wrench_terms *terms_out, size_t *count_out) {
  const wrench_rule rule = rule_of(options);
  graze_result result = count > 0 ? GRAZE_OK : scene_check_updated(scene);
  for (size_t first = 0, some; first < count && result == GRAZE_OK; first += some) {
    contact_answer answer = {0};
    some = count - first < MEASURED_AT_ONCE ? count - first : MEASURED_AT_ONCE;
    const contact_request request = {pairs + first, some, options->test, true, list};
    result = scene_query_contacts(scene, &request, &answer);
    if (result == GRAZE_OK) *count_out += write_terms(answer.contacts, some, &rule, terms_out + *count_out);
  }
  if (result != GRAZE_OK) *count_out = 0;
  return result;
}

graze_result graze_scene_make_wrench_terms(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                           const graze_contact_options *given, graze_wrench_terms *terms_out,
                                           size_t *count_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (count_out == NULL) return scene_fail_null("output for the number of terms");
  *count_out = 0;
  if (count > 0 && pairs == NULL) return scene_fail_null("list of pairs");
  if (count > 0 && terms_out == NULL) return scene_fail_null("output for the terms");
  graze_contact_options options;
  graze_wrenches room = {0};
  graze_result result = scene_read_contact_options(scene, given, &options);
  if (result == GRAZE_OK) result = check_options(scene, &options);
  if (result == GRAZE_OK) result = scene_open_list(scene, &wrenches_definition, &room, &room.memory);
  if (result == GRAZE_OK) result = make_terms(scene, pairs, count, &options, room.memory, terms_out, count_out);
  graze_wrenches_free(&room);
  return result;
}

/* ---------------------------------------------------------------------------------------------- a query's wrenches */

enum { MOST_OBJECTS = 64 }; /* of a table with an entry for every pair of objects */

/* Whether the scene's backend can sum wrenches itself: there are few objects, with their own numbers. */
static bool backend_sums(const graze_scene *scene) {
  return scene->backend->wrenches != NULL && scene->object_count <= MOST_OBJECTS && scene->by_number.count == 0;
}

static size_t count_sums(const wrench_sum *sums, size_t places) {
  size_t count = 0;
  for (size_t i = 0; i < places; i++) count += sums[i].count > 0;
  return count;
}

static graze_result write_sums(const graze_scene *scene, const wrench_sum *sums, size_t places,
                               const graze_contact_options *options, graze_list_memory *list, graze_wrenches *fields) {
  const size_t count = count_sums(sums, places), objects = scene->object_count;
  graze_wrench *kept = answer_list_reserve(list, BLOCK_POINTS, count, sizeof *kept);
  if (kept == NULL) return scene_fail_memory(scene);
  fields->wrenches = kept;
  fields->count = count;
  for (size_t i = 0; i < places; i++) {
    if (sums[i].count == 0) continue;
    *kept = (graze_wrench){.object_a = (uint32_t)(i / objects), .object_b = (uint32_t)(i % objects)};
    write_wrench(&sums[i], options, kept++);
  }
  return GRAZE_OK;
}

/* Sums on the backend, without a list of pairs. */
static graze_result sum_on_backend(const graze_scene *scene, const graze_query *query,
                                   const graze_contact_options *options, graze_list_memory *list,
                                   graze_wrenches *fields) {
  memory *heap = scene_scratch(scene);
  const size_t places = scene->object_count * scene->object_count;
  wrench_answer answer = {.sums = memory_allocate(heap, places, sizeof(wrench_sum))};
  if (answer.sums == NULL) return scene_fail_memory(scene);
  stop_check stops;
  stop_check_init(&stops, query->should_stop, query->stop_context);
  const wrench_request request = {query, query->should_stop != NULL ? &stops : NULL, rule_of(options)};
  graze_result result = stop_is_requested(request.stop) ? fail(GRAZE_STOPPED, "the caller stopped the query")
                                                        : scene->backend->wrenches(scene, &request, &answer);
  if (result == GRAZE_OK) result = write_sums(scene, answer.sums, places, options, list, fields);
  if (result == GRAZE_OK) scene_record(scene, &answer.timings, &answer.counters, list);
  if (result == GRAZE_OK) fields->timings = &list->timings;
  memory_release(heap, answer.sums, places, sizeof(wrench_sum));
  return result;
}

/* Lists the pairs first, in the unused block of the wrenches' list, so that similar frames allocate nothing. */
static graze_result find_and_sum(const graze_scene *scene, const graze_query *query,
                                 const graze_contact_options *options, graze_wrenches *wrenches) {
  graze_pairs pairs = {.memory = wrenches->memory};
  graze_contact_options wrench_options = *options;
  wrench_options.test = query->test;
  graze_result result = graze_scene_find_pairs(scene, query, &pairs);
  if (result == GRAZE_OK)
    result = graze_scene_make_wrenches(scene, pairs.pairs, pairs.count, &wrench_options, wrenches);
  return result;
}

graze_result graze_scene_find_wrenches(const graze_scene *scene, const graze_query *given_query,
                                       const graze_contact_options *given, graze_wrenches *wrenches) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_query query;
  graze_contact_options options;
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &wrenches_definition, wrenches, &list);
  if (result != GRAZE_OK) return result;
  graze_wrenches fields = {.memory = list};
  answer_list_write(&wrenches_definition, wrenches, &fields);
  result = scene_read_contact_options(scene, given, &options);
  if (result == GRAZE_OK) result = check_options(scene, &options);
  if (result == GRAZE_OK) result = scene_read_query(scene, given_query, &query);
  if (result == GRAZE_OK) result = scene_check_kinds(scene, SUPPORTS_VOLUMES);
  if (result == GRAZE_OK && (query.pair_limit != 0 || query.stop_after != 0))
    result = fail(GRAZE_UNSUPPORTED, "wrenches need all pairs: pair_limit and stop_after are not supported");
  if (result == GRAZE_OK) result = scene_check_measured(scene, "wrenches", &query, options.test);
  if (result != GRAZE_OK) return result;
  if (!backend_sums(scene)) return find_and_sum(scene, &query, &options, wrenches);
  scene_lock_device(scene);
  result = sum_on_backend(scene, &query, &options, list, &fields);
  scene_unlock_device(scene);
  answer_list_write(&wrenches_definition, wrenches, &fields);
  return result;
}

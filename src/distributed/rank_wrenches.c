/* Wrenches over all ranks; see rank_wrenches.h.
 *
 * Each rank measures its own pairs. The ranks agree on the objects with wrenches and on the highest power of two of
 * their terms. Each then sums its terms in units of that power, and the sums of all ranks are added. They are integers,
 * so the order does not matter (geometry/wrench_sum.h).
 *
 * Workload: a number for each pair, and 280 bytes on every rank for each pair of objects with a wrench. */
#include "distributed/rank_wrenches.h"

#include "base/unique_sort.h"
#include "geometry/wrench_sum.h"
#include "graze/inside/parts.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- lists of objects */

/* Workload: the pairs of a frame, sorted by their first primitive; few belong to objects not yet listed. */

static int compare_objects(const void *a, const void *b) {
  const graze_object_pair *x = a, *y = b;
  if (x->object_a != y->object_a) return x->object_a < y->object_a ? -1 : 1;
  return (x->object_b > y->object_b) - (x->object_b < y->object_b);
}

void object_list_sort(array *objects) {
  array_sort_unique(objects, compare_objects);
}

bool object_list_add(array *objects, memory *heap, uint32_t object_a, uint32_t object_b) {
  const graze_object_pair pair = {object_a, object_b};
  if (objects->count > 0 && compare_objects(&ARRAY_AS(graze_object_pair, objects)[objects->count - 1], &pair) == 0)
    return true;
  if (objects->count > 0 && objects->count == objects->capacity) object_list_sort(objects);
  return array_push(objects, heap, &pair);
}

size_t object_list_find(const array *objects, uint32_t object_a, uint32_t object_b) {
  const graze_object_pair key = {object_a, object_b};
  const graze_object_pair *found = bsearch(&key, objects->data, objects->count, sizeof key, compare_objects);
  return (size_t)(found - ARRAY_AS(graze_object_pair, objects));
}

typedef struct wrench_work {
  array terms;   /* graze_wrench_terms, for the pairs of this rank */
  array objects; /* graze_object_pair: all with wrenches, on every rank */
  wrench_sum *sums;
  size_t sum_count;
} wrench_work;

/* ---------------------------------------------------------------------------------------------- arguments */

static graze_result check_options(rank_state *state, const graze_query *given, const graze_contact_options *options) {
  rank_failure *failure = &state->failure;
  const graze_query query = rank_read_query(given);
  *failure = (rank_failure){0};
  if (query.clearance > 0)
    rank_failure_say(failure, GRAZE_UNSUPPORTED, "wrenches need pairs that intersect: the query has a clearance of %g",
                     query.clearance);
  if (options->test != GRAZE_TEST_SAT && options->test != query.test)
    rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "the test of the options differs from that of the query");
  const graze_result result = rank_failure_agree(failure, &state->net);
  if (result != GRAZE_OK) return result;
  uint64_t words[6] = {options->test, options->force};
  memcpy(&words[2], &options->stiffness, sizeof(double));
  memcpy(&words[3], options->about, sizeof options->about);
  return rank_check_alike(state, words, sizeof words / sizeof *words, "wrench options");
}

/* ---------------------------------------------------------------------------------------------- sums */

static graze_result measure_pairs(rank_state *state, const graze_contact_options *options, const graze_pairs *pairs,
                                  wrench_work *work) {
  rank_failure *failure = &state->failure;
  size_t count = 0;
  if (!array_resize(&work->terms, &state->heap, pairs->count)) return rank_failure_say_memory(failure);
  const graze_result result =
      graze_scene_make_wrench_terms(state->share.scene, pairs->pairs, pairs->count, options, work->terms.data, &count);
  if (result != GRAZE_OK) return rank_failure_note(failure, result);
  work->terms.count = count;
  return GRAZE_OK;
}

static graze_result name_objects(rank_state *state, const wrench_work *work, array *own) {
  const graze_wrench_terms *terms = work->terms.data;
  for (size_t i = 0; i < work->terms.count; i++)
    if (!object_list_add(own, &state->heap, terms[i].object_a, terms[i].object_b))
      return rank_failure_say_memory(&state->failure);
  object_list_sort(own);
  return GRAZE_OK;
}

static wrench_terms terms_of(const graze_wrench_terms *given) {
  wrench_terms terms = {.unit = (int32_t)given->unit};
  memcpy(terms.value, given->values, sizeof terms.value);
  return terms;
}

static wrench_sum *sum_of(const wrench_work *work, const graze_wrench_terms *terms) {
  return &work->sums[object_list_find(&work->objects, terms->object_a, terms->object_b)];
}

/* The numbers of a sum are 64-bit integers, which the ranks reduce one by one. */
enum { SUM_WORDS = sizeof(wrench_sum) / sizeof(uint64_t) };
_Static_assert(sizeof(wrench_sum) == 8 * (WRENCH_QUANTITIES + WRENCH_TERMS * SUM_LIMBS + 1),
               "sums are words of 64 bits");

/* Reduces first the highest powers of two of all ranks, then the sums in units of them, each rank with its own. */
static void add_ranks(const transport *net, const wrench_work *work) {
  const graze_wrench_terms *terms = work->terms.data;
  const size_t word_count = work->objects.count * SUM_WORDS;
  memset(work->sums, 0, work->objects.count * sizeof *work->sums);
  for (size_t i = 0; i < work->terms.count; i++) {
    const wrench_terms one = terms_of(&terms[i]);
    note_highest(sum_of(work, &terms[i]), &one);
  }
  transport_reduce(net, TRANSPORT_GREATEST, (uint64_t *)work->sums, word_count);
  for (size_t i = 0; i < work->terms.count; i++) {
    const wrench_terms one = terms_of(&terms[i]);
    add_terms(sum_of(work, &terms[i]), &one);
  }
  for (size_t i = 0; i < work->objects.count && net->rank != 0; i++)
    memset(work->sums[i].highest, 0, sizeof work->sums[i].highest);
  transport_reduce(net, TRANSPORT_SUM, (uint64_t *)work->sums, word_count);
}

static void write_wrenches(const wrench_work *work, const graze_contact_options *options, graze_wrench *wrenches) {
  const wrench_law law = {options->stiffness, (int)options->force};
  const graze_object_pair *objects = work->objects.data;
  for (size_t i = 0; i < work->objects.count; i++) {
    const wrench_total total = wrench_sum_total(&work->sums[i], &law);
    wrenches[i] = (graze_wrench){.object_a = objects[i].object_a,
                                 .object_b = objects[i].object_b,
                                 .pair_count = work->sums[i].count,
                                 .volume = total.volume};
    memcpy(wrenches[i].centroid, total.centroid, sizeof total.centroid);
    memcpy(wrenches[i].gradient, total.gradient, sizeof total.gradient);
    memcpy(wrenches[i].gradient_moment, total.gradient_moment, sizeof total.gradient_moment);
    memcpy(wrenches[i].force, total.force, sizeof total.force);
    memcpy(wrenches[i].torque, total.torque, sizeof total.torque);
  }
}

static graze_result sum_wrenches(rank_state *state, const graze_contact_options *options, wrench_work *work,
                                 array *wrenches) {
  work->sum_count = work->objects.count;
  work->sums = memory_allocate(&state->heap, work->sum_count, sizeof *work->sums);
  if (work->sums == NULL || !array_resize(wrenches, &state->heap, work->sum_count))
    rank_failure_say_memory(&state->failure);
  const graze_result result = rank_failure_agree(&state->failure, &state->net);
  if (result != GRAZE_OK) return result;
  add_ranks(&state->net, work);
  write_wrenches(work, options, wrenches->data);
  return GRAZE_OK;
}

static graze_result sum_rank_wrenches(rank_state *state, const graze_contact_options *options, const graze_pairs *pairs,
                                      wrench_work *work, array *wrenches) {
  array own;
  array_init(&own, sizeof(graze_object_pair));
  graze_result result = measure_pairs(state, options, pairs, work);
  if (result == GRAZE_OK) name_objects(state, work, &own);
  result = rank_failure_agree(&state->failure, &state->net);
  if (result == GRAZE_OK) result = rank_gather(state, own.data, own.count, &work->objects);
  array_release(&own, &state->heap);
  if (result != GRAZE_OK) return result;
  object_list_sort(&work->objects);
  return sum_wrenches(state, options, work, wrenches);
}

graze_result rank_find_wrenches(rank_state *state, const graze_scene *scene, const graze_query *query,
                                const graze_contact_options *given, graze_pairs *pairs, array *wrenches) {
  wrench_work work = {0};
  graze_contact_options options = *given;
  rank_totals totals;
  array_init(&work.terms, sizeof(graze_wrench_terms));
  array_init(&work.objects, sizeof(graze_object_pair));
  graze_result result = check_options(state, query, &options);
  if (result == GRAZE_OK) result = rank_find(state, scene, query, pairs, &totals);
  options.test = rank_read_query(query).test;
  if (result == GRAZE_OK) result = sum_rank_wrenches(state, &options, pairs, &work, wrenches);
  memory_release(&state->heap, work.sums, work.sum_count, sizeof *work.sums);
  array_release(&work.terms, &state->heap);
  array_release(&work.objects, &state->heap);
  return result;
}

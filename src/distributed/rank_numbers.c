/* The numbers of the objects of all ranks; see rank_numbers.h.
 *
 * Workload: a hash over the objects of the rank and the numbers of their primitives in every frame. If it changes on a
 * rank, each rank sends the runs of consecutive numbers of its primitives, mostly one for each object, to the rank that
 * the hash of the global object selects, which sorts them. */
#include "distributed/rank_numbers.h"

#include "distributed/rank_deal.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_AT_ONCE = 512, RUNS_MOST = 64 };

/* Consecutive numbers of primitives of an object: from first up to, but not including, end. */
typedef struct number_run {
  uint64_t category, mask, first, end; /* an empty run only has the kind and the filter */
  uint32_t object, rank, kind, self;
  uint32_t owner; /* the rank that compares the parts of this object */
} number_run;

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* The sum of the mixed numbers of the primitives: their order does not matter here. */
static graze_result hash_primitives(const graze_scene *scene, graze_object object, size_t count, uint64_t *hash_out,
                                    rank_failure *failure) {
  uint32_t numbers[NUMBERS_AT_ONCE];
  *hash_out = 0;
  for (size_t first = 0; first < count; first += NUMBERS_AT_ONCE) {
    const size_t left = count - first, some = left < NUMBERS_AT_ONCE ? left : NUMBERS_AT_ONCE;
    const graze_result result = graze_object_get_global_primitives(scene, object, first, some, numbers);
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
    for (size_t i = 0; i < some; i++) *hash_out += mix(0, numbers[i]);
  }
  return GRAZE_OK;
}

static graze_result hash_objects(const graze_scene *scene, uint64_t *hash_out, rank_failure *failure) {
  *hash_out = 0;
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    graze_object_info info = {0};
    graze_result result = graze_object_get_info(scene, o, &info);
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
    uint64_t primitives = 0;
    if (info.global_numbers) result = hash_primitives(scene, o, info.primitive_count, &primitives, failure);
    if (result != GRAZE_OK) return result;
    const uint64_t words[] = {
        o.index,   o.generation, info.kind,          info.primitive_count, info.live_count,    info.category,
        info.mask, info.self,    info.global_object, primitives,           info.global_numbers};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) *hash_out = mix(*hash_out, words[i]);
  }
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- sending */

/* Appends the runs of the object, or an empty one if there are too many. */
static graze_result add_runs(array *runs, memory *heap, const graze_scene *scene, graze_object object,
                             const graze_object_info *info, number_run run, rank_failure *failure) {
  const size_t first_run = runs->count, count = info->live_count < info->primitive_count ? 0 : info->primitive_count;
  uint32_t numbers[NUMBERS_AT_ONCE];
  bool has_room = true, few = true;
  for (size_t first = 0; has_room && few && first < count; first += NUMBERS_AT_ONCE) {
    const size_t left = count - first, some = left < NUMBERS_AT_ONCE ? left : NUMBERS_AT_ONCE;
    const graze_result result = graze_object_get_global_primitives(scene, object, first, some, numbers);
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
    for (size_t i = 0; has_room && few && i < some; i++) {
      if (run.end > run.first && numbers[i] == run.end) {
        run.end++;
        continue;
      }
      if (run.end > run.first) has_room = array_push(runs, heap, &run);
      run.first = numbers[i];
      run.end = run.first + 1;
      few = runs->count - first_run < RUNS_MOST;
    }
  }
  if (!few) {
    runs->count = first_run;
    run.first = run.end = 0;
  }
  return has_room && array_push(runs, heap, &run) ? GRAZE_OK : rank_failure_say_memory(failure);
}

static graze_result list_runs(array *runs, memory *heap, const transport *net, const graze_scene *scene,
                              rank_failure *failure) {
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    graze_object_info info = {0};
    graze_result result = graze_object_get_info(scene, o, &info);
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
    const number_run run = {.category = info.category,
                            .mask = info.mask,
                            .object = info.global_object,
                            .rank = net->rank,
                            .kind = (uint32_t)info.kind,
                            .self = info.self,
                            .owner = (uint32_t)(mix(0, info.global_object) % net->rank_count)};
    if (info.live_count > 0) result = add_runs(runs, heap, scene, o, &info, run, failure);
    if (result != GRAZE_OK) return result;
  }
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- comparing */

static int compare_runs(const void *a, const void *b) {
  const number_run *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

static graze_result compare_parts(const number_run *a, const number_run *b, rank_failure *failure) {
  const char *what = a->kind != b->kind                                 ? "kinds"
                     : a->category != b->category || a->mask != b->mask ? "filters"
                     : a->self != b->self                               ? "flags `self`"
                                                                        : NULL;
  if (what == NULL) return GRAZE_OK;
  const uint32_t low = a->rank < b->rank ? a->rank : b->rank;
  failure->names_ranks = true;
  return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT,
                          "the parts of global object %u on ranks %u and %u differ in their %s", a->object, low,
                          a->rank + b->rank - low, what);
}

static graze_result refuse_twice(const number_run *a, const number_run *b, rank_failure *failure) {
  const uint32_t low = a->rank < b->rank ? a->rank : b->rank, primitive = (uint32_t)b->first;
  failure->names_ranks = true;
  if (a->rank == b->rank)
    return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "rank %u has primitive %u of global object %u twice", low,
                            primitive, b->object);
  return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "ranks %u and %u both have primitive %u of global object %u",
                          low, a->rank + b->rank - low, primitive, b->object);
}

static graze_result compare_all(number_run *runs, size_t count, rank_failure *failure) {
  const number_run *reached = runs; /* of this object, the run with the greatest end so far */
  if (count > 0) qsort(runs, count, sizeof *runs, compare_runs);
  for (size_t i = 1; i < count; i++) {
    const number_run *run = &runs[i];
    if (run->object != reached->object) {
      reached = run;
      continue;
    }
    const graze_result result = compare_parts(reached, run, failure);
    if (result != GRAZE_OK) return result;
    if (run->first < run->end && run->first < reached->end) return refuse_twice(reached, run, failure);
    if (run->end > reached->end) reached = run;
  }
  return GRAZE_OK;
}

static int compare_owners(const void *a, const void *b) {
  const number_run *x = a, *y = b;
  return (x->owner > y->owner) - (x->owner < y->owner);
}

/* Orders the runs by the ranks that compare them, and counts them. */
static void sort_by_owner(array *runs, uint32_t rank_count, uint64_t *counts) {
  memset(counts, 0, rank_count * sizeof *counts);
  for (size_t i = 0; i < runs->count; i++) counts[ARRAY_AS(number_run, runs)[i].owner]++;
  if (runs->count > 0) qsort(runs->data, runs->count, sizeof(number_run), compare_owners);
}

static graze_result compare_ranks(const transport *net, memory *heap, const graze_scene *scene, rank_failure *failure) {
  array runs, received;
  array_init(&runs, sizeof(number_run));
  array_init(&received, sizeof(number_run));
  uint64_t *counts = memory_allocate(heap, net->rank_count, 2 * sizeof *counts);
  if (counts == NULL) rank_failure_say_memory(failure);
  list_runs(&runs, heap, net, scene, failure);
  if (counts != NULL) sort_by_owner(&runs, net->rank_count, counts);
  graze_result result = rank_failure_agree(failure, net);
  if (result == GRAZE_OK) result = rank_deal(net, heap, &runs, counts, &received, counts + net->rank_count, failure);
  if (result == GRAZE_OK) {
    compare_all(received.data, received.count, failure);
    result = rank_failure_agree(failure, net);
  }
  array_release(&runs, heap);
  array_release(&received, heap);
  memory_release(heap, counts, net->rank_count, 2 * sizeof *counts);
  return result;
}

graze_result rank_check_numbers(rank_numbers *last, const transport *net, memory *heap, const graze_scene *scene,
                                rank_failure *failure) {
  if (net->rank_count == 1) return GRAZE_OK;
  uint64_t objects;
  hash_objects(scene, &objects, failure);
  const bool changed = !last->checked || objects != last->objects || failure->result != GRAZE_OK;
  if (transport_reduced(net, TRANSPORT_GREATEST, changed) == 0) return GRAZE_OK;
  const graze_result result = compare_ranks(net, heap, scene, failure);
  *last = (rank_numbers){.objects = objects, .checked = result == GRAZE_OK};
  return result;
}

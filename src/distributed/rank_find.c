/* The frame that all ranks run together; see rank_find.h.
 *
 * Each step that may fail ends with an agreement, so that no rank waits for one that has failed: open the scene, divide
 * the curve if that is due, collect portions, allocate, exchange, find. Objects that have not changed since the last
 * frame are not collected, and their portions stay in place, as long as the division stays. */
#include "distributed/rank_find.h"

#include "base/array.h"
#include "base/timer.h"
#include "distributed/rank_exchange.h"
#include "distributed/rank_failure.h"
#include "distributed/slab_of_scene.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- numbers of objects */

/* Detects ranks whose objects cannot be parts of one object: two that have the same primitive, or that differ in kind
 * or filter.
 *
 * Workload: a hash over the objects of the rank and the numbers of their primitives in every frame. If it changes on a
 * rank, each rank sends the runs of consecutive numbers of its primitives, mostly one for each object, to the rank that
 * the hash of the global object selects, which sorts them. */

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
  if (result == GRAZE_OK)
    result = rank_records_exchange(net, heap, &runs, counts, &received, counts + net->rank_count, failure);
  if (result == GRAZE_OK) {
    compare_all(received.data, received.count, failure);
    result = rank_failure_agree(failure, net);
  }
  array_release(&runs, heap);
  array_release(&received, heap);
  memory_release(heap, counts, net->rank_count, 2 * sizeof *counts);
  return result;
}

/* Compares the objects of all ranks if those of one have changed. Called by all ranks; a failure is reported by all,
 * and names the global object and both ranks. Objects with removed primitives, or with numbers in more than 64 runs,
 * are only compared by kind and filter. */
static graze_result rank_check_numbers(rank_numbers *last, const transport *net, memory *heap, const graze_scene *scene,
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

static graze_result make_room(rank_state *state) {
  rank_failure *failure = &state->failure;
  if (!division_create(&state->parts, &state->heap, state->net.rank_count)) return rank_failure_say_memory(failure);
  const graze_result result = slab_create(&state->share, state->def.scene, state->def.method, failure);
  return result == GRAZE_OK ? slab_create(&state->region_share, state->def.scene, NULL, failure) : result;
}

graze_result rank_open(rank_state *state, const transport *net, const rank_def *def) {
  *state = (rank_state){.net = *net, .def = *def};
  memory_init(&state->heap, def->allocator);
  array_init(&state->exclusions, sizeof(graze_object_pair));
  sent_portions_init(&state->sent);
  make_room(state);
  state->share.part = net->rank;
  const graze_result result = rank_failure_agree(&state->failure, net);
  state->def.scene = NULL;
  state->def.method = NULL;
  if (result != GRAZE_OK) rank_close(state);
  return result;
}

void rank_close(rank_state *state) {
  slab_destroy(&state->share, &state->heap);
  slab_destroy(&state->region_share, &state->heap);
  division_destroy(&state->parts, &state->heap);
  sent_portions_release(&state->sent, &state->heap);
  array_release(&state->exclusions, &state->heap);
}

graze_result rank_agree(rank_state *state, graze_result result, const char *text) {
  state->failure = (rank_failure){0};
  if (result != GRAZE_OK) rank_failure_say(&state->failure, result, "%s", text);
  return rank_failure_agree(&state->failure, &state->net);
}

graze_result rank_gather(rank_state *state, const void *records, size_t count, array *all) {
  const transport *net = &state->net;
  const uint64_t total = transport_reduced(net, TRANSPORT_SUM, count);
  state->failure = (rank_failure){0};
  if (!array_resize(all, &state->heap, total)) rank_failure_say_memory(&state->failure);
  const graze_result result = rank_failure_agree(&state->failure, net);
  size_t at = 0;
  for (uint32_t root = 0; result == GRAZE_OK && at < total && root < net->rank_count; root++) {
    uint64_t some = count;
    net->broadcast(net->context, root, &some, sizeof some);
    if (some == 0) continue;
    char *to = (char *)all->data + at * all->element_bytes;
    if (root == net->rank) memcpy(to, records, count * all->element_bytes);
    net->broadcast(net->context, root, to, some * all->element_bytes);
    at += some;
  }
  return result;
}

graze_result rank_exclude(rank_state *state, const graze_object_pair *pairs, size_t count) {
  array all;
  array_init(&all, sizeof(graze_object_pair));
  state->failure = (rank_failure){0};
  if (pairs == NULL && count > 0)
    rank_failure_say(&state->failure, GRAZE_INVALID_ARGUMENT, "the list of exclusions is NULL");
  for (size_t i = 0; pairs != NULL && i < count; i++)
    if (pairs[i].object_a == pairs[i].object_b)
      rank_failure_say(&state->failure, GRAZE_INVALID_ARGUMENT, "object %u cannot be excluded from itself",
                       pairs[i].object_a);
  graze_result result = rank_failure_agree(&state->failure, &state->net);
  if (result == GRAZE_OK) result = rank_gather(state, pairs, count, &all);
  array *const gone = result == GRAZE_OK ? &state->exclusions : &all;
  array_release(gone, &state->heap);
  if (result == GRAZE_OK) state->exclusions = all;
  state->has_last_frame = false; /* the parts have the old exclusions */
  return result;
}

/* ---------------------------------------------------------------------------------------------- arguments */

graze_query rank_read_query(const graze_query *given) {
  graze_query query = graze_query_default();
  if (given == NULL) return query;
  const size_t bytes = given->struct_bytes < sizeof query ? given->struct_bytes : sizeof query;
  memcpy(&query, given, bytes);
  return query;
}

static graze_result check_query(const graze_query *query, rank_failure *failure) {
  const char *what = NULL;
  if (query->about_count > 0) what = "about_count";
  if (query->pair_limit > 0) what = "a pair_limit";
  if (query->stop_after > 0) what = "stop_after";
  if (query->clearance_rings > 1) what = "clearance_rings above 1";
  if (what != NULL)
    return rank_failure_say(failure, GRAZE_UNSUPPORTED, "a query over several ranks does not support %s", what);
  return GRAZE_OK;
}

static bool some_have_numbers(const graze_scene *scene) {
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    graze_object_info info = {0};
    if (graze_object_get_info(scene, o, &info) == GRAZE_OK && info.global_numbers) return true;
  }
  return false;
}

static graze_result check_scene(const rank_state *state, const graze_scene *scene, rank_failure *failure,
                                uint64_t *primitive_count_out) {
  *primitive_count_out = 0;
  if (scene == NULL) return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "the scene is NULL");
  if (graze_scene_exclusion_count(scene) > 0)
    return rank_failure_say(failure, GRAZE_UNSUPPORTED,
                            "the scene has %zu exclusions of its own: exclude objects by their global numbers",
                            graze_scene_exclusion_count(scene));
  const bool need_numbers = state->net.rank_count > 1 || some_have_numbers(scene);
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    graze_object_info info = {0};
    const graze_result result = graze_object_get_info(scene, o, &info);
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
    if (!info.global_numbers && need_numbers)
      return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "object %u%s%s has no global numbers", o.index,
                              info.name != NULL ? " " : "", info.name != NULL ? info.name : "");
    *primitive_count_out += info.live_count;
  }
  return GRAZE_OK;
}

/* Different words almost certainly give different hashes. */
graze_result rank_check_alike(rank_state *state, const uint64_t *words, size_t count, const char *what) {
  uint64_t number = 0;
  for (size_t i = 0; i < count; i++) number = (number ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) + (number >> 29);
  uint64_t ends[2] = {number, ~number};
  transport_reduce(&state->net, TRANSPORT_LEAST, ends, 2);
  if (ends[0] == ~ends[1]) return GRAZE_OK;
  return rank_failure_say(&state->failure, GRAZE_INVALID_ARGUMENT, "all ranks must pass the same %s", what);
}

/* Checks the values that all ranks must agree on. */
static graze_result check_arguments(rank_state *state, const graze_query *query) {
  uint64_t words[10] = {query->scope, query->neighbors, query->test, query->candidates_only, query->in_box};
  memcpy(&words[5], &query->clearance, sizeof query->clearance);
  for (int axis = 0; query->in_box && axis < 3; axis++) {
    uint64_t corner[2];
    memcpy(&corner[0], &query->box_min[axis], sizeof corner[0]);
    memcpy(&corner[1], &query->box_max[axis], sizeof corner[1]);
    words[6 + axis] = corner[0] * 31 + corner[1];
  }
  return rank_check_alike(state, words, sizeof words / sizeof *words, "query");
}

static graze_result open_frame(rank_state *state, const graze_scene *scene, const graze_query *query,
                               const graze_pairs *pairs, rank_totals *totals) {
  rank_failure *failure = &state->failure;
  *failure = (rank_failure){0};
  if (pairs == NULL) rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "the list of pairs is NULL");
  check_query(query, failure);
  check_scene(state, scene, failure, &totals->primitive_count);
  graze_result result = rank_failure_agree(failure, &state->net);
  if (result == GRAZE_OK) result = check_arguments(state, query);
  return result == GRAZE_OK ? rank_check_numbers(&state->numbers, &state->net, &state->heap, scene, failure) : result;
}

/* ---------------------------------------------------------------------------------------------- the frame */

typedef struct frame {
  const graze_scene *scene;
  const graze_query *given;
  graze_query query;
  graze_pairs *pairs;
  portion_list list;
  rank_blocks blocks;
  rank_totals totals;
  bool incremental; /* only changes since the last frame are sent */
} frame;

/* Keeps a failure until the ranks agree. */
static void find_own(rank_state *state, frame *now) {
  const double begin = timer_now_ms();
  rank_failure *failure = &state->failure;
  if (!now->incremental) slab_clear(&state->share, failure);
  rank_blocks_unload(&now->blocks, &state->net, &state->heap, &state->share, failure);
  if (failure->result == GRAZE_OK)
    slab_exclude(&state->share, &state->heap, state->exclusions.data, state->exclusions.count, failure);
  if (failure->result == GRAZE_OK)
    slab_update_and_find(&state->share, &state->parts, now->query.clearance, now->given, now->pairs, failure);
  state->own_us = (uint64_t)((timer_now_ms() - begin) * 1e3);
  if (state->def.work_us != NULL)
    state->own_us = state->def.work_us(state->def.work_context, state->net.rank, state->own_us);
}

/* Computes sums and greatest values over all ranks. */
static void close_frame(rank_state *state, const graze_pairs *pairs, rank_totals *totals) {
  const uint64_t held = state->share.held_count, ghosts = held - slab_count_of(&state->share, state->net.rank);
  uint64_t sums[8] = {
      pairs->count, pairs->hash, totals->primitive_count, totals->sent_bytes, totals->sent_count, state->own_us,
      held,         ghosts};
  uint64_t greatest[2] = {state->own_us, held};
  transport_reduce(&state->net, TRANSPORT_SUM, sums, 8);
  transport_reduce(&state->net, TRANSPORT_GREATEST, greatest, 2);
  totals->work = (division_work){sums[5], greatest[0], sums[6], greatest[1]};
  totals->pair_count = sums[0];
  totals->hash = sums[1];
  totals->primitive_count = sums[2];
  totals->sent_bytes = sums[3];
  totals->sent_count = sums[4];
  totals->ghost_count = sums[7];
  totals->divisions = state->balance.divisions;
  balance_note(&state->balance, &totals->work, state->net.rank_count);
}

static graze_result run_frame(rank_state *state, frame *now) {
  graze_result result = open_frame(state, now->scene, &now->query, now->pairs, &now->totals);
  const bool divides = balance_is_due(&state->balance);
  now->incremental = state->has_last_frame && !divides && state->last_clearance == now->query.clearance;
  state->has_last_frame = false;
  state->last_clearance = now->query.clearance;
  if (!now->incremental) sent_portions_forget(&state->sent);
  if (result == GRAZE_OK && divides)
    result = rank_divide(&state->parts, &state->balance, &state->net, &state->heap, now->scene,
                         (division_times){&state->own_us, state->net.rank, 1}, &state->failure);
  if (result != GRAZE_OK) return result;
  portion_list_collect(&now->list, &state->heap, now->scene, &state->parts, now->query.clearance, PORTIONS_OF_ALL,
                       &state->sent.objects, &state->failure);
  if (state->failure.result == GRAZE_OK && !sent_portions_compare(&state->sent, &state->heap, now->scene, &now->list))
    rank_failure_say_memory(&state->failure);
  result = rank_failure_agree(&state->failure, &state->net);
  now->totals.sent_count = portion_list_count_others(&now->list, state->net.rank);
  if (result == GRAZE_OK)
    result = rank_blocks_exchange(&now->blocks, &state->net, &state->heap, now->scene, &now->list, &state->failure);
  if (result != GRAZE_OK) return result;
  now->totals.sent_bytes = rank_blocks_sent_bytes(&now->blocks, state->net.rank);
  find_own(state, now);
  result = rank_failure_agree(&state->failure, &state->net);
  if (result != GRAZE_OK) return result;
  sent_portions_commit(&state->sent);
  state->has_last_frame = true;
  close_frame(state, now->pairs, &now->totals);
  return GRAZE_OK;
}

graze_result rank_find(rank_state *state, const graze_scene *scene, const graze_query *query, graze_pairs *pairs,
                       rank_totals *totals_out) {
  frame now = {.scene = scene, .given = query, .query = rank_read_query(query), .pairs = pairs};
  portion_list_init(&now.list);
  const graze_result result = run_frame(state, &now);
  portion_list_release(&now.list, &state->heap);
  rank_blocks_release(&now.blocks, &state->heap);
  *totals_out = result == GRAZE_OK ? now.totals : (rank_totals){0};
  if (result != GRAZE_OK && pairs != NULL) {
    pairs->pairs = NULL;
    pairs->count = 0;
    pairs->hash = pairs->limit_reached = 0;
  }
  return result;
}

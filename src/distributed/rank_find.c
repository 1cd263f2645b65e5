/* The frame that all ranks run together; see rank_find.h.
 *
 * Each step that may fail ends with an agreement, so that no rank waits for one that has given up: open the scene,
 * divide the curve where that is due, collect parcels, make room, exchange, find. */
#include "distributed/rank_find.h"

#include "base/timer.h"
#include "distributed/parcel_list.h"

#include <string.h>

static graze_result make_room(rank_state *state) {
  rank_failure *failure = &state->failure;
  if (!division_create(&state->parts, &state->heap, state->net.rank_count)) return rank_failure_say_memory(failure);
  return slab_create(&state->share, state->def.scene, state->def.method, failure);
}

graze_result rank_open(rank_state *state, const transport *net, const rank_def *def) {
  *state = (rank_state){.net = *net, .def = *def};
  memory_init(&state->heap, def->allocator);
  array_init(&state->exclusions, sizeof(graze_object_pair));
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
  division_destroy(&state->parts, &state->heap);
  array_release(&state->exclusions, &state->heap);
}

graze_result rank_agree(rank_state *state, graze_result result, const char *text) {
  state->failure = (rank_failure){0};
  if (result != GRAZE_OK) rank_failure_say(&state->failure, result, "%s", text);
  return rank_failure_agree(&state->failure, &state->net);
}

graze_result rank_gather(rank_state *state, const graze_object_pair *pairs, size_t count, array *all) {
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
    graze_object_pair *to = ARRAY_AS(graze_object_pair, all) + at;
    if (root == net->rank) memcpy(to, pairs, count * sizeof *pairs);
    net->broadcast(net->context, root, to, some * sizeof *pairs);
    at += some;
  }
  return result;
}

graze_result rank_exclude(rank_state *state, const graze_object_pair *pairs, size_t count) {
  array all;
  array_init(&all, sizeof(graze_object_pair));
  const graze_result result = rank_gather(state, pairs, count, &all);
  array *const gone = result == GRAZE_OK ? &state->exclusions : &all;
  array_release(gone, &state->heap);
  if (result == GRAZE_OK) state->exclusions = all;
  return result;
}

/* ---------------------------------------------------------------------------------------------- the question */

/* What of a query the ranks have to agree about, and what they cannot be asked together. */
static graze_query read_query(const graze_query *given) {
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
    return rank_failure_say(failure, GRAZE_UNSUPPORTED, "a query of several ranks does not have %s", what);
  return GRAZE_OK;
}

static graze_result check_scene(const rank_state *state, const graze_scene *scene, rank_failure *failure,
                                uint64_t *primitive_count_out) {
  *primitive_count_out = 0;
  if (scene == NULL) return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "the scene is NULL");
  if (graze_scene_exclusion_count(scene) > 0)
    return rank_failure_say(failure, GRAZE_UNSUPPORTED,
                            "the scene has %zu exclusions of its own: exclude objects by their global numbers",
                            graze_scene_exclusion_count(scene));
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    graze_object_info info = {0};
    const graze_result result = graze_object_get_info(scene, o, &info);
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
    if (!info.global_numbers && state->net.rank_count > 1)
      return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "object %u%s%s has no global numbers", o.index,
                              info.name != NULL ? " " : "", info.name != NULL ? info.name : "");
    *primitive_count_out += info.live_count;
  }
  return GRAZE_OK;
}

/* A number that differs where the questions do, nearly always. */
static uint64_t question_of(const graze_query *query) {
  uint64_t words[10] = {query->scope, query->neighbors, query->test, query->candidates_only, query->in_box};
  uint64_t number = 0;
  memcpy(&words[5], &query->clearance, sizeof query->clearance);
  for (int axis = 0; query->in_box && axis < 3; axis++) {
    uint64_t corner[2];
    memcpy(&corner[0], &query->box_min[axis], sizeof corner[0]);
    memcpy(&corner[1], &query->box_max[axis], sizeof corner[1]);
    words[6 + axis] = corner[0] * 31 + corner[1];
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    number = (number ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) + (number >> 29);
  return number;
}

static graze_result open_frame(rank_state *state, const graze_scene *scene, const graze_query *query,
                               const graze_pairs *pairs, rank_totals *totals) {
  rank_failure *failure = &state->failure;
  *failure = (rank_failure){0};
  if (pairs == NULL) rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "the list of pairs is NULL");
  check_query(query, failure);
  check_scene(state, scene, failure, &totals->primitive_count);
  const graze_result result = rank_failure_agree(failure, &state->net);
  if (result != GRAZE_OK) return result;
  uint64_t ends[2] = {question_of(query), ~question_of(query)};
  transport_reduce(&state->net, TRANSPORT_LEAST, ends, 2);
  if (ends[0] != ~ends[1])
    return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "the ranks do not ask the same query");
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the exchange */

/* Blocks of bytes to and from each rank. */
typedef struct freight {
  transport_block *send, *receive;
  uint64_t *sizes; /* to each, from each */
  void **places;
  uint32_t count;
} freight;

static bool freight_make(freight *load, memory *heap, uint32_t count) {
  *load = (freight){.count = count};
  load->send = memory_allocate(heap, count, sizeof *load->send);
  load->receive = memory_allocate(heap, count, sizeof *load->receive);
  load->sizes = memory_allocate(heap, count, 2 * sizeof *load->sizes);
  load->places = memory_allocate(heap, count, sizeof *load->places);
  if (load->send != NULL) memset(load->send, 0, count * sizeof *load->send);
  if (load->receive != NULL) memset(load->receive, 0, count * sizeof *load->receive);
  if (load->sizes != NULL) memset(load->sizes, 0, 2 * count * sizeof *load->sizes);
  return load->send != NULL && load->receive != NULL && load->sizes != NULL && load->places != NULL;
}

static void release_block(transport_block *block, memory *heap) {
  memory_release(heap, block->bytes, block->size, 1);
  *block = (transport_block){0};
}

static void freight_release(freight *load, memory *heap) {
  for (uint32_t i = 0; i < load->count; i++) {
    if (load->send != NULL) release_block(&load->send[i], heap);
    if (load->receive != NULL) release_block(&load->receive[i], heap);
  }
  memory_release(heap, load->send, load->count, sizeof *load->send);
  memory_release(heap, load->receive, load->count, sizeof *load->receive);
  memory_release(heap, load->sizes, load->count, 2 * sizeof *load->sizes);
  memory_release(heap, load->places, load->count, sizeof *load->places);
}

static bool block_make(transport_block *block, memory *heap, uint64_t size) {
  if (size == 0) return true;
  block->bytes = memory_allocate(heap, size, 1);
  block->size = block->bytes != NULL ? size : 0;
  return block->bytes != NULL;
}

/* Writes what goes to each rank, and makes room for what comes. */
static graze_result load_freight(rank_state *state, const graze_scene *scene, const parcel_list *list, freight *load) {
  bool has_room = true;
  for (uint32_t i = 0; i < load->count && has_room; i++) {
    const bool is_other = i != state->net.rank;
    has_room = block_make(&load->send[i], &state->heap, load->sizes[i]) &&
               (!is_other || block_make(&load->receive[i], &state->heap, load->sizes[load->count + i]));
    load->places[i] = load->send[i].bytes;
  }
  if (!has_room) return rank_failure_say_memory(&state->failure);
  return parcel_list_write(list, &state->heap, scene, load->count, load->places, &state->failure);
}

/* The slab takes the blocks in the order of ranks; each is released at once. */
static void unload_freight(rank_state *state, freight *load) {
  for (uint32_t i = 0; i < load->count; i++)
    if (i != state->net.rank) release_block(&load->send[i], &state->heap);
  graze_result result = slab_clear(&state->share, &state->failure);
  for (uint32_t i = 0; i < load->count && result == GRAZE_OK; i++) {
    transport_block *block = i == state->net.rank ? &load->send[i] : &load->receive[i];
    result = slab_take(&state->share, &state->heap, block->bytes, block->size, &state->failure);
    release_block(block, &state->heap);
  }
}

/* After this call every rank has the parcels of its part. */
static graze_result exchange_parcels(rank_state *state, const graze_scene *scene, parcel_list *list, freight *load,
                                     rank_totals *totals) {
  const transport *net = &state->net;
  if (freight_make(load, &state->heap, net->rank_count))
    parcel_list_sum_bytes(list, load->sizes);
  else
    rank_failure_say_memory(&state->failure);
  graze_result result = rank_failure_agree(&state->failure, net);
  if (result != GRAZE_OK) return result;
  net->trade(net->context, load->sizes, load->sizes + load->count);
  for (uint32_t i = 0; i < load->count; i++) totals->sent_bytes += i != net->rank ? load->sizes[i] : 0;
  load_freight(state, scene, list, load);
  result = rank_failure_agree(&state->failure, net);
  if (result != GRAZE_OK) return result;
  parcel_list_release(list, &state->heap);
  net->exchange(net->context, load->send, load->receive);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the frame */

typedef struct frame {
  const graze_scene *scene;
  const graze_query *given;
  graze_query query;
  graze_pairs *pairs;
  parcel_list list;
  freight load;
  rank_totals totals;
} frame;

/* A failure is kept until the ranks agree. */
static void find_own(rank_state *state, frame *now) {
  const double begin = timer_now_ms();
  rank_failure *failure = &state->failure;
  unload_freight(state, &now->load);
  if (failure->result == GRAZE_OK)
    slab_exclude(&state->share, &state->heap, state->exclusions.data, state->exclusions.count, failure);
  if (failure->result == GRAZE_OK) slab_find(&state->share, &state->parts, now->given, now->pairs, failure);
  state->own_us = (uint64_t)((timer_now_ms() - begin) * 1e3);
  if (state->def.work_us != NULL)
    state->own_us = state->def.work_us(state->def.work_context, state->net.rank, state->own_us);
}

/* Sums and greatest values of all ranks. */
static void close_frame(rank_state *state, const graze_pairs *pairs, rank_totals *totals) {
  const uint64_t held = state->share.keys.count;
  uint64_t sums[6] = {pairs->count, pairs->hash, totals->primitive_count, totals->sent_bytes, state->own_us, held};
  uint64_t greatest[2] = {state->own_us, held};
  transport_reduce(&state->net, TRANSPORT_SUM, sums, 6);
  transport_reduce(&state->net, TRANSPORT_GREATEST, greatest, 2);
  totals->work = (rank_work){sums[4], greatest[0], sums[5], greatest[1]};
  totals->pair_count = sums[0];
  totals->hash = sums[1];
  totals->primitive_count = sums[2];
  totals->sent_bytes = sums[3];
  totals->divisions = state->balance.divisions;
  rank_balance_note(&state->balance, &totals->work, state->net.rank_count);
}

static graze_result run_frame(rank_state *state, frame *now) {
  graze_result result = open_frame(state, now->scene, &now->query, now->pairs, &now->totals);
  if (result == GRAZE_OK && rank_balance_is_due(&state->balance))
    result = rank_divide(&state->parts, &state->balance, &state->net, &state->heap, now->scene, state->own_us,
                         &state->failure);
  if (result != GRAZE_OK) return result;
  parcel_list_collect(&now->list, &state->heap, now->scene, &state->parts, now->query.clearance, PARCELS_OF_ALL,
                      &state->failure);
  result = rank_failure_agree(&state->failure, &state->net);
  if (result == GRAZE_OK) result = exchange_parcels(state, now->scene, &now->list, &now->load, &now->totals);
  if (result != GRAZE_OK) return result;
  find_own(state, now);
  result = rank_failure_agree(&state->failure, &state->net);
  if (result == GRAZE_OK) close_frame(state, now->pairs, &now->totals);
  return result;
}

graze_result rank_find(rank_state *state, const graze_scene *scene, const graze_query *query, graze_pairs *pairs,
                       rank_totals *totals_out) {
  frame now = {.scene = scene, .given = query, .query = read_query(query), .pairs = pairs};
  parcel_list_init(&now.list);
  const graze_result result = run_frame(state, &now);
  parcel_list_release(&now.list, &state->heap);
  freight_release(&now.load, &state->heap);
  *totals_out = result == GRAZE_OK ? now.totals : (rank_totals){0};
  if (result != GRAZE_OK && pairs != NULL) {
    pairs->pairs = NULL;
    pairs->count = 0;
    pairs->hash = pairs->limit_reached = 0;
  }
  return result;
}

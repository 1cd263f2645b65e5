/* The frame that all ranks run together; see rank_find.h.
 *
 * Each step that may fail ends with an agreement, so that no rank waits for one that has failed: open the scene, divide
 * the curve if that is due, collect parcels, allocate, exchange, find. Objects that have not changed since the last
 * frame are not collected, and their parcels stay in place, as long as the division stays. */
#include "distributed/rank_find.h"

#include "base/timer.h"
#include "distributed/freight.h"
#include "distributed/slab_of_scene.h"

#include <string.h>

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
  sent_parcels_init(&state->sent);
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
  sent_parcels_release(&state->sent, &state->heap);
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
  parcel_list list;
  freight load;
  rank_totals totals;
  bool incremental; /* only changes since the last frame are sent */
} frame;

/* Keeps a failure until the ranks agree. */
static void find_own(rank_state *state, frame *now) {
  const double begin = timer_now_ms();
  rank_failure *failure = &state->failure;
  if (!now->incremental) slab_clear(&state->share, failure);
  freight_unload(&now->load, &state->net, &state->heap, &state->share, failure);
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
  if (!now->incremental) sent_parcels_forget(&state->sent);
  if (result == GRAZE_OK && divides)
    result = rank_divide(&state->parts, &state->balance, &state->net, &state->heap, now->scene,
                         (division_times){&state->own_us, state->net.rank, 1}, &state->failure);
  if (result != GRAZE_OK) return result;
  parcel_list_collect(&now->list, &state->heap, now->scene, &state->parts, now->query.clearance, PARCELS_OF_ALL,
                      &state->sent.objects, &state->failure);
  if (state->failure.result == GRAZE_OK && !sent_parcels_compare(&state->sent, &state->heap, now->scene, &now->list))
    rank_failure_say_memory(&state->failure);
  result = rank_failure_agree(&state->failure, &state->net);
  now->totals.sent_count = parcel_list_count_others(&now->list, state->net.rank);
  if (result == GRAZE_OK)
    result = freight_exchange(&now->load, &state->net, &state->heap, now->scene, &now->list, &state->failure);
  if (result != GRAZE_OK) return result;
  now->totals.sent_bytes = freight_sent_bytes(&now->load, state->net.rank);
  find_own(state, now);
  result = rank_failure_agree(&state->failure, &state->net);
  if (result != GRAZE_OK) return result;
  sent_parcels_commit(&state->sent);
  state->has_last_frame = true;
  close_frame(state, now->pairs, &now->totals);
  return GRAZE_OK;
}

graze_result rank_find(rank_state *state, const graze_scene *scene, const graze_query *query, graze_pairs *pairs,
                       rank_totals *totals_out) {
  frame now = {.scene = scene, .given = query, .query = rank_read_query(query), .pairs = pairs};
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

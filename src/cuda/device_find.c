/* A query: all at once, again where a list was too short, or in chunks of entries where memory or numbers are short;
 * and what it counted.
 *
 * Lists are as long as the last frame needed, and a quarter more. Where that was too short, the counters say what would
 * have been enough, and the query is run again: nothing is ever dropped, and a scene that moves runs each query once.
 */
#include "cuda/bulk_copy.h"
#include "cuda/device_chunks.h"
#include "cuda/device_memory.h"
#include "cuda/device_query.h"
#include "geometry/bits.h"

#include <string.h>

enum { FIRST_CANDIDATES = 1 }; /* a primitive, before anything is known: room is dear, and a second run is not */

/* Capacities before the first query, and lists that a query does not use. */
static void choose_capacities(device_state *state, const device_query *query) {
  const size_t hint = state->memory.operations.first_capacity;
  const uint64_t primitives = state->primitive_count;
  const uint64_t candidates = hint != 0 ? hint : FIRST_CANDIDATES * primitives + LEAST_CAPACITY;
  const uint64_t share[LIST_COUNT] = {1, 8, 16, 2, 16, 16, 16, 4, 16}; /* of the candidates, each its part */
  const bool used[LIST_COUNT] = {true,
                                 !query->candidates_only && state->has_batch[BATCH_TRIANGLES],
                                 !query->candidates_only && state->has_batch[BATCH_TRIANGLES],
                                 !query->candidates_only && state->has_batch[BATCH_TETRAHEDRA],
                                 !query->candidates_only && state->has_batch[BATCH_TETRAHEDRA],
                                 !query->candidates_only && state->has_batch[BATCH_TETRAHEDRA],
                                 !query->candidates_only && state->has_batch[BATCH_TETRAHEDRA],
                                 !query->candidates_only && !state->only_triangles,
                                 true};
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t first = hint != 0 ? hint : candidates / share[i] + LEAST_CAPACITY;
    if (used[i] && state->capacity[i] == 0) state->capacity[i] = first < LONGEST_LIST ? first : LONGEST_LIST;
  }
}

/* A list was cut short, buckets could not be counted, or pairs cannot be ranked and have to be sorted. */
static bool needs_another_run(device_state *state, const device_totals *totals) {
  if (widen_counts(state, totals)) return true; /* all else has seen nothing */
  const bool enlarged = enlarge_lists(state, totals), sorts = totals->long_list != 0 && !state->sorts_pairs;
  const bool deeper = enlarge_descent(state, totals), swept_again = enlarge_sweep(state, totals);
  state->sorts_pairs = state->sorts_pairs || sorts;
  return enlarged || sorts || deeper || swept_again;
}

/* As many launches as all pairs of all primitives need. */
static void queue_brute(stage_queue *queue) {
  const device_view *whole = queue->view;
  device_view part = *whole;
  const uint64_t all = (uint64_t)whole->primitive_count * whole->primitive_count;
  queue->view = &part;
  for (; part.first_pair < all; part.first_pair += BRUTE_PAIRS) queue_stage(queue, STAGE_brute);
  queue->view = whole;
}

static void queue_search(stage_queue *queue, const device_query *query, const contact_variants *variants) {
  const device_view *v = queue->view;
  if (v->sort_pairs != 0 && v->pushes == NULL)
    queue_clear(queue, v->keys, 0xff, v->list_capacity[LIST_PAIRS] * sizeof *v->keys);
  if (query->by_trees)
    queue_descent(queue);
  else if (query->by_clusters)
    queue_sweep(queue);
  else if (query->by_brute)
    queue_brute(queue);
  else
    queue_stage(queue, STAGE_search);
  queue_mark(queue, MARK_SEARCHED);
  queue_filters(queue);
  if (!query->by_trees) queue_grid_clearing(queue);
  queue_tests(queue);
  queue_mark(queue, MARK_TESTED);
  if (v->pushes != NULL)
    queue_pushes(queue, variants);
  else
    queue_order(queue);
  queue_mark(queue, MARK_ORDERED);
}

/* Queries that take turns are kept beside each other. */
static device_sequence sequence_of(const device_view *view) {
  if (view->pushes != NULL) return SEQUENCE_PUSH;
  return view->focus != NULL ? SEQUENCE_FOCUS : SEQUENCE_QUERY;
}

static graze_result run_query(device_state *state, const device_query *query, device_totals *totals_out) {
  const device_operations *device = &state->memory.operations;
  graze_result result = size_lists(state);
  if (result == GRAZE_OK && query->by_trees) result = size_descent(state, query);
  if (result == GRAZE_OK && query->by_clusters) result = size_sweep(state);
  if (result == GRAZE_OK) result = size_pushes(state, query, state->capacity[LIST_PAIRS]);
  if (result != GRAZE_OK) return result;
  const contact_variants variants = contact_variants_of(state, query->test);
  const device_view view = view_of_query(state, query);
  stage_queue queue = {device, &view, GRAZE_OK};
  result = clear_counts(state, query, &view);
  if (result == GRAZE_OK && !query->by_trees) result = clear_grid(state, &view);
  if (result != GRAZE_OK) return result;
  if (!device->begin(device->context, sequence_of(&view), &view, sizeof view)) {
    if (query->by_trees)
      queue_leaves(&queue);
    else
      queue_entries(&queue);
    queue_search(&queue, query, &variants);
  }
  result = device->end(device->context);
  if (queue.result != GRAZE_OK) result = queue.result;
  if (!query->by_trees) state->grid_is_clear = result == GRAZE_OK;
  /* Boxes of entries matter where coordinates are bent, and move with the vertices. */
  state->leaves_are_entries = result == GRAZE_OK && query->by_trees && view.slots == 0.0f;
  return result == GRAZE_OK ? fetch_totals(state, query, &view, totals_out) : result;
}

static graze_counters counters_of(const device_totals *totals, const device_query *query) {
  const uint64_t *list = totals->list;
  const uint64_t candidates = list[LIST_CANDIDATES], by_number = tally_sum(totals, TALLY_BY_NUMBER);
  const uint64_t exact = tally_sum(totals, TALLY_EXACT), wide = tally_sum(totals, TALLY_WIDE);
  const uint64_t double_late = tally_sum(totals, TALLY_DOUBLE), late = exact + wide + double_late;
  /* Triangles that the double filter alone has decided: undecided ones came from it, or were neighbours. */
  const uint64_t double_early = list[LIST_TRIANGLES] + tally_sum(totals, TALLY_ADJACENT) - list[LIST_UNDECIDED];
  graze_counters counters = {.searched = totals->entry_count,
                             .levels = count_bits(totals->level_mask[0] | totals->level_mask[1]),
                             .box_tests = tally_sum(totals, TALLY_BOX_TESTS),
                             .candidates = candidates,
                             .neighbours = tally_sum(totals, TALLY_NEIGHBOURS),
                             .float_decided = candidates - by_number - double_early - late,
                             .double_decided = double_early + double_late,
                             .exact_decided = exact,
                             .wide_decided = wide,
                             .pairs = list[LIST_PAIRS],
                             .duplicates = tally_sum(totals, TALLY_DUPLICATES),
                             .members = tally_sum(totals, TALLY_MEMBERS),
                             .members_1 = tally_sum(totals, TALLY_IN_ONE),
                             .members_2 = tally_sum(totals, TALLY_IN_TWO),
                             .members_3 = tally_sum(totals, TALLY_IN_THREE),
                             .members_4 = tally_sum(totals, TALLY_IN_FOUR)};
  if (query->candidates_only) {
    counters.float_decided = counters.exact_decided = counters.wide_decided = 0;
    counters.double_decided = candidates;
  }
  return counters;
}

/* The query in one run, or as many as its lists need to be long enough. */
static graze_result find_at_once(device_state *state, const device_query *query, uint64_t *searches,
                                 device_totals *totals_out) {
  graze_result result = run_query(state, query, totals_out);
  for (; result == GRAZE_OK; result = run_query(state, query, totals_out)) {
    ++*searches;
    if (lists_too_long(totals_out)) return GRAZE_TOO_LARGE; /* with the room that there was */
    if (!needs_another_run(state, totals_out)) break;
    if (descent_is_too_long(state) || sweep_is_too_long(totals_out)) return GRAZE_TOO_LARGE;
    if (stop_is_asked_for(query->stop)) return GRAZE_STOPPED;
  }
  return result;
}

/* Lists of an earlier query give way to the grid. */
static graze_result make_room_for_entries(device_state *state, const device_query *query, size_t push_bytes) {
  const graze_result result = size_entries(state, query, push_bytes);
  return result == GRAZE_OUT_OF_MEMORY && release_spares(&state->memory) ? size_entries(state, query, push_bytes)
                                                                         : result;
}

/* The time of the pushes stands where that of the order is. */
static graze_timings timings_of_pushes(graze_timings timings) {
  timings.contacts_ms = timings.order_ms;
  timings.order_ms = 0.0;
  return timings;
}

graze_result device_state_find(device_state *state, const device_query *query, device_answer *answer_out) {
  memset(answer_out, 0, sizeof *answer_out);
  const size_t push_bytes = push_table_bytes(state, query);
  if (query->push_rule != NULL) memset(query->pushes_out, 0, push_bytes);
  if (state->primitive_count == 0) return GRAZE_OK;
  choose_capacities(state, query);
  graze_result result = upload_focus(state, query);
  if (result == GRAZE_OK) result = make_room_for_entries(state, query, push_bytes);
  if (result != GRAZE_OK) return result;
  uint64_t searches = 0;
  bool by_trees = query->by_trees;
  device_totals totals;
  result = find_at_once(state, query, &searches, &totals);
  if (result == GRAZE_OK) answer_out->timings = timings_of(&state->memory.operations);
  const bool of_part = query->by_clusters && !range_has_all_clusters(query->clusters); /* the grid has no parts */
  if ((result == GRAZE_OUT_OF_MEMORY || result == GRAZE_TOO_LARGE) && !of_part) {
    chunked_answer chunked;
    by_trees = false;
    state->leaves_are_entries = false;
    state->tree_entry_room = state->member_room = state->piece_room =
        0; /* the grid can do with little memory, and finds the same pairs */
    result = find_in_chunks(state, query, &chunked);
    totals = chunked.totals;
    searches += chunked.searches;
    answer_out->timings = chunked.timings;
  }
  if (result != GRAZE_OK) return result;
  if (query->push_rule != NULL) answer_out->timings = timings_of_pushes(answer_out->timings);
  answer_out->pair_count = totals.list[LIST_PAIRS];
  answer_out->hash = tally_sum(&totals, TALLY_HASH);
  answer_out->device_pairs = state->buffers[BUFFER_PAIRS].data;
  answer_out->counters = counters_of(&totals, query);
  if (by_trees) answer_out->counters.searched = query->tree_searched;
  answer_out->counters.reruns = searches - 1;
  if (query_is_by_grid(query) && !focus_is_narrow(&query->focus)) note_crowd(state, &totals);
  if (answer_out->counters.members > 0) {
    answer_out->counters.clusters = state->clusters_used;
    if (!of_part && !focus_is_narrow(&query->focus)) note_sweep(state, &totals);
  }
  return GRAZE_OK;
}

graze_result device_state_fetch(device_state *state, const device_answer *answer, size_t count, graze_pair *pairs_out) {
  if (count == 0) return GRAZE_OK;
  return bulk_download(&state->memory, pairs_out, answer->device_pairs, count * sizeof *pairs_out);
}

/* A query: in one run, repeated if a list was too short, or in chunks of entries if memory or 32-bit numbers do not
 * suffice; and its counters.
 *
 * Capacities are those that the last frame needed, plus a quarter. If a list was too short, the counters give the
 * sufficient length, and the query is repeated: nothing is ever dropped, and in a moving scene most queries run
 * once. */
#include "cuda/device_find.h"

#include "cuda/bulk_copy.h"
#include "cuda/device_chunks.h"
#include "geometry/bits.h"

#include <stdalign.h>
#include <string.h>

enum { FIRST_CANDIDATES = 1 }; /* per primitive, for the first query: memory is more expensive than a second run */

/* Capacities before the first query, and lists that a query does not use. */
static void choose_capacities(device_search *search, const device_query *query) {
  const size_t hint = search->memory->operations.first_capacity;
  const uint64_t primitives = search->scene->primitive_count;
  const uint64_t candidates = hint != 0 ? hint : FIRST_CANDIDATES * primitives + LEAST_CAPACITY;
  const scene_kinds *kinds = &search->scene->kinds;
  uint64_t *capacity = search->lists.capacity;
  const uint64_t share[LIST_COUNT] = {1,  8,  16, 2, 16,
                                      16, 16, 4,  16}; /* divisors of the number of candidates, one per list */
  const bool used[LIST_COUNT] = {true,
                                 !query->candidates_only && kinds->has_batch[BATCH_TRIANGLES],
                                 !query->candidates_only && kinds->has_batch[BATCH_TRIANGLES],
                                 !query->candidates_only && kinds->has_batch[BATCH_TETRAHEDRA],
                                 !query->candidates_only && kinds->has_batch[BATCH_TETRAHEDRA],
                                 !query->candidates_only && kinds->has_batch[BATCH_TETRAHEDRA],
                                 !query->candidates_only && kinds->has_batch[BATCH_TETRAHEDRA],
                                 !query->candidates_only && !kinds->only_triangles,
                                 true};
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t first = hint != 0 ? hint : candidates / share[i] + LEAST_CAPACITY;
    if (used[i] && capacity[i] == 0) capacity[i] = first < LONGEST_LIST ? first : LONGEST_LIST;
  }
}

/* The state of one query. */
typedef struct pair_search {
  device_search *search;
  device_wrenches *wrenches;
  const search_way *way;
  void *state; /* of the search */
  const device_query *query;
} pair_search;

/* The views of one run: the signature of its kept sequence. */
typedef struct search_run {
  const search_way *way;
  grid_view grid;
  order_view order;
  contact_view wrenches;
  contact_variants variants;
  uint32_t group_count;
  alignas(16) unsigned char own[METHOD_VIEW_MOST]; /* of the search */
} search_run;

_Static_assert(sizeof(search_run) <= SIGNATURE_MOST, "the signature of a query fits into a kept signature");

static void make_run(const pair_search *p, search_run *run) {
  memset(run, 0, sizeof *run); /* compared as bytes */
  run->way = p->way;
  run->grid = view_of_query(p->search, p->query, p->way->searches);
  run->order = view_of_order(p->search, &run->grid.pairs);
  run->wrenches = view_of_wrenches(p->wrenches, p->search, p->query, &run->grid.pairs);
  run->variants = contact_variants_of(&p->search->scene->kinds, p->query->test);
  uint32_t group_bits;
  run->group_count = group_count_of(p->search->memory, p->search->scene->primitive_count, &group_bits);
  if (p->way->view != NULL) p->way->view(p->state, &run->grid, run->own);
}

/* Whether a list overflowed, or pairs cannot be ranked and must be sorted. */
static bool needs_another_run(const pair_search *p, const device_totals *totals) {
  pair_lists *lists = &p->search->lists;
  const bool enlarged = enlarge_lists(lists, totals), sorts = totals->long_list != 0 && !lists->sorts_pairs;
  const bool has_grown = p->way->enlarge != NULL && p->way->enlarge(p->state, totals);
  lists->sorts_pairs = lists->sorts_pairs || sorts;
  return enlarged || sorts || has_grown;
}

static bool orders_entries(const pair_search *p) {
  return (p->way->searches & ORDERS_ENTRIES) != 0;
}

static void queue_query(const pair_search *p, stage_queue *queue, const search_run *run) {
  const list_view *lists = &run->grid.pairs.lists;
  const bool wrenches = p->query->wrenches != NULL;
  if (orders_entries(p))
    p->way->queue_entries(queue, run->own);
  else
    queue_entries(queue, &run->grid);
  if (lists->sort_pairs != 0 && !wrenches)
    queue_clear(queue, lists->keys, 0xff, lists->capacity[LIST_PAIRS] * sizeof *lists->keys);
  p->way->queue_candidates(queue, &run->grid, run->own);
  queue_mark(queue, MARK_SEARCHED);
  queue_filters(queue, &run->grid.pairs);
  if (!orders_entries(p)) queue_grid_clearing(queue, &run->grid);
  queue_tests(queue, &run->grid.pairs);
  queue_mark(queue, MARK_TESTED);
  if (wrenches)
    queue_wrenches(queue, &run->wrenches, &run->variants);
  else
    queue_order(queue, &run->order, run->group_count);
  queue_mark(queue, MARK_ORDERED);
}

/* Alternating kinds of queries keep separate sequences. */
static device_sequence sequence_of(const device_query *query) {
  if (query->wrenches != NULL) return SEQUENCE_WRENCH;
  return focus_is_narrow(&query->focus) ? SEQUENCE_FOCUS : SEQUENCE_QUERY;
}

static graze_result run_query(const pair_search *p, device_totals *totals_out) {
  device_search *search = p->search;
  device_grid *grid = &search->grid;
  const device_operations *device = &search->memory->operations;
  graze_result result = size_lists(search);
  if (result == GRAZE_OK && p->way->reserve != NULL) result = p->way->reserve(p->state, p->query);
  if (result == GRAZE_OK) result = size_wrenches(p->wrenches, search, p->query, search->lists.capacity[LIST_PAIRS]);
  if (result != GRAZE_OK) return result;
  search_run run;
  make_run(p, &run);
  stage_queue queue = {device, GRAZE_OK};
  result = clear_counts(search, p->query);
  if (result == GRAZE_OK && !orders_entries(p)) result = clear_grid(search);
  if (result != GRAZE_OK) return result;
  if (!device->begin(device->context, sequence_of(p->query), &run, sizeof run)) queue_query(p, &queue, &run);
  result = device->end(device->context);
  if (queue.result != GRAZE_OK) result = queue.result;
  if (!orders_entries(p)) grid->is_clear = result == GRAZE_OK;
  /* In piecewise-mapped coordinates the boxes of entries matter, and they change with the vertices. */
  const bool kept = result == GRAZE_OK && orders_entries(p) && run.grid.pairs.scene.slots == 0.0f;
  grid->kept_for = kept ? p->state : NULL;
  return result == GRAZE_OK ? fetch_totals(search, p->query, totals_out) : result;
}

static graze_counters counters_of(const device_totals *totals, const device_query *query) {
  const uint64_t *list = totals->list;
  const uint64_t candidates = list[LIST_CANDIDATES], by_number = tally_sum(totals, TALLY_BY_NUMBER);
  const uint64_t exact = tally_sum(totals, TALLY_EXACT), wide = tally_sum(totals, TALLY_WIDE);
  const uint64_t double_late = tally_sum(totals, TALLY_DOUBLE), late = exact + wide + double_late;
  /* Triangles decided by the double filter: those it left undecided, and neighbors, are subtracted. */
  const uint64_t double_early = list[LIST_TRIANGLES] + tally_sum(totals, TALLY_ADJACENT) - list[LIST_UNDECIDED];
  graze_counters counters = {.searched = totals->entry_count,
                             .levels = count_bits(totals->level_mask[0] | totals->level_mask[1]),
                             .box_tests = tally_sum(totals, TALLY_BOX_TESTS),
                             .candidates = candidates,
                             .neighbors = tally_sum(totals, TALLY_NEIGHBORS),
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

/* Runs the query until its lists are long enough. */
static graze_result find_at_once(const pair_search *p, uint64_t *searches, device_totals *totals_out) {
  const search_way *way = p->way;
  graze_result result = run_query(p, totals_out);
  for (; result == GRAZE_OK; result = run_query(p, totals_out)) {
    ++*searches;
    if (lists_too_long(totals_out)) return GRAZE_TOO_LARGE; /* with the current capacities */
    if (!needs_another_run(p, totals_out)) break;
    if (way->is_too_long != NULL && way->is_too_long(p->state, totals_out)) return GRAZE_TOO_LARGE;
    if (stop_is_requested(p->query->stop)) return GRAZE_STOPPED;
  }
  return result;
}

/* Releases the lists of an earlier query if the grid needs the memory. */
static graze_result make_room_for_entries(const pair_search *p) {
  device_search *search = p->search;
  const uint32_t searches = p->way->searches;
  const graze_result result = size_entries(search, p->query, searches);
  if (result != GRAZE_OUT_OF_MEMORY || !release_spares(search->memory)) return result;
  return size_entries(search, p->query, searches);
}

/* Uses the grid, which works with little memory and finds the same pairs. */
static graze_result find_with_little_memory(const pair_search *p, chunked_answer *answer_out) {
  p->search->grid.kept_for = NULL;
  if (p->way->reset_capacities != NULL) p->way->reset_capacities(p->state);
  return find_in_chunks(p->search, p->wrenches, p->query, p->way->searches & ~(uint32_t)ORDERS_ENTRIES, answer_out);
}

/* The time of the wrenches was measured in place of that of the order. */
static graze_timings timings_of_wrenches(graze_timings timings) {
  timings.contacts_ms = timings.order_ms;
  timings.order_ms = 0.0;
  return timings;
}

static graze_result find(const pair_search *p, device_answer *answer_out) {
  chunked_answer found = {.searches = 0};
  graze_result result = find_at_once(p, &found.searches, &found.totals);
  if (result == GRAZE_OK) found.timings = timings_of(&p->search->memory->operations);
  const bool in_chunks = (result == GRAZE_OUT_OF_MEMORY || result == GRAZE_TOO_LARGE) && !p->query->is_part;
  if (in_chunks) {
    const uint64_t searches = found.searches;
    result = find_with_little_memory(p, &found);
    found.searches += searches;
  }
  if (result != GRAZE_OK) return result;
  const device_totals *totals = &found.totals;
  answer_out->timings = p->query->wrenches != NULL ? timings_of_wrenches(found.timings) : found.timings;
  answer_out->pair_count = totals->list[LIST_PAIRS];
  answer_out->hash = tally_sum(totals, TALLY_HASH);
  answer_out->device_pairs = p->search->lists.pairs.data;
  answer_out->counters = counters_of(totals, p->query);
  answer_out->counters.reruns = found.searches - 1;
  const bool by_cells = (p->way->searches & SEARCHES_CELLS) != 0;
  if (by_cells && !focus_is_narrow(&p->query->focus)) update_bundling(&p->search->grid, totals);
  if (!in_chunks && p->way->count != NULL) p->way->count(p->state, p->query, totals, &answer_out->counters);
  return GRAZE_OK;
}

graze_result device_find(device_search *search, device_wrenches *wrenches, const search_way *way, void *state,
                         const device_query *query, device_answer *answer_out) {
  const pair_search p = {search, wrenches, way, state, query};
  const size_t objects = search->scene->tables.count;
  memset(answer_out, 0, sizeof *answer_out);
  if (query->wrenches != NULL)
    memset(query->wrenches->sums_out, 0, objects * objects * sizeof *query->wrenches->sums_out);
  if (search->scene->primitive_count == 0) return GRAZE_OK;
  choose_capacities(search, query);
  graze_result result = upload_focus(search, query);
  if (result == GRAZE_OK) result = make_room_for_entries(&p);
  return result == GRAZE_OK ? find(&p, answer_out) : result;
}

graze_result device_find_fetch(device_search *search, const device_answer *answer, size_t count,
                               graze_pair *pairs_out) {
  if (count == 0) return GRAZE_OK;
  return bulk_download(search->memory, pairs_out, answer->device_pairs, count * sizeof *pairs_out);
}

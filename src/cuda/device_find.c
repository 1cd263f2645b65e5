/* A query: in one run, repeated if a list was too short, or in chunks of entries if memory or 32-bit numbers do not
 * suffice; and its counters.
 *
 * Capacities are those that the last frame needed, plus a quarter. If a list was too short, the counters give the
 * sufficient length, and the query is repeated: nothing is ever dropped, and in a moving scene most queries run
 * once. */
#include "cuda/device_find.h"

#include "cuda/device_memory.h"
#include "geometry/bits.h"

#include <stdalign.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- a query in chunks
 *
 * Each search takes some entries, and the lists of candidates and those derived from them are reused for every chunk.
 * Keys of pairs accumulate, and are sorted at the end, when the other lists have been released.
 *
 * Lists are halved until their allocation succeeds. A chunk that overflows a list is repeated with fewer entries; an
 * entry that overflows one alone requests the size it needs. If the keys overflow, counting continues, and the query is
 * repeated with exactly that capacity. So no capacity here can lose a pair.
 *
 * Workload: a device that is nearly full, or more candidates than 32 bits can number. Some failed allocations, and
 * about ten chunks per query; no sequence is kept. */

enum { LEAST_LIST = 256 };

typedef struct chunked_answer {
  device_totals totals; /* as a single run would count them */
  graze_timings timings;
  uint64_t searches; /* number of search runs */
} chunked_answer;

typedef struct chunked_query {
  device_search *search;
  device_wrenches *wrenches;
  const device_query *query;
  uint32_t searches;          /* number of the failed method's searches */
  uint64_t least[LIST_COUNT]; /* lists do not become shorter than this */
  bool pairs_known;           /* the number of pairs is known, and is the length of their list */
  bool too_short;             /* a list must grow, and all chunks must be repeated */
  uint32_t entries_at_once;
  chunked_answer answer;
} chunked_query;

/* ---------------------------------------------------------------------------------------------- memory */

static chunked_query begin_chunks(device_search *search, device_wrenches *wrenches, const device_query *query,
                                  uint32_t searches) {
  chunked_query q = {search, wrenches, query, searches, .entries_at_once = UINT32_MAX};
  const size_t primitives = search->scene->primitive_count;
  for (int i = 0; i < LIST_COUNT; i++) {
    /* The list of candidates always has space for one per primitive. */
    const uint64_t least = i == LIST_CANDIDATES && primitives > LEAST_LIST ? primitives : LEAST_LIST;
    q.least[i] = search->lists.capacity[i] < least ? search->lists.capacity[i] : least;
  }
  return q;
}

/* False if no list can become shorter. */
static bool halve_lists(chunked_query *q) {
  bool halved = false;
  for (int i = 0; i < LIST_COUNT; i++) {
    uint64_t *capacity = &q->search->lists.capacity[i];
    if (*capacity <= q->least[i] || (i == LIST_PAIRS && q->pairs_known)) continue;
    *capacity = *capacity / 2 > q->least[i] ? *capacity / 2 : q->least[i];
    halved = true;
  }
  return halved;
}

static graze_result size_chunk_lists(device_search *search) {
  graze_result result = GRAZE_OK;
  /* The keys are allocated first; the others use the remaining memory. */
  for (int i = LIST_COUNT - 1; i >= 0 && result == GRAZE_OK; i--)
    result = size_spare(search->memory, &search->lists.list[i], list_bytes(search, (device_list)i));
  return result;
}

/* ---------------------------------------------------------------------------------------------- chunks */

/* Pairs are sorted for any number per primitive: when a chunk is repeated, ranks would have to be undone. */
static grid_view view_of_chunk(const chunked_query *q, uint32_t first_entry) {
  grid_view view = view_of_query(q->search, q->query, q->searches);
  view.pairs.lists.sort_pairs = 1;
  view.first_entry = first_entry;
  view.entry_limit = q->entries_at_once;
  return view;
}

static graze_result build_entries(chunked_query *q) {
  const device_operations *device = &q->search->memory->operations;
  const grid_view view = view_of_chunk(q, 0);
  graze_result result = device->reserve(device->context, (size_t)view.bucket_slots + 1, 0);
  if (result == GRAZE_OK) result = clear_counts(q->search, q->query);
  if (result == GRAZE_OK) result = clear_grid(q->search);
  if (result != GRAZE_OK) return result;
  stage_queue queue = {device, GRAZE_OK};
  queue_entries(&queue, &view);
  if (queue.result != GRAZE_OK) return queue.result;
  device_totals *sum = &q->answer.totals;
  result = device->download(device->context, sum, view.pairs.lists.totals, sizeof *sum);
  const graze_timings times = timings_of(device);
  q->answer.timings.bounds_ms = times.bounds_ms;
  q->answer.timings.build_ms = times.build_ms;
  return result;
}

/* The counter of pairs continues from the earlier chunks. */
static graze_result run_chunk(chunked_query *q, uint32_t first_entry, device_totals *totals_out) {
  const device_operations *device = &q->search->memory->operations;
  const grid_view view = view_of_chunk(q, first_entry);
  device_totals *totals = view.pairs.lists.totals;
  stage_queue queue = {device, GRAZE_OK};
  queue_clear(&queue, totals->list, 0, LIST_PAIRS * sizeof totals->list[0]);
  queue_clear(&queue, totals->tally, 0, sizeof totals->tally);
  if (queue.result == GRAZE_OK)
    queue.result = device->upload(device->context, &totals->list[LIST_PAIRS], &q->answer.totals.list[LIST_PAIRS],
                                  sizeof totals->list[LIST_PAIRS]);
  queue_mark(&queue, MARK_BUILT);
  queue_grid_search(&queue, &view);
  queue_mark(&queue, MARK_SEARCHED);
  queue_filters(&queue, &view.pairs);
  queue_tests(&queue, &view.pairs);
  queue_mark(&queue, MARK_TESTED);
  if (queue.result != GRAZE_OK) return queue.result;
  q->answer.searches++;
  return device->download(device->context, totals_out, totals, sizeof *totals_out);
}

static void add_chunk(chunked_query *q, const device_totals *totals) {
  chunked_answer *answer = &q->answer;
  for (int i = 0; i < LIST_PAIRS; i++) answer->totals.list[i] += totals->list[i];
  answer->totals.list[LIST_PAIRS] = totals->list[LIST_PAIRS];
  for (int i = 0; i < TALLY_COUNT; i++)
    for (int k = 0; k < TALLY_SLOTS; k++) answer->totals.tally[i][k] += totals->tally[i][k];
  const graze_timings times = timings_of(&q->search->memory->operations);
  answer->timings.search_ms += times.search_ms;
  answer->timings.test_ms += times.test_ms;
}

/* The largest ratio of a list's count to its capacity in a chunk: above one if the chunk overflowed. */
static double fullest_list(const chunked_query *q, const device_totals *totals) {
  double fullest = 0.0;
  for (int i = 0; i < LIST_PAIRS; i++) {
    const uint64_t capacity = q->search->lists.capacity[i], count = totals->list[i];
    const double part = capacity > 0 ? (double)count / (double)capacity : (double)count;
    fullest = part > fullest ? part : fullest;
  }
  return fullest;
}

/* For a single entry that overflows a list. */
static void make_room_for_entry(chunked_query *q, const device_totals *totals) {
  for (int i = 0; i < LIST_PAIRS; i++)
    if (totals->list[i] > q->search->lists.capacity[i])
      q->search->lists.capacity[i] = q->least[i] = totals->list[i] + totals->list[i] / 4;
  q->too_short = true;
}

static void take_fewer_entries(chunked_query *q, uint32_t entries, double fullest) {
  const double fitting = 0.75 * (double)entries / fullest;
  q->entries_at_once = fitting < (double)(entries / 2) ? (uint32_t)fitting : entries / 2;
  if (q->entries_at_once == 0) q->entries_at_once = 1;
}

static graze_result run_chunks(chunked_query *q) {
  graze_result result = build_entries(q);
  if (result != GRAZE_OK) return result;
  const uint32_t entry_count = q->answer.totals.entry_count;
  for (uint32_t first = 0; first < entry_count;) {
    const uint32_t left = entry_count - first, entries = left < q->entries_at_once ? left : q->entries_at_once;
    device_totals totals;
    if (stop_is_requested(q->query->stop)) return GRAZE_STOPPED;
    result = run_chunk(q, first, &totals);
    if (result != GRAZE_OK) return result;
    const double fullest = fullest_list(q, &totals);
    if (fullest > 1.0 && entries == 1) {
      make_room_for_entry(q, &totals);
      return GRAZE_OK;
    }
    if (fullest > 1.0) {
      take_fewer_entries(q, entries, fullest);
      continue;
    }
    add_chunk(q, &totals);
    first += entries;
    if (fullest < 0.5 && q->entries_at_once <= UINT32_MAX / 2) q->entries_at_once *= 2;
  }
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the whole query */

/* Finds all keys, with lists of the sizes that can be allocated. */
static graze_result find_keys(chunked_query *q) {
  uint64_t *capacity = q->search->lists.capacity;
  for (;;) {
    release_spares(q->search->memory);
    graze_result result = size_chunk_lists(q->search);
    memset(&q->answer.totals, 0, sizeof q->answer.totals);
    memset(&q->answer.timings, 0, sizeof q->answer.timings);
    q->too_short = false;
    if (result == GRAZE_OK) result = run_chunks(q);
    if (result == GRAZE_OUT_OF_MEMORY && halve_lists(q)) continue;
    if (result != GRAZE_OK) return result;
    if (q->too_short) continue;
    const uint64_t pairs = q->answer.totals.list[LIST_PAIRS];
    if (pairs > LONGEST_LIST) return GRAZE_TOO_LARGE;
    if (pairs <= capacity[LIST_PAIRS]) return GRAZE_OK;
    capacity[LIST_PAIRS] = pairs;
    q->pairs_known = true;
  }
}

static void release_other_lists(device_search *search) {
  for (int i = 0; i < LIST_PAIRS; i++) release_buffer(search->memory, &search->lists.list[i]);
}

/* Sorts the valid keys only: those after them belong to repeated chunks. */
static graze_result order_keys(chunked_query *q) {
  device_search *search = q->search;
  device_memory *held = search->memory;
  const device_operations *device = &held->operations;
  const size_t pairs = (size_t)q->answer.totals.list[LIST_PAIRS];
  release_other_lists(search);
  graze_result result = size_spare(held, &search->lists.ranks, pairs * sizeof(uint64_t));
  if (result == GRAZE_OK) result = size_spare(held, &search->lists.pairs, pairs * sizeof(graze_pair));
  if (result == GRAZE_OK) result = device->reserve(device->context, 0, pairs);
  if (result != GRAZE_OK || pairs == 0) return result;
  grid_view view = view_of_chunk(q, 0);
  view.pairs.lists.capacity[LIST_PAIRS] = pairs;
  const order_view order = view_of_order(search, &view.pairs);
  stage_queue queue = {device, GRAZE_OK};
  queue_mark(&queue, MARK_TESTED);
  queue_order(&queue, &order, 0); /* they are sorted, so there are no groups */
  queue_mark(&queue, MARK_ORDERED);
  if (queue.result != GRAZE_OK) return queue.result;
  device_totals ordered; /* the download also waits, so that the time is known */
  result = device->download(device->context, &ordered, view.pairs.lists.totals, sizeof ordered);
  if (result != GRAZE_OK) return result;
  memcpy(q->answer.totals.tally[TALLY_HASH], ordered.tally[TALLY_HASH], sizeof ordered.tally[TALLY_HASH]);
  q->answer.timings.order_ms = timings_of(device).order_ms;
  return GRAZE_OK;
}

/* Sums their wrenches, instead of sorting them. */
static graze_result sum_wrenches(chunked_query *q) {
  device_search *search = q->search;
  const device_operations *device = &search->memory->operations;
  const size_t pairs = (size_t)q->answer.totals.list[LIST_PAIRS];
  release_other_lists(search);
  const graze_result result = size_wrenches(q->wrenches, search, q->query, pairs);
  if (result != GRAZE_OK || pairs == 0) return result;
  const contact_variants variants = contact_variants_of(&search->scene->kinds, q->query->test);
  grid_view view = view_of_chunk(q, 0);
  view.pairs.lists.capacity[LIST_PAIRS] = pairs;
  const contact_view wrenches = view_of_wrenches(q->wrenches, search, q->query, &view.pairs);
  stage_queue queue = {device, GRAZE_OK};
  queue_mark(&queue, MARK_TESTED);
  queue_wrenches(&queue, &wrenches, &variants);
  queue_mark(&queue, MARK_ORDERED);
  if (queue.result != GRAZE_OK) return queue.result;
  device_totals counted;
  const graze_result fetched = fetch_totals(search, q->query, &counted);
  if (fetched == GRAZE_OK) q->answer.timings.order_ms = timings_of(device).order_ms;
  return fetched;
}

/* Leaves the pairs, sorted, in their list. `searches` belongs to the method that failed. Entries must have their
 * memory. GRAZE_OUT_OF_MEMORY if there is no memory for short lists, for the keys of all pairs, or for the pairs; the
 * device then has the message. */
static graze_result find_in_chunks(device_search *search, device_wrenches *wrenches, const device_query *query,
                                   uint32_t searches, chunked_answer *answer_out) {
  pair_lists *lists = &search->lists;
  uint64_t capacity[LIST_COUNT];
  memcpy(capacity, lists->capacity, sizeof capacity);
  chunked_query q = begin_chunks(search, wrenches, query, searches);
  graze_result result = find_keys(&q);
  if (result == GRAZE_OK) result = query->wrenches != NULL ? sum_wrenches(&q) : order_keys(&q);
  if (result != GRAZE_OK) release_spares(search->memory);
  /* The next query runs in one step again, with capacities that are now known to suffice: memory may be free again.
   * A list too long for any capacity keeps its size. */
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t count = q.answer.totals.list[i];
    const bool too_short = capacity[i] > 0 && count > capacity[i] && count <= LONGEST_LIST;
    lists->capacity[i] = result == GRAZE_OK && too_short ? grown_capacity(count) : capacity[i];
  }
  *answer_out = q.answer;
  return result;
}

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
  const search_steps *steps;
  void *state; /* of the search */
  const device_query *query;
} pair_search;

/* The views of one run: the signature of its kept sequence. */
typedef struct search_run {
  const search_steps *steps;
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
  run->steps = p->steps;
  run->grid = view_of_query(p->search, p->query, p->steps->searches);
  run->order = view_of_order(p->search, &run->grid.pairs);
  run->wrenches = view_of_wrenches(p->wrenches, p->search, p->query, &run->grid.pairs);
  run->variants = contact_variants_of(&p->search->scene->kinds, p->query->test);
  uint32_t group_bits;
  run->group_count = group_count_of(p->search->memory, p->search->scene->primitive_count, &group_bits);
  if (p->steps->view != NULL) p->steps->view(p->state, &run->grid, run->own);
}

/* Whether a list overflowed, or pairs cannot be ranked and must be sorted. */
static bool needs_another_run(const pair_search *p, const device_totals *totals) {
  pair_lists *lists = &p->search->lists;
  const bool enlarged = enlarge_lists(lists, totals), sorts = totals->long_list != 0 && !lists->sorts_pairs;
  const bool has_grown = p->steps->enlarge != NULL && p->steps->enlarge(p->state, totals);
  lists->sorts_pairs = lists->sorts_pairs || sorts;
  return enlarged || sorts || has_grown;
}

static bool orders_entries(const pair_search *p) {
  return (p->steps->searches & ORDERS_ENTRIES) != 0;
}

static void queue_query(const pair_search *p, stage_queue *queue, const search_run *run) {
  const list_view *lists = &run->grid.pairs.lists;
  const bool wrenches = p->query->wrenches != NULL;
  if (orders_entries(p))
    p->steps->queue_entries(queue, run->own);
  else
    queue_entries(queue, &run->grid);
  if (lists->sort_pairs != 0 && !wrenches)
    queue_clear(queue, lists->keys, 0xff, lists->capacity[LIST_PAIRS] * sizeof *lists->keys);
  p->steps->queue_candidates(queue, &run->grid, run->own);
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
  if (result == GRAZE_OK && p->steps->reserve != NULL) result = p->steps->reserve(p->state, p->query);
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
  const search_steps *steps = p->steps;
  graze_result result = run_query(p, totals_out);
  for (; result == GRAZE_OK; result = run_query(p, totals_out)) {
    (*searches)++;
    if (lists_too_long(totals_out)) return GRAZE_TOO_LARGE; /* with the current capacities */
    if (!needs_another_run(p, totals_out)) break;
    if (steps->is_too_long != NULL && steps->is_too_long(p->state, totals_out)) return GRAZE_TOO_LARGE;
    if (stop_is_requested(p->query->stop)) return GRAZE_STOPPED;
  }
  return result;
}

/* Releases the lists of an earlier query if the grid needs the memory. */
static graze_result make_room_for_entries(const pair_search *p) {
  device_search *search = p->search;
  const uint32_t searches = p->steps->searches;
  const graze_result result = size_entries(search, p->query, searches);
  if (result != GRAZE_OUT_OF_MEMORY || !release_spares(search->memory)) return result;
  return size_entries(search, p->query, searches);
}

/* Uses the grid, which works with little memory and finds the same pairs. */
static graze_result find_with_little_memory(const pair_search *p, chunked_answer *answer_out) {
  p->search->grid.kept_for = NULL;
  if (p->steps->reset_capacities != NULL) p->steps->reset_capacities(p->state);
  return find_in_chunks(p->search, p->wrenches, p->query, p->steps->searches & ~(uint32_t)ORDERS_ENTRIES, answer_out);
}

/* The time of the wrenches was measured in place of that of the order. */
static graze_timings timings_of_wrenches(graze_timings timings) {
  timings.contacts_ms = timings.order_ms;
  timings.order_ms = 0.0;
  return timings;
}

static graze_result search_device(const pair_search *p, device_answer *answer_out) {
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
  const bool by_cells = (p->steps->searches & SEARCHES_CELLS) != 0;
  if (by_cells && !focus_is_narrow(&p->query->focus)) update_bundling(&p->search->grid, totals);
  if (!in_chunks && p->steps->count != NULL) p->steps->count(p->state, p->query, totals, &answer_out->counters);
  return GRAZE_OK;
}

graze_result device_find(device_search *search, device_wrenches *wrenches, const search_steps *steps, void *state,
                         const device_query *query, device_answer *answer_out) {
  const pair_search p = {search, wrenches, steps, state, query};
  const size_t objects = search->scene->tables.count;
  memset(answer_out, 0, sizeof *answer_out);
  if (query->wrenches != NULL)
    memset(query->wrenches->sums_out, 0, objects * objects * sizeof *query->wrenches->sums_out);
  if (search->scene->primitive_count == 0) return GRAZE_OK;
  choose_capacities(search, query);
  graze_result result = upload_focus(search, query);
  if (result == GRAZE_OK) result = make_room_for_entries(&p);
  return result == GRAZE_OK ? search_device(&p, answer_out) : result;
}

graze_result device_find_fetch(device_search *search, const device_answer *answer, size_t count,
                               graze_pair *pairs_out) {
  if (count == 0) return GRAZE_OK;
  return bulk_download(search->memory, pairs_out, answer->device_pairs, count * sizeof *pairs_out);
}

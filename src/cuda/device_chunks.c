/* A query in chunks: each search takes some entries, and the lists of candidates and those derived from them are reused
 * for every chunk. Keys of pairs accumulate, and are sorted at the end, when the other lists have been released.
 *
 * Lists are halved until their allocation succeeds. A chunk that overflows a list is repeated with fewer entries; an
 * entry that overflows one alone requests the size it needs. If the keys overflow, counting continues, and the query is
 * repeated with exactly that capacity. So no capacity here can lose a pair.
 *
 * Workload: a device that is nearly full, or more candidates than 32 bits can number. Some failed allocations, and
 * about ten chunks per query; no sequence is kept. */
#include "cuda/device_chunks.h"

#include <string.h>

enum { LEAST_LIST = 256 };

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

graze_result find_in_chunks(device_search *search, device_wrenches *wrenches, const device_query *query,
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

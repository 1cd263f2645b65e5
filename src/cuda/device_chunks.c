/* A query in chunks: the search takes some entries at a time, and the lists of candidates and of what is made from them
 * are used again for every chunk. Keys of pairs pile up, and are sorted at the end, when the other lists are gone.
 *
 * Lists are halved until they can be had. A chunk that overflows one is run again with fewer entries; an entry that
 * alone overflows one asks for as much as it needs. Where the keys overflow, the count runs on, and all is done once
 * more with just that room. So there is no capacity here either that could lose a pair.
 *
 * Workload: a device that is nearly full, or more candidates than 32 bits can number. Some failed allocations, and some
 * ten chunks a query; no sequence is kept. */
#include "cuda/device_chunks.h"

#include "cuda/device_memory.h"
#include "cuda/device_query.h"

#include <string.h>

enum { LEAST_LIST = 256 };

typedef struct chunked_query {
  device_state *state;
  const device_query *query;
  uint64_t least[LIST_COUNT]; /* lists are not made shorter than this */
  bool pairs_known;           /* their number, which is then the length of their list */
  bool too_short;             /* a list must grow, and all must be run again */
  uint32_t entries_at_once;
  chunked_answer answer;
} chunked_query;

/* ---------------------------------------------------------------------------------------------- room */

static chunked_query begin_chunks(device_state *state, const device_query *query) {
  chunked_query q = {.state = state, .query = query, .entries_at_once = UINT32_MAX};
  for (int i = 0; i < LIST_COUNT; i++) {
    /* The list of candidates has memory for one of each primitive in any case. */
    const uint64_t least =
        i == LIST_CANDIDATES && state->primitive_count > LEAST_LIST ? state->primitive_count : LEAST_LIST;
    q.least[i] = state->capacity[i] < least ? state->capacity[i] : least;
  }
  return q;
}

/* False where they are as short as can be. */
static bool halve_lists(chunked_query *q) {
  bool halved = false;
  for (int i = 0; i < LIST_COUNT; i++) {
    uint64_t *capacity = &q->state->capacity[i];
    if (*capacity <= q->least[i] || (i == LIST_PAIRS && q->pairs_known)) continue;
    *capacity = *capacity / 2 > q->least[i] ? *capacity / 2 : q->least[i];
    halved = true;
  }
  return halved;
}

static graze_result size_chunk_lists(device_state *state) {
  graze_result result = GRAZE_OK;
  /* The keys first: what they leave is for the others. */
  for (int i = LIST_COUNT - 1; i >= 0 && result == GRAZE_OK; i--)
    result = size_spare(&state->memory, &state->buffers[BUFFER_FIRST_LIST + i], list_bytes(state, (device_list)i));
  return result;
}

/* ---------------------------------------------------------------------------------------------- chunks */

/* Pairs are found again, and sorted, whatever their numbers a primitive: ranks would have to be taken back when a chunk
 * is run again. */
static device_view view_of_chunk(const chunked_query *q, uint32_t first_entry) {
  device_view view = view_of_query(q->state, q->query);
  view.sort_pairs = 1;
  view.first_entry = first_entry;
  view.entry_limit = q->entries_at_once;
  return view;
}

static graze_result build_entries_once(chunked_query *q) {
  const device_operations *device = &q->state->memory.operations;
  const device_view view = view_of_chunk(q, 0);
  graze_result result = device->reserve(device->context, (size_t)view.bucket_slots + 1, 0);
  if (result == GRAZE_OK) result = clear_counts(q->state, q->query, &view);
  if (result == GRAZE_OK) result = clear_grid(q->state, &view);
  if (result != GRAZE_OK) return result;
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_entries(&queue);
  if (queue.result != GRAZE_OK) return queue.result;
  device_totals *sum = &q->answer.totals;
  result = device->download(device->context, sum, view.totals, sizeof *sum);
  const graze_timings times = timings_of(device);
  q->answer.timings.bounds_ms = times.bounds_ms;
  q->answer.timings.build_ms = times.build_ms;
  return result;
}

/* Once more where buckets could not be counted. */
static graze_result build_entries(chunked_query *q) {
  const graze_result result = build_entries_once(q);
  return result == GRAZE_OK && widen_counts(q->state, &q->answer.totals) ? build_entries_once(q) : result;
}

/* The counter of pairs goes on from those of the chunks before. */
static graze_result run_chunk(chunked_query *q, uint32_t first_entry, device_totals *totals_out) {
  const device_operations *device = &q->state->memory.operations;
  const device_view view = view_of_chunk(q, first_entry);
  device_totals *totals = view.totals;
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_clear(&queue, totals->list, 0, LIST_PAIRS * sizeof totals->list[0]);
  queue_clear(&queue, totals->tally, 0, sizeof totals->tally);
  if (queue.result == GRAZE_OK)
    queue.result = device->upload(device->context, &totals->list[LIST_PAIRS], &q->answer.totals.list[LIST_PAIRS],
                                  sizeof totals->list[LIST_PAIRS]);
  queue_mark(&queue, MARK_BUILT);
  queue_stage(&queue, STAGE_search);
  queue_mark(&queue, MARK_SEARCHED);
  queue_filters(&queue);
  queue_tests(&queue);
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
  const graze_timings times = timings_of(&q->state->memory.operations);
  answer->timings.search_ms += times.search_ms;
  answer->timings.test_ms += times.test_ms;
}

/* The fullest list of a chunk, as a part of its room: above one where the chunk was cut short. */
static double fullest_list(const chunked_query *q, const device_totals *totals) {
  double fullest = 0.0;
  for (int i = 0; i < LIST_PAIRS; i++) {
    const uint64_t capacity = q->state->capacity[i], count = totals->list[i];
    const double part = capacity > 0 ? (double)count / (double)capacity : (double)count;
    fullest = part > fullest ? part : fullest;
  }
  return fullest;
}

/* For an entry that has not enough room alone. */
static void make_room_for_entry(chunked_query *q, const device_totals *totals) {
  for (int i = 0; i < LIST_PAIRS; i++)
    if (totals->list[i] > q->state->capacity[i])
      q->state->capacity[i] = q->least[i] = totals->list[i] + totals->list[i] / 4;
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
    if (stop_is_asked_for(q->query->stop)) return GRAZE_STOPPED;
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

/* ---------------------------------------------------------------------------------------------- the whole */

/* All keys, in the end, in lists of what length can be had. */
static graze_result find_keys(chunked_query *q) {
  device_state *state = q->state;
  for (;;) {
    release_spares(&state->memory);
    graze_result result = size_chunk_lists(state);
    memset(&q->answer.totals, 0, sizeof q->answer.totals);
    memset(&q->answer.timings, 0, sizeof q->answer.timings);
    q->too_short = false;
    if (result == GRAZE_OK) result = run_chunks(q);
    if (result == GRAZE_OUT_OF_MEMORY && halve_lists(q)) continue;
    if (result != GRAZE_OK) return result;
    if (q->too_short) continue;
    const uint64_t pairs = q->answer.totals.list[LIST_PAIRS];
    if (pairs > LONGEST_LIST) return GRAZE_TOO_LARGE;
    if (pairs <= state->capacity[LIST_PAIRS]) return GRAZE_OK;
    state->capacity[LIST_PAIRS] = pairs;
    q->pairs_known = true;
  }
}

/* Sorts as many keys as there are: behind them lie those of chunks that were run again. */
static graze_result order_keys(chunked_query *q) {
  device_state *state = q->state;
  const device_operations *device = &state->memory.operations;
  const size_t pairs = (size_t)q->answer.totals.list[LIST_PAIRS];
  for (int i = 0; i < LIST_PAIRS; i++) release_buffer(&state->memory, &state->buffers[BUFFER_FIRST_LIST + i]);
  graze_result result = size_spare(&state->memory, &state->buffers[BUFFER_RANKS], pairs * sizeof(uint64_t));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_PAIRS], pairs * sizeof(graze_pair));
  if (result == GRAZE_OK) result = device->reserve(device->context, 0, pairs);
  if (result != GRAZE_OK || pairs == 0) return result;
  device_view view = view_of_chunk(q, 0);
  view.list_capacity[LIST_PAIRS] = pairs;
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_mark(&queue, MARK_TESTED);
  queue_order(&queue);
  queue_mark(&queue, MARK_ORDERED);
  if (queue.result != GRAZE_OK) return queue.result;
  device_totals ordered; /* waits besides, so that the time is known */
  result = device->download(device->context, &ordered, view.totals, sizeof ordered);
  if (result != GRAZE_OK) return result;
  memcpy(q->answer.totals.tally[TALLY_HASH], ordered.tally[TALLY_HASH], sizeof ordered.tally[TALLY_HASH]);
  q->answer.timings.order_ms = timings_of(device).order_ms;
  return GRAZE_OK;
}

/* What they push, in place of their order. */
static graze_result sum_pushes(chunked_query *q) {
  device_state *state = q->state;
  const device_operations *device = &state->memory.operations;
  const size_t pairs = (size_t)q->answer.totals.list[LIST_PAIRS];
  for (int i = 0; i < LIST_PAIRS; i++) release_buffer(&state->memory, &state->buffers[BUFFER_FIRST_LIST + i]);
  const graze_result result = size_pushes(state, q->query, pairs);
  if (result != GRAZE_OK || pairs == 0) return result;
  const contact_variants variants = contact_variants_of(state, q->query->test);
  device_view view = view_of_chunk(q, 0);
  view.list_capacity[LIST_PAIRS] = pairs;
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_mark(&queue, MARK_TESTED);
  queue_pushes(&queue, &variants);
  queue_mark(&queue, MARK_ORDERED);
  if (queue.result != GRAZE_OK) return queue.result;
  device_totals counted;
  const graze_result fetched = fetch_totals(state, q->query, &view, &counted);
  if (fetched == GRAZE_OK) q->answer.timings.order_ms = timings_of(device).order_ms;
  return fetched;
}

graze_result find_in_chunks(device_state *state, const device_query *query, chunked_answer *answer_out) {
  uint64_t capacity[LIST_COUNT];
  memcpy(capacity, state->capacity, sizeof capacity);
  chunked_query q = begin_chunks(state, query);
  graze_result result = find_keys(&q);
  if (result == GRAZE_OK) result = query->push_rule != NULL ? sum_pushes(&q) : order_keys(&q);
  if (result != GRAZE_OK) release_spares(&state->memory);
  /* The next query tries it at once, with the room that is now known to be enough: there may be memory again. A list
   * that is too long for any room has none. */
  for (int i = 0; i < LIST_COUNT; i++) {
    const uint64_t count = q.answer.totals.list[i];
    const bool too_short = capacity[i] > 0 && count > capacity[i] && count <= LONGEST_LIST;
    state->capacity[i] = result == GRAZE_OK && too_short ? room_for(count) : capacity[i];
  }
  *answer_out = q.answer;
  return result;
}

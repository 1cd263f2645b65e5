/* Duplicate elimination with a hash map of pairs: raw candidates are inserted into an open-addressing table, which is
 * then swept in the order of its slots.
 *
 * Workers insert concurrently, but the table does not depend on their timing: along its probe sequence, a candidate
 * takes the slot of the first lower one, which then continues in its place. A set of raw candidates has exactly one
 * table with this property. Amble and Knuth, "Ordered hash tables", 1974; the concurrent insertion is that of Shun and
 * Blelloch, "Phase-concurrent hash tables for determinism", 2014.
 *
 * Workload: up to a few tens of raw candidates per primitive, each a miss of every cache, so several are prefetched at
 * a time. The sweep visits candidates in no spatial order, which makes the tests slower. */
#include "lab/replicated_grid.h"

#include "base/timer.h"

enum {
  TASK_SLOTS = 16384, /* slots a task; fixed, so that tasks do not depend on the workers */
  INSERT_BATCH = 64,  /* slots that are asked for at a time */
  CLEAR_GRAIN = 65536,
  SMALLEST_MAP = 64
};

#define FREE_SLOT UINT64_C(0) /* lower than all raw candidates: the second primitive of a pair is never number 0 */

typedef struct pair_map {
  search *search;
  uint64_t *slots;
  size_t slot_count; /* a power of two */
  const pair_chunk **chunks;
  size_t chunk_count;
  hand_over_lane *lanes;
} pair_map;

static uint64_t number_of(index_pair pair) {
  return (uint64_t)pair.a << 32 | pair.b;
}

static index_pair pair_of(uint64_t number) {
  return (index_pair){(uint32_t)(number >> 32), (uint32_t)number};
}

/* At most three quarters full even if no meeting is a duplicate. 0 where there is no such number. */
static size_t map_size(size_t raw_candidate_count) {
  size_t size = SMALLEST_MAP;
  while (size != 0 && size / 4 * 3 < raw_candidate_count) size *= 2;
  return size;
}

/* The first slot of a candidate. Every bit of the candidate affects the selected bits. */
static size_t home_slot(const pair_map *map, uint64_t raw_candidate) {
  uint64_t mixed = (raw_candidate ^ raw_candidate >> 29) * UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(mixed ^ mixed >> 32) & (map->slot_count - 1);
}

/* True if a free slot was filled. While others insert, slots only ever rise: one that was passed over as higher stays
 * higher, so that a meeting cannot come to lie in two slots. Which of several workers with the same meeting finds that
 * it is there already is not determined; the number of those that do is. */
static bool insert(const pair_map *map, uint64_t raw_candidate, size_t slot) {
  for (;; slot = (slot + 1) & (map->slot_count - 1)) {
    uint64_t there = __atomic_load_n(&map->slots[slot], __ATOMIC_RELAXED);
    while (there < raw_candidate && !__atomic_compare_exchange_n(&map->slots[slot], &there, raw_candidate, false,
                                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    if (there == raw_candidate) return false;
    if (there == FREE_SLOT) return true;
    if (there < raw_candidate) raw_candidate = there;
  }
}

static size_t insert_batch(const pair_map *map, const index_pair *pairs, size_t count) {
  size_t home[INSERT_BATCH], filled = 0;
  for (size_t i = 0; i < count; i++) {
    home[i] = home_slot(map, number_of(pairs[i]));
    __builtin_prefetch(&map->slots[home[i]], 1);
  }
  for (size_t i = 0; i < count; i++) filled += insert(map, number_of(pairs[i]), home[i]);
  return filled;
}

static void insert_chunk(void *context, uint32_t index, uint32_t worker) {
  const pair_map *map = context;
  const pair_chunk *chunk = map->chunks[index];
  if (stop_is_requested(map->search->stop)) return;
  size_t filled = 0;
  for (size_t first = 0; first < chunk->count; first += INSERT_BATCH) {
    const size_t left = chunk->count - first;
    filled += insert_batch(map, chunk->pairs + first, left < INSERT_BATCH ? left : INSERT_BATCH);
  }
  map->lanes[worker].counts.duplicates += chunk->count - filled;
}

static void clear_slots(void *context, size_t first, size_t end, uint32_t worker) {
  const pair_map *map = context;
  (void)worker;
  if (stop_is_requested(map->search->stop)) return;
  for (size_t i = first; i < end; i++) map->slots[i] = FREE_SLOT;
}

static void hand_over(void *context, uint32_t index, uint32_t worker) {
  const pair_map *map = context;
  search *s = map->search;
  if (search_leaves(s, index)) return;
  const size_t first = (size_t)index * TASK_SLOTS;
  const size_t end = first + TASK_SLOTS < map->slot_count ? first + TASK_SLOTS : map->slot_count;
  hand_over_lane *lane = &map->lanes[worker];
  candidate_batch_begin(&lane->batch, index);
  bool going = true;
  for (size_t i = first; going && i < end; i++)
    if (map->slots[i] != FREE_SLOT) going = replicated_hand_over(&lane->batch, pair_of(map->slots[i]));
  if (going) candidate_batch_flush(&lane->batch);
}

static bool insert_all(pair_map *map, const pair_list *raw_candidates) {
  search *s = map->search;
  map->slot_count = map_size(pair_list_count(raw_candidates));
  if (map->slot_count == 0) return false;
  map->slots = memory_allocate(s->memory, map->slot_count, sizeof *map->slots);
  map->chunk_count = pair_list_chunk_count(raw_candidates);
  map->chunks = memory_allocate(s->memory, map->chunk_count, sizeof *map->chunks);
  if (map->slots != NULL && map->chunks != NULL) {
    pair_list_chunks(raw_candidates, map->chunks);
    workers_for(s->workers, map->slot_count, CLEAR_GRAIN, clear_slots, map);
    if (!stop_was_requested(s->stop)) workers_run(s->workers, insert_chunk, map, (uint32_t)map->chunk_count);
  }
  const bool inserted = map->slots != NULL && map->chunks != NULL && !stop_was_requested(s->stop);
  memory_release(s->memory, map->chunks, map->chunk_count, sizeof *map->chunks);
  return inserted;
}

/* Leaves the grid and the list of raw candidates released. */
static bool fill_map(pair_map *map, replicated_grid *g) {
  search *s = map->search;
  pair_list raw_candidates;
  bool filled = pair_list_init(&raw_candidates, s->memory, workers_count(s->workers)) &&
                replicated_raw_candidates(g, s, &raw_candidates);
  grid_release(&g->grid, s->memory);
  const double begin = timer_now_ms();
  filled = filled && insert_all(map, &raw_candidates);
  s->order_ms = timer_now_ms() - begin;
  pair_list_release(&raw_candidates, s->memory);
  return filled;
}

bool replicated_find_by_map(replicated_grid *g, search *s) {
  pair_map map = {.search = s, .lanes = hand_over_lanes_make(s)};
  if (map.lanes == NULL) return false;
  const bool filled = fill_map(&map, g);
  if (filled) workers_run(s->workers, hand_over, &map, (uint32_t)((map.slot_count + TASK_SLOTS - 1) / TASK_SLOTS));
  hand_over_lanes_end(map.lanes, s);
  memory_release(s->memory, map.slots, map.slot_count, sizeof *map.slots);
  return filled && search_result(s) == GRAZE_OK;
}

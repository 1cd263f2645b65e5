/* pair_list: per-worker chains of chunks; see pair_list.h for its workload. */
#include "base/pair_list.h"

#include "base/pair_hash.h"

#include <assert.h>
#include <string.h>

_Static_assert(sizeof(void *) != 8 || sizeof(pair_chunk) == 65536, "a chunk is 64 KiB");

static void lane_init(pair_lane *lane) {
  lane->first = NULL;
  lane->last = NULL;
  lane->count = 0;
  lane->chunk_count = 0;
}

bool pair_list_init(pair_list *list, memory *heap, uint32_t worker_count) {
  assert(worker_count > 0);
  list->lanes = memory_allocate(heap, worker_count, sizeof(pair_lane));
  list->worker_count = list->lanes ? worker_count : 0;
  for (uint32_t worker = 0; worker < list->worker_count; worker++) lane_init(&list->lanes[worker]);
  return list->lanes != NULL;
}

static bool lane_add_chunk(pair_lane *lane, memory *heap) {
  pair_chunk *const chunk = memory_allocate(heap, 1, sizeof(pair_chunk));
  if (!chunk) return false;
  chunk->next = NULL;
  chunk->count = 0;
  if (lane->last)
    lane->last->next = chunk;
  else
    lane->first = chunk;
  lane->last = chunk;
  lane->chunk_count++;
  return true;
}

bool pair_list_append(pair_list *list, memory *heap, uint32_t worker, const index_pair *pairs, size_t count) {
  assert(worker < list->worker_count);
  pair_lane *const lane = &list->lanes[worker];
  while (count > 0) {
    if ((!lane->last || lane->last->count == PAIR_CHUNK_CAPACITY) && !lane_add_chunk(lane, heap)) return false;
    pair_chunk *const chunk = lane->last;
    const size_t room = PAIR_CHUNK_CAPACITY - chunk->count;
    const size_t step = count < room ? count : room;
    memcpy(chunk->pairs + chunk->count, pairs, step * sizeof(index_pair));
    chunk->count += step;
    lane->count += step;
    pairs += step;
    count -= step;
  }
  return true;
}

size_t pair_list_count(const pair_list *list) {
  size_t count = 0;
  for (uint32_t worker = 0; worker < list->worker_count; worker++) count += list->lanes[worker].count;
  return count;
}

size_t pair_list_chunk_count(const pair_list *list) {
  size_t count = 0;
  for (uint32_t worker = 0; worker < list->worker_count; worker++) count += list->lanes[worker].chunk_count;
  return count;
}

const pair_chunk *pair_list_first_chunk(const pair_list *list, uint32_t worker) {
  assert(worker < list->worker_count);
  return list->lanes[worker].first;
}

void pair_list_chunks(const pair_list *list, const pair_chunk **chunks_out) {
  for (uint32_t worker = 0; worker < list->worker_count; worker++)
    for (const pair_chunk *chunk = list->lanes[worker].first; chunk; chunk = chunk->next) *chunks_out++ = chunk;
}

void pair_list_clear(pair_list *list, memory *heap) {
  for (uint32_t worker = 0; worker < list->worker_count; worker++) {
    pair_chunk *chunk = list->lanes[worker].first;
    while (chunk) {
      pair_chunk *const next = chunk->next;
      memory_release(heap, chunk, 1, sizeof(pair_chunk));
      chunk = next;
    }
    lane_init(&list->lanes[worker]);
  }
}

void pair_list_release(pair_list *list, memory *heap) {
  pair_list_clear(list, heap);
  memory_release(heap, list->lanes, list->worker_count, sizeof(pair_lane));
  list->lanes = NULL;
  list->worker_count = 0;
}

uint64_t graze_pairs_hash(const graze_pair *pairs, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; i++) hash += pair_hash(pairs[i]);
  return hash;
}

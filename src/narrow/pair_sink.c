/* Collects pairs.
 *
 * With a limit, each worker keeps its own list and trims it to the lowest `limit` pairs whenever it exceeds about twice
 * that: memory stays bounded, and a dropped pair is never among the lowest of all. */
#include "narrow/pair_sink.h"

#include "base/radix_sort.h"

enum { LIMIT_SLACK = 65536 };

bool pair_sink_init(pair_sink *sink, memory *heap, uint32_t worker_count, size_t limit, bool stop_at_first) {
  *sink = (pair_sink){.worker_count = worker_count, .limit = limit, .stop_at_first = stop_at_first};
  if (!pair_list_init(&sink->list, heap, worker_count)) return false;
  sink->lanes = memory_allocate(heap, worker_count, sizeof *sink->lanes);
  if (sink->lanes == NULL) return false;
  for (uint32_t i = 0; i < worker_count; i++) sink->lanes[i] = (sink_lane){.first_task = UINT32_MAX};
  for (uint32_t i = 0; limit > 0 && i < worker_count; i++)
    if (!pair_list_init(&sink->lanes[i].list, heap, 1)) return false;
  return true;
}

void pair_sink_release(pair_sink *sink, memory *heap) {
  for (uint32_t i = 0; sink->lanes != NULL && sink->limit > 0 && i < sink->worker_count; i++)
    pair_list_release(&sink->lanes[i].list, heap);
  memory_release(heap, sink->lanes, sink->worker_count, sizeof *sink->lanes);
  pair_list_release(&sink->list, heap);
  *sink = (pair_sink){0};
}

static uint64_t pair_key(index_pair pair) {
  return (uint64_t)pair.a << 32 | pair.b;
}
static index_pair key_pair(uint64_t key) {
  return (index_pair){(uint32_t)(key >> 32), (uint32_t)key};
}

static bool refill_sorted(pair_list *list, memory *heap, uint64_t *keys, size_t count, size_t limit) {
  size_t at = 0;
  for (const pair_chunk *chunk = pair_list_first_chunk(list, 0); chunk != NULL; chunk = chunk->next)
    for (size_t i = 0; i < chunk->count; i++) keys[at++] = pair_key(chunk->pairs[i]);
  radix_sort_keys(keys, keys + count, count, 64);
  pair_list_clear(list, heap);
  for (size_t i = 0; i < limit; i++) {
    const index_pair pair = key_pair(keys[i]);
    if (!pair_list_append(list, heap, 0, &pair, 1)) return false;
  }
  return true;
}

static bool trim_list(pair_list *list, memory *heap, size_t limit) {
  const size_t count = pair_list_count(list);
  uint64_t *keys = memory_allocate(heap, 2 * count, sizeof *keys);
  if (keys == NULL) return false;
  const bool done = refill_sorted(list, heap, keys, count, limit);
  memory_release(heap, keys, 2 * count, sizeof *keys);
  return done;
}

void pair_sink_set_enough(pair_sink *sink, size_t enough) {
  sink->enough = enough;
}

bool pair_sink_add(pair_sink *sink, search *s, uint32_t worker, uint32_t task, const index_pair *pairs, size_t count) {
  if (count == 0) return true;
  sink_lane *lane = &sink->lanes[worker];
  if (sink->stop_at_first) {
    if (task < lane->first_task) {
      lane->first_task = task;
      lane->first = pairs[0];
      search_end_tasks(s, task); /* this one too: its first pair is found */
    }
    return true;
  }
  if (sink->limit == 0) {
    if (!pair_list_append(&sink->list, s->memory, worker, pairs, count)) return false;
    if (sink->enough != 0 && atomic_fetch_add(&sink->so_far, count) + count >= sink->enough) search_end_tasks(s, 0);
    return true;
  }
  if (!pair_list_append(&lane->list, s->memory, 0, pairs, count)) return false;
  const size_t kept = pair_list_count(&lane->list);
  if (kept / 2 <= sink->limit || kept <= LIMIT_SLACK) return true;
  lane->trimmed = true;
  return trim_list(&lane->list, s->memory, sink->limit);
}

bool pair_sink_finish(pair_sink *sink, memory *heap, bool *trimmed_out) {
  *trimmed_out = false;
  for (uint32_t i = 0; sink->limit > 0 && i < sink->worker_count; i++) {
    *trimmed_out |= sink->lanes[i].trimmed;
    const pair_list *list = &sink->lanes[i].list;
    for (const pair_chunk *chunk = pair_list_first_chunk(list, 0); chunk != NULL; chunk = chunk->next)
      if (!pair_list_append(&sink->list, heap, i, chunk->pairs, chunk->count)) return false;
  }
  return true;
}

bool pair_sink_first(const pair_sink *sink, index_pair *pair_out) {
  uint32_t task = UINT32_MAX;
  for (uint32_t i = 0; i < sink->worker_count; i++)
    if (sink->lanes[i].first_task < task) {
      task = sink->lanes[i].first_task;
      *pair_out = sink->lanes[i].first;
    }
  return task != UINT32_MAX;
}

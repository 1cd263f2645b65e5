/* pair_list: pairs of indices, collected by workers.
 *
 * Workload: up to 10^8 pairs per frame, appended in batches. Each worker appends to its own lane, without a lock. A
 * lane is a chain of chunks of 64 KiB; pairs are never moved and none is ever dropped. The lane of a pair depends on
 * timing: only a sorted list is a result. */
#ifndef GRAZE_BASE_PAIR_LIST_H
#define GRAZE_BASE_PAIR_LIST_H

#include "base/index_pair.h"
#include "base/memory.h"

/* With its header of 16 bytes a chunk is 64 KiB. */
#define PAIR_CHUNK_CAPACITY 8190

typedef struct pair_chunk {
  struct pair_chunk *next;
  size_t count;
  index_pair pairs[PAIR_CHUNK_CAPACITY];
} pair_chunk;

/* The pairs of one worker, on cache lines of its own. */
typedef struct pair_lane {
  _Alignas(MEMORY_ALIGNMENT) pair_chunk *first;
  pair_chunk *last;
  size_t count;
  size_t chunk_count;
} pair_lane;

typedef struct pair_list {
  pair_lane *lanes;
  uint32_t worker_count;
} pair_list;

/* Makes an empty list; false when out of memory (the list may then be released, not used). */
bool pair_list_init(pair_list *list, memory *heap, uint32_t worker_count);

/* Safe at the same time for different workers. False when out of memory: then none or some of the batch is in the list,
 * and the caller must discard the list. */
bool pair_list_append(pair_list *list, memory *heap, uint32_t worker, const index_pair *pairs, size_t count);

size_t pair_list_count(const pair_list *list);
size_t pair_list_chunk_count(const pair_list *list);

/* Iteration: for (chunk = pair_list_first_chunk(list, worker); chunk; chunk = chunk->next). */
const pair_chunk *pair_list_first_chunk(const pair_list *list, uint32_t worker);

/* Writes the addresses of all chunks in worker order: pair_list_chunk_count of them. */
void pair_list_chunks(const pair_list *list, const pair_chunk **chunks_out);

/* Releases all chunks: an empty list holds no memory except its lanes. */
void pair_list_clear(pair_list *list, memory *heap);
void pair_list_release(pair_list *list, memory *heap);

#endif

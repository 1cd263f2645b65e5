/* Blocks of bytes between ranks; see rank_exchange.h.
 *
 * Workload: one block to and from each rank, of 0 bytes to gigabytes, a few times a frame. */
#include "distributed/rank_exchange.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- records */

/* Sets the blocks of the records to, or from, each rank. */
static void point_blocks(transport_block *blocks, const array *records, const uint64_t *counts, uint32_t rank_count) {
  char *next = records->data;
  for (uint32_t i = 0; i < rank_count; i++) {
    blocks[i] = (transport_block){next, counts[i] * records->element_bytes};
    if (blocks[i].size > 0) next += blocks[i].size;
  }
}

graze_result rank_records_exchange(const transport *net, memory *heap, const array *records, const uint64_t *counts,
                                   array *received, uint64_t *received_counts, rank_failure *failure) {
  const uint32_t n = net->rank_count;
  uint64_t total = 0;
  if (n == 1)
    received_counts[0] = counts[0];
  else
    net->trade(net->context, counts, received_counts);
  for (uint32_t i = 0; i < n; i++) total += received_counts[i];
  transport_block *blocks = memory_allocate(heap, n, 2 * sizeof *blocks);
  if (blocks == NULL || !array_resize(received, heap, total)) rank_failure_say_memory(failure);
  const graze_result result = rank_failure_agree(failure, net);
  if (result == GRAZE_OK) {
    transport_block *own = &blocks[net->rank], *kept = &blocks[n + net->rank];
    point_blocks(blocks, records, counts, n);
    point_blocks(blocks + n, received, received_counts, n);
    if (own->size > 0) memcpy(kept->bytes, own->bytes, own->size);
    if (n > 1) net->exchange(net->context, blocks, blocks + n);
  }
  memory_release(heap, blocks, n, 2 * sizeof *blocks);
  return result;
}

/* ---------------------------------------------------------------------------------------------- blocks */

static bool make_blocks(rank_blocks *blocks, memory *heap, uint32_t count) {
  *blocks = (rank_blocks){.count = count};
  blocks->send = memory_allocate(heap, count, sizeof *blocks->send);
  blocks->receive = memory_allocate(heap, count, sizeof *blocks->receive);
  blocks->sizes = memory_allocate(heap, count, 2 * sizeof *blocks->sizes);
  blocks->places = memory_allocate(heap, count, sizeof *blocks->places);
  if (blocks->send != NULL) memset(blocks->send, 0, count * sizeof *blocks->send);
  if (blocks->receive != NULL) memset(blocks->receive, 0, count * sizeof *blocks->receive);
  if (blocks->sizes != NULL) memset(blocks->sizes, 0, 2 * count * sizeof *blocks->sizes);
  return blocks->send != NULL && blocks->receive != NULL && blocks->sizes != NULL && blocks->places != NULL;
}

static void release_block(transport_block *block, memory *heap) {
  memory_release(heap, block->bytes, block->size, 1);
  *block = (transport_block){0};
}

void rank_blocks_release(rank_blocks *blocks, memory *heap) {
  for (uint32_t i = 0; i < blocks->count; i++) {
    if (blocks->send != NULL) release_block(&blocks->send[i], heap);
    if (blocks->receive != NULL) release_block(&blocks->receive[i], heap);
  }
  memory_release(heap, blocks->send, blocks->count, sizeof *blocks->send);
  memory_release(heap, blocks->receive, blocks->count, sizeof *blocks->receive);
  memory_release(heap, blocks->sizes, blocks->count, 2 * sizeof *blocks->sizes);
  memory_release(heap, blocks->places, blocks->count, sizeof *blocks->places);
}

static bool block_make(transport_block *block, memory *heap, uint64_t size) {
  if (size == 0) return true;
  block->bytes = memory_allocate(heap, size, 1);
  block->size = block->bytes != NULL ? size : 0;
  return block->bytes != NULL;
}

/* Writes the blocks for each rank, and allocates those to receive. */
static graze_result fill_blocks(rank_blocks *blocks, uint32_t rank, memory *heap, const graze_scene *scene,
                                const portion_list *list, rank_failure *failure) {
  bool has_room = true;
  for (uint32_t i = 0; i < blocks->count && has_room; i++) {
    has_room = block_make(&blocks->send[i], heap, blocks->sizes[i]) &&
               (i == rank || block_make(&blocks->receive[i], heap, blocks->sizes[blocks->count + i]));
    blocks->places[i] = blocks->send[i].bytes;
  }
  if (!has_room) return rank_failure_say_memory(failure);
  return portion_list_write(list, heap, scene, blocks->count, blocks->places, failure);
}

graze_result rank_blocks_exchange(rank_blocks *blocks, const transport *net, memory *heap, const graze_scene *scene,
                                  portion_list *list, rank_failure *failure) {
  if (make_blocks(blocks, heap, net->rank_count))
    portion_list_sum_bytes(list, blocks->sizes);
  else
    rank_failure_say_memory(failure);
  graze_result result = rank_failure_agree(failure, net);
  if (result != GRAZE_OK) return result;
  net->trade(net->context, blocks->sizes, blocks->sizes + blocks->count);
  fill_blocks(blocks, net->rank, heap, scene, list, failure);
  result = rank_failure_agree(failure, net);
  if (result != GRAZE_OK) return result;
  portion_list_release(list, heap);
  net->exchange(net->context, blocks->send, blocks->receive);
  return GRAZE_OK;
}

graze_result rank_blocks_unload(rank_blocks *blocks, const transport *net, memory *heap, slab *to,
                                rank_failure *failure) {
  for (uint32_t i = 0; i < blocks->count; i++)
    if (i != net->rank) release_block(&blocks->send[i], heap);
  for (uint32_t i = 0; i < blocks->count && failure->result == GRAZE_OK; i++) {
    transport_block *block = i == net->rank ? &blocks->send[i] : &blocks->receive[i];
    slab_take(to, heap, i, block->bytes, block->size, failure);
    release_block(block, heap);
  }
  return failure->result;
}

uint64_t rank_blocks_sent_bytes(const rank_blocks *blocks, uint32_t rank) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < blocks->count; i++) bytes += i != rank ? blocks->sizes[i] : 0;
  return bytes;
}

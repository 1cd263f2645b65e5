/* Blocks of bytes between ranks; see freight.h.
 *
 * Workload: one block to and from each rank, of 0 bytes to gigabytes, a few times a frame. */
#include "distributed/freight.h"

#include <string.h>

static bool freight_make(freight *load, memory *heap, uint32_t count) {
  *load = (freight){.count = count};
  load->send = memory_allocate(heap, count, sizeof *load->send);
  load->receive = memory_allocate(heap, count, sizeof *load->receive);
  load->sizes = memory_allocate(heap, count, 2 * sizeof *load->sizes);
  load->places = memory_allocate(heap, count, sizeof *load->places);
  if (load->send != NULL) memset(load->send, 0, count * sizeof *load->send);
  if (load->receive != NULL) memset(load->receive, 0, count * sizeof *load->receive);
  if (load->sizes != NULL) memset(load->sizes, 0, 2 * count * sizeof *load->sizes);
  return load->send != NULL && load->receive != NULL && load->sizes != NULL && load->places != NULL;
}

static void release_block(transport_block *block, memory *heap) {
  memory_release(heap, block->bytes, block->size, 1);
  *block = (transport_block){0};
}

void freight_release(freight *load, memory *heap) {
  for (uint32_t i = 0; i < load->count; i++) {
    if (load->send != NULL) release_block(&load->send[i], heap);
    if (load->receive != NULL) release_block(&load->receive[i], heap);
  }
  memory_release(heap, load->send, load->count, sizeof *load->send);
  memory_release(heap, load->receive, load->count, sizeof *load->receive);
  memory_release(heap, load->sizes, load->count, 2 * sizeof *load->sizes);
  memory_release(heap, load->places, load->count, sizeof *load->places);
}

static bool block_make(transport_block *block, memory *heap, uint64_t size) {
  if (size == 0) return true;
  block->bytes = memory_allocate(heap, size, 1);
  block->size = block->bytes != NULL ? size : 0;
  return block->bytes != NULL;
}

/* Writes the blocks for each rank, and allocates those to receive. */
static graze_result load_freight(freight *load, uint32_t rank, memory *heap, const graze_scene *scene,
                                 const parcel_list *list, rank_failure *failure) {
  bool has_room = true;
  for (uint32_t i = 0; i < load->count && has_room; i++) {
    has_room = block_make(&load->send[i], heap, load->sizes[i]) &&
               (i == rank || block_make(&load->receive[i], heap, load->sizes[load->count + i]));
    load->places[i] = load->send[i].bytes;
  }
  if (!has_room) return rank_failure_say_memory(failure);
  return parcel_list_write(list, heap, scene, load->count, load->places, failure);
}

graze_result freight_exchange(freight *load, const transport *net, memory *heap, const graze_scene *scene,
                              parcel_list *list, rank_failure *failure) {
  if (freight_make(load, heap, net->rank_count))
    parcel_list_sum_bytes(list, load->sizes);
  else
    rank_failure_say_memory(failure);
  graze_result result = rank_failure_agree(failure, net);
  if (result != GRAZE_OK) return result;
  net->trade(net->context, load->sizes, load->sizes + load->count);
  load_freight(load, net->rank, heap, scene, list, failure);
  result = rank_failure_agree(failure, net);
  if (result != GRAZE_OK) return result;
  parcel_list_release(list, heap);
  net->exchange(net->context, load->send, load->receive);
  return GRAZE_OK;
}

graze_result freight_unload(freight *load, const transport *net, memory *heap, slab *to, rank_failure *failure) {
  for (uint32_t i = 0; i < load->count; i++)
    if (i != net->rank) release_block(&load->send[i], heap);
  for (uint32_t i = 0; i < load->count && failure->result == GRAZE_OK; i++) {
    transport_block *block = i == net->rank ? &load->send[i] : &load->receive[i];
    slab_take(to, heap, i, block->bytes, block->size, failure);
    release_block(block, heap);
  }
  return failure->result;
}

uint64_t freight_sent_bytes(const freight *load, uint32_t rank) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < load->count; i++) bytes += i != rank ? load->sizes[i] : 0;
  return bytes;
}

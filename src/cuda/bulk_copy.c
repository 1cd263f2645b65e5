/* Copies by all workers; see bulk_copy.h. */
#include "cuda/bulk_copy.h"

#include <string.h>

enum { BLOCK_BYTES = 1 << 20, WORKER_BYTES = 64 << 10 };

static size_t block_bytes(const device_memory *held) {
  return held->operations.bulk_block != 0 ? held->operations.bulk_block : BLOCK_BYTES;
}

/* Two blocks in sequence. NULL if the allocation fails: the copy is then left to the driver. */
static unsigned char *blocks_of(device_memory *held) {
  if (held->bulk_blocks == NULL) held->bulk_blocks = memory_allocate(&held->pinned_heap, 2, block_bytes(held));
  return held->bulk_blocks;
}

void bulk_release(device_memory *held) {
  memory_release(&held->pinned_heap, held->bulk_blocks, 2, block_bytes(held));
  held->bulk_blocks = NULL;
}

/* Whether a copy goes through the blocks: a single worker is no faster than the driver's thread. */
static bool pays(device_memory *held, size_t bytes) {
  return bytes >= 2 * block_bytes(held) && held->team != NULL && workers_count(held->team) > 1 &&
         blocks_of(held) != NULL;
}

typedef struct host_copy {
  unsigned char *to;
  const unsigned char *from;
} host_copy;

static void copy_range(void *context, size_t first, size_t end, uint32_t worker) {
  const host_copy *copy = context;
  (void)worker;
  memcpy(copy->to + first, copy->from + first, end - first);
}

static void copy_by_workers(void *to, const void *from, size_t bytes, workers *team) {
  host_copy copy = {to, from};
  workers_for(team, bytes, WORKER_BYTES, copy_range, &copy);
}

/* The part of a copy that goes through one block. */
typedef struct block_part {
  size_t offset, bytes;
  unsigned char *block;
} block_part;

static block_part part_of(const device_memory *held, size_t number, size_t bytes) {
  const size_t block = block_bytes(held), offset = number * block, left = bytes - offset;
  return (block_part){offset, left < block ? left : block, held->bulk_blocks + number % 2 * block};
}

static size_t part_count(const device_memory *held, size_t bytes) {
  return (bytes + block_bytes(held) - 1) / block_bytes(held);
}

/* One block is filled while the device reads the other. The last one is read by the time of the next wait. */
graze_result bulk_upload(device_memory *held, void *to, const void *from, size_t bytes) {
  const device_operations *device = &held->operations;
  if (!pays(held, bytes)) return device->upload(device->context, to, from, bytes);
  graze_result result = device->wait(device->context); /* the device may still read a block of an earlier upload */
  for (size_t i = 0; i < part_count(held, bytes) && result == GRAZE_OK; i++) {
    const block_part part = part_of(held, i, bytes);
    copy_by_workers(part.block, (const char *)from + part.offset, part.bytes, held->team);
    if (i > 0) result = device->wait(device->context);
    if (result == GRAZE_OK)
      result = device->upload_staged(device->context, (char *)to + part.offset, part.block, part.bytes);
  }
  return result;
}

static graze_result begin_download(const device_memory *held, const block_part *part, const void *from) {
  const device_operations *device = &held->operations;
  return device->download_staged(device->context, part->block, (const char *)from + part->offset, part->bytes);
}

/* One block is emptied while the device writes the other. */
graze_result bulk_download(device_memory *held, void *to, const void *from, size_t bytes) {
  const device_operations *device = &held->operations;
  if (!pays(held, bytes)) return device->download(device->context, to, from, bytes);
  const size_t count = part_count(held, bytes);
  block_part part = part_of(held, 0, bytes);
  graze_result result = begin_download(held, &part, from);
  for (size_t i = 0; i < count && result == GRAZE_OK; i++) {
    const block_part arriving = part;
    result = device->wait(device->context);
    if (result == GRAZE_OK && i + 1 < count) {
      part = part_of(held, i + 1, bytes);
      result = begin_download(held, &part, from);
    }
    if (result == GRAZE_OK) copy_by_workers((char *)to + arriving.offset, arriving.block, arriving.bytes, held->team);
  }
  return result;
}

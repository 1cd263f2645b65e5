/* Buffers of a device; see device_memory.h. */
#include "cuda/device_memory.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- bulk copies */

enum { BLOCK_BYTES = 1 << 20, WORKER_BYTES = 64 << 10 };

static size_t block_bytes(const device_memory *held) {
  return held->operations.bulk_block != 0 ? held->operations.bulk_block : BLOCK_BYTES;
}

/* Two blocks in sequence. NULL if the allocation fails: the copy is then left to the driver. */
static unsigned char *blocks_of(device_memory *held) {
  if (held->bulk_blocks == NULL) held->bulk_blocks = memory_allocate(&held->pinned_heap, 2, block_bytes(held));
  return held->bulk_blocks;
}

/* The blocks are kept between copies. */
static void bulk_release(device_memory *held) {
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

static void *allocate_staged(void *context, size_t bytes, size_t alignment) {
  const device_operations *device = &((const device_memory *)context)->operations;
  void *block = NULL;
  (void)alignment; /* blocks are aligned to pages */
  return device->allocate_staging(device->context, bytes, &block) == GRAZE_OK ? block : NULL;
}

static void release_staged(void *context, void *block, size_t bytes) {
  const device_operations *device = &((const device_memory *)context)->operations;
  device->release_staging(device->context, block, bytes);
}

void device_memory_open(device_memory *held, memory *heap, memory *scratch, const device_operations *operations) {
  memset(held, 0, sizeof *held);
  held->operations = *operations;
  held->heap = heap;
  held->scratch = scratch;
  const graze_allocator staged = {sizeof staged, held, allocate_staged, release_staged};
  memory_init(&held->pinned_heap, &staged);
}

void device_memory_close(device_memory *held) {
  while (held->buffers != NULL) release_buffer(held, held->buffers);
  bulk_release(held);
  held->operations.close(held->operations.context);
}

void release_buffer(device_memory *held, device_buffer *buffer) {
  const device_operations *device = &held->operations;
  if (buffer->data == NULL) return;
  device->release(device->context, buffer->data, buffer->bytes);
  held->bytes -= buffer->bytes;
  *buffer->link = buffer->next;
  if (buffer->next != NULL) buffer->next->link = buffer->link;
  *buffer = (device_buffer){0};
}

bool release_spares(device_memory *held) {
  bool any = false;
  for (device_buffer *buffer = held->buffers, *next; buffer != NULL; buffer = next) {
    next = buffer->next;
    any = any || buffer->is_spare;
    if (buffer->is_spare) release_buffer(held, buffer);
  }
  return any;
}

static graze_result allocate(device_memory *held, device_buffer *buffer, size_t bytes, bool is_spare) {
  const device_operations *device = &held->operations;
  if (buffer->data != NULL && bytes <= buffer->bytes) return GRAZE_OK;
  release_buffer(held, buffer);
  if (bytes == 0) bytes = 1;
  void *data = NULL;
  const graze_result result = device->allocate(device->context, bytes, &data);
  if (result != GRAZE_OK) return result;
  *buffer = (device_buffer){data, bytes, is_spare, held->buffers, &held->buffers};
  if (buffer->next != NULL) buffer->next->link = &buffer->next;
  held->buffers = buffer;
  held->bytes += bytes;
  return GRAZE_OK;
}

graze_result size_buffer(device_memory *held, device_buffer *buffer, size_t bytes) {
  return allocate(held, buffer, bytes, false);
}

graze_result size_spare(device_memory *held, device_buffer *buffer, size_t bytes) {
  return allocate(held, buffer, bytes, true);
}

graze_result upload(device_memory *held, const device_buffer *buffer, size_t offset, const void *from, size_t bytes) {
  if (bytes == 0) return GRAZE_OK;
  return bulk_upload(held, (char *)buffer->data + offset, from, bytes);
}

graze_result upload_all(device_memory *held, device_buffer *buffer, const void *from, size_t bytes) {
  const graze_result result = size_buffer(held, buffer, bytes);
  return result == GRAZE_OK ? upload(held, buffer, 0, from, bytes) : result;
}

graze_result upload_spare(device_memory *held, device_buffer *buffer, const void *from, size_t bytes) {
  const graze_result result = size_spare(held, buffer, bytes);
  return result == GRAZE_OK ? upload(held, buffer, 0, from, bytes) : result;
}

/* ---------------------------------------------------------------------------------------------- gathered uploads */

upload_staging staging_begin(device_memory *held, staging_block *block, const device_buffer *buffer) {
  return (upload_staging){held, block, buffer, 0, 0};
}

void staging_release(staging_block *block, memory *heap) {
  memory_release(heap, block->data, block->bytes, 1);
  *block = (staging_block){0};
}

/* Grows the block by doubling. */
static bool make_room(staging_block *block, memory *heap, size_t used, size_t bytes) {
  if (bytes <= block->bytes) return true;
  size_t wanted = block->bytes > 0 ? block->bytes : 4096;
  while (wanted < bytes) wanted *= 2;
  unsigned char *data = memory_allocate(heap, wanted, 1);
  if (data == NULL) return false;
  if (used > 0) memcpy(data, block->data, used);
  staging_release(block, heap);
  *block = (staging_block){data, wanted};
  return true;
}

static graze_result send(upload_staging *staging) {
  const size_t bytes = staging->bytes;
  staging->bytes = 0;
  return upload(staging->memory, staging->buffer, staging->begin, staging->block->data, bytes);
}

bool staging_joins(const upload_staging *staging, size_t offset, size_t bytes) {
  const size_t end = staging->begin + staging->bytes;
  return staging->bytes > 0 && bytes < STAGING_LARGE && offset - end <= STAGING_GAP_MOST &&
         offset + bytes - staging->begin <= STAGING_MOST;
}

graze_result staging_add(upload_staging *staging, size_t offset, const void *from, size_t bytes) {
  staging_block *block = staging->block;
  if (bytes == 0) return GRAZE_OK;
  if (!staging_joins(staging, offset, bytes)) {
    const graze_result result = send(staging);
    if (result != GRAZE_OK) return result;
    if (bytes >= STAGING_LARGE) return upload(staging->memory, staging->buffer, offset, from, bytes);
    staging->begin = offset;
  }
  const size_t used = staging->bytes, at = offset - staging->begin;
  if (!make_room(block, staging->memory->heap, used, at + bytes)) return GRAZE_OUT_OF_MEMORY;
  memset(block->data + used, 0, at - used);
  memcpy(block->data + at, from, bytes);
  staging->bytes = at + bytes;
  return GRAZE_OK;
}

graze_result staging_end(upload_staging *staging) {
  return send(staging);
}

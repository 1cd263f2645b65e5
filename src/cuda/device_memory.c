/* Buffers of a device; see device_memory.h. */
#include "cuda/device_memory.h"

#include "cuda/bulk_copy.h"

#include <string.h>

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

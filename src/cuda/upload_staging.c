/* Gathered uploads; see upload_staging.h. */
#include "cuda/upload_staging.h"

#include <string.h>

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

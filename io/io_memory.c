/* An allocator of the caller as the memory of mesh_io. mesh_io resizes blocks without knowing their sizes, which an
 * allocator of graze requires, so each block stores its size in front of it. Workload: dozens of blocks per file, of up
 * to gigabytes, most of them grown by doubling. */
#include "io/io_memory.h"

#include "base/error_text.h"
#include "io/io_structs.h"

#include <stdlib.h>
#include <string.h>

/* Keeps the alignment of malloc after it. */
enum { HEADER_BYTES = 16 };

static void *reallocate_by_libc(io_memory *memory, void *block, size_t bytes) {
  void *resized = realloc(block, bytes);
  memory->failed |= resized == NULL;
  return resized;
}

static void *allocate(io_memory *memory, size_t bytes) {
  char *start = NULL;
  if (bytes <= SIZE_MAX - HEADER_BYTES)
    start = memory->allocator.allocate(memory->allocator.context, bytes + HEADER_BYTES, HEADER_BYTES);
  memory->failed |= start == NULL;
  if (start == NULL) return NULL;
  memcpy(start, &bytes, sizeof bytes);
  return start + HEADER_BYTES;
}

static size_t block_bytes(const void *block) {
  size_t bytes;
  memcpy(&bytes, (const char *)block - HEADER_BYTES, sizeof bytes);
  return bytes;
}

static void release(io_memory *memory, void *block) {
  memory->allocator.release(memory->allocator.context, (char *)block - HEADER_BYTES, block_bytes(block) + HEADER_BYTES);
}

static void *reallocate(void *context, void *block, size_t bytes) {
  io_memory *memory = context;
  const bool libc = memory->allocator.allocate == NULL;
  if (bytes == 0) {
    if (libc) free(block);
    if (!libc && block != NULL) release(memory, block);
    return NULL;
  }
  if (libc) return reallocate_by_libc(memory, block, bytes);
  void *resized = allocate(memory, bytes);
  if (resized == NULL || block == NULL) return resized;
  const size_t old_bytes = block_bytes(block);
  memcpy(resized, block, old_bytes < bytes ? old_bytes : bytes);
  release(memory, block);
  return resized;
}

graze_result io_memory_start(io_memory *memory, const graze_allocator *allocator_or_null) {
  *memory = (io_memory){.failed = false};
  if (allocator_or_null == NULL) return GRAZE_OK;
  const graze_result result = definition_read(&io_allocator_definition, allocator_or_null, true, &memory->allocator);
  if (result != GRAZE_OK) return result;
  if (memory->allocator.allocate == NULL || memory->allocator.release == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "the allocator lacks allocate or release");
  return GRAZE_OK;
}

mesh_memory io_memory_hook(io_memory *memory) {
  return (mesh_memory){memory, reallocate};
}

graze_result io_memory_result(const io_memory *memory) {
  return memory->failed ? GRAZE_OUT_OF_MEMORY : GRAZE_FILE_FAILED;
}

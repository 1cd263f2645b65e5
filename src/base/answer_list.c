/* Lists owned by callers, and the calls that free them; see answer_list.h. */
#include "base/answer_list.h"

#include "base/float_environment.h"

#include <string.h>

static void *take_block(const graze_allocator *allocator, workers *owners_or_null, size_t bytes) {
  void *block = allocator->allocate(allocator->context, bytes, MEMORY_ALIGNMENT);
  if (block == NULL && workers_release_cache(owners_or_null, allocator))
    block = allocator->allocate(allocator->context, bytes, MEMORY_ALIGNMENT);
  return block;
}

graze_list_memory *answer_list_open(graze_list_memory *memory_or_null, const graze_allocator *allocator,
                                    workers *owners_or_null) {
  graze_list_memory *list = memory_or_null;
  if (list == NULL) {
    list = take_block(allocator, owners_or_null, sizeof *list);
    if (list == NULL) return NULL;
    memset(list, 0, sizeof *list);
    list->allocator = *allocator;
  }
  list->cache_owners = owners_or_null;
  return list;
}

static void release_block(graze_list_memory *list, int block) {
  if (list->blocks[block] != NULL)
    list->allocator.release(list->allocator.context, list->blocks[block], list->block_bytes[block]);
  list->blocks[block] = NULL;
  list->block_bytes[block] = 0;
}

/* An eighth more, unless the list was empty: a list that is filled once has no spare memory. */
static size_t bytes_for(const graze_list_memory *list, int block, size_t needed) {
  size_t more;
  return list->block_bytes[block] > 0 && size_add(needed, needed / 8, &more) ? more : needed > 0 ? needed : 1;
}

void *answer_list_reserve(graze_list_memory *list, int block, size_t count, size_t element_bytes) {
  size_t needed;
  if (!size_multiply(count, element_bytes, &needed)) return NULL;
  if (list->blocks[block] != NULL && needed <= list->block_bytes[block]) return list->blocks[block];
  const size_t bytes = bytes_for(list, block, needed);
  release_block(list, block);
  list->blocks[block] = take_block(&list->allocator, list->cache_owners, bytes);
  list->block_bytes[block] = list->blocks[block] != NULL ? bytes : 0;
  return list->blocks[block];
}

/* The device's library may use floating point. */
static void release_device_block(graze_list_memory *list, int block) {
  GUARD_FLOAT_ENVIRONMENT();
  list->device_release(list->device, list->device_blocks[block]);
}

void answer_list_free(graze_list_memory *list_or_null) {
  if (list_or_null == NULL) return;
  for (int block = 0; block < LIST_BLOCKS; block++) {
    release_block(list_or_null, block);
    if (list_or_null->device_blocks[block] != NULL) release_device_block(list_or_null, block);
  }
  const graze_allocator allocator = list_or_null->allocator;
  allocator.release(allocator.context, list_or_null, sizeof *list_or_null);
}

void answer_list_write(const definition_kind *kind, void *list, const void *fields) {
  definition_fill(kind, list, fields);
}

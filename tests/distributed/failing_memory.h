/* An allocator that refuses one allocation, or all from one on, for tests in which each allocation fails in turn. */
#ifndef TESTS_DISTRIBUTED_FAILING_MEMORY_H
#define TESTS_DISTRIBUTED_FAILING_MEMORY_H

#include "graze/graze.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct failing_memory {
  size_t count, refused; /* allocations so far; the number of the refused one */
  bool all_after;
} failing_memory;

static inline void *failing_allocate(void *context, size_t bytes, size_t alignment) {
  failing_memory *f = context;
  const size_t number = f->count++;
  if (number == f->refused || (f->all_after && number > f->refused)) return NULL;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void failing_release(void *context, void *block, size_t bytes) {
  (void)context;
  (void)bytes;
  free(block);
}

static inline graze_allocator failing_allocator(failing_memory *failing) {
  graze_allocator allocator = graze_allocator_default();
  allocator.context = failing;
  allocator.allocate = failing_allocate;
  allocator.release = failing_release;
  return allocator;
}

#endif

/* checked_allocator: a test allocator that counts live blocks, checks releases, and can fail on request.
 *
 * A header with the size precedes each allocation. A release with another size, and a leak, fail the test. Safe for
 * several workers. */
#ifndef GRAZE_TESTS_CHECKED_ALLOCATOR_H
#define GRAZE_TESTS_CHECKED_ALLOCATOR_H

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct checked_allocator {
  _Atomic(size_t) allocations; /* made or refused since the start */
  _Atomic(size_t) live;
  _Atomic(size_t) faults; /* releases with a wrong size */
  size_t refused;         /* number of the allocation that fails; SIZE_MAX: none */
  bool refuse_all_after;  /* and all that follow it */
} checked_allocator;

#define CHECKED_HEADER_BYTES 64

static inline void *checked_allocate(void *context, size_t bytes, size_t alignment) {
  checked_allocator *const self = context;
  const size_t number = atomic_fetch_add(&self->allocations, 1);
  if (number == self->refused || (self->refuse_all_after && number > self->refused)) return NULL;
  if (alignment != CHECKED_HEADER_BYTES || bytes == 0) return NULL; /* neither is ever asked for */
  const size_t whole = (bytes + 2 * CHECKED_HEADER_BYTES - 1) / CHECKED_HEADER_BYTES * CHECKED_HEADER_BYTES;
  if (whole < bytes) return NULL;
  char *const block = aligned_alloc(CHECKED_HEADER_BYTES, whole);
  if (!block) return NULL;
  memcpy(block, &bytes, sizeof bytes);
  memset(block + CHECKED_HEADER_BYTES, 0xa5, bytes); /* nobody may count on zeros */
  atomic_fetch_add(&self->live, 1);
  return block + CHECKED_HEADER_BYTES;
}

static inline void checked_release(void *context, void *pointer, size_t bytes) {
  checked_allocator *const self = context;
  char *const block = (char *)pointer - CHECKED_HEADER_BYTES;
  size_t stored;
  memcpy(&stored, block, sizeof stored);
  if (stored != bytes) atomic_fetch_add(&self->faults, 1);
  atomic_fetch_sub(&self->live, 1);
  free(block);
}

static inline void checked_init(checked_allocator *self, memory *heap, size_t refused) {
  atomic_init(&self->allocations, 0);
  atomic_init(&self->live, 0);
  atomic_init(&self->faults, 0);
  self->refused = refused;
  self->refuse_all_after = false;
  const graze_allocator allocator = {sizeof allocator, self, checked_allocate, checked_release};
  memory_init(heap, &allocator);
}

/* Whether everything came back as it was given out. */
static inline bool checked_is_clean(checked_allocator *self, memory *heap) {
  return atomic_load(&self->live) == 0 && atomic_load(&self->faults) == 0 && atomic_load(&heap->bytes_now) == 0;
}

#endif

/* memory: the accounting allocator through which a scene makes all its allocations.
 *
 * Workload: some tens of large arrays per frame and a few thousand chunks. Nothing is allocated in an inner loop, so
 * two atomic additions per call are negligible. Workers may allocate at the same time. */
#ifndef GRAZE_BASE_MEMORY_H
#define GRAZE_BASE_MEMORY_H

#include "graze/graze.h"

#include <stdatomic.h>

/* A cache line on the processors at hand; wide enough for every vector register in use. */
#define MEMORY_ALIGNMENT 64

/* Blocks of this size and more ask the system for large pages: arrays of a scene are read out of order, and of 4 KiB
 * pages each would be looked up anew. Measured on a soup of 10^6 triangles: a tenth of the time. */
#define MEMORY_LARGE_BLOCK ((size_t)4 << 20)
#define MEMORY_LARGE_PAGE ((size_t)2 << 20)

typedef struct memory {
  graze_allocator allocator;
  _Atomic(size_t) bytes_now;  /* as asked for, without the allocator's own rounding */
  _Atomic(size_t) bytes_peak; /* never below any value that bytes_now has had */
} memory;

/* A caller's allocator, NULL for the C library's: GRAZE_INVALID_ARGUMENT where it lacks something. */
graze_result memory_read_allocator(const graze_allocator *given_or_null, graze_allocator *allocator_out);

/* NULL: the C library's allocator. The struct is copied; callers' structs are read by memory_read_allocator before. */
void memory_init(memory *heap, const graze_allocator *allocator_or_null);

/* Uninitialized, aligned to MEMORY_ALIGNMENT. NULL when the product overflows or the allocator has none. A size of zero
 * is taken as one byte, so that NULL always means failure. */
void *memory_allocate(memory *heap, size_t count, size_t element_bytes);

/* Takes back what memory_allocate gave for the same sizes; NULL is allowed. */
void memory_release(memory *heap, void *pointer_or_null, size_t count, size_t element_bytes);

/* False, and nothing written, when the true result does not fit. */
bool size_multiply(size_t a, size_t b, size_t *product_out);
bool size_add(size_t a, size_t b, size_t *sum_out);

#endif

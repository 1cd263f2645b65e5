/* memory: the accounting allocator through which a scene makes all its allocations.
 *
 * Workload: some tens of large arrays per frame and a few thousand chunks. Nothing is allocated in an inner loop, so
 * two atomic additions per call are negligible. Workers may allocate at the same time. */
#ifndef GRAZE_BASE_MEMORY_H
#define GRAZE_BASE_MEMORY_H

#include "graze/graze.h"

#include <stdatomic.h>
#include <stddef.h>

/* A cache line on the supported processors; wide enough for every vector register in use. */
#define MEMORY_ALIGNMENT 64

/* Blocks of at least this size request large pages: arrays of a scene are read out of order, and 4 KiB pages would each
 * need a new lookup. Measured on a triangle soup of 10^6 triangles: a tenth of the time. */
#define MEMORY_LARGE_BLOCK ((size_t)4 << 20)
#define MEMORY_LARGE_PAGE ((size_t)2 << 20)

typedef struct memory {
  graze_allocator allocator;
  _Atomic(size_t) bytes_now;  /* as requested, without the allocator's own rounding */
  _Atomic(size_t) bytes_peak; /* at least every value that bytes_now has had */
} memory;

/* Reads a caller's allocator, NULL for the C library's: GRAZE_INVALID_ARGUMENT if a member is missing. */
graze_result memory_read_allocator(const graze_allocator *given_or_null, graze_allocator *allocator_out);

/* NULL: the C library's allocator. The struct is copied; read callers' structs by memory_read_allocator first. */
void memory_init(memory *heap, const graze_allocator *allocator_or_null);

/* Uninitialized, aligned to MEMORY_ALIGNMENT. NULL when the product overflows or the allocator is out of memory. A size
 * of zero counts as one byte, so NULL always means failure. */
void *memory_allocate(memory *heap, size_t count, size_t element_bytes);

/* Releases what memory_allocate returned for the same sizes; NULL is allowed. */
void memory_release(memory *heap, void *pointer_or_null, size_t count, size_t element_bytes);

/* False, without writing, if the true result does not fit. */
bool size_multiply(size_t a, size_t b, size_t *product_out);
bool size_add(size_t a, size_t b, size_t *sum_out);

/* Marks cached memory as unusable for the address sanitizer until it is allocated again, so that uses after release are
 * still detected. Does nothing in other builds. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#endif
#if defined(POISONS)
/* From the sanitizer's run time, whose header not every compiler has. */
void __asan_poison_memory_region(const volatile void *from, size_t bytes);
void __asan_unpoison_memory_region(const volatile void *from, size_t bytes);
#define POISON(from, bytes) __asan_poison_memory_region(from, bytes)
#define UNPOISON(from, bytes) __asan_unpoison_memory_region(from, bytes)
#else
#define POISON(from, bytes) ((void)(from), (void)(bytes))
#define UNPOISON(from, bytes) ((void)(from), (void)(bytes))
#endif

#endif

/* array: a growable array of elements of one size.
 *
 * Workload: arrays of a scene first grow by whole meshes (the first growth is exact, without spare memory), then by
 * single insertions (growth by one half keeps these linear in total). Elements are moved by memcpy. */
#ifndef GRAZE_BASE_ARRAY_H
#define GRAZE_BASE_ARRAY_H

#include "base/memory.h"

typedef struct array {
  void *data; /* NULL while the capacity is zero */
  size_t count;
  size_t capacity;
  size_t element_bytes;
} array;

/* The elements as a typed pointer: ARRAY_AS(uint32_t, &a)[i]. */
#define ARRAY_AS(type, array_pointer) ((type *)(array_pointer)->data)

void array_init(array *target, size_t element_bytes);

/* All three do not change the array if they return false (out of memory). */

/* Makes the capacity exactly `capacity` if it is less; never shrinks. */
bool array_reserve(array *target, memory *heap, size_t capacity);

/* New elements are uninitialized. Growth is exact from the empty array, else at least by one half. */
bool array_resize(array *target, memory *heap, size_t count);

/* `element` may point into the array. */
bool array_push(array *target, memory *heap, const void *element);

/* Releases the memory; the array is empty and can be used again. */
void array_release(array *target, memory *heap);

/* The same for several arrays: ARRAYS_RELEASE(heap, &a, &b). */
#define ARRAYS_RELEASE(heap, ...)                                                                                      \
  arrays_release(heap, (array *const[]){__VA_ARGS__}, sizeof((array *const[]){__VA_ARGS__}) / sizeof(array *))
void arrays_release(memory *heap, array *const *targets, size_t count);

#endif

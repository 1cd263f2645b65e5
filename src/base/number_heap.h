/* number_heap: a set of free numbers; the lowest is taken first.
 *
 * Workload: slots of objects, up to about 10^6; all may be freed at once and taken again, in any order. A binary heap:
 * each step takes logarithmic time. Freeing a number cannot fail, because memory is reserved when numbers are created.
 */
#ifndef GRAZE_BASE_NUMBER_HEAP_H
#define GRAZE_BASE_NUMBER_HEAP_H

#include "base/memory.h"

typedef struct number_heap {
  uint32_t *numbers; /* none is lower than the one at half its place */
  size_t count, capacity;
} number_heap;

/* Reserves room for this many numbers. A zeroed heap is empty. False, without change, when out of memory. */
bool number_heap_reserve(number_heap *heap, memory *from, size_t capacity);
void number_heap_release(number_heap *heap, memory *from);

/* There must be room for it, and it must not be in the heap yet. */
void number_heap_add(number_heap *heap, uint32_t number);

/* Removes the lowest number, which is numbers[0]; the heap must not be empty. */
void number_heap_drop_lowest(number_heap *heap);

#endif

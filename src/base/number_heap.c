/* number_heap: see number_heap.h. */
#include "base/number_heap.h"

#include <assert.h>
#include <string.h>

bool number_heap_reserve(number_heap *heap, memory *from, size_t capacity) {
  if (capacity <= heap->capacity) return true;
  uint32_t *numbers = memory_allocate(from, capacity, sizeof *numbers);
  if (numbers == NULL) return false;
  if (heap->count > 0) memcpy(numbers, heap->numbers, heap->count * sizeof *numbers);
  memory_release(from, heap->numbers, heap->capacity, sizeof *numbers);
  heap->numbers = numbers;
  heap->capacity = capacity;
  return true;
}

void number_heap_release(number_heap *heap, memory *from) {
  memory_release(from, heap->numbers, heap->capacity, sizeof *heap->numbers);
  *heap = (number_heap){NULL, 0, 0};
}

void number_heap_add(number_heap *heap, uint32_t number) {
  assert(heap->count < heap->capacity);
  size_t place = heap->count++;
  for (; place > 0 && heap->numbers[(place - 1) / 2] > number; place = (place - 1) / 2)
    heap->numbers[place] = heap->numbers[(place - 1) / 2];
  heap->numbers[place] = number;
}

void number_heap_drop_lowest(number_heap *heap) {
  assert(heap->count > 0);
  const uint32_t last = heap->numbers[--heap->count];
  size_t place = 0;
  for (size_t child = 1; child < heap->count; child = 2 * place + 1) {
    if (child + 1 < heap->count && heap->numbers[child + 1] < heap->numbers[child]) child++;
    if (heap->numbers[child] >= last) break;
    heap->numbers[place] = heap->numbers[child];
    place = child;
  }
  if (heap->count > 0) heap->numbers[place] = last;
}

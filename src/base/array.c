/* array: the untyped core of growable arrays; see array.h for its workload. */
#include "base/array.h"

#include <assert.h>
#include <string.h>

void array_init(array *target, size_t element_bytes) {
  assert(element_bytes > 0);
  target->data = NULL;
  target->count = 0;
  target->capacity = 0;
  target->element_bytes = element_bytes;
}

bool array_reserve(array *target, memory *heap, size_t capacity) {
  if (capacity <= target->capacity) return true;
  void *data = memory_allocate(heap, capacity, target->element_bytes);
  if (!data) return false;
  if (target->count > 0) memcpy(data, target->data, target->count * target->element_bytes);
  memory_release(heap, target->data, target->capacity, target->element_bytes);
  target->data = data;
  target->capacity = capacity;
  return true;
}

/* The sum cannot overflow: a capacity in bytes fits into size_t, and no object is larger than half of that. If it did,
 * the requested capacity would be used. */
static size_t grown_capacity(size_t capacity, size_t wanted) {
  size_t grown;
  if (!size_add(capacity, capacity / 2, &grown)) return wanted;
  return grown > wanted ? grown : wanted;
}

bool array_resize(array *target, memory *heap, size_t count) {
  if (count > target->capacity && !array_reserve(target, heap, grown_capacity(target->capacity, count))) return false;
  target->count = count;
  return true;
}

bool array_push(array *target, memory *heap, const void *element) {
  const size_t at = target->count;
  const size_t smallest = 8; /* otherwise the first pushes would move the array at every second call */
  if (at == target->capacity) {
    const size_t element_bytes = target->element_bytes;
    const size_t capacity = grown_capacity(target->capacity, at < smallest ? smallest : at + 1);
    char *data = memory_allocate(heap, capacity, element_bytes);
    if (!data) return false;
    if (at > 0) memcpy(data, target->data, at * element_bytes);
    /* The element may be in the old data, so that is released last. */
    memcpy(data + at * element_bytes, element, element_bytes);
    memory_release(heap, target->data, target->capacity, element_bytes);
    target->data = data;
    target->capacity = capacity;
  } else {
    memcpy((char *)target->data + at * target->element_bytes, element, target->element_bytes);
  }
  target->count = at + 1;
  return true;
}

void array_release(array *target, memory *heap) {
  memory_release(heap, target->data, target->capacity, target->element_bytes);
  array_init(target, target->element_bytes);
}

void arrays_release(memory *heap, array *const *targets, size_t count) {
  for (size_t i = 0; i < count; i++) array_release(targets[i], heap);
}

/* Memory of box_list: one block for all arrays. */
#include "broad/box_list.h"

#include "base/four_floats.h"

#include <float.h>
#include <string.h>

enum { BOUND_COUNT = 6 };

static size_t entry_stride(size_t capacity) {
  return (capacity + BOX_LIST_ROOM + 15) / 16 * 16;
}

/* Arrays in the block: the numbers, where there are any, after the boxes. */
static size_t array_count(const box_list *entries) {
  return entries->number != NULL ? BOUND_COUNT + 1 : BOUND_COUNT;
}

/* An empty list of so many arrays, the last of seven for numbers; a zeroed struct when out of memory. */
static box_list allocate_list(memory *heap, size_t arrays, size_t capacity) {
  box_list list = {.capacity = capacity};
  if (capacity > SIZE_MAX / 64 / arrays) return (box_list){0};
  const size_t stride = entry_stride(capacity);
  float *block = memory_allocate(heap, arrays * stride, sizeof *block);
  if (block == NULL) return (box_list){0};
  for (size_t i = 0; i < BOUND_COUNT; i++) list.bound[i] = block + i * stride;
  if (arrays > BOUND_COUNT) list.number = (uint32_t *)(void *)(block + BOUND_COUNT * stride);
  return list;
}

bool box_list_reserve(box_list *entries, memory *heap, size_t capacity) {
  if (entries->number != NULL && capacity <= entries->capacity) return true;
  box_list grown = allocate_list(heap, BOUND_COUNT + 1, capacity);
  if (grown.number == NULL) return false;
  if (entries->number != NULL) {
    const size_t bytes = entries->count * sizeof *grown.number;
    memcpy(grown.number, entries->number, bytes);
    for (int i = 0; i < BOUND_COUNT; i++) memcpy(grown.bound[i], entries->bound[i], bytes);
    grown.count = entries->count;
  }
  box_list_release(entries, heap);
  *entries = grown;
  return true;
}

bool box_list_reserve_places(box_list *entries, memory *heap, size_t capacity) {
  *entries = allocate_list(heap, BOUND_COUNT, capacity);
  return entries->bound[0] != NULL;
}

void box_list_release(box_list *entries, memory *heap) {
  memory_release(heap, entries->bound[0], array_count(entries) * entry_stride(entries->capacity), sizeof(float));
  *entries = (box_list){0};
}

void *box_list_memory(const box_list *entries) {
  return entries->bound[0];
}

size_t box_list_bytes(const box_list *entries) {
  return array_count(entries) * entry_stride(entries->capacity) * sizeof(float);
}

void box_list_close(box_list *entries) {
  for (size_t entry = entries->count; entry < entries->count + BOX_LIST_ROOM / 2; entry++) {
    for (int axis = 0; axis < 3; axis++) {
      entries->bound[axis][entry] = FLT_MAX;
      entries->bound[axis + 3][entry] = -FLT_MAX;
    }
    if (entries->number != NULL) entries->number[entry] = 0;
  }
}

/* The least of values[first, end) as lanes of four, the last four overlapping; few values are compared one by one. */
static float least_of(const float *values, size_t count) {
  if (count < 4) {
    float least = values[0];
    for (size_t i = 1; i < count; i++) least = values[i] < least ? values[i] : least;
    return least;
  }
  four_floats least = four_floats_load(values + count - 4);
  for (size_t i = 0; i + 4 < count; i += 4) least = four_floats_smaller(least, four_floats_load(values + i));
  return four_floats_least(least);
}

static float greatest_of(const float *values, size_t count) {
  if (count < 4) {
    float greatest = values[0];
    for (size_t i = 1; i < count; i++) greatest = values[i] > greatest ? values[i] : greatest;
    return greatest;
  }
  four_floats greatest = four_floats_load(values + count - 4);
  for (size_t i = 0; i + 4 < count; i += 4) greatest = four_floats_larger(greatest, four_floats_load(values + i));
  return four_floats_greatest(greatest);
}

void box_list_around(const box_list *entries, size_t first, size_t end, float bound_out[6]) {
  for (int axis = 0; axis < 3; axis++) {
    bound_out[axis] = least_of(entries->bound[axis] + first, end - first);
    bound_out[axis + 3] = greatest_of(entries->bound[axis + 3] + first, end - first);
  }
}

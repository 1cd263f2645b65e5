/* Memory of box_list: one block for all arrays. */
#include "broad/box_list.h"

#include "base/four_floats.h"

#include <float.h>
#include <string.h>

enum { BOUND_COUNT = 6 };

static size_t entry_stride(size_t capacity) {
  return (capacity + BOX_LIST_PADDING + 15) / 16 * 16;
}

/* Arrays in the block: the boxes, then the numbers if there are any. */
static size_t array_count(const box_list *entries) {
  return entries->number != NULL ? BOUND_COUNT + 1 : BOUND_COUNT;
}

/* An empty list of this many arrays, the seventh for numbers; a zeroed struct when out of memory. */
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
  for (size_t entry = entries->count; entry < entries->count + BOX_LIST_PADDING / 2; entry++) {
    for (int axis = 0; axis < 3; axis++) {
      entries->bound[axis][entry] = FLT_MAX;
      entries->bound[axis + 3][entry] = -FLT_MAX;
    }
    if (entries->number != NULL) entries->number[entry] = 0;
  }
}

static void around_few(const box_list *entries, size_t first, size_t end, float bound_out[6]) {
  for (int axis = 0; axis < 3; axis++) {
    float low = entries->bound[axis][first], high = entries->bound[axis + 3][first];
    for (size_t i = first + 1; i < end; i++) {
      low = entries->bound[axis][i] < low ? entries->bound[axis][i] : low;
      high = entries->bound[axis + 3][i] > high ? entries->bound[axis + 3][i] : high;
    }
    bound_out[axis] = low;
    bound_out[axis + 3] = high;
  }
}

/* In vectors of four, the last four overlapping, all axes in one loop: its end is mispredicted only once. */
void box_list_around(const box_list *entries, size_t first, size_t end, float bound_out[6]) {
  if (end - first < 4) {
    around_few(entries, first, end, bound_out);
    return;
  }
  four_floats low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = four_floats_load(entries->bound[axis] + end - 4);
    high[axis] = four_floats_load(entries->bound[axis + 3] + end - 4);
  }
  for (size_t i = first; i + 4 < end; i += 4)
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = four_floats_smaller(low[axis], four_floats_load(entries->bound[axis] + i));
      high[axis] = four_floats_larger(high[axis], four_floats_load(entries->bound[axis + 3] + i));
    }
  for (int axis = 0; axis < 3; axis++) {
    bound_out[axis] = four_floats_least(low[axis]);
    bound_out[axis + 3] = four_floats_greatest(high[axis]);
  }
}

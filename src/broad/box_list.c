/* Memory of box_list: one block for all arrays. */
#include "broad/box_list.h"

#include "base/four_floats.h"

#include <float.h>
#include <string.h>

enum { ARRAY_COUNT = 7 };

static size_t entry_stride(size_t capacity) {
  return (capacity + BOX_LIST_ROOM + 15) / 16 * 16;
}

bool box_list_reserve(box_list *entries, memory *heap, size_t capacity) {
  if (entries->number != NULL && capacity <= entries->capacity) return true;
  if (capacity > SIZE_MAX / 64 / ARRAY_COUNT) return false;
  const size_t stride = entry_stride(capacity);
  uint32_t *block = memory_allocate(heap, ARRAY_COUNT * stride, sizeof *block);
  if (block == NULL) return false;
  box_list grown = {.number = block, .count = entries->count, .capacity = capacity};
  for (int i = 0; i < 6; i++) grown.bound[i] = (float *)(void *)(block + (i + 1) * stride);
  if (entries->number != NULL) {
    const size_t bytes = entries->count * sizeof *block;
    memcpy(grown.number, entries->number, bytes);
    for (int i = 0; i < 6; i++) memcpy(grown.bound[i], entries->bound[i], bytes);
  }
  box_list_release(entries, heap);
  *entries = grown;
  return true;
}

void box_list_release(box_list *entries, memory *heap) {
  memory_release(heap, entries->number, ARRAY_COUNT * entry_stride(entries->capacity), sizeof(uint32_t));
  *entries = (box_list){0};
}

size_t box_list_bytes(const box_list *entries) {
  return ARRAY_COUNT * entry_stride(entries->capacity) * sizeof(uint32_t);
}

void box_list_close(box_list *entries) {
  for (size_t entry = entries->count; entry < entries->count + BOX_LIST_ROOM / 2; entry++) {
    for (int axis = 0; axis < 3; axis++) {
      entries->bound[axis][entry] = FLT_MAX;
      entries->bound[axis + 3][entry] = -FLT_MAX;
    }
    entries->number[entry] = 0;
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

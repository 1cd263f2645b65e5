/* Memory of box_rows: one block for all arrays. */
#include "broad/box_rows.h"

#include "base/four_floats.h"

#include <float.h>
#include <string.h>

enum { ARRAY_COUNT = 7 };

static size_t row_stride(size_t capacity) {
  return (capacity + BOX_ROW_ROOM + 15) / 16 * 16;
}

bool box_rows_reserve(box_rows *rows, memory *heap, size_t capacity) {
  if (rows->number != NULL && capacity <= rows->capacity) return true;
  if (capacity > SIZE_MAX / 64 / ARRAY_COUNT) return false;
  const size_t stride = row_stride(capacity);
  uint32_t *block = memory_allocate(heap, ARRAY_COUNT * stride, sizeof *block);
  if (block == NULL) return false;
  box_rows grown = {.number = block, .count = rows->count, .capacity = capacity};
  for (int i = 0; i < 6; i++) grown.bound[i] = (float *)(void *)(block + (i + 1) * stride);
  if (rows->number != NULL) {
    const size_t bytes = rows->count * sizeof *block;
    memcpy(grown.number, rows->number, bytes);
    for (int i = 0; i < 6; i++) memcpy(grown.bound[i], rows->bound[i], bytes);
  }
  box_rows_release(rows, heap);
  *rows = grown;
  return true;
}

void box_rows_release(box_rows *rows, memory *heap) {
  memory_release(heap, rows->number, ARRAY_COUNT * row_stride(rows->capacity), sizeof(uint32_t));
  *rows = (box_rows){0};
}

void box_rows_close(box_rows *rows) {
  for (size_t row = rows->count; row < rows->count + BOX_ROW_ROOM / 2; row++) {
    for (int axis = 0; axis < 3; axis++) {
      rows->bound[axis][row] = FLT_MAX;
      rows->bound[axis + 3][row] = -FLT_MAX;
    }
    rows->number[row] = 0;
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

void box_rows_around(const box_rows *rows, size_t first, size_t end, float bound_out[6]) {
  for (int axis = 0; axis < 3; axis++) {
    bound_out[axis] = least_of(rows->bound[axis] + first, end - first);
    bound_out[axis + 3] = greatest_of(rows->bound[axis + 3] + first, end - first);
  }
}

/* Memory of box_rows: one block for all arrays. */
#include "broad/box_rows.h"

#include <string.h>

enum { ARRAY_COUNT = 7 };

static size_t row_stride(size_t capacity) { return (capacity + BOX_ROW_ROOM + 15) / 16 * 16; }

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

void box_rows_around(const box_rows *rows, size_t first, size_t end, float bound_out[6]) {
  for (int axis = 0; axis < 3; axis++) {
    float low = rows->bound[axis][first], high = rows->bound[axis + 3][first];
    for (size_t row = first + 1; row < end; row++) {
      low = rows->bound[axis][row] < low ? rows->bound[axis][row] : low;
      high = rows->bound[axis + 3][row] > high ? rows->bound[axis + 3][row] : high;
    }
    bound_out[axis] = low;
    bound_out[axis + 3] = high;
  }
}

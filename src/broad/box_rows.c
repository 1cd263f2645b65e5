/* Memory of box_rows: one block for all rows. */
#include "broad/box_rows.h"

#include <string.h>

/* Room behind each row for kernels that read and write whole vectors: SIMD_ROOM, and rows stay 64-byte aligned. */
enum { ROW_ROOM = 16 };

static size_t row_stride(size_t capacity) {
  return (capacity + ROW_ROOM + 15) / 16 * 16;
}

static void point_rows(box_rows *rows, uint32_t *block, size_t stride) {
  for (int i = 0; i < 6; i++) rows->bound[i] = (float *)(void *)(block + i * stride);
  for (int i = 0; i < 3; i++) rows->corner[i] = block + (6 + i) * stride;
  rows->object = block + 9 * stride;
  rows->id = block + 10 * stride;
}

bool box_rows_reserve(box_rows *rows, memory *heap, size_t capacity) {
  if (rows->bound[0] != NULL && capacity <= rows->capacity) return true;
  if (capacity > SIZE_MAX / 64 / BOX_ROW_COUNT) return false;
  const size_t stride = row_stride(capacity);
  uint32_t *block = memory_allocate(heap, BOX_ROW_COUNT * stride, sizeof *block);
  if (block == NULL) return false;
  box_rows grown = {.count = rows->count, .capacity = capacity};
  point_rows(&grown, block, stride);
  if (rows->bound[0] != NULL) {
    const size_t bytes = rows->count * sizeof *block;
    for (int i = 0; i < 6; i++) memcpy(grown.bound[i], rows->bound[i], bytes);
    for (int i = 0; i < 3; i++) memcpy(grown.corner[i], rows->corner[i], bytes);
    memcpy(grown.object, rows->object, bytes);
    memcpy(grown.id, rows->id, bytes);
  }
  box_rows_release(rows, heap);
  *rows = grown;
  return true;
}

void box_rows_release(box_rows *rows, memory *heap) {
  memory_release(heap, rows->bound[0], BOX_ROW_COUNT * row_stride(rows->capacity), sizeof(uint32_t));
  *rows = (box_rows){0};
}

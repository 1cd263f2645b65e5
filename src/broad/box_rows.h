/* Boxes in rows: a structure of arrays for the vector units. */
#ifndef GRAZE_BROAD_BOX_ROWS_H
#define GRAZE_BROAD_BOX_ROWS_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

/* Room behind each array for kernels that read and write whole vectors: SIMD_ROOM, and arrays stay 64-byte aligned. */
enum { BOX_ROW_ROOM = 16 };

typedef struct box_rows {
  float *bound[6];  /* min x y z, max x y z */
  uint32_t *number; /* what each box is the box of */
  size_t count, capacity;
} box_rows;

/* Makes room for `capacity` boxes, keeping what is there. False when out of memory; the rows are then as before. A
 * zeroed struct is an empty one. */
bool box_rows_reserve(box_rows *rows, memory *heap, size_t capacity);
void box_rows_release(box_rows *rows, memory *heap);

/* Puts boxes that meet nothing behind the last one, as many as a vector may read there. */
void box_rows_close(box_rows *rows);

/* The box around rows [first, end), of which there is at least one. */
void box_rows_around(const box_rows *rows, size_t first, size_t end, float bound_out[6]);

#endif

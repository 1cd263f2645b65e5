/* Boxes in rows: a structure of arrays for the vector units, with what decides about a candidate beside the six bounds.
 */
#ifndef GRAZE_BROAD_BOX_ROWS_H
#define GRAZE_BROAD_BOX_ROWS_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

enum { BOX_ROW_COUNT = 11 };

typedef struct box_rows {
  float *bound[6];     /* min x y z, max x y z */
  uint32_t *corner[3]; /* the scene's vertex numbers */
  uint32_t *object;
  uint32_t *id; /* primitive number */
  size_t count, capacity;
} box_rows;

/* Makes room for `capacity` boxes (and what a kernel may touch behind them), keeping what is there. False when out of
 * memory; the rows are then as before. A zeroed struct is an empty one. */
bool box_rows_reserve(box_rows *rows, memory *heap, size_t capacity);
void box_rows_release(box_rows *rows, memory *heap);

#endif

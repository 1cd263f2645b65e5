/* The levels of the hierarchical grid, and the level of a box. For the processor and for GPUs. */
#ifndef GRAZE_BROAD_GRID_LEVEL_H
#define GRAZE_BROAD_GRID_LEVEL_H

#include "geometry/device.h"

#include <stdint.h>
#include <string.h>

/* Level i has cells of side 2^(i - LEVEL_BIAS). Normalized coordinates are at most 1, so that cell numbers fit in 30
 * bits. */
enum { LEVEL_BIAS = 28, GRID_LEVEL_COUNT = 32 };

/* The exponent of a box's longest side: side = m * 2^exponent with m in [1/2, 1); a very low number for 0. A side
 * that was rounded to nearest and is below 2^k was below 2^k before rounding, too. */
GEOMETRY_FUNCTION int longest_side_exponent(float longest_side) {
  uint32_t bits;
  memcpy(&bits, &longest_side, sizeof bits);
  return (int)(bits >> 23) - 126;
}

/* The nearest level of the table. No box in normalized coordinates needs a higher one. */
GEOMETRY_FUNCTION int grid_level_within(int level) {
  return level < 0 ? 0 : level < GRID_LEVEL_COUNT ? level : GRID_LEVEL_COUNT - 1;
}

/* The level of a box: its cells are more than twice and, above level 0, at most four times as long as its longest side.
 * A search looks only at adjacent cells, so a box must cross at most one cell border per axis: cells longer than the
 * box would do for that. But the lists of siblings in grid_search.c need the factor of two: a box that begins in the
 * cell before another ends in the lower half of that one. Larger cells also need fewer look-ups for more box tests,
 * which is faster: 9 ms instead of 14 on a scan of 69,451 triangles (docs/lab/grid.md). A grid may store a box on a
 * higher level (grid_floor.h), never on a lower one. Devices have smaller cells: device_cell.h. */
GEOMETRY_FUNCTION uint8_t grid_level_of(float longest_side) {
  return (uint8_t)grid_level_within(longest_side_exponent(longest_side) + 1 + LEVEL_BIAS);
}

#endif

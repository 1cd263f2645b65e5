/* The levels of the hierarchical grid: which one a box lies at. For the processor and for GPUs. */
#ifndef GRAZE_BROAD_GRID_LEVEL_H
#define GRAZE_BROAD_GRID_LEVEL_H

#include "geometry/device.h"

#include <stdint.h>
#include <string.h>

/* Level i has cells of side 2^(i - LEVEL_BIAS). Normalized coordinates are at most 1, so that cell numbers fit in 30
 * bits.
 */
enum { LEVEL_BIAS = 28, GRID_LEVEL_COUNT = 32 };

/* The exponent of a box's longest side: side = m * 2^exponent with m in [1/2, 1); far below for 0. A side that was
 * rounded to nearest and is below 2^k is below 2^k unrounded too. */
GEOMETRY_FUNCTION int longest_side_exponent(float longest_side) {
  uint32_t bits;
  memcpy(&bits, &longest_side, sizeof bits);
  return (int)(bits >> 23) - 126;
}

/* The level of a box: its cells are more than twice and at most four times its longest side. A box then reaches over
 * one cell border an axis at most, which is all that the search needs; cells of just its own size would do, but hold so
 * few boxes that looking them up costs more than comparing the boxes of larger ones (measured: 14 ms against 9 on a
 * scan of 69,451 triangles). */
GEOMETRY_FUNCTION uint8_t grid_level_of(float longest_side) {
  const int level = longest_side_exponent(longest_side) + 1 + LEVEL_BIAS;
  return (uint8_t)(level < 0 ? 0 : level);
}

#endif

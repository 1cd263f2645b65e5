/* The cells of a grid: the cell of a coordinate, and its parent cell. */
#ifndef GRAZE_BROAD_GRID_CELL_H
#define GRAZE_BROAD_GRID_CELL_H

#include "broad/grid_level.h"
#include "broad/primitive_view.h"

typedef struct grid_cell {
  int32_t x, y, z;
} grid_cell;

/* The level of a box. */
static inline uint8_t grid_level_of_box(const primitive_box *box) {
  const float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
  const float longer = x > y ? x : y;
  return grid_level_of(longer > z ? longer : z);
}

static inline float grid_cell_side(int level) {
  return ldexpf(1.0f, level - LEVEL_BIAS);
}

/* For numbers below 2^31. Without floorf, for which 128-bit vectors have no instruction on every processor. */
static inline int32_t floor_to_int(float x) {
  const int32_t whole = (int32_t)x;
  return whole - ((float)whole > x);
}

/* The product is exact, because one factor is a power of two, unless it is subnormal; then its floor is still
 * correct. */
static inline grid_cell grid_cell_of(float x, float y, float z, float inverse_side) {
  return (grid_cell){floor_to_int(x * inverse_side), floor_to_int(y * inverse_side), floor_to_int(z * inverse_side)};
}

static inline bool grid_cells_equal(grid_cell a, grid_cell b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline grid_cell grid_cell_parent(grid_cell cell) {
  return (grid_cell){cell.x >> 1, cell.y >> 1, cell.z >> 1};
}

#endif

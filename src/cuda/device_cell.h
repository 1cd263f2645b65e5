/* Levels, cells and buckets of the grid on the device.
 *
 * As in the grid of the processor, level i has cells of side 2^(i - 28) of the frame, a primitive lies at a level whose
 * cells are larger than its box, and is stored once, in the cell of its box's lower corner. Here a cell is found by its
 * hash alone: a bucket may hold the rows of several cells, and whoever looks for a cell compares.
 *
 * The hash keeps blocks of 8 x 8 x 8 cells together, in Morton order, so that threads side by side look at rows side by
 * side; blocks are scattered. The scattering also turns the order inside the block, so that flat scenes, which use an
 * eighth of a block, do not pile up in an eighth of the buckets. */
#ifndef GRAZE_CUDA_DEVICE_CELL_H
#define GRAZE_CUDA_DEVICE_CELL_H

#include "broad/primitive_view.h"

#include <math.h>
#include <string.h>

enum {
  DEVICE_LEVEL_BIAS = 28,
  /* Cells are more than 2^DEVICE_LEVEL_SHIFT times the longest side of their boxes, and at most twice that. */
  DEVICE_LEVEL_SHIFT = 0,
  BLOCK_BITS = 3,
  BUCKET_NONE = -1
};

typedef struct device_cell {
  int32_t x, y, z;
} device_cell;

/* 2^exponent for exponents of normal floats. */
GEOMETRY_FUNCTION float float_power_of_two(int exponent) {
  const uint32_t bits = (uint32_t)(exponent + 127) << 23;
  float power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* A side that was rounded to nearest and is below 2^k is below 2^k unrounded too. */
GEOMETRY_FUNCTION uint32_t device_level_of(float longest_side) {
  uint32_t bits;
  memcpy(&bits, &longest_side, sizeof bits);
  const int exponent = (int)(bits >> 23) - 126; /* side = m * 2^exponent with m in [1/2, 1); far below for 0 */
  const int level = exponent + DEVICE_LEVEL_SHIFT + DEVICE_LEVEL_BIAS;
  return (uint32_t)(level < 0 ? 0 : level);
}

GEOMETRY_FUNCTION float device_inverse_side(uint32_t level) {
  return float_power_of_two(DEVICE_LEVEL_BIAS - (int)level);
}

/* The product is exact, a power of two being one factor, unless it is subnormal; then its floor is right all the same.
 */
GEOMETRY_FUNCTION int32_t device_cell_number(float coordinate, float inverse_side) {
  return (int32_t)floorf(coordinate * inverse_side);
}

GEOMETRY_FUNCTION device_cell device_cell_of(const float corner[3], float inverse_side) {
  const device_cell cell = {device_cell_number(corner[0], inverse_side), device_cell_number(corner[1], inverse_side),
                            device_cell_number(corner[2], inverse_side)};
  return cell;
}

GEOMETRY_FUNCTION bool device_cells_equal(device_cell a, device_cell b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Three bits, each two places from the next. */
GEOMETRY_FUNCTION uint32_t spread_block_bits(uint32_t x) {
  return (x & 1u) | (x & 2u) << 2 | (x & 4u) << 4;
}

/* The final mix of Appleby's MurmurHash3, 2011. */
GEOMETRY_FUNCTION uint32_t device_mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ x >> 16;
}

GEOMETRY_FUNCTION uint32_t device_bucket(device_cell cell, uint32_t level, uint32_t bucket_count) {
  const uint32_t x = (uint32_t)cell.x, y = (uint32_t)cell.y, z = (uint32_t)cell.z;
  const uint32_t inside = spread_block_bits(x) | spread_block_bits(y) << 1 | spread_block_bits(z) << 2;
  const uint32_t block = (x >> BLOCK_BITS) * 0x9e3779b1u ^ (y >> BLOCK_BITS) * 0x85ebca77u ^
                         (z >> BLOCK_BITS) * 0xc2b2ae3du ^ level * 0x27d4eb2fu;
  return (device_mix(block) ^ inside) & (bucket_count - 1u);
}

#endif

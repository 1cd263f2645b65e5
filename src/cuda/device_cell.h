/* Levels, cells and buckets of the grid on the device.
 *
 * As in the grid of the processor, level i has cells of side 2^(i - 28) of the normalized cube, a primitive lies at the
 * first level of whose cells its box is shorter than 2^reach_bits, and is stored once, in the cell of its box's lower
 * corner. On surfaces that is one cell. Inside solids, where every cell is full, it is two smaller ones: more cells to
 * look up, fewer boxes in them to look at in vain. Here a cell is found by its hash alone: a bucket may hold the
 * entries of several cells, and whoever looks for a cell compares.
 *
 * The hash keeps blocks of cells together, those along x first: cells side by side along x have buckets side by side,
 * so that the entries of such a line of cells are one run of entries, or two where the line leaves its block. Longer
 * runs cost no more to find, so cells are narrow along x: less is then looked at in vain at a line's ends. Blocks are
 * scattered, and begin at any bucket, so that flat scenes, which use a part of each block, do not pile up in a part of
 * the buckets.
 *
 * A block has marks, a bit for each of its lines and of those around it that entries of the block look at, set where
 * any primitive lies in the line, here or so near that they look for it: lines without one, three of four where there
 * are several levels, are passed over. One look at the marks so tells an entry all lines of a level. They are found by
 * hash too, and two blocks may share theirs. */
#ifndef GRAZE_CUDA_DEVICE_CELL_H
#define GRAZE_CUDA_DEVICE_CELL_H

#include "base/cell_hash.h"
#include "broad/grid_level.h"
#include "broad/primitive_view.h"

#include <math.h>
#include <string.h>

enum {
  /* Cells are 2^CELL_X_BITS times as narrow along x as along y and z. */
  CELL_X_BITS = 1,
  BLOCK_X_BITS = 3 + CELL_X_BITS,
  BLOCK_Y_BITS = 2,
  BLOCK_Z_BITS = 2,
  BLOCK_CELLS = 1 << (BLOCK_X_BITS + BLOCK_Y_BITS + BLOCK_Z_BITS),
  /* The lines that a block has marks for: 8 along y and along z, the first two before the block, the last two behind.
   */
  MARK_ROW_BITS = 3,
  MARK_ROW = 1 << MARK_ROW_BITS,
  MARKS_BEFORE = 2,
  BUCKET_NONE = -1
};

typedef struct device_cell {
  int32_t x, y, z;
} device_cell;

/* Added to the levels of the second of two objects that are kept apart: a grid of its own within the same buckets. */
#define SECOND_SIDE ((uint32_t)GRID_LEVEL_COUNT)

/* 2^exponent for exponents of normal floats. */
GEOMETRY_FUNCTION float float_power_of_two(int exponent) {
  const uint32_t bits = (uint32_t)(exponent + 127) << 23;
  float power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* Smaller cells than the processor's: at least as large as the box, and half of that for each reach bit. */
GEOMETRY_FUNCTION uint32_t device_level_of(float longest_side, uint32_t reach_bits) {
  const int level = longest_side_exponent(longest_side) + LEVEL_BIAS - (int)reach_bits;
  return (uint32_t)(level < 0 ? 0 : level);
}

/* The level may be that of the second side. */
GEOMETRY_FUNCTION float device_inverse_side(uint32_t level) {
  return float_power_of_two(LEVEL_BIAS - (int)(level & (SECOND_SIDE - 1u)));
}

/* The product is exact, a power of two being one factor, unless it is subnormal; then it is rounded, which keeps the
 * order. */
GEOMETRY_FUNCTION int32_t device_cell_number(float coordinate, float inverse_side) {
  return (int32_t)floorf(coordinate * inverse_side);
}

GEOMETRY_FUNCTION int32_t device_cell_x(float coordinate, float inverse_side) {
  return device_cell_number(coordinate, inverse_side * (float)(1 << CELL_X_BITS));
}

GEOMETRY_FUNCTION device_cell device_cell_of(const float corner[3], float inverse_side) {
  const device_cell cell = {device_cell_x(corner[0], inverse_side), device_cell_number(corner[1], inverse_side),
                            device_cell_number(corner[2], inverse_side)};
  return cell;
}

/* The hash of a block, by its own numbers along each axis. A sum and no exclusive or: numbers of both signs, with one
 * of those, would give mirrored blocks one hash. */
GEOMETRY_FUNCTION uint32_t device_block_hash(device_cell block, uint32_t level) {
  return cell_hash_mix((uint32_t)block.x * 0x9e3779b1u + (uint32_t)block.y * 0x85ebca77u +
                       (uint32_t)block.z * 0xc2b2ae3du + level * 0x27d4eb2fu);
}

GEOMETRY_FUNCTION device_cell device_block_of(device_cell cell) {
  const device_cell block = {cell.x >> BLOCK_X_BITS, cell.y >> BLOCK_Y_BITS, cell.z >> BLOCK_Z_BITS};
  return block;
}

/* Whose marks an entry of a cell looks at. Inside solids, whose cells are smaller, marks are of half a block along x, 8
 * cells: still no narrower than boxes reach both ways, 4 cells each, so that a line has marks in two of them at most.
 */
GEOMETRY_FUNCTION device_cell device_marked_block_of(device_cell cell, uint32_t reach_bits) {
  const device_cell block = {cell.x >> (BLOCK_X_BITS - (int)reach_bits), cell.y >> BLOCK_Y_BITS,
                             cell.z >> BLOCK_Z_BITS};
  return block;
}

/* Where a cell lies: the hash of its block, and its place in it. */
typedef struct cell_place {
  uint32_t block, line, x;
} cell_place;

GEOMETRY_FUNCTION cell_place device_cell_place(device_cell cell, uint32_t level) {
  const uint32_t x = (uint32_t)cell.x, y = (uint32_t)cell.y, z = (uint32_t)cell.z;
  cell_place place;
  place.block = device_block_hash(device_block_of(cell), level);
  place.line = (y & ((1u << BLOCK_Y_BITS) - 1u)) | (z & ((1u << BLOCK_Z_BITS) - 1u)) << BLOCK_Y_BITS;
  place.x = x & ((1u << BLOCK_X_BITS) - 1u);
  return place;
}

/* Below bucket_count + BLOCK_CELLS: the last blocks reach over the end, and nothing wraps around. */
GEOMETRY_FUNCTION uint32_t device_bucket(cell_place place, uint32_t bucket_count) {
  return (place.block & (bucket_count - 1u)) + (place.line << BLOCK_X_BITS) + place.x;
}

/* What an entry tells of its cell: the level with its side, as much of the numbers of its line and block as tells
 * lines and blocks apart that lie near each other, and the higher bits of the block's hash. A bucket may hold other
 * cells' entries; but boxes that meet have cells that are at most 2^reach_bits lines apart along y and z, and blocks
 * side by side along x, so that of those the key alone says which cells they are of. Of cells far away the hash tells
 * nearly all. */
enum { KEY_LEVEL_BITS = 6, KEY_LINE_BITS = 3, KEY_BLOCK_BITS = 2 };

GEOMETRY_FUNCTION uint32_t device_cell_key(device_cell cell, uint32_t level, uint32_t block_hash) {
  const uint32_t line = (1u << KEY_LINE_BITS) - 1u, block = (1u << KEY_BLOCK_BITS) - 1u;
  const uint32_t near_bits = KEY_LEVEL_BITS + 2 * KEY_LINE_BITS + KEY_BLOCK_BITS;
  return level | ((uint32_t)cell.y & line) << KEY_LEVEL_BITS |
         ((uint32_t)cell.z & line) << (KEY_LEVEL_BITS + KEY_LINE_BITS) |
         ((uint32_t)(cell.x >> BLOCK_X_BITS) & block) << (KEY_LEVEL_BITS + 2 * KEY_LINE_BITS) |
         block_hash >> near_bits << near_bits;
}

GEOMETRY_FUNCTION uint32_t key_level(uint32_t cell_key) {
  return cell_key & ((1u << KEY_LEVEL_BITS) - 1u);
}

/* Where the marks of a block lie. */
GEOMETRY_FUNCTION uint32_t device_marks_of(device_cell block, uint32_t level, uint32_t marked_blocks) {
  return device_block_hash(block, level) & (marked_blocks - 1u);
}

/* The place of a number of a line, along y or z, in a row of a block's marks. */
GEOMETRY_FUNCTION uint32_t device_mark_place(int32_t number, int32_t block, uint32_t block_bits) {
  return (uint32_t)(number - block * (1 << block_bits) + MARKS_BEFORE);
}

#endif

/* Levels, cells and buckets of the grid on the device.
 *
 * As in the grid of the processor, level i has cells of side 2^(i - 28) of the normalized cube. A primitive is at the
 * first level where its box is shorter than 2^reach_bits cells, and is stored once, in the cell of its box's lower
 * corner. On surfaces a box is at most one cell long. Inside solids, where every cell is full, it is up to two smaller
 * cells long: more lookups, but fewer boxes compared without success. A cell is found by its hash alone: a bucket may
 * contain the entries of several cells, and searches compare keys.
 *
 * The hash keeps blocks of cells together, those along x first: neighboring cells along x have neighboring buckets, so
 * the entries of a line of cells are one run of entries, or two if the line crosses blocks. Longer runs take no more
 * time to find, so cells are narrow along x, which reduces the excess at a line's ends. Blocks are scattered and begin
 * at any bucket, so that flat scenes, which use a part of each block, do not fill only a part of the buckets.
 *
 * A block has marks: a bit for each of its lines and of the lines around it that entries of the block search. A bit is
 * set if any primitive is in the line, in this block or in reach of it. Unmarked lines, three of four with several
 * levels, are skipped. So one read of the marks covers all lines of a level. Marks are found by hash, and two blocks
 * may share theirs. */
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
  /* A block has marks for 8 lines along y and along z: two before the block and two after it. */
  MARK_ROW_BITS = 3,
  MARK_ROW = 1 << MARK_ROW_BITS,
  MARKS_BEFORE = 2,
  BUCKET_NONE = -1
};

typedef struct device_cell {
  int32_t x, y, z;
} device_cell;

/* Added to the levels of the second of two separated objects: a grid of its own within the same buckets. */
#define SECOND_SIDE ((uint32_t)GRID_LEVEL_COUNT)

/* 2^exponent for exponents of normal floats. */
GEOMETRY_FUNCTION float float_power_of_two(int exponent) {
  const uint32_t bits = (uint32_t)(exponent + 127) << 23;
  float power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* Smaller cells than the processor's: at least as large as the box, halved for each reach bit. */
GEOMETRY_FUNCTION uint32_t device_level_of(float longest_side, uint32_t reach_bits) {
  return (uint32_t)grid_level_within(longest_side_exponent(longest_side) + LEVEL_BIAS - (int)reach_bits);
}

/* The level may be that of the second side. */
GEOMETRY_FUNCTION float device_inverse_side(uint32_t level) {
  return float_power_of_two(LEVEL_BIAS - (int)(level & (SECOND_SIDE - 1u)));
}

/* The product with a power of two is exact unless it is subnormal; then it is rounded, which keeps the order. */
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

/* The hash of a block, by its numbers along each axis. A sum, since an exclusive or would give mirrored blocks with
 * numbers of both signs the same hash. */
GEOMETRY_FUNCTION uint32_t device_block_hash(device_cell block, uint32_t level) {
  return cell_hash_mix((uint32_t)block.x * 0x9e3779b1u + (uint32_t)block.y * 0x85ebca77u +
                       (uint32_t)block.z * 0xc2b2ae3du + level * 0x27d4eb2fu);
}

GEOMETRY_FUNCTION device_cell device_block_of(device_cell cell) {
  const device_cell block = {cell.x >> BLOCK_X_BITS, cell.y >> BLOCK_Y_BITS, cell.z >> BLOCK_Z_BITS};
  return block;
}

/* The block whose marks an entry of a cell reads. Inside solids, whose cells are smaller, marks are of half a block
 * along x, 8 cells: still as wide as boxes reach to both sides, 4 cells each, so a line has marks in at most two of
 * them. */
GEOMETRY_FUNCTION device_cell device_marked_block_of(device_cell cell, uint32_t reach_bits) {
  const device_cell block = {cell.x >> (BLOCK_X_BITS - (int)reach_bits), cell.y >> BLOCK_Y_BITS,
                             cell.z >> BLOCK_Z_BITS};
  return block;
}

/* The location of a cell: the hash of its block, and its place there. */
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

/* Below bucket_count + BLOCK_CELLS: the last blocks extend past the end, and nothing wraps around. */
GEOMETRY_FUNCTION uint32_t device_bucket(cell_place place, uint32_t bucket_count) {
  return (place.block & (bucket_count - 1u)) + (place.line << BLOCK_X_BITS) + place.x;
}

/* The key of an entry's cell: the level with its side, enough low bits of its line and block numbers to distinguish
 * nearby lines and blocks, and the higher bits of the block's hash. A bucket may contain entries of other cells. Boxes
 * that meet have cells at most 2^reach_bits lines apart along y and z, and in adjacent blocks along x, so among those
 * the key alone identifies the cell. The hash excludes nearly all distant cells. */
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

/* The location of the marks of a block. */
GEOMETRY_FUNCTION uint32_t device_marks_of(device_cell block, uint32_t level, uint32_t marked_blocks) {
  return device_block_hash(block, level) & (marked_blocks - 1u);
}

/* The index of a line number, along y or z, in a row of a block's marks. */
GEOMETRY_FUNCTION uint32_t device_mark_place(int32_t number, int32_t block, uint32_t block_bits) {
  return (uint32_t)(number - block * (1 << block_bits) + MARKS_BEFORE);
}

#endif

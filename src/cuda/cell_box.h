/* The box of an entry as the search compares it: 16 bytes, in small integers, rounded outward.
 *
 * The search compares hundreds of boxes an entry in solids, and what it waits for is the bytes of them. Whoever looks
 * at a line of cells knows where that line is, so the boxes stored there need not say it: along y and z they are told
 * from their cell, along x from the beginning of its block, in units of a small part of a cell. Six such numbers are
 * integers of at most 2,048, which halves hold exactly, and a GPU compares two halves at once. The entry that looks
 * tells its own box from the same place, once for each line.
 *
 * Lower sides are rounded to the integer before and upper sides down: of l <= h the first is never greater than the
 * second, so that no boxes that meet are missed. A few that are less than a unit or two apart are candidates too, which
 * the tests that follow find out. */
#ifndef GRAZE_CUDA_CELL_BOX_H
#define GRAZE_CUDA_CELL_BOX_H

#include "cuda/device_cell.h"

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

enum {
  UNIT_BITS_X = 6, /* of the width of a cell, which is half of its height: a line's numbers reach to 24 widths */
  UNIT_BITS_YZ = 9 /* of its height, one less for each reach bit: those along y and z reach to 3 or 5 cells */
};

/* Two halves along each axis, the lower in the lower bits: of a stored box the lower side and the upper with the other
 * sign, of one that looks the upper side and the lower with the other sign. So they meet where no half of the first is
 * greater than that of the second. */
typedef struct cell_box {
  DEVICE_ALIGNED uint32_t halves[3];
  uint32_t cell_key; /* see device_cell.h */
} cell_box;

/* ---------------------------------------------------------------------------------------------- halves */

/* On the processor they are integers of 16 bits, so that nothing but what they stand for is relied on. */
GEOMETRY_FUNCTION uint32_t half_pair(float low, float high) {
#if defined(__CUDA_ARCH__)
  const __half2 halves = __floats2half2_rn(low, high);
  uint32_t bits;
  memcpy(&bits, &halves, sizeof bits);
  return bits;
#else
  return (uint32_t)(uint16_t)(int16_t)low | (uint32_t)(uint16_t)(int16_t)high << 16u;
#endif
}

/* All bits of each half of `a` that is not greater than that of `b`. */
GEOMETRY_FUNCTION uint32_t halves_at_most(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
  __half2 first, second;
  memcpy(&first, &a, sizeof a);
  memcpy(&second, &b, sizeof b);
  return __hle2_mask(first, second);
#else
  const uint32_t low = (int16_t)(uint16_t)a <= (int16_t)(uint16_t)b ? 0xffffu : 0u;
  const uint32_t high = (int16_t)(uint16_t)(a >> 16u) <= (int16_t)(uint16_t)(b >> 16u) ? 0xffffu : 0u;
  return low | high << 16u;
#endif
}

GEOMETRY_FUNCTION float lower_half(uint32_t halves) {
#if defined(__CUDA_ARCH__)
  __half2 both;
  memcpy(&both, &halves, sizeof both);
  return __low2float(both);
#else
  return (float)(int16_t)(uint16_t)halves;
#endif
}

GEOMETRY_FUNCTION float upper_half(uint32_t halves) {
#if defined(__CUDA_ARCH__)
  __half2 both;
  memcpy(&both, &halves, sizeof both);
  return __high2float(both);
#else
  return (float)(int16_t)(uint16_t)(halves >> 16u);
#endif
}

/* ---------------------------------------------------------------------------------------------- boxes */

/* There are two to this power of units in a cell along an axis. */
GEOMETRY_FUNCTION int unit_bits(int axis, uint32_t reach_bits) {
  return axis == 0 ? UNIT_BITS_X : UNIT_BITS_YZ - (int)reach_bits;
}

GEOMETRY_FUNCTION float units_of_axis(int axis, uint32_t reach_bits) {
  return float_power_of_two(unit_bits(axis, reach_bits));
}

/* How long a unit of a level is; that may be one of the second side. */
GEOMETRY_FUNCTION float unit_length(uint32_t level, int axis, uint32_t reach_bits) {
  const int narrower = axis == 0 ? CELL_X_BITS : 0;
  return float_power_of_two((int)(level % SECOND_SIDE) - LEVEL_BIAS - narrower - unit_bits(axis, reach_bits));
}

GEOMETRY_FUNCTION float inverse_of_axis(int axis, float inverse_side) {
  return axis == 0 ? inverse_side * (float)(1 << CELL_X_BITS) : inverse_side;
}

/* Units of x between the beginning of a cell's block and the cell. */
GEOMETRY_FUNCTION float units_in_block(int32_t cell_x) {
  return (float)((cell_x & ((1 << BLOCK_X_BITS) - 1)) << UNIT_BITS_X);
}

/* The integer before a number of units. The number was rounded, which keeps the order, so that it has not passed an
 * integer on its way: it is safe, and so is the floor of an upper side. */
GEOMETRY_FUNCTION float units_before(float units) {
  return ceilf(units) - 1.0f;
}

/* As an entry of this cell, that of its lower corner, is stored. Products with powers of two are exact. */
GEOMETRY_FUNCTION cell_box stored_cell_box(const primitive_box *box, device_cell cell, uint32_t cell_key,
                                           float inverse_side, uint32_t reach_bits) {
  cell_box stored;
  for (int axis = 0; axis < 3; axis++) {
    const float inverse = inverse_of_axis(axis, inverse_side), units = units_of_axis(axis, reach_bits);
    const float corner = floorf(box->min[axis] * inverse), before = axis == 0 ? units_in_block(cell.x) : 0.0f;
    const float low = units_before((box->min[axis] * inverse - corner) * units) + before;
    const float high = floorf((box->max[axis] * inverse - corner) * units) + before;
    stored.halves[axis] = half_pair(low, -high);
  }
  stored.cell_key = cell_key;
  return stored;
}

/* The sides of a box on some level, in units from the cell that its lower corner lies in there. Integers, as floats. */
typedef struct unit_box {
  float low[3], high[3];
} unit_box;

/* On the level that it is stored at they are as stored. On a higher one, whose units are 2^k times as long, the lower
 * corner l tells where it begins and the stored sides how long it is: l is not below its integer, so that the sum is
 * not below that of the upper side, and the floor of h / 2^k is that of floor(h) / 2^k. What the two roundings may
 * take, some 2^-14, is put on top. */
GEOMETRY_FUNCTION unit_box unit_box_of(const float min[3], const cell_box *stored, device_cell cell, uint32_t level,
                                       uint32_t reach_bits) {
  const int above = (int)(level % SECOND_SIDE) - (int)(key_level(stored->cell_key) % SECOND_SIDE);
  const float inverse_side = device_inverse_side(level), smaller = float_power_of_two(-above);
  const float rounding = 1.0f / 256.0f;
  unit_box box;
  for (int axis = 0; axis < 3; axis++) {
    const float inverse = inverse_of_axis(axis, inverse_side), at = min[axis] * inverse, corner = floorf(at);
    const float before = axis == 0 ? units_in_block(cell.x) : 0.0f;
    const float low = lower_half(stored->halves[axis]), high = -upper_half(stored->halves[axis]);
    const float from = (at - corner) * units_of_axis(axis, reach_bits);
    box.low[axis] = above == 0 ? low - before : units_before(from);
    box.high[axis] = above == 0 ? high - before : floorf(from + (high - low) * smaller + rounding);
  }
  return box;
}

/* As an entry sees entries of a line that is so many cells away along y and z, in the block that begins so many before
 * its own cell along x. */
GEOMETRY_FUNCTION cell_box looking_cell_box(const unit_box *box, int32_t x, int32_t y, int32_t z, uint32_t cell_key,
                                            uint32_t reach_bits) {
  const int32_t cells[3] = {x, -y, -z};
  cell_box looking;
  for (int axis = 0; axis < 3; axis++) {
    const float shift = (float)(cells[axis] * (1 << unit_bits(axis, reach_bits)));
    looking.halves[axis] = half_pair(box->high[axis] + shift, -(box->low[axis] + shift));
  }
  looking.cell_key = cell_key;
  return looking;
}

/* No step of it depends on another: threads side by side stay together. */
GEOMETRY_FUNCTION bool cell_boxes_meet(const cell_box *stored, const cell_box *looking) {
  const uint32_t met = halves_at_most(stored->halves[0], looking->halves[0]) &
                       halves_at_most(stored->halves[1], looking->halves[1]) &
                       halves_at_most(stored->halves[2], looking->halves[2]);
  return (met == 0xffffffffu) & (stored->cell_key == looking->cell_key);
}

#endif

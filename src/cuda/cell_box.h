/* The box of an entry in the form that the search compares: 16 bytes, in small integers, rounded outward.
 *
 * The search compares hundreds of boxes an entry in solids, limited by memory bandwidth. A thread that visits a line of
 * cells knows the position of the line, so the boxes stored there are relative: along y and z to their cell, along x to
 * the begin of its block, in units of a small fraction of a cell. These six numbers are integers of at most 2,048,
 * which half floats represent exactly, and a GPU compares two halves at once. The visiting entry converts its own box
 * to the same origin, once per line.
 *
 * Lower sides are rounded down to the preceding integer and upper sides are rounded down: if l <= h, the first is never
 * greater than the second, so no boxes that meet are missed. A few boxes less than a unit or two apart become
 * candidates too; later tests reject them. */
#ifndef GRAZE_CUDA_CELL_BOX_H
#define GRAZE_CUDA_CELL_BOX_H

#include "cuda/device_cell.h"

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

enum {
  UNIT_BITS_X = 6, /* of the width of a cell, which is half of its height: numbers of a line extend to 24 widths */
  UNIT_BITS_YZ = 9 /* of its height, one less for each reach bit: numbers along y and z extend to 3 or 5 cells */
};

/* Two halves along each axis. A stored box has its lower side in the lower bits and its negated upper side in the
 * upper; a visiting box its upper side and its negated lower side. They meet if no half of the stored box is greater
 * than that of the visiting one. */
typedef struct cell_box {
  DEVICE_ALIGNED uint32_t halves[3];
  uint32_t cell_key; /* see device_cell.h */
} cell_box;

/* ---------------------------------------------------------------------------------------------- half floats */

/* On the processor they are 16-bit integers, so that the tests rely only on their values. */
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

/* The binary logarithm of the units of a cell along an axis. */
GEOMETRY_FUNCTION int unit_bits(int axis, uint32_t reach_bits) {
  return axis == 0 ? UNIT_BITS_X : UNIT_BITS_YZ - (int)reach_bits;
}

GEOMETRY_FUNCTION float units_of_axis(int axis, uint32_t reach_bits) {
  return float_power_of_two(unit_bits(axis, reach_bits));
}

/* The length of a unit of a level, which may be of the second side. */
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

/* The integer before a number of units. The number was rounded, which is monotonic, so it has not passed an integer:
 * the result is safe, and so is the floor of an upper side. */
GEOMETRY_FUNCTION float units_before(float units) {
  return ceilf(units) - 1.0f;
}

/* The box of an entry, relative to the cell of its lower corner, as it is stored. Products with powers of two are
 * exact. */
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

/* The sides of a box on some level, in units from the cell of its lower corner. Integers, as floats. */
typedef struct unit_box {
  float low[3], high[3];
} unit_box;

/* On its own level the sides are as stored. On a higher one, whose units are 2^k times as long, the lower corner l
 * gives the begin and the stored sides the length: l is not below its integer, so the sum is not below that of the
 * upper side, and the floor of h / 2^k equals that of floor(h) / 2^k. The error of the two roundings, about 2^-14, is
 * added. */
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

/* The box of a visiting entry relative to a line that is this many cells away along y and z, in the block that begins
 * this many cells before its own cell along x. */
GEOMETRY_FUNCTION cell_box visiting_cell_box(const unit_box *box, int32_t x, int32_t y, int32_t z, uint32_t cell_key,
                                             uint32_t reach_bits) {
  const int32_t cells[3] = {x, -y, -z};
  cell_box visiting;
  for (int axis = 0; axis < 3; axis++) {
    const float shift = (float)(cells[axis] * (1 << unit_bits(axis, reach_bits)));
    visiting.halves[axis] = half_pair(box->high[axis] + shift, -(box->low[axis] + shift));
  }
  visiting.cell_key = cell_key;
  return visiting;
}

/* No step depends on data of another thread, so neighboring threads do not diverge. */
GEOMETRY_FUNCTION bool cell_boxes_meet(const cell_box *stored, const cell_box *visiting) {
  const uint32_t met = halves_at_most(stored->halves[0], visiting->halves[0]) &
                       halves_at_most(stored->halves[1], visiting->halves[1]) &
                       halves_at_most(stored->halves[2], visiting->halves[2]);
  return (met == 0xffffffffu) & (stored->cell_key == visiting->cell_key);
}

#endif

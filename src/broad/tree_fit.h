/* Computes the boxes of trees: a body's coordinates, the boxes of leaves and of blocks, Morton codes. Compiled for a
 * GPU too, which refits the trees of deforming objects. */
#ifndef GRAZE_BROAD_TREE_FIT_H
#define GRAZE_BROAD_TREE_FIT_H

#include "base/cell_hash.h"
#include "broad/primitive_view.h"
#include "broad/tree_layout.h"
#include "broad/tree_relation.h"
#include "geometry/binary_scale.h"
#include "geometry/float_rounding.h"

/* An empty box. */
GEOMETRY_FUNCTION exact_box tree_no_box(void) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = DBL_MAX;
    box.max[axis] = -DBL_MAX;
  }
  return box;
}

/* The power of two above a number, limited to valid divisors; one for zero. */
GEOMETRY_FUNCTION double unit_above(double half) {
  int exponent = half > 0.0 ? binary_exponent(half) + 1 : 0;
  if (exponent < -1000) exponent = -1000;
  return power_of_two(exponent > 1023 ? 1023 : exponent);
}

/* The coordinates of a body whose positions are in the box. */
GEOMETRY_FUNCTION body_space space_of_box(const exact_box *box) {
  body_space space;
  double largest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double origin = box->min[axis] * 0.5 + box->max[axis] * 0.5;
    const double below = origin - box->min[axis], above = box->max[axis] - origin;
    const double half = (below > above ? below : above) * (1.0 + 0x1p-50);
    space.origin[axis] = origin;
    space.half[axis] = half <= DBL_MAX ? half : DBL_MAX;
    largest = space.half[axis] > largest ? space.half[axis] : largest;
  }
  space.unit = unit_above(largest);
  return space;
}

/* A coordinate in the body's own coordinates, given the inverse of its unit: monotone, because the difference and
 * the product are. */
GEOMETRY_FUNCTION double own_coordinate(const body_space *space, double per_unit, int axis, double coordinate) {
  return (coordinate - space->origin[axis]) * per_unit;
}

/* A box of positions in the body's own coordinates: because of monotonicity, it is the box of the converted
 * positions. */
GEOMETRY_FUNCTION exact_box own_box_of(const body_space *space, const exact_box *box) {
  const double per_unit = 1.0 / space->unit;
  exact_box own;
  for (int axis = 0; axis < 3; axis++) {
    own.min[axis] = own_coordinate(space, per_unit, axis, box->min[axis]);
    own.max[axis] = own_coordinate(space, per_unit, axis, box->max[axis]);
  }
  return own;
}

/* Sets one side of the float box around a box of doubles. Own coordinates are at most 2 and were rounded twice in
 * double; the sum of a float of at most 2 and one of at most 4 has an error below 2^-49, too. */
GEOMETRY_FUNCTION void set_tree_side(tree_block *block, uint32_t lane, int axis, double low, double high) {
  const float center = (float)(0.5 * (low + high));
  const double below = float_value(center) - low, above = high - float_value(center);
  block->center[axis][lane] = center;
  block->half[axis][lane] = float_round_up((below > above ? below : above) + 0x1p-49);
}

GEOMETRY_FUNCTION void set_tree_lane(tree_block *block, uint32_t lane, const exact_box *box) {
  for (int axis = 0; axis < 3; axis++) set_tree_side(block, lane, axis, box->min[axis], box->max[axis]);
}

GEOMETRY_FUNCTION bool tree_lane_is_used(const tree_block *block, uint32_t lane) {
  return block->half[0][lane] >= 0.0f;
}

/* The box around a block's, in doubles, where sums of floats of similar magnitude are nearly exact. */
GEOMETRY_FUNCTION exact_box box_of_tree_block(const tree_block *block) {
  exact_box box = tree_no_box();
  for (uint32_t lane = 0; lane < TREE_FANOUT; lane++) {
    if (!tree_lane_is_used(block, lane)) continue;
    for (int axis = 0; axis < 3; axis++) {
      const double center = block->center[axis][lane], half = block->half[axis][lane];
      box.min[axis] = center - half < box.min[axis] ? center - half : box.min[axis];
      box.max[axis] = center + half > box.max[axis] ? center + half : box.max[axis];
    }
  }
  return box;
}

/* ---------------------------------------------------------------------------------------------- quality of a tree */

/* An eighth of the surfaces of the block's boxes; zero for missing nodes. */
GEOMETRY_FUNCTION double area_of_block(const tree_block *block) {
  double sum = 0.0;
  for (uint32_t lane = 0; lane < TREE_FANOUT; lane++) {
    const double x = block->half[0][lane], y = block->half[1][lane], z = block->half[2][lane];
    if (x >= 0.0) sum += x * y + y * z + z * x;
  }
  return sum;
}

/* The same for the whole body, in its unit; never zero. */
GEOMETRY_FUNCTION double area_of_space(const body_space *space) {
  double side[3];
  for (int axis = 0; axis < 3; axis++) side[axis] = space->half[axis] / space->unit;
  return side[0] * side[1] + side[1] * side[2] + side[2] * side[0] + DBL_MIN;
}

/* Counts leaves that are smaller than this in the body's unit, not much larger than the rounding slack of a box
 * test; if a quarter of them are, boxes separate little. */
GEOMETRY_FUNCTION uint32_t small_leaves_of_block(const tree_block *block) {
  const float least = 0x1p-16f;
  uint32_t small = 0;
  for (uint32_t lane = 0; lane < TREE_FANOUT; lane++) {
    const float x = block->half[0][lane], y = block->half[1][lane], z = block->half[2][lane];
    small += x >= 0.0f && x < least && y < least && z < least ? 1 : 0;
  }
  return small;
}

enum { SPREAD_LEAST = 64 }; /* irrelevant for fewer leaves */

GEOMETRY_FUNCTION bool leaves_are_badly_spread(uint32_t small, uint32_t leaf_count) {
  return leaf_count >= SPREAD_LEAST && small > 0 && small >= leaf_count / 4;
}

/* Whether a common point of two spheres may be outside of the range of the body's own coordinates. */
GEOMETRY_FUNCTION bool spheres_reach_too_far(const body_space *space, const object_source *source) {
  bool far = false;
  for (int axis = 0; axis < 3; axis++) far = far || !(fabs(space->origin[axis]) + space->half[axis] <= 0x1p1000);
  return far && source->radii != NULL;
}

/* ---------------------------------------------------------------------------------------------- Morton codes */

/* Own coordinates are in [-2, 2]; those of most bodies fill [-1, 1], and larger ones are clamped. */
GEOMETRY_FUNCTION int32_t morton_coordinate(double coordinate, uint32_t bits) {
  const double scaled = (coordinate + 1.0) * (0.5 * (double)(1u << bits));
  const double last = (double)((1u << bits) - 1u);
  return (int32_t)(scaled < 0.0 ? 0.0 : scaled > last ? last : scaled);
}

/* The code of the center of a box in own coordinates; at most 21 bits per axis. */
GEOMETRY_FUNCTION uint64_t morton_code_of(const exact_box *own, uint32_t bits) {
  int32_t place[3];
  for (int axis = 0; axis < 3; axis++) place[axis] = morton_coordinate(0.5 * (own->min[axis] + own->max[axis]), bits);
  return cell_hash_morton(place[0], place[1], place[2]);
}

#endif

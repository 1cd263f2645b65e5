/* The space occupied by resting bodies: a coarse grid of cells, and the numbers of occupied cells summed from one
 * corner, so that eight numbers decide whether a box of cells is free (the summed-area table of Crow, "Summed-area
 * tables for texture mapping", 1984, in three dimensions).
 *
 * Workload: 10^5 leaves once per call, 10^5 to 10^8 queries.
 *
 * Leaves and queries are mapped to cells by one monotone function, so that boxes that meet have a common cell,
 * regardless of rounding; positions outside of the grid belong to its outermost cells. Compiled for a GPU too. */
#ifndef GRAZE_BROAD_TREE_OCCUPANCY_H
#define GRAZE_BROAD_TREE_OCCUPANCY_H

#include "broad/tree_record.h"

enum {
  OCCUPANCY_CELLS = 64, /* per axis: sums of a megabyte */
  OCCUPANCY_ROW = OCCUPANCY_CELLS + 2,
  OCCUPANCY_LINES = OCCUPANCY_ROW * OCCUPANCY_ROW, /* along each axis */
  OCCUPANCY_STEPS = 6,
  OCCUPANCY_SUMS = OCCUPANCY_ROW * OCCUPANCY_LINES
};

typedef struct occupancy {
  double origin[3], scale[3]; /* cells per unit of length */
  uint32_t *sums;             /* occupied cells below x, y and z, x fastest; NULL: unknown */
} occupancy;

/* Sums are zero; `domain` is the expected region of queries, finite and not empty. */
GEOMETRY_FUNCTION occupancy occupancy_over(const exact_box *domain, uint32_t *sums) {
  occupancy made;
  for (int axis = 0; axis < 3; axis++) {
    const double scale = OCCUPANCY_CELLS / (domain->max[axis] - domain->min[axis]);
    made.origin[axis] = domain->min[axis];
    made.scale[axis] = scale <= DBL_MAX ? scale : 0.0;
  }
  made.sums = sums;
  return made;
}

GEOMETRY_FUNCTION uint32_t occupancy_cell(const occupancy *table, int axis, double x) {
  const double place = (x - table->origin[axis]) * table->scale[axis];
  return place >= OCCUPANCY_CELLS ? OCCUPANCY_CELLS - 1 : place > 0.0 ? (uint32_t)place : 0;
}

GEOMETRY_FUNCTION size_t occupancy_place(uint32_t x, uint32_t y, uint32_t z) {
  return ((size_t)z * OCCUPANCY_ROW + y) * OCCUPANCY_ROW + x;
}

/* The sign of a corner of a box in sums over it: positive for the corner with the largest coordinates, bits 7. */
GEOMETRY_FUNCTION int occupancy_sign(int corner) {
  return ((corner ^ corner >> 1 ^ corner >> 2) & 1) != 0 ? 1 : -1;
}

/* The interval of a leaf's box in the scene on an axis: it contains the leaf as exact tests read it. The arithmetic
 * here has an error below 2^-45 of the summands. */
GEOMETRY_FUNCTION void occupancy_leaf_range(const tree_block *block, int lane, const posed_space *posed, int axis,
                                            double range_out[2]) {
  const double *row = posed->rotation + 3 * axis;
  const double center[3] = {block->center[0][lane], block->center[1][lane], block->center[2][lane]};
  const double half[3] = {block->half[0][lane], block->half[1][lane], block->half[2][lane]};
  const double away[3] = {fabs(center[0]), fabs(center[1]), fabs(center[2])};
  const double middle = posed->origin[axis] + posed->unit * row_times(row, center);
  const double size = fabs(posed->origin[axis]) + posed->unit * (row_reach(row, away) + row_reach(row, half));
  const double reach = posed->unit * row_reach(row, half) + 2.0 * posed->error[axis] + size * 0x1p-40 + 0x1p-1060;
  range_out[0] = middle - reach;
  range_out[1] = middle + reach;
}

/* The cells of a leaf, first and last along each axis. False if the lane has none. */
GEOMETRY_FUNCTION bool occupancy_leaf_cells(const occupancy *table, const tree_block *block, int lane,
                                            const posed_space *posed, uint32_t first_out[3], uint32_t last_out[3]) {
  if (!(block->half[0][lane] >= 0.0f)) return false;
  for (int axis = 0; axis < 3; axis++) {
    double range[2];
    occupancy_leaf_range(block, lane, posed, axis, range);
    const bool known = range[0] <= range[1]; /* undefined if it exceeds the range of double */
    first_out[axis] = known ? occupancy_cell(table, axis, range[0]) : 0;
    last_out[axis] = known ? occupancy_cell(table, axis, range[1]) : OCCUPANCY_CELLS - 1;
  }
  return true;
}

GEOMETRY_FUNCTION void occupancy_add(uint32_t *sum, uint32_t amount) {
#if defined(__CUDA_ARCH__)
  atomicAdd(sum, amount);
#else
  (void)__atomic_fetch_add(sum, amount, __ATOMIC_RELAXED);
#endif
}

/* Marks the leaves of a block. A leaf of any size is represented by eight numbers: sums of them along the axes are
 * the numbers of leaves in the cells. */
GEOMETRY_FUNCTION void occupancy_mark(const occupancy *table, const tree_block *block, const posed_space *posed) {
  for (int lane = 0; lane < TREE_FANOUT; lane++) {
    uint32_t first[3], last[3];
    if (!occupancy_leaf_cells(table, block, lane, posed, first, last)) continue;
    for (int corner = 0; corner < 8; corner++) {
      const uint32_t x = (corner & 1) != 0 ? last[0] + 2 : first[0] + 1;
      const uint32_t y = (corner & 2) != 0 ? last[1] + 2 : first[1] + 1;
      const uint32_t z = (corner & 4) != 0 ? last[2] + 2 : first[2] + 1;
      occupancy_add(&table->sums[occupancy_place(x, y, z)], occupancy_sign(corner) > 0 ? 0u - 1u : 1u);
    }
  }
}

/* Computes the prefix sum of one of the OCCUPANCY_LINES along an axis. The lines of all three axes, twice, convert
 * marks to sums: steps 0 to 2 count the leaves of each cell, step 3 first replaces nonzero counts by one. */
GEOMETRY_FUNCTION void occupancy_sum_line(const occupancy *table, int step, uint32_t line) {
  const uint32_t a = line % OCCUPANCY_ROW, b = line / OCCUPANCY_ROW;
  const int axis = step % 3;
  const size_t stride = axis == 0 ? 1 : axis == 1 ? OCCUPANCY_ROW : OCCUPANCY_LINES;
  uint32_t *at = &table->sums[axis == 0   ? occupancy_place(0, a, b)
                              : axis == 1 ? occupancy_place(a, 0, b)
                                          : occupancy_place(a, b, 0)];
  uint32_t sum = 0;
  for (int i = 0; i < OCCUPANCY_ROW; i++, at += stride) {
    sum += step == OCCUPANCY_STEPS / 2 ? *at != 0 : *at;
    *at = sum;
  }
}

/* Whether no leaf is near the box. */
GEOMETRY_FUNCTION bool occupancy_is_free(const occupancy *table, const exact_box *box) {
  uint32_t low[3], high[3];
  if (table->sums == NULL) return false;
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = occupancy_cell(table, axis, box->min[axis]);
    high[axis] = occupancy_cell(table, axis, box->max[axis]) + 1;
  }
  uint32_t count = 0;
  for (int corner = 0; corner < 8; corner++) {
    const uint32_t x = (corner & 1) != 0 ? high[0] : low[0], y = (corner & 2) != 0 ? high[1] : low[1];
    const uint32_t sum = table->sums[occupancy_place(x, y, (corner & 4) != 0 ? high[2] : low[2])];
    count += occupancy_sign(corner) > 0 ? sum : 0u - sum;
  }
  return count == 0;
}

#endif

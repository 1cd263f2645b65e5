/* The hierarchical hashed grid: what grid_build.c makes and grid_search.c reads.
 *
 * Weller, Debowski and Zachmann, "kDet: Parallel Constant Time Collision Detection for Polygonal Objects", 2017, with
 * these changes: levels are powers of two of the frame, level i having cells of side 2^(i - 28); a primitive is at the
 * lowest level whose cell is larger than its box, and is stored once, in the cell of its box's lower corner (its
 * owner). Two boxes of one level that meet therefore have owners that are equal or neighbours. Cells are hashed into a
 * table of buckets per level; a counting sort lays the primitives out in bucket order, in rows. */
#ifndef GRAZE_BROAD_GRID_H
#define GRAZE_BROAD_GRID_H

#include "base/cell_hash.h"
#include "broad/box_rows.h"
#include "broad/method.h"

#include <math.h>
#include <string.h>

/* Level i has cells of side 2^(i - LEVEL_BIAS). Frame coordinates are at most 2, so that cell numbers fit in 31 bits.
 */
enum { LEVEL_BIAS = 28 };

typedef struct grid_level {
  uint32_t first_bucket;
  uint32_t bucket_mask; /* number of buckets - 1; a power of two less one */
  bool occupied;
} grid_level;

typedef struct grid {
  box_rows rows;    /* in bucket order; within a bucket, primitives of one cell lie together */
  uint32_t *starts; /* bucket_count + 1: where each bucket begins in the rows */
  size_t bucket_count;
  grid_level levels[GRID_LEVEL_COUNT];
  int lowest, highest; /* occupied levels; highest < lowest when the grid is empty */
  graze_hash hash;
} grid;

typedef struct grid_cell {
  int32_t x, y, z;
} grid_cell;

static inline float grid_cell_side(int level) {
  return ldexpf(1.0f, level - LEVEL_BIAS);
}

/* The product is exact, a power of two being one factor, unless it is subnormal; then its floor is right all the same.
 */
static inline grid_cell grid_cell_of(float x, float y, float z, float inverse_side) {
  return (grid_cell){(int32_t)floorf(x * inverse_side), (int32_t)floorf(y * inverse_side),
                     (int32_t)floorf(z * inverse_side)};
}

static inline bool grid_cells_equal(grid_cell a, grid_cell b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Smallest level whose cell is larger than the side. A side that was rounded to nearest and is below 2^k is below 2^k
 * unrounded too, so that the box reaches over one cell border an axis at most. */
static inline uint8_t grid_level_of(float longest_side) {
  uint32_t bits;
  memcpy(&bits, &longest_side, sizeof bits);
  const int exponent = (int)(bits >> 23) - 126; /* side = m * 2^exponent with m in [1/2, 1); far below for 0 */
  return (uint8_t)(exponent < -LEVEL_BIAS ? 0 : exponent + LEVEL_BIAS);
}

static inline uint32_t grid_bucket(const grid *g, int level, grid_cell cell) {
  const grid_level *l = &g->levels[level];
  return l->first_bucket + ((uint32_t)cell_hash(g->hash, cell.x, cell.y, cell.z, level) & l->bucket_mask);
}

/* Fills a zeroed grid from the view; false when out of memory. grid_release takes either. */
bool grid_build(grid *g, const search *s);
void grid_release(grid *g, memory *heap);

/* Hands all candidates to the sink; false when out of memory. */
bool grid_search(const grid *g, search *s);

#endif

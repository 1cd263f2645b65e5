/* The hierarchical hashed grid, a broad phase: the data that grid_build.c writes and grid_search.c reads.
 *
 * Weller, Debowski and Zachmann, "kDet: Parallel Constant Time Collision Detection for Polygonal Objects", 2017,
 * with these changes: levels are powers of two of the normalized cube, level i having cells of side 2^(i - 28); a
 * primitive is at a level whose cell is more than twice as large as its box, and is stored once, in the cell of its
 * box's lower corner (its owner). Two boxes of one level that meet therefore have owners that are equal or
 * neighbors. The primitives are stored as entries, sorted by level and by the Morton code of their cell, so that
 * neighbors in space are close in memory; the primitives of one cell are a range of entries. A hash table per level
 * finds the range of a cell, by its Morton code. */
#ifndef GRAZE_BROAD_GRID_DATA_H
#define GRAZE_BROAD_GRID_DATA_H

#include "broad/box_list.h"
#include "broad/grid_level.h"
#include "broad/primitive_view.h"

/* The cells of a grid: the cell of a coordinate, and its parent cell. */

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

/* A range of CROWDED_ENTRIES or more has boxes around segments of SEGMENT_PARTS of its entries, to skip entries
 * without testing them. These segments are tier 0. A segment of the next tier contains SEGMENT_PARTS of them, and so
 * on, as long as a tier has at least four: a tree over the range, in which a small box meets few segments at each
 * tier. */
enum { SEGMENT_BITS = 4, SEGMENT_PARTS = 1 << SEGMENT_BITS, CROWDED_ENTRIES = 4 * SEGMENT_PARTS, SEGMENT_TIERS = 7 };

/* The primitives of one cell: entries [first, the next range's first), and the box around them. Those of the second
 * side begin at `middle`; with one side it is the end. */
typedef struct cell_range {
  grid_cell cell;
  uint32_t first, middle;
  float bound[6];
} cell_range;

typedef struct grid_level {
  uint32_t first_range, end_range; /* equal: the level is empty */
  uint64_t first_slot, slot_mask;  /* of its table; slots belong to one level only */
} grid_level;

/* The sides of a query. If each requested pair has exactly one primitive of the object `lone`, two primitives of
 * that object, or two of the others, are never compared. */
typedef struct grid_sides {
  int count;                     /* 1: any pairs; 2: the object and the others */
  uint32_t lone_first, lone_end; /* primitives of the object, if there are two sides */
} grid_sides;

static inline uint32_t grid_side_of(const grid_sides *sides, size_t primitive) {
  return sides->count == 2 && !(primitive >= sides->lone_first && primitive < sides->lone_end) ? 1 : 0;
}

typedef struct grid {
  size_t entry_count;
  grid_sides sides;
  box_list entries;          /* the number of each is its entry */
  primitive_header *headers; /* one per entry, like the ids */
  uint32_t *ids;             /* primitive numbers */
  uint32_t *fourth;          /* the scene's vertex number of a tetrahedron's fourth corner; NULL if all are triangles */
  box_list segments[SEGMENT_TIERS]; /* of each tier; see grid_first_segment */
  cell_range *ranges;               /* range_count, and one more whose `first` is the number of entries */
  size_t range_count;
  uint32_t *slots; /* numbers of ranges, hashed by cell with linear probing; GRID_NO_RANGE if free */
  uint64_t slot_count;
  grid_level levels[GRID_LEVEL_COUNT];
  int highest;           /* highest occupied level; -1 if the grid is empty */
  uint32_t large_levels; /* one bit each: levels with a range for which grid_range_is_large */
} grid;

#define GRID_NO_RANGE UINT32_MAX

static inline bool grid_level_occupied(const grid *g, int level) {
  return g->levels[level].first_range < g->levels[level].end_range;
}

/* The fourth corner of an entry's tetrahedron; undefined for other primitives. */
static inline uint32_t grid_fourth_corner(const grid *g, uint32_t entry) {
  return g->fourth != NULL ? g->fourth[entry] : 0;
}

/* The first entry, and the end, of a side in a range. */
static inline size_t grid_side_first(const cell_range *run, uint32_t side) {
  return side == 0 ? run->first : run->middle;
}
static inline size_t grid_side_end(const cell_range *run, uint32_t side) {
  return side == 0 ? run->middle : run[1].first;
}

/* ---------------------------------------------------------------------------------------------- segments */

/* The segments of a crowded range: its tiers, and the contents of each. */

static inline bool grid_has_tier(const cell_range *run, int tier) {
  return tier < SEGMENT_TIERS && (run[1].first - run->first) >> (SEGMENT_BITS * tier) >= CROWDED_ENTRIES;
}

/* The first segment of a range: of n entries it has n / 16 at tier 0, n / 256 at tier 1 and so on, rounded down,
 * with the remainder in the last, so that no two ranges share one. Tier -1 is the entries. */
static inline size_t grid_first_segment(const cell_range *run, int tier) {
  return run->first >> (SEGMENT_BITS * (tier + 1));
}
static inline size_t grid_segments_of(const cell_range *run, int tier) {
  return (run[1].first - run->first) >> (SEGMENT_BITS * (tier + 1));
}

/* Whether it has segments of segments: 1,024 entries and more. */
static inline bool grid_range_is_large(const cell_range *run) {
  return grid_has_tier(run, 1);
}

/* The parts of segment i of a tier, segments of the tier below or entries, begin at i * SEGMENT_PARTS and end here;
 * numbers are within the range. */
static inline size_t grid_segment_end(const cell_range *run, int tier, size_t segment) {
  return segment + 1 < grid_segments_of(run, tier) ? (segment + 1) * SEGMENT_PARTS : grid_segments_of(run, tier - 1);
}

/* ---------------------------------------------------------------------------------------------- hash tables */

/* The hash tables of a grid, one per level, which find the range of a cell. */

/* A table has at least twice as many slots as runs; there are fewer than 2^32 runs. */
enum { GRID_TABLE_BITS = 33, GRID_SMALLEST_TABLE = 16 };

/* The slot where the search for a hash begins. Hashes that keep neighbors together fill the table in clumps, which
 * linear probing would traverse: a multiplication spreads them (Knuth, The Art of Computer Programming 3, 1973). Its
 * high bits are the best, and as many are used as the largest table needs. */
static inline uint64_t grid_slot(const grid_level *level, uint64_t hash) {
  return (hash * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - GRID_TABLE_BITS) & level->slot_mask;
}

/* The range of a cell given its hash, or GRID_NO_RANGE. */
static inline uint32_t grid_find_range(const grid *g, int level, grid_cell cell, uint64_t hash) {
  const grid_level *l = &g->levels[level];
  for (uint64_t slot = grid_slot(l, hash);; slot = (slot + 1) & l->slot_mask) {
    const uint32_t run = g->slots[l->first_slot + slot];
    if (run == GRID_NO_RANGE || grid_cells_equal(g->ranges[run].cell, cell)) return run;
  }
}

/* Gives each level its runs and a table of its own, given its number of runs; fewer than 2^32 in all. Sets `highest`
 * and `slot_count`. */
static inline void grid_lay_out_levels(grid *g, const uint32_t range_counts[GRID_LEVEL_COUNT]) {
  uint32_t run = 0;
  g->highest = -1;
  g->slot_count = 0;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) {
    grid_level *l = &g->levels[level];
    *l = (grid_level){.first_range = run, .end_range = run + range_counts[level], .first_slot = g->slot_count};
    if (range_counts[level] == 0) continue;
    uint64_t slots = GRID_SMALLEST_TABLE;
    while (slots < 2 * (uint64_t)range_counts[level]) slots *= 2;
    l->slot_mask = slots - 1;
    g->slot_count += slots;
    g->highest = level;
    run = l->end_range;
  }
}

#endif

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
#include "broad/grid_cell.h"

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

#endif

/* The levels of a grid: how much larger than its box the cells of a primitive are, and the floor, the level up to which
 * smaller primitives are lifted, so that few levels are occupied.
 *
 * A surface has few primitives in a cell, and looking cells up and making lists costs more than comparing boxes: there,
 * each primitive lies a level above that of its box, in cells four to eight times as large. Where cells are full, as in
 * a soup or a pile of folds, that would compare too many.
 *
 * A search pays for each level that it climbs. Scans have triangles of a dozen sizes, most of them of two or three, and
 * the few small ones would each climb through all levels above, alone. A primitive may lie at any level whose cells are
 * more than twice as large as its box: one below the floor is lifted to it, unless its cell there would be crowded with
 * such, as where a fine object lies among coarse ones. Lifting changes no pair, only what it costs to find them. */
#ifndef GRAZE_BROAD_GRID_FLOOR_H
#define GRAZE_BROAD_GRID_FLOOR_H

#include "broad/grid_data.h"
#include "broad/method.h"

typedef struct grid_floor {
  int raised;          /* 0 or 1: levels that each primitive lies above that of its box */
  bool crowded;        /* some cell has so many that they are to be in the order of far finer cells */
  int level;           /* 0: nothing is lifted. At most LEVEL_BIAS: scaled to its cells, coordinates stay exact */
  uint16_t *crowd;     /* primitives below the floor in its cells, by a hash of the cell; counted on a little past
                          MOST_LIFTED */
  uint64_t slot_count; /* of the crowd; a power of two */
} grid_floor;

/* More of them in a cell of the floor stay where they are. */
enum { MOST_LIFTED = CROWDED_ENTRIES };

/* What is known of a sample of the primitives. */
typedef struct grid_floor_sample {
  _Atomic(uint32_t) counts[GRID_LEVEL_COUNT]; /* of each level of boxes; sums: the order of terms does not matter */
  uint64_t *cells;                            /* a number of the cell of each; 0: nobody looks for it */
} grid_floor_sample;

/* False when out of memory. A zeroed struct may be released. */
bool grid_floor_sample_make(grid_floor_sample *sample_out, const search *s);
void grid_floor_sample_release(grid_floor_sample *sample, const search *s);

/* Adds those of primitives [first, end) that are in the sample: which they are depends on their numbers alone. Safe
 * from several workers at once. */
void grid_floor_look(grid_floor_sample *sample, const primitive_view *view, size_t first, size_t end);

/* Chooses the levels for what is searched by these sides, by a sample of all of it; false when out of memory. A zeroed
 * struct lifts nothing. Those below it have then to be counted, all before the first is asked for. */
bool grid_floor_make(grid_floor *floor_out, const grid_floor_sample *sample, const search *s, const grid_sides *sides);
void grid_floor_release(grid_floor *floor, memory *heap);

/* The level of a box, not counting the floor. On the highest, cells are more than twice as large as any box, too. */
static inline uint8_t grid_raised_level(int raised, const primitive_box *box) {
  const int level = grid_level_of_box(box) + raised;
  return (uint8_t)(level < GRID_LEVEL_COUNT ? level : GRID_LEVEL_COUNT - 1);
}

/* Where the number of those in a cell of the floor is counted, given a number of the cell. Two cells may share a place;
 * both are then more crowded than they are. */
static inline uint16_t *grid_floor_crowd(const grid_floor *floor, uint64_t cell) {
  return &floor->crowd[cell * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (floor->slot_count - 1)];
}

/* Counts a primitive below the floor. Safe from several workers at once. A count that is past MOST_LIFTED is let alone,
 * but for workers that saw it just before, fewer than 2^15: whether it is past does not depend on them. */
static inline void grid_floor_count(const grid_floor *floor, uint64_t cell) {
  uint16_t *crowd = grid_floor_crowd(floor, cell);
  if (__atomic_load_n(crowd, __ATOMIC_RELAXED) <= MOST_LIFTED) __atomic_fetch_add(crowd, 1, __ATOMIC_RELAXED);
}

/* Whether the primitives below the floor in the cell are lifted. */
static inline bool grid_floor_lifts(const grid_floor *floor, uint64_t cell) {
  return *grid_floor_crowd(floor, cell) <= MOST_LIFTED;
}

#endif

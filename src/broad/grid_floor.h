/* The levels of a grid: the size of cells relative to the boxes of their primitives, and the floor, the level to which
 * smaller primitives are lifted, so that few levels are occupied.
 *
 * A surface has few primitives per cell, and look-ups of cells and construction of lists cost more than comparisons of
 * boxes: there, each primitive is a level above that of its box, in cells four to eight times as large. Where cells are
 * full, as in a soup or a pile of folds, that would need too many comparisons.
 *
 * A search pays for each level that it climbs. Scans have triangles of a dozen sizes, most of them of two or three,
 * and the few small ones would each climb through all levels above, alone. A primitive may be at any level whose
 * cells are more than twice as large as its box: one below the floor is lifted to it, unless too many would be
 * lifted to its cell there, as where a fine object is among coarse ones. Lifting changes no pair, only the cost of
 * finding them. */
#ifndef GRAZE_BROAD_GRID_FLOOR_H
#define GRAZE_BROAD_GRID_FLOOR_H

#include "broad/grid_data.h"
#include "broad/method.h"

typedef struct grid_floor {
  int raised;      /* 0 or 1: levels by which each primitive is above that of its box */
  bool crowded;    /* some cell is so full that its entries must be in the order of much finer cells */
  int level;       /* 0: nothing is lifted. At most LEVEL_BIAS: scaled to its cells, coordinates remain exact */
  uint16_t *crowd; /* primitives below the floor per cell of the floor, by a hash of the cell; counted slightly beyond
                      MOST_LIFTED */
  uint64_t slot_count; /* of `crowd`; a power of two */
} grid_floor;

/* No primitives are lifted into cells of the floor with more of them. */
enum { MOST_LIFTED = CROWDED_ENTRIES };

/* Counts of a sample of the primitives. */
typedef struct grid_floor_sample {
  _Atomic(uint32_t) counts[GRID_LEVEL_COUNT]; /* of each level of boxes; sums, independent of the order of terms */
  uint64_t *cells;                            /* the cell number of each; 0: not searched */
} grid_floor_sample;

/* False when out of memory. A zeroed struct may be released. */
bool grid_floor_sample_make(grid_floor_sample *sample_out, const search *s);
void grid_floor_sample_release(grid_floor_sample *sample, const search *s);

/* Adds the primitives of [first, end) that are in the sample, which depends on their numbers only. Safe on several
 * workers at once. */
void grid_floor_sample_add(grid_floor_sample *sample, const primitive_view *view, size_t first, size_t end);

/* Chooses the levels for the searched primitives and sides, from a sample of all of them; false when out of memory.
 * A zeroed struct lifts nothing. Afterwards all primitives below the floor must be counted before grid_floor_lifts
 * is called. */
bool grid_floor_make(grid_floor *floor_out, const grid_floor_sample *sample, const search *s, const grid_sides *sides);
void grid_floor_release(grid_floor *floor, memory *heap);

/* The level of a box, without the floor. On the highest level, too, cells are more than twice as large as any box. */
static inline uint8_t grid_raised_level(int raised, const primitive_box *box) {
  return (uint8_t)grid_level_within(grid_level_of_box(box) + raised);
}

/* The counter of a cell of the floor, given a number of the cell. Two cells may share a counter; both then appear
 * fuller than they are. */
static inline uint16_t *grid_floor_crowd(const grid_floor *floor, uint64_t cell) {
  return &floor->crowd[cell * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (floor->slot_count - 1)];
}

/* Counts a primitive below the floor. Safe on several workers at once. A count above MOST_LIFTED is not increased,
 * except by workers that read it just before, fewer than 2^15: whether it is above does not depend on them. */
static inline void grid_floor_count(const grid_floor *floor, uint64_t cell) {
  uint16_t *crowd = grid_floor_crowd(floor, cell);
  if (__atomic_load_n(crowd, __ATOMIC_RELAXED) <= MOST_LIFTED) __atomic_fetch_add(crowd, 1, __ATOMIC_RELAXED);
}

/* Whether the primitives below the floor in the cell are lifted. */
static inline bool grid_floor_lifts(const grid_floor *floor, uint64_t cell) {
  return *grid_floor_crowd(floor, cell) <= MOST_LIFTED;
}

#endif

/* The hash tables of a grid, one per level, which find the range of a cell. */
#ifndef GRAZE_BROAD_GRID_TABLE_H
#define GRAZE_BROAD_GRID_TABLE_H

#include "broad/grid_data.h"

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

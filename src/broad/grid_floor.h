/* The floor of a grid: the level up to which smaller primitives are lifted, so that few levels are occupied.
 *
 * A search pays for each level that it climbs. Scans have triangles of a dozen sizes, most of them of two or three, and
 * the few small ones would each climb through all levels above, alone. A primitive may lie at any level whose cells are
 * more than twice as large as its box: one below the floor is lifted to it, unless its cell there would be crowded with
 * such, as where a fine object lies among coarse ones. Lifting changes no pair, only what it costs to find them. */
#ifndef GRAZE_BROAD_GRID_FLOOR_H
#define GRAZE_BROAD_GRID_FLOOR_H

#include "broad/grid.h"

typedef struct grid_floor {
  int level; /* 0: nothing is lifted */
  float inverse_side;
  uint16_t *crowd;     /* primitives below the floor in its cells, by a hash of the cell; counted on a little past
                          MOST_LIFTED */
  uint64_t slot_count; /* of the crowd; a power of two */
} grid_floor;

/* More of them in a cell of the floor stay where they are. */
enum { MOST_LIFTED = CROWDED_ENTRIES };

/* Chooses the floor for what is searched; false when out of memory. A zeroed struct lifts nothing, and is what a search
 * that was stopped may leave. The same for any number of workers. */
bool grid_floor_make(grid_floor *floor_out, const search *s);
void grid_floor_release(grid_floor *floor, memory *heap);

/* Where the number of those in a cell of the floor is counted. Two cells may share a place; both are then more crowded
 * than they are. */
static inline uint16_t *grid_floor_crowd(const grid_floor *floor, const primitive_box *box) {
  const grid_cell cell = grid_cell_of(box->min[0], box->min[1], box->min[2], floor->inverse_side);
  const uint64_t hash = cell_hash_primes(cell.x, cell.y, cell.z, floor->level) * UINT64_C(0x9e3779b97f4a7c15);
  return &floor->crowd[hash >> 32 & (floor->slot_count - 1)];
}

/* The level at which a primitive is stored. */
static inline uint8_t grid_floor_level(const grid_floor *floor, const primitive_box *box) {
  const uint8_t own = grid_level_of_box(box);
  if (own >= floor->level) return own;
  return *grid_floor_crowd(floor, box) <= MOST_LIFTED ? (uint8_t)floor->level : own;
}

#endif

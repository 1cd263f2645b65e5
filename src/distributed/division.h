/* Space divided into parts: ranges of the Morton curve (Morton, 1966) over a grid of 2^63 cells.
 *
 * A primitive belongs to every part that owns a cell of its box. Two boxes that meet have the componentwise greatest of
 * their lower corners in common: the part that owns its cell has both primitives, and reports the pair; no other does.
 * Cells are found by a subtraction, a product and a cut to the grid, each of which keeps order, so this holds to the
 * last bit, also for boxes that reach out of the grid.
 *
 * Where the curve is cut depends on weights of primitives, which may come from measured time. Which pairs there are
 * does not depend on it. Cuts are found by histograms that are refined around each of them, as in histogram sort
 * (Solomonik and Kale, 2010): no rank sees more than 64 numbers for each cut. */
#ifndef GRAZE_DISTRIBUTED_DIVISION_H
#define GRAZE_DISTRIBUTED_DIVISION_H

#include "base/memory.h"
#include "distributed/transport.h"

#include <stdbool.h>

enum { DIVISION_LEVELS = 21, DIVISION_BINS = 64 };

/* One past the last key. */
#define DIVISION_END ((uint64_t)1 << (3 * DIVISION_LEVELS))

/* A cut of the curve while it is searched: it is in [low, low + 2^bits). */
typedef struct division_cut {
  uint64_t low;
  uint64_t below, inside; /* weight before `low`, and from there to the end */
  size_t row;             /* of the histogram: cuts in the same range share one */
} division_cut;

typedef struct division {
  uint32_t part_count;
  double origin[3], scale; /* in halves of the unit, so that no difference overflows; cells to a half */
  uint64_t *starts;        /* part i owns the keys [starts[i], starts[i + 1]) */
  division_cut *cuts;      /* room for division_make_parts */
  uint64_t *bins;
} division;

/* One part owns everything else until division_make_parts. False when out of memory. */
bool division_create(division *made, memory *heap, uint32_t part_count);
void division_destroy(division *made, memory *heap);

/* Lays the grid over a box: three least, three greatest coordinates. An empty box leaves it as it is. */
void division_place(division *made, const double box[6]);

/* The key of a point's cell; points outside count to the cells next to them. */
uint64_t division_key(const division *made, const double point[3]);

/* The key of the componentwise greatest of two cells. */
uint64_t division_greatest(uint64_t a, uint64_t b);

uint32_t division_owner(const division *made, uint64_t key);

/* All parts that own a cell between two cells, which are the lower and the upper corner of a box of cells: in ascending
 * order, each once; how many. Room for part_count. */
uint32_t division_reach(const division *made, uint64_t lower, uint64_t upper, uint32_t *parts_out);

/* Divides the curve so that each part has the same weight, nearly, where cells allow it. The keys and weights of all
 * ranks count, NULL for 1 each. Called by all ranks, which get the same. */
void division_make_parts(division *made, const transport *net, const uint64_t *keys, const uint32_t *weights,
                         size_t count);

#endif

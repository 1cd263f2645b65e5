/* Space divided into parts: ranges of the Morton curve (Morton, 1966) over a grid of 2^63 cells.
 *
 * A primitive belongs to every part that owns a cell of its box. Two boxes that meet both contain the componentwise
 * greatest of their lower corners. The part that owns the cell of this point has both primitives and reports the pair;
 * no other part does. Cells are computed by a subtraction, a product and a truncation to the grid. Each of these is
 * monotonic, so this holds exactly, also for boxes that extend beyond the grid.
 *
 * The cuts of the curve depend on weights of primitives, which may come from measured time. The set of pairs does not
 * depend on them. Cuts are found by histograms that are refined around each cut, as in histogram sort (Solomonik and
 * Kale, 2010): no rank needs more than 64 numbers for each cut. */
#ifndef GRAZE_DIVISION_DIVISION_H
#define GRAZE_DIVISION_DIVISION_H

#include "base/memory.h"
#include "division/transport.h"

#include <stdbool.h>
#include <stdint.h>

enum { DIVISION_LEVELS = 21, DIVISION_BINS = 64 };

/* One past the last key. */
#define DIVISION_END ((uint64_t)1 << (3 * DIVISION_LEVELS))

/* A cut of the curve during the search: it is in [low, low + 2^bits). */
typedef struct division_cut {
  uint64_t low;
  uint64_t below, inside; /* weight before `low`, and of the range */
  size_t row;             /* of the histogram: cuts in the same range share a row */
} division_cut;

typedef struct division {
  uint32_t part_count;
  double origin[3], scale; /* in halves of the unit, so that no difference overflows; cells per half */
  uint64_t *starts;        /* range i of the curve has the keys [starts[i], starts[i + 1]) */
  uint32_t *owners;        /* the part that owns each range */
  division_cut *cuts;      /* scratch of division_make_parts */
  uint64_t *bins;
} division;

/* Until division_make_parts, one part owns all of space. False when out of memory. */
bool division_create(division *made, memory *heap, uint32_t part_count);
void division_destroy(division *made, memory *heap);

/* Places the grid over a box: three least, three greatest coordinates. An empty box does not change it. */
void division_place(division *made, const double box[6]);

/* The key of a point's cell; points outside the grid are clamped to it. */
uint64_t division_key(const division *made, const double point[3]);

/* The key of the componentwise greatest of two cells. */
uint64_t division_greatest(uint64_t a, uint64_t b);

uint32_t division_owner(const division *made, uint64_t key);

/* Lists all parts that own a cell of the box of cells with these lower and upper corners: in the order of the curve,
 * each once. Returns their number. The array must have space for part_count elements. */
uint32_t division_reach(const division *made, uint64_t lower, uint64_t upper, uint32_t *parts_out);

/* Divides the curve into parts of nearly equal weight, as far as cells allow. Counts the keys and weights of all ranks;
 * NULL: each weight is 1. Called by all ranks, which get the same result. */
void division_make_parts(division *made, const transport *net, const uint64_t *keys, const uint32_t *weights,
                         size_t count);

/* Assigns the ranges of the curve to parts so that ranks, each with the part of its number, already have much of their
 * part: each range is assigned to the rank with the most keys in it, unless that rank has another range. Called by all
 * ranks, which get the same result. */
void division_give_parts(division *made, const transport *net, const uint64_t *keys, size_t count);

/* Decides when to divide the curve again, and computes the weights. The decision depends only on its numbers, so ranks
 * with the same numbers decide the same. */

/* The work of all parts in one frame. */
typedef struct division_work {
  uint64_t sum_us, greatest_us;     /* time of updates and queries */
  uint64_t sum_held, greatest_held; /* primitives in the parts */
} division_work;

/* Hysteresis: a division stays until the greatest load is UNEVEN_PERCENT of the mean in UNEVEN_FRAMES consecutive
 * frames. If the last division did not help, it stays twice as many frames as the time before. */
enum { UNEVEN_PERCENT = 115, UNEVEN_FRAMES = 2, LEAST_US = 1000, LEAST_HELD = 1024, LONGEST_WAIT = 64 };

typedef struct division_balance {
  bool divided;
  uint32_t uneven;      /* consecutive frames */
  uint32_t wait, pause; /* frames until the next division is allowed; length of the next pause */
  uint64_t divisions;   /* so far */
} division_balance;

/* Call after a frame. */
void balance_note(division_balance *balance, const division_work *work, uint32_t part_count);

/* Whether to divide the curve before the next frame. */
bool balance_is_due(const division_balance *balance);

/* Call after a division. */
void balance_divided(division_balance *balance, bool has_primitives);

/* Computes the time per primitive of each part in hundredths of the mean, clamped to a factor between 0.1 and 50: a
 * part slowed by a random delay does not empty itself. `counts` are the primitives that each part owns. */
void balance_weigh(const uint64_t *work_us, const uint64_t *counts, uint32_t part_count, uint32_t *weights_out);

#endif

/* Ranges of the Morton curve; see division.h.
 *
 * Workload: a key and two owners for every primitive in every frame; a tree traversal for those at borders;
 * occasionally new parts. */
#include "division/division.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const uint64_t axis_bits = UINT64_C(0x1249249249249249); /* those of x; y and z are one and two higher */

/* Spreads 21 bits, with two zeros after each. */
static uint64_t spread(uint64_t x) {
  x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
  x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
  x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
  x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
  return (x | x << 2) & axis_bits;
}

bool division_create(division *made, memory *heap, uint32_t part_count) {
  *made = (division){.part_count = part_count, .scale = 1.0};
  made->starts = memory_allocate(heap, (size_t)part_count + 1, sizeof *made->starts);
  made->owners = memory_allocate(heap, part_count, sizeof *made->owners);
  made->cuts = memory_allocate(heap, part_count, sizeof *made->cuts);
  made->bins = memory_allocate(heap, part_count, DIVISION_BINS * sizeof *made->bins);
  if (made->starts == NULL || made->owners == NULL || made->cuts == NULL || made->bins == NULL) return false;
  for (uint32_t i = 0; i < part_count; i++) made->owners[i] = i;
  made->starts[0] = 0;
  for (uint32_t i = 1; i <= part_count; i++) made->starts[i] = DIVISION_END;
  return true;
}

void division_destroy(division *made, memory *heap) {
  memory_release(heap, made->starts, (size_t)made->part_count + 1, sizeof *made->starts);
  memory_release(heap, made->owners, made->part_count, sizeof *made->owners);
  memory_release(heap, made->cuts, made->part_count, sizeof *made->cuts);
  memory_release(heap, made->bins, made->part_count, DIVISION_BINS * sizeof *made->bins);
  *made = (division){0};
}

void division_place(division *made, const double box[6]) {
  double widest = 0;
  if (!(box[0] <= box[3])) return;
  for (int axis = 0; axis < 3; axis++) {
    const double low = fmax(box[axis], -DBL_MAX), high = fmin(box[axis + 3], DBL_MAX);
    made->origin[axis] = 0.5 * low;
    widest = fmax(widest, 0.5 * high - 0.5 * low);
  }
  made->scale = widest > 0 ? fmin((double)(1 << DIVISION_LEVELS) / widest, 1e300) : 1.0;
}

uint64_t division_key(const division *made, const double point[3]) {
  uint64_t key = 0;
  for (int axis = 0; axis < 3; axis++) {
    const double last = (double)((1 << DIVISION_LEVELS) - 1);
    const double place = (0.5 * point[axis] - made->origin[axis]) * made->scale;
    key |= spread(place > 0 ? (uint64_t)(place < last ? place : last) : 0) << axis;
  }
  return key;
}

uint64_t division_greatest(uint64_t a, uint64_t b) {
  uint64_t key = 0;
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t bits = axis_bits << axis;
    key |= (a & bits) > (b & bits) ? a & bits : b & bits;
  }
  return key;
}

static uint32_t range_of(const division *made, uint64_t key) {
  uint32_t first = 0, count = made->part_count; /* the last range that begins at or before the key */
  while (count > 1) {
    const uint32_t half = count / 2;
    if (made->starts[first + half] <= key) first += half;
    count -= half;
  }
  return first;
}

uint32_t division_owner(const division *made, uint64_t key) {
  return made->owners[range_of(made, key)];
}

/* ---------------------------------------------------------------------------------------------- reach */

typedef struct reach_walk {
  const division *made;
  uint64_t lower, upper;
  uint32_t *ranges;
  uint32_t count;
} reach_walk;

static bool cells_meet(const reach_walk *walk, uint64_t first, uint64_t last) {
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t bits = axis_bits << axis;
    if ((last & bits) < (walk->lower & bits) || (first & bits) > (walk->upper & bits)) return false;
  }
  return true;
}

/* The keys of a cube of cells are consecutive. Cubes come in the order of the curve, and so do their ranges. */
static void walk_cube(reach_walk *walk, uint64_t first, uint32_t bits) {
  const uint64_t last = first | (((uint64_t)1 << bits) - 1);
  if (!cells_meet(walk, first, last)) return;
  const uint32_t range = range_of(walk->made, first), last_range = range_of(walk->made, last);
  if (walk->count > 0 && last_range <= walk->ranges[walk->count - 1]) return;
  if (range == last_range) {
    walk->ranges[walk->count++] = range;
    return;
  }
  for (uint64_t child = 0; child < 8; child++) walk_cube(walk, first | child << (bits - 3), bits - 3);
}

uint32_t division_reach(const division *made, uint64_t lower, uint64_t upper, uint32_t *parts_out) {
  const uint32_t range = range_of(made, lower);
  if (range == range_of(made, upper)) { /* keys between two cells are between theirs */
    parts_out[0] = made->owners[range];
    return 1;
  }
  uint32_t bits = 3;
  while ((lower ^ upper) >> bits != 0) bits += 3;
  reach_walk walk = {made, lower, upper, parts_out, 0};
  walk_cube(&walk, lower >> bits << bits, bits);
  for (uint32_t i = 0; i < walk.count; i++) parts_out[i] = made->owners[parts_out[i]];
  return walk.count;
}

/* ---------------------------------------------------------------------------------------------- parts */

/* The last cut that begins at or before the key; SIZE_MAX: none. */
static size_t cut_before(const division_cut *cuts, size_t count, uint64_t key) {
  if (count == 0 || cuts[0].low > key) return SIZE_MAX;
  size_t first = 0;
  while (count > 1) {
    const size_t half = count / 2;
    if (cuts[first + half].low <= key) first += half;
    count -= half;
  }
  return first;
}

/* Numbers the rows of cuts, which ascend: those in the same range are consecutive. Returns the number of rows. */
static size_t number_rows(division_cut *cuts, size_t count) {
  size_t rows = 0;
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && cuts[i].low != cuts[i - 1].low) rows++;
    cuts[i].row = rows;
  }
  return rows + 1;
}

static void count_bins(const division *made, size_t cut_count, uint32_t bits, uint32_t bin_bits, const uint64_t *keys,
                       const uint32_t *weights, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const size_t cut = cut_before(made->cuts, cut_count, keys[i]);
    if (cut == SIZE_MAX || (keys[i] - made->cuts[cut].low) >> bits != 0) continue;
    const size_t bin = (size_t)((keys[i] - made->cuts[cut].low) >> bin_bits);
    made->bins[DIVISION_BINS * made->cuts[cut].row + bin] += weights != NULL ? weights[i] : 1;
  }
}

/* Narrows a cut to the bin in which the target is reached. */
static void narrow_cut(division_cut *cut, const uint64_t *bins, size_t bin_count, uint32_t bin_bits, uint64_t target) {
  size_t bin = 0;
  while (bin + 1 < bin_count && cut->below + bins[bin] <= target) cut->below += bins[bin++];
  cut->inside = bins[bin];
  cut->low += (uint64_t)bin << bin_bits;
}

/* The weight before a cut. */
static uint64_t target_of(uint64_t total, uint64_t part_count, uint64_t part) {
  return total / part_count * part + total % part_count * part / part_count;
}

void division_make_parts(division *made, const transport *net, const uint64_t *keys, const uint32_t *weights,
                         size_t count) {
  const size_t cut_count = made->part_count - 1;
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) total += weights != NULL ? weights[i] : 1;
  total = transport_reduced(net, TRANSPORT_SUM, total);
  for (size_t i = 0; i < cut_count; i++) made->cuts[i] = (division_cut){0, 0, total, 0};
  const uint64_t tolerance = total / made->part_count / 64;
  uint32_t bits = 3 * DIVISION_LEVELS;
  bool fine = cut_count == 0;
  while (bits > 0 && !fine) {
    const uint32_t bin_bits = bits > 6 ? bits - 6 : 0;
    const size_t rows = number_rows(made->cuts, cut_count);
    memset(made->bins, 0, rows * DIVISION_BINS * sizeof *made->bins);
    count_bins(made, cut_count, bits, bin_bits, keys, weights, count);
    transport_reduce(net, TRANSPORT_SUM, made->bins, rows * DIVISION_BINS);
    fine = true;
    for (size_t i = 0; i < cut_count; i++) {
      narrow_cut(&made->cuts[i], made->bins + DIVISION_BINS * made->cuts[i].row, (size_t)1 << (bits - bin_bits),
                 bin_bits, target_of(total, made->part_count, i + 1));
      fine = fine && made->cuts[i].inside <= tolerance;
    }
    bits = bin_bits;
  }
  for (size_t i = 0; i < cut_count; i++) {
    const division_cut *cut = &made->cuts[i];
    const uint64_t target = target_of(total, made->part_count, i + 1);
    const bool after = cut->inside > 0 && cut->below + cut->inside - target < target - cut->below;
    made->starts[i + 1] = cut->low + (after ? (uint64_t)1 << bits : 0);
  }
}

/* ---------------------------------------------------------------------------------------------- owners */

/* A bid of a rank for a range: more keys win, then lower ranks. 0: none. */
enum { RANK_BITS = 24, NO_OWNER = UINT32_MAX };

static uint64_t bid_of(uint64_t key_count, uint32_t rank) {
  return key_count > 0 ? key_count << RANK_BITS | (((uint32_t)1 << RANK_BITS) - 1 - rank) : 0;
}
static uint32_t bidder(uint64_t bid) {
  return ((uint32_t)1 << RANK_BITS) - 1 - (uint32_t)(bid & (((uint32_t)1 << RANK_BITS) - 1));
}

/* Each rank with the highest bid for some ranges gets the one for which its bid is highest. False if there are none. */
static bool settle_bids(division *made, const uint64_t *bids) {
  bool settled = false;
  for (uint32_t i = 0; i < made->part_count; i++) {
    bool is_best = bids[i] > 0;
    for (uint32_t k = 0; is_best && k < made->part_count; k++)
      is_best = k == i || bids[k] == 0 || bidder(bids[k]) != bidder(bids[i]) || bids[k] < bids[i] ||
                (bids[k] == bids[i] && k > i);
    if (!is_best) continue;
    made->owners[i] = bidder(bids[i]);
    settled = true;
  }
  return settled;
}

static bool owns_some(const division *made, uint32_t part) {
  for (uint32_t i = 0; i < made->part_count; i++)
    if (made->owners[i] == part) return true;
  return false;
}

/* The bins of the cuts are unused by now: the first contain the counts of keys, the next the bids. */
void division_give_parts(division *made, const transport *net, const uint64_t *keys, size_t count) {
  uint64_t *counts = made->bins, *bids = made->bins + made->part_count;
  for (uint32_t i = 0; i < made->part_count; i++) counts[i] = 0;
  for (size_t i = 0; i < count; i++) counts[range_of(made, keys[i])]++;
  for (uint32_t i = 0; i < made->part_count; i++) made->owners[i] = NO_OWNER;
  for (bool settled = true; settled;) {
    const bool bids_still = !owns_some(made, net->rank);
    for (uint32_t i = 0; i < made->part_count; i++)
      bids[i] = bids_still && made->owners[i] == NO_OWNER ? bid_of(counts[i], net->rank) : 0;
    transport_reduce(net, TRANSPORT_GREATEST, bids, made->part_count);
    settled = settle_bids(made, bids);
  }
  uint32_t next = 0; /* ranges without bids are assigned to the remaining ranks in order */
  for (uint32_t i = 0; i < made->part_count; i++) {
    if (made->owners[i] != NO_OWNER) continue;
    while (owns_some(made, next)) next++;
    made->owners[i] = next;
  }
}

/* ---------------------------------------------------------------------------------------------- balance */

/* Decides when to divide the curve again, and computes the weights.
 *
 * Workload: one decision a frame. */

static bool is_uneven(uint64_t greatest, uint64_t sum, uint64_t least, uint32_t percent, uint32_t part_count) {
  return greatest >= least && (double)greatest * 100.0 * part_count > (double)sum * percent;
}

void balance_note(division_balance *balance, const division_work *work, uint32_t part_count) {
  const bool uneven = is_uneven(work->greatest_us, work->sum_us, LEAST_US, UNEVEN_PERCENT, part_count) ||
                      is_uneven(work->greatest_held, work->sum_held, LEAST_HELD, 2 * UNEVEN_PERCENT, part_count);
  balance->uneven = uneven ? balance->uneven + 1 : 0;
  if (balance->wait > 0) balance->wait--;
  if (!uneven) balance->pause = 0;
}

bool balance_is_due(const division_balance *balance) {
  return !balance->divided || (balance->uneven >= UNEVEN_FRAMES && balance->wait == 0);
}

void balance_divided(division_balance *balance, bool has_primitives) {
  balance->divided = has_primitives; /* no primitives yet: divide by number the next time too */
  balance->uneven = 0;
  balance->pause = balance->pause == 0 ? 1 : balance->pause < LONGEST_WAIT ? 2 * balance->pause : LONGEST_WAIT;
  balance->wait = balance->pause;
  balance->divisions++;
}

void balance_weigh(const uint64_t *work_us, const uint64_t *counts, uint32_t part_count, uint32_t *weights_out) {
  double all_us = 0, all_count = 0;
  for (uint32_t i = 0; i < part_count; i++) {
    all_us += (double)work_us[i];
    all_count += (double)counts[i];
  }
  for (uint32_t i = 0; i < part_count; i++) {
    const bool known = counts[i] > 0 && all_us > 0;
    const double weight = known ? 100.0 * ((double)work_us[i] / (double)counts[i]) / (all_us / all_count) : 100.0;
    weights_out[i] = (uint32_t)fmin(fmax(weight, 10.0), 5000.0);
  }
}

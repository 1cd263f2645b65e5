/* Ranks of boxes and the tree over them; see tree_ranks.h.
 *
 * A record is a sort key of 32 bits, low, and its value, high: 8 bytes to move per pass, and four passes at most. Such
 * short keys do not always suffice: if many are equal, the records of that run are sorted by finer keys
 * (`refine_runs`). Ends of a short run keep their order, all lower ones before the upper ones: their boxes then meet,
 * which costs a test and loses nothing.
 *
 * Workload: 10^2 to 10^5 bodies once per frame, whose ends are usually spread evenly enough for three passes of the
 * sort to suffice. */
#include "broad/tree_ranks.h"

#include "base/cell_hash.h"
#include "base/radix_sort.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  BODY_GRAIN = 2048, /* a task of about ten microseconds, between checks for a stop */
  BLOCK_GRAIN = 512,
  KEY_BITS = 24,     /* for ends: three passes */
  FINE_OCTAVES = 16, /* ends nearer to the lowest than 2^-16 of the whole share a key */
  CODE_BITS = 10,    /* bits per axis of the Morton code's first key; as many again are the second */
  LONG_RUN = 32,     /* equal keys that are sorted further; shorter runs do not matter */
  FEW_ENDS = 1 << 15 /* too few for a parallel sort: the three axes are sorted concurrently */
};

static bool is_stopped(const rank_tree *tree) {
  return stop_is_requested(tree->search->stop);
}

/* Runs on the workers; on the calling thread only if it is one of them. */
static void for_ranges(const rank_tree *tree, size_t count, size_t grain, workers_range_body *body, void *context) {
  if (!stop_was_requested(tree->search->stop)) workers_for(tree->search->workers, count, grain, body, context);
}

/* ---------------------------------------------------------------------------------------------- records */

static uint64_t record_of(uint32_t key, uint32_t value) {
  return (uint64_t)value << 32 | key;
}

static uint32_t key_of(uint64_t record) {
  return (uint32_t)record;
}

static uint32_t value_of(uint64_t record) {
  return (uint32_t)(record >> 32);
}

/* Records to sort, and their origin. */
typedef struct record_list {
  const rank_tree *tree;
  int axis; /* the axis whose ends are sorted; NO_AXIS: bodies along a Morton curve */
  uint64_t *records, *scratch;
  size_t count;
  /* The conversion of ends to keys. */
  double from;
  uint64_t floor;
  uint32_t shift;
  atomic_bool has_long_runs; /* set by any range, read after all ranges */
} record_list;

enum { NO_AXIS = 3 };

static void sort_records(const record_list *list, size_t first, size_t count) {
  const search *s = list->tree->search;
  radix_sort_keys_stoppable(list->records + first, list->scratch, count, 32, s->memory, s->workers, s->stop);
}

/* ---------------------------------------------------------------------------------------------- keys of ends */

/* The bits of a double as an integer of the same order. */
static uint64_t ordered_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits >> 63) != 0 ? ~bits : bits | 0x8000000000000000u;
}

static double end_of(const record_list *list, uint32_t value) {
  const uint32_t count = list->tree->count;
  const exact_box *boxes = list->tree->forest->boxes;
  const double end = value < count ? boxes[value].min[list->axis] : boxes[value - count].max[list->axis];
  return end + 0.0; /* minus zero becomes zero */
}

/* Keys from distances to the lowest end: the bits of a double below the leading ones of its exponent, which differ
 * little. The difference, and all further steps, are monotone. */
static uint32_t key_of_end(const record_list *list, double end) {
  const uint64_t bits = ordered_bits(end - list->from);
  return bits > list->floor ? (uint32_t)((bits - list->floor) >> list->shift) : 0;
}

static void choose_keys(record_list *list) {
  const double low = list->tree->bounds.min[list->axis] + 0.0, high = list->tree->bounds.max[list->axis] + 0.0;
  const bool near = high - low <= DBL_MAX; /* no end of the scene is infinite */
  list->from = near ? low : 0.0;
  list->floor = ordered_bits(near ? ldexp(high - low, -FINE_OCTAVES) : low);
  list->shift = 0;
  uint64_t most = ordered_bits(high - list->from);
  most = most > list->floor ? most - list->floor : 0;
  while (most >> list->shift >> KEY_BITS != 0) list->shift++;
}

/* Lower ends come first, so that a stable sort keeps them before equal upper ones. */
static void fill_ends(void *context, size_t first, size_t end, uint32_t worker) {
  const record_list *list = context;
  const uint32_t count = list->tree->count;
  (void)worker;
  if (is_stopped(list->tree)) return;
  for (size_t i = first; i < end; i++) {
    const uint32_t body = (uint32_t)i;
    list->records[i] = record_of(key_of_end(list, end_of(list, body)), body);
    list->records[count + i] = record_of(key_of_end(list, end_of(list, count + body)), count + body);
  }
}

/* ---------------------------------------------------------------------------------------------- keys of bodies */

/* Twice the center of a body's ranks, as bits of a code. */
static uint32_t middle_of(const rank_tree *tree, uint32_t body, int axis) {
  const uint32_t *rank = tree->ranks + 6 * (size_t)body;
  const uint64_t middle = (uint64_t)rank[axis] + rank[axis + 3];
  return (uint32_t)(middle << tree->code_up >> tree->code_down);
}

/* The shift by which centers, which are less than four times the number of bodies, fill 2 CODE_BITS bits. */
static void choose_codes(rank_tree *tree) {
  uint32_t bits = 0;
  while ((uint64_t)4 * tree->count >> bits != 0) bits++;
  tree->code_up = bits < 2 * CODE_BITS ? 2 * CODE_BITS - bits : 0;
  tree->code_down = bits > 2 * CODE_BITS ? bits - 2 * CODE_BITS : 0;
}

/* The leading bits of the code, or those after them. */
static uint32_t code_of(const rank_tree *tree, uint32_t body, bool leading) {
  int32_t part[3];
  for (int axis = 0; axis < 3; axis++) {
    const uint32_t middle = middle_of(tree, body, axis);
    part[axis] = (int32_t)(leading ? middle >> CODE_BITS : middle & ((1u << CODE_BITS) - 1));
  }
  return (uint32_t)cell_hash_morton(part[0], part[1], part[2]);
}

static void fill_codes(void *context, size_t first, size_t end, uint32_t worker) {
  const record_list *list = context;
  (void)worker;
  if (is_stopped(list->tree)) return;
  for (size_t i = first; i < end; i++)
    list->records[i] = record_of(code_of(list->tree, (uint32_t)i, true), (uint32_t)i);
}

/* ---------------------------------------------------------------------------------------------- runs */

/* Gives the records of a run their finer keys, for ends the lower or the upper half of them, and sorts the run. */
static void sort_run(const record_list *list, size_t first, size_t count, bool upper_half) {
  for (size_t i = first; i < first + count; i++) {
    const uint32_t value = value_of(list->records[i]);
    uint32_t key;
    if (list->axis == NO_AXIS)
      key = code_of(list->tree, value, false);
    else
      key = (uint32_t)(ordered_bits(end_of(list, value)) >> (upper_half ? 32 : 0));
    list->records[i] = record_of(key, value);
  }
  sort_records(list, first, count);
}

static void refine_runs(const record_list *list) {
  for (size_t first = 0, end; first < list->count && !is_stopped(list->tree); first = end) {
    const uint32_t key = key_of(list->records[first]);
    end = first + 1;
    while (end < list->count && key_of(list->records[end]) == key) end++;
    if (end - first <= LONG_RUN) continue;
    sort_run(list, first, end - first, false);
    if (list->axis != NO_AXIS) sort_run(list, first, end - first, true);
  }
}

static void find_runs(void *context, size_t first, size_t end, uint32_t worker) {
  record_list *list = context;
  bool found = false;
  (void)worker;
  for (size_t i = first; i < end; i++) found = found || key_of(list->records[i]) == key_of(list->records[i + LONG_RUN]);
  if (found) atomic_store_explicit(&list->has_long_runs, true, memory_order_relaxed);
}

/* Stable, except for runs, which are in the order of their finer keys. */
static void order_records(record_list *list) {
  if (stop_was_requested(list->tree->search->stop)) return; /* some records are missing */
  sort_records(list, 0, list->count);
  if (list->count > LONG_RUN) for_ranges(list->tree, list->count - LONG_RUN, BODY_GRAIN, find_runs, list);
  if (atomic_load(&list->has_long_runs)) refine_runs(list);
}

/* ---------------------------------------------------------------------------------------------- ranks and order */

static void write_ranks(void *context, size_t first, size_t end, uint32_t worker) {
  const record_list *list = context;
  const uint32_t count = list->tree->count;
  (void)worker;
  if (is_stopped(list->tree)) return;
  for (size_t rank = first; rank < end; rank++) {
    const uint32_t value = value_of(list->records[rank]);
    const size_t place = value < count ? 6 * (size_t)value : 6 * (size_t)(value - count) + 3;
    list->tree->ranks[place + (size_t)list->axis] = (uint32_t)rank;
  }
}

/* A record area for each axis that is processed concurrently, and as much scratch for each. */
static record_list list_of(const rank_tree *tree, int axis, uint32_t area) {
  const size_t ends = 2 * (size_t)tree->count;
  uint64_t *records = tree->records + 2 * ends * area;
  return (record_list){.tree = tree,
                       .axis = axis,
                       .records = records,
                       .scratch = records + ends,
                       .count = axis < 3 ? ends : tree->count};
}

static void rank_axis(void *context, uint32_t axis, uint32_t worker) {
  const rank_tree *tree = context;
  (void)worker;
  record_list list = list_of(tree, (int)axis, tree->area_count > 1 ? axis : 0);
  choose_keys(&list);
  for_ranges(tree, tree->count, BODY_GRAIN, fill_ends, &list);
  order_records(&list);
  for_ranges(tree, list.count, BODY_GRAIN, write_ranks, &list);
}

static void write_leaves(void *context, size_t first, size_t end, uint32_t worker) {
  const record_list *list = context;
  (void)worker;
  for (size_t i = first; i < end; i++) list->tree->leaves[i] = value_of(list->records[i]);
}

/* Orders bodies along a Morton curve through the centers of their boxes of ranks. */
static void order_bodies(const rank_tree *tree) {
  record_list list = list_of(tree, NO_AXIS, 0);
  for_ranges(tree, tree->count, BODY_GRAIN, fill_codes, &list);
  order_records(&list);
  for_ranges(tree, tree->count, BODY_GRAIN, write_leaves, &list);
}

/* ---------------------------------------------------------------------------------------------- blocks */

typedef struct level_work {
  const rank_tree *tree;
  tree_block *blocks;
  const tree_block *children; /* NULL: bodies */
  uint32_t node_count;
} level_work;

/* A box of ranks; floats represent those up to 2^23 exactly. For larger ones, of more than four million bodies, the
 * half extent is enlarged by more than the rounding error. */
static void set_rank_lane(tree_block *block, uint32_t lane, const double low[3], const double high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const double half = 0.5 * (high[axis] - low[axis]);
    block->center[axis][lane] = (float)(0.5 * (low[axis] + high[axis]));
    block->half[axis][lane] = (float)(high[axis] < 0x1p23 ? half : half + 512.0);
  }
}

static void box_of_ranks(const rank_tree *tree, uint32_t leaf, double low[3], double high[3]) {
  const uint32_t *rank = tree->ranks + 6 * (size_t)tree->leaves[leaf];
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = rank[axis];
    high[axis] = rank[axis + 3];
  }
}

static void box_of_block(const tree_block *block, double low[3], double high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = DBL_MAX;
    high[axis] = -DBL_MAX;
    for (uint32_t lane = 0; lane < TREE_FANOUT && block->half[0][lane] >= 0.0f; lane++) {
      const double center = block->center[axis][lane], half = block->half[axis][lane];
      low[axis] = center - half < low[axis] ? center - half : low[axis];
      high[axis] = center + half > high[axis] ? center + half : high[axis];
    }
  }
}

static void fit_blocks(void *context, size_t first, size_t end, uint32_t worker) {
  const level_work *work = context;
  (void)worker;
  if (is_stopped(work->tree)) return;
  for (size_t i = first; i < end; i++) {
    clear_tree_block(&work->blocks[i]);
    for (uint32_t lane = 0; lane < TREE_FANOUT && TREE_FANOUT * i + lane < work->node_count; lane++) {
      const uint32_t node = (uint32_t)(TREE_FANOUT * i + lane);
      double low[3], high[3];
      if (work->children != NULL)
        box_of_block(&work->children[node], low, high);
      else
        box_of_ranks(work->tree, node, low, high);
      set_rank_lane(&work->blocks[i], lane, low, high);
    }
  }
}

static void fit_levels(const rank_tree *tree) {
  const tree_layout layout = tree_layout_of(tree->count);
  level_work work = {.tree = tree, .node_count = tree->count};
  for (uint32_t level = 0; level <= layout.top; level++) {
    const uint32_t block_count = tree_parents(work.node_count);
    work.blocks = tree->blocks + layout.first[level];
    for_ranges(tree, block_count, BLOCK_GRAIN, fit_blocks, &work);
    work.children = work.blocks;
    work.node_count = block_count;
  }
}

/* ---------------------------------------------------------------------------------------------- the tree */

static const exact_box no_bounds = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

/* The least and the greatest ends, independent of the distribution of work. */
typedef struct bounds_lane {
  _Alignas(MEMORY_ALIGNMENT) exact_box bounds;
} bounds_lane;

typedef struct bounds_work {
  const rank_tree *tree;
  bounds_lane *lanes; /* one per worker */
} bounds_work;

static void join_bounds(exact_box *all, const exact_box *box) {
  for (int axis = 0; axis < 3; axis++) {
    all->min[axis] = box->min[axis] < all->min[axis] ? box->min[axis] : all->min[axis];
    all->max[axis] = box->max[axis] > all->max[axis] ? box->max[axis] : all->max[axis];
  }
}

static void bounds_range(void *context, size_t first, size_t end, uint32_t worker) {
  const bounds_work *work = context;
  exact_box bounds = work->lanes[worker].bounds;
  for (size_t i = first; i < end; i++) join_bounds(&bounds, &work->tree->forest->boxes[i]);
  work->lanes[worker].bounds = bounds;
}

static bool measure_bounds(rank_tree *tree) {
  memory *heap = tree->search->memory;
  const uint32_t worker_count = workers_count(tree->search->workers);
  bounds_work work = {tree, memory_allocate(heap, worker_count, sizeof(bounds_lane))};
  if (work.lanes == NULL) return false;
  for (uint32_t i = 0; i < worker_count; i++) work.lanes[i].bounds = no_bounds;
  for_ranges(tree, tree->count, BODY_GRAIN, bounds_range, &work);
  tree->bounds = no_bounds;
  for (uint32_t i = 0; i < worker_count; i++) join_bounds(&tree->bounds, &work.lanes[i].bounds);
  memory_release(heap, work.lanes, worker_count, sizeof(bounds_lane));
  return true;
}

bool rank_tree_make(const tree_forest *forest, const search *s, rank_tree *tree) {
  const uint32_t count = (uint32_t)forest->body_count;
  const uint32_t areas = 2 * (uint64_t)count < FEW_ENDS && workers_count(s->workers) > 1 ? 3 : 1;
  *tree = (rank_tree){.forest = forest, .search = s, .count = count, .area_count = areas};
  tree->block_count = tree_block_count(count);
  tree->records = memory_allocate(s->memory, count, 4 * areas * sizeof *tree->records);
  tree->ranks = memory_allocate(s->memory, count, 6 * sizeof *tree->ranks);
  tree->leaves = memory_allocate(s->memory, count, sizeof *tree->leaves);
  tree->blocks = memory_allocate(s->memory, tree->block_count, sizeof *tree->blocks);
  if (tree->records == NULL || tree->ranks == NULL || tree->leaves == NULL || tree->blocks == NULL) return false;
  if (!measure_bounds(tree)) return false;
  choose_codes(tree);
  if (areas > 1)
    workers_run(s->workers, rank_axis, tree, 3);
  else
    for (uint32_t axis = 0; axis < 3; axis++) rank_axis(tree, axis, 0);
  order_bodies(tree);
  fit_levels(tree);
  return true;
}

void rank_tree_release(rank_tree *tree) {
  memory *heap = tree->search->memory;
  memory_release(heap, tree->blocks, tree->block_count, sizeof *tree->blocks);
  memory_release(heap, tree->leaves, tree->count, sizeof *tree->leaves);
  memory_release(heap, tree->ranks, tree->count, 6 * sizeof *tree->ranks);
  memory_release(heap, tree->records, tree->count, 4 * tree->area_count * sizeof *tree->records);
}

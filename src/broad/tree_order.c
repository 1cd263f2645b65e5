/* The order of a tree's leaves: along a Morton curve, or by splits from the top down; see tree_body.h.
 *
 * Every node of a level except the last has all its leaves, so the position of a split is fixed: the largest power of
 * two below the length of the range. Only the axis of the split can be chosen.
 *
 * Workload: 10^2 to 10^6 leaves, once for a rigid body, and for a deforming one when its boxes have grown too large.
 * Papers: Morton, "A computer oriented geodetic data base and a new technique in file sequencing", 1966; Hoare,
 * "Algorithm 65: find", 1961 (the selection that splits a range). */
#include "broad/tree_order.h"

#include "base/radix_sort.h"
#include "broad/tree_fit.h"

#include <float.h>

enum {
  ORDER_GRAIN = 4096,
  MORTON_BITS = 21, /* per axis */
  SPLIT_TASKS = 64, /* approximate maximum of ranges that are split further concurrently */
  SPLIT_TASK_LEAST = 2048
};

/* A leaf during the sort: the center of its box, in the body's own coordinates. */
typedef struct split_item {
  float center[3];
  uint32_t element;
} split_item;

static void center_of_leaf(const body_work *work, uint32_t element, double center_out[3]) {
  const exact_box box = tree_leaf_box(work->source, &work->body->space, element);
  for (int axis = 0; axis < 3; axis++) center_out[axis] = 0.5 * (box.min[axis] + box.max[axis]);
}

/* ---------------------------------------------------------------------------------------------- Morton order */

typedef struct morton_work {
  const body_work *body;
  uint64_t *keys;
} morton_work;

static void key_range(void *context, size_t first, size_t end, uint32_t worker) {
  const morton_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const exact_box box = tree_leaf_box(work->body->source, &work->body->body->space, work->body->leaves[i]);
    work->keys[i] = morton_code_of(&box, MORTON_BITS);
  }
}

static void run_range(const body_work *work, size_t count, workers_range_body *loop, void *context) {
  if (work->team_or_null != NULL)
    workers_for(work->team_or_null, count, ORDER_GRAIN, loop, context);
  else
    loop(context, 0, count, 0);
}

static void sort_by_keys(const body_work *work, uint64_t *keys, uint32_t *values) {
  const size_t count = work->body->leaf_count;
  radix_sort_pairs_stoppable(keys, work->leaves, keys + count, values, count, 3 * MORTON_BITS, work->scratch,
                             work->team_or_null, NULL);
}

bool tree_order_by_morton(const body_work *work) {
  const size_t count = work->body->leaf_count;
  uint64_t *keys = memory_allocate(work->scratch, count, 2 * sizeof *keys);
  uint32_t *values = memory_allocate(work->scratch, count, sizeof *values);
  const bool ready = keys != NULL && values != NULL;
  if (ready) {
    morton_work morton = {work, keys};
    run_range(work, count, key_range, &morton);
    sort_by_keys(work, keys, values);
  }
  memory_release(work->scratch, values, count, sizeof *values);
  memory_release(work->scratch, keys, count, 2 * sizeof *keys);
  return ready;
}

/* ---------------------------------------------------------------------------------------------- splits */

typedef struct split_range {
  uint32_t first, count;
} split_range;

/* The axis of the largest extent of the centers. */
static int longest_axis(const split_item *items, uint32_t count) {
  float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
  for (uint32_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++) {
      const float center = items[i].center[axis];
      low[axis] = center < low[axis] ? center : low[axis];
      high[axis] = center > high[axis] ? center : high[axis];
    }
  const float side[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
  const int larger = side[1] > side[0] ? 1 : 0;
  return side[2] > side[larger] ? 2 : larger;
}

static bool item_before(const split_item *a, const split_item *b, int axis) {
  return a->center[axis] != b->center[axis] ? a->center[axis] < b->center[axis] : a->element < b->element;
}

static void swap_items(split_item *a, split_item *b) {
  const split_item kept = *a;
  *a = *b;
  *b = kept;
}

/* A pivot in [low, high] that is unlikely to be bad for any order of the input; deterministic. */
static uint32_t pivot_place(uint32_t low, uint32_t high) {
  const uint64_t mixed = ((uint64_t)low * 0x9e3779b97f4a7c15u ^ high) * 0xff51afd7ed558ccdu;
  return low + (uint32_t)((mixed >> 32) * (high - low + 1) >> 32);
}

/* Moves the first `wanted` items along the axis to the front. All items differ by their elements, so the selection
 * does not depend on the pivots. */
static void select_first(split_item *items, uint32_t count, uint32_t wanted, int axis) {
  int64_t low = 0, high = (int64_t)count - 1;
  while (low < high) {
    const split_item pivot = items[pivot_place((uint32_t)low, (uint32_t)high)];
    int64_t i = low, j = high;
    while (i <= j) {
      while (item_before(&items[i], &pivot, axis)) i++;
      while (item_before(&pivot, &items[j], axis)) j--;
      if (i <= j) swap_items(&items[i++], &items[j--]);
    }
    if (j < (int64_t)wanted) low = i;
    if ((int64_t)wanted < i) high = j;
  }
}

/* The largest power of two below a number above 1. */
static uint32_t split_place(uint32_t count) {
  uint32_t half = 1;
  while (half < count - half) half *= 2;
  return half;
}

/* Splits a range in two; returns the index of the second. */
static uint32_t split_once(split_item *items, uint32_t count) {
  const uint32_t half = split_place(count);
  select_first(items, count, half, longest_axis(items, count));
  return half;
}

/* Splits down to blocks of leaves, within which the order does not matter. The loop splits the longer half, so that
 * the recursion is no deeper than the tree. */
static void split_all(split_item *items, uint32_t count) {
  while (count > TREE_FANOUT) {
    const uint32_t half = split_once(items, count);
    split_all(items + half, count - half);
    count = half;
  }
}

typedef struct split_work {
  const body_work *body;
  split_item *items;
  split_range ranges[2 * SPLIT_TASKS];
  uint32_t range_count;
} split_work;

static void fill_range(void *context, size_t first, size_t end, uint32_t worker) {
  const split_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const uint32_t element = work->body->leaves[i];
    double center[3];
    center_of_leaf(work->body, element, center);
    work->items[i] = (split_item){{(float)center[0], (float)center[1], (float)center[2]}, element};
  }
}

static void split_task(void *context, uint32_t task, uint32_t worker) {
  const split_work *work = context;
  (void)worker;
  split_all(work->items + work->ranges[task].first, work->ranges[task].count);
}

/* Performs the first splits, level by level, which yield the ranges of tasks. */
static void split_top(split_work *work) {
  const uint32_t least = work->body->body->leaf_count / SPLIT_TASKS > SPLIT_TASK_LEAST
                             ? work->body->body->leaf_count / SPLIT_TASKS
                             : SPLIT_TASK_LEAST;
  work->ranges[0] = (split_range){0, work->body->body->leaf_count};
  work->range_count = 1;
  for (uint32_t at = 0; at < work->range_count;) {
    split_range *range = &work->ranges[at];
    if (range->count <= least || work->range_count == 2 * SPLIT_TASKS) {
      at++;
      continue;
    }
    const uint32_t half = split_once(work->items + range->first, range->count);
    work->ranges[work->range_count++] = (split_range){range->first + half, range->count - half};
    range->count = half;
  }
}

bool tree_order_by_splits(const body_work *work) {
  const uint32_t count = work->body->leaf_count;
  split_work split = {.body = work, .items = memory_allocate(work->scratch, count, sizeof(split_item))};
  if (split.items == NULL) return false;
  run_range(work, count, fill_range, &split);
  if (work->team_or_null != NULL) {
    split_top(&split);
    workers_run(work->team_or_null, split_task, &split, split.range_count);
  } else {
    split_all(split.items, count);
  }
  for (uint32_t i = 0; i < count; i++) work->leaves[i] = split.items[i].element;
  memory_release(work->scratch, split.items, count, sizeof(split_item));
  return true;
}

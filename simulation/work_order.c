/* Items by counting sort, groups by greedy colouring. Workload: a hundred thousand items in some thousand groups, after
 * every search. */
#include "simulation/work_order.h"

#include "simulation/parallel_ranges.h"

#include <stdlib.h>
#include <string.h>

/* Fewer items than this are not worth waking workers for. */
enum { ITEMS_ALONE = 256 };

static bool reserve(work_order *order, size_t count, size_t block_count) {
  void *grown;
  if (count > order->capacity) {
    if ((grown = realloc(order->items, 2 * count * sizeof *order->items)) == NULL) return false;
    order->items = grown;
    if ((grown = realloc(order->scratch, 2 * count * sizeof *order->scratch)) == NULL) return false;
    order->scratch = grown;
    order->capacity = 2 * count;
  }
  if (block_count + 1 > order->block_capacity) {
    if ((grown = realloc(order->starts, (block_count + 1) * sizeof *order->starts)) == NULL) return false;
    order->starts = grown;
    if ((grown = realloc(order->taken, (block_count + 1) * sizeof *order->taken)) == NULL) return false;
    order->taken = grown;
    order->block_capacity = block_count + 1;
  }
  return true;
}

void work_order_free(work_order *order) {
  free(order->items);
  free(order->groups);
  free(order->scratch);
  free(order->starts);
  free(order->taken);
  *order = (work_order){0};
}

/* Stable: equals stay in the order of `from`. NULL: that of their numbers. */
static void sort_by_block(work_order *order, const item_blocks *blocks, bool second, size_t block_count,
                          const uint32_t *from, uint32_t *to) {
  memset(order->starts, 0, (block_count + 1) * sizeof *order->starts);
  for (size_t i = 0; i < order->count; ++i) ++order->starts[second ? blocks[i].b : blocks[i].a];
  size_t sum = 0;
  for (size_t i = 0; i <= block_count; ++i) {
    const size_t here = order->starts[i];
    order->starts[i] = sum;
    sum += here;
  }
  for (size_t i = 0; i < order->count; ++i) {
    const uint32_t item = from == NULL ? (uint32_t)i : from[i];
    to[order->starts[second ? blocks[item].b : blocks[item].a]++] = item;
  }
}

static bool append_group(work_order *order, size_t first, size_t end, uint32_t colour) {
  if (order->group_count == order->group_capacity) {
    const size_t capacity = 2 * order->group_capacity + 64;
    work_group *groups = realloc(order->groups, capacity * sizeof *groups);
    if (groups == NULL) return false;
    order->groups = groups;
    order->group_capacity = capacity;
  }
  order->groups[order->group_count++] = (work_group){first, end, colour};
  return true;
}

/* The least colour that neither block has yet; the last where all are taken. Groups of one block all have the first. */
static uint32_t choose_colour(work_order *order, item_blocks blocks, size_t block_count) {
  if (blocks.a == block_count || blocks.b == block_count) return WORK_COLOURS;
  if (blocks.a == blocks.b) return 0;
  const uint64_t taken = order->taken[blocks.a] | order->taken[blocks.b];
  uint32_t colour = 1;
  while (colour < WORK_COLOURS && (taken >> colour & 1) != 0) ++colour;
  if (colour == WORK_COLOURS) return WORK_COLOURS;
  order->taken[blocks.a] |= UINT64_C(1) << colour;
  order->taken[blocks.b] |= UINT64_C(1) << colour;
  return colour;
}

static int by_colour(const void *left, const void *right) {
  const work_group *a = left, *b = right;
  if (a->colour != b->colour) return a->colour < b->colour ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

bool work_order_make(work_order *order, const item_blocks *blocks, size_t count, size_t block_count) {
  order->count = order->group_count = 0;
  if (!reserve(order, count, block_count)) return false;
  order->count = count;
  memset(order->colours, 0, sizeof order->colours);
  if (count == 0) return true;
  sort_by_block(order, blocks, true, block_count, NULL, order->scratch);
  sort_by_block(order, blocks, false, block_count, order->scratch, order->items);
  memset(order->taken, 0, (block_count + 1) * sizeof *order->taken);
  for (size_t first = 0, end = 0; first < count; first = end) {
    const item_blocks here = blocks[order->items[first]];
    while (end < count && blocks[order->items[end]].a == here.a && blocks[order->items[end]].b == here.b) ++end;
    if (!append_group(order, first, end, choose_colour(order, here, block_count))) return false;
  }
  qsort(order->groups, order->group_count, sizeof *order->groups, by_colour);
  for (size_t i = 0; i < order->group_count; ++i) ++order->colours[order->groups[i].colour + 1];
  for (size_t i = 1; i <= WORK_COLOURS + 1; ++i) order->colours[i] += order->colours[i - 1];
  return true;
}

typedef struct work_run {
  const work_order *order;
  work_body *body;
  void *context;
  size_t first_group;
} work_run;

static void run_groups(void *context, size_t first, size_t end) {
  const work_run *run = context;
  for (size_t i = first; i < end; ++i) {
    const work_group *group = &run->order->groups[run->first_group + i];
    run->body(run->context, group->first, group->end);
  }
}

void work_order_run(const work_order *order, graze_workers *workers, work_body *body, void *context) {
  for (size_t colour = 0; colour <= WORK_COLOURS; ++colour) {
    const size_t first = order->colours[colour], end = order->colours[colour + 1];
    work_run run = {order, body, context, first};
    size_t items = 0;
    for (size_t i = first; i < end && items < ITEMS_ALONE; ++i) items += order->groups[i].end - order->groups[i].first;
    if (items < ITEMS_ALONE || colour == WORK_COLOURS) {
      run_groups(&run, 0, end - first);
    } else {
      parallel_ranges(workers, end - first, 1, run_groups, &run);
    }
  }
}

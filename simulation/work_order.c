/* Items by counting sort, groups by greedy coloring. Workload: a hundred thousand items in thousands of groups, after
 * every search. */
#include "simulation/work_order.h"

#include "simulation/parallel_ranges.h"

#include <stdlib.h>
#include <string.h>

/* With fewer items it is not worth waking the workers. */
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

/* Stable: equals stay in the order of `from`; NULL: of their numbers. */
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

static bool append_group(work_order *order, size_t first, size_t end, uint32_t color) {
  if (order->group_count == order->group_capacity) {
    const size_t capacity = 2 * order->group_capacity + 64;
    work_group *groups = realloc(order->groups, capacity * sizeof *groups);
    if (groups == NULL) return false;
    order->groups = groups;
    order->group_capacity = capacity;
  }
  order->groups[order->group_count++] = (work_group){first, end, color};
  return true;
}

/* The least color that neither block has; the last if all are used. Groups of one block all have the first. */
static uint32_t choose_color(work_order *order, item_blocks blocks, size_t block_count) {
  if (blocks.a == block_count || blocks.b == block_count) return WORK_COLORS;
  if (blocks.a == blocks.b) return 0;
  const uint64_t taken = order->taken[blocks.a] | order->taken[blocks.b];
  uint32_t color = 1;
  while (color < WORK_COLORS && (taken >> color & 1) != 0) ++color;
  if (color == WORK_COLORS) return WORK_COLORS;
  order->taken[blocks.a] |= UINT64_C(1) << color;
  order->taken[blocks.b] |= UINT64_C(1) << color;
  return color;
}

static int by_color(const void *left, const void *right) {
  const work_group *a = left, *b = right;
  if (a->color != b->color) return a->color < b->color ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

bool work_order_make(work_order *order, const item_blocks *blocks, size_t count, size_t block_count) {
  order->count = order->group_count = 0;
  if (!reserve(order, count, block_count)) return false;
  order->count = count;
  memset(order->colors, 0, sizeof order->colors);
  if (count == 0) return true;
  sort_by_block(order, blocks, true, block_count, NULL, order->scratch);
  sort_by_block(order, blocks, false, block_count, order->scratch, order->items);
  memset(order->taken, 0, (block_count + 1) * sizeof *order->taken);
  for (size_t first = 0, end = 0; first < count; first = end) {
    const item_blocks here = blocks[order->items[first]];
    while (end < count && blocks[order->items[end]].a == here.a && blocks[order->items[end]].b == here.b) ++end;
    if (!append_group(order, first, end, choose_color(order, here, block_count))) return false;
  }
  qsort(order->groups, order->group_count, sizeof *order->groups, by_color);
  for (size_t i = 0; i < order->group_count; ++i) ++order->colors[order->groups[i].color + 1];
  for (size_t i = 1; i <= WORK_COLORS + 1; ++i) order->colors[i] += order->colors[i - 1];
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
  for (size_t color = 0; color <= WORK_COLORS; ++color) {
    const size_t first = order->colors[color], end = order->colors[color + 1];
    work_run run = {order, body, context, first};
    size_t items = 0;
    for (size_t i = first; i < end && items < ITEMS_ALONE; ++i) items += order->groups[i].end - order->groups[i].first;
    if (items < ITEMS_ALONE || color == WORK_COLORS) {
      run_groups(&run, 0, end - first);
    } else {
      parallel_ranges(workers, end - first, 1, run_groups, &run);
    }
  }
}

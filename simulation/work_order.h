/* An order of work in which concurrent items never write the same data.
 *
 * Data is divided into blocks. A work item writes to one block or two; items of the same blocks form a group, which one
 * worker processes in order; groups without a common block have the same color and run concurrently, color after color.
 * The few items that write more blocks come last, one after the other. The order depends only on the blocks, so results
 * have the same bits for any number of workers. */
#ifndef GRAZE_WORK_ORDER_H
#define GRAZE_WORK_ORDER_H

#include "graze/graze.h"

/* The blocks of an item, a <= b; both equal the number of blocks: more than two, or none. */
typedef struct item_blocks {
  uint32_t a, b;
} item_blocks;

typedef struct work_group {
  size_t first, end; /* of the items in order */
  uint32_t color;
} work_group;

enum { WORK_COLORS = 64 };

typedef struct work_order {
  uint32_t *items; /* their numbers, in working order; store the processed data in this order */
  size_t count, capacity;
  work_group *groups; /* by color */
  size_t group_count, group_capacity;
  size_t colors[WORK_COLORS + 2]; /* the first group of each; those of the last color run alone */
  uint32_t *scratch;
  size_t block_capacity;
  size_t *starts;
  uint64_t *taken;
} work_order;

/* False when out of memory. */
bool work_order_make(work_order *order, const item_blocks *blocks, size_t count, size_t block_count);
void work_order_free(work_order *order);

/* Processes items [first, end) of the order. */
typedef void work_body(void *context, size_t first, size_t end);
void work_order_run(const work_order *order, graze_workers *workers, work_body *body, void *context);

#endif

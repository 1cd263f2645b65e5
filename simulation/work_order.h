/* An order of work in which what runs at the same time does not touch the same things.
 *
 * Things are cut into blocks. An item of work writes to one block or two; items of the same blocks are a group, which
 * is worked off in order by one worker; groups without a common block have the same color and run at the same time,
 * color after color. The few items that write to more blocks come last, one after the other. Which item comes before
 * which depends on the blocks alone, so that what comes out has the same bits for any number of workers. */
#ifndef GRAZE_WORK_ORDER_H
#define GRAZE_WORK_ORDER_H

#include "graze/graze.h"

/* The blocks of an item, a <= b; both the number of blocks: more than two, or none. */
typedef struct item_blocks {
  uint32_t a, b;
} item_blocks;

typedef struct work_group {
  size_t first, end; /* of the items in their order */
  uint32_t color;
} work_group;

enum { WORK_COLORS = 64 };

typedef struct work_order {
  uint32_t *items; /* their numbers, in the order of work; what is worked on is best stored in it */
  size_t count, capacity;
  work_group *groups; /* by their colors */
  size_t group_count, group_capacity;
  size_t colors[WORK_COLORS + 2]; /* where the groups of each begin; those of the last run alone */
  uint32_t *scratch;
  size_t block_capacity;
  size_t *starts;
  uint64_t *taken;
} work_order;

/* False when memory is out. */
bool work_order_make(work_order *order, const item_blocks *blocks, size_t count, size_t block_count);
void work_order_free(work_order *order);

/* Works off items [first, end) of the order. */
typedef void work_body(void *context, size_t first, size_t end);
void work_order_run(const work_order *order, graze_workers *workers, work_body *body, void *context);

#endif

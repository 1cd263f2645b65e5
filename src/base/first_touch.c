/* first_touch: a byte in each large page; see first_touch.h for the workload. */
#include "base/first_touch.h"

typedef struct touched_block {
  unsigned char *first;
  size_t bytes;
} touched_block;

/* Blocks may not begin at a page: steps of one page from their first byte miss at most the last, which contains the
 * last byte. No two tasks write to the same byte. */
static void touch_page(void *context, uint32_t page, uint32_t worker) {
  const touched_block *block = context;
  (void)worker;
  const size_t at = page * MEMORY_LARGE_PAGE;
  block->first[at < block->bytes ? at : block->bytes - 1] = 0;
}

void first_touch(workers *team, void *block, size_t bytes) {
  if (bytes < MEMORY_LARGE_BLOCK || workers_count(team) == 1) return;
  touched_block touched = {block, bytes};
  workers_run(team, touch_page, &touched, (uint32_t)((bytes - 2) / MEMORY_LARGE_PAGE + 2));
}

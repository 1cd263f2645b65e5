/* first_touch: maps the pages of fresh memory in parallel, one large page at a time.
 *
 * The system allocates and clears a page when it is first written; a page of 2 MiB takes some hundred microseconds.
 * Workers that start an array together all write to its first page: each waits for it, or clears a page that is then
 * discarded. A worker that writes to many distant places, as a sort does, faults at each of them. So the owner of a new
 * large block touches its pages before filling it.
 *
 * Workload: a few blocks of 4 to 400 MB per scene, once; pages that are already mapped cost one cache miss each. */
#ifndef GRAZE_BASE_FIRST_TOUCH_H
#define GRAZE_BASE_FIRST_TOUCH_H

#include "base/workers.h"

/* Writes to each large page of a block that was not written before; its content is undefined before and after. Blocks
 * too small for large pages are not touched. */
void first_touch(workers *team, void *block, size_t bytes);

#endif

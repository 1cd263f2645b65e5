/* first_touch: fresh memory made a process's own by all workers, a large page each.
 *
 * The system gives out memory when it is first written, and clears it then: a page of 2 MiB takes some hundred
 * microseconds. Workers that begin an array together all write to its first page, and each waits for it, or clears one
 * of its own in vain; one that writes to many places far apart, as a sort does, takes a page at each. So whoever has
 * got a large block and is about to fill it touches its pages first.
 *
 * Workload: some blocks of 4 to 400 MB a scene, once; pages that are there already cost a cache miss each. */
#ifndef GRAZE_BASE_FIRST_TOUCH_H
#define GRAZE_BASE_FIRST_TOUCH_H

#include "base/workers.h"

/* Writes to each large page of a block that nothing was written to yet: its content is any afterwards, as before.
 * Blocks that are too small to have large pages are let alone. */
void first_touch(workers *team, void *block, size_t bytes);

#endif

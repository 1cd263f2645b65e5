/* scratch_pool: scratch memory that is kept between frames, so that a steady frame allocates nothing.
 *
 * A pool is a `memory` whose allocations are cut out of one kept block. In the first use, allocations go to the backing
 * memory, so a scene that is queried once holds no more than it needs; the pool records the peak. When nothing is
 * allocated and the block is smaller than the recorded peak, the block is reallocated. Allocations that do not fit go
 * to the backing memory and are recorded. So similar frames allocate only in the first two of them; frames that differ
 * in how workers share the work allocate in the first few.
 *
 * Workload: a query makes some tens of arrays of 64 bytes to 1 GB and up to some ten thousand chunks of 64 KiB,
 * releases nearly all of it at its end, and repeats nearly the same sizes in the next frame. Several threads allocate
 * at the same time. The lock is held for a few steps, never around a call of the backing memory except for that of the
 * block. */
#ifndef GRAZE_BASE_SCRATCH_POOL_H
#define GRAZE_BASE_SCRATCH_POOL_H

#include "base/memory.h"

#include <pthread.h>

struct scratch_segment;

typedef struct scratch_pool {
  memory heap; /* the allocator of callers; its counts are the bytes in use */
  memory *backing;
  pthread_mutex_t mutex;
  /* All members below are protected by the mutex. */
  unsigned char *block; /* NULL: none is kept */
  size_t block_bytes;
  struct scratch_segment *first_free, *last_free; /* of the block, by address */
  size_t live_bytes;                              /* in use, from the block or passed through, headers included */
  size_t passed_bytes;                            /* of these, passed through */
  size_t wanted_bytes;                            /* the size of a block that would have held all bytes in use so far */
  size_t spare_bytes;                             /* see scratch_pool_spare */
  bool was_short;                                 /* the last uses did not fit into the current block */
  uint32_t uses;                                  /* counted uses: times that all was released */
  unsigned slack_shift;                           /* a block exceeds the peak by this fraction, 2^-shift */
} scratch_pool;

/* Makes a pool without a block. The backing memory must outlive it, and counts the block and what passes through. */
void scratch_pool_init(scratch_pool *pool, memory *backing);

/* Sets the difference between similar frames that timing may cause: a block is larger by this, but by at most half or a
 * mebibyte. Call before the first use; 0 otherwise. */
void scratch_pool_spare(scratch_pool *pool, size_t bytes);

/* Releases the block and resets the measurements: the next use passes through, like the first. No effect while memory
 * is in use. */
void scratch_pool_trim(scratch_pool *pool);

/* Ends the pool. All of its memory must have been released. */
void scratch_pool_release(scratch_pool *pool);

#endif

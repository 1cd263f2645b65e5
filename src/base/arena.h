/* arena: scratch of one worker, taken by moving a position forward and given back by moving it backward.
 *
 * Workload: a task takes a handful of buffers, works, and rewinds; from the second task on nothing is asked of the
 * allocator. One arena belongs to one worker at a time; the memory behind it may be shared. */
#ifndef GRAZE_BASE_ARENA_H
#define GRAZE_BASE_ARENA_H

#include "base/memory.h"

/* Size of an ordinary block, header included; a request that needs more gets a block of its own. */
#define ARENA_BLOCK_BYTES ((size_t)64 * 1024)

typedef struct arena_block arena_block;

typedef struct arena {
  arena_block *first;
  arena_block *current; /* NULL: nothing is taken; blocks after it are free */
  size_t used;          /* bytes taken of the current block, header included */
} arena;

/* A position to come back to. Positions are rewound in the reverse order of their marking. */
typedef struct arena_position {
  arena_block *block;
  size_t used;
} arena_position;

void arena_init(arena *scratch);

/* Uninitialised bytes, aligned to `alignment` (a power of two). NULL when out of memory; the arena is unchanged then.
 */
void *arena_allocate(arena *scratch, memory *heap, size_t bytes, size_t alignment);

arena_position arena_mark(const arena *scratch);

/* Frees all that was taken after the position was marked; the blocks are kept for the next requests. */
void arena_rewind(arena *scratch, arena_position position);

/* Gives all blocks back; the arena can be used again. */
void arena_release(arena *scratch, memory *heap);

#endif

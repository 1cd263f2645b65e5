/* arena: a chain of blocks, filled from the front; see arena.h for its workload.
 *
 * Invariant: blocks up to `current` hold what is taken, blocks after it are free and wait. A request looks at the
 * current block, then for the first free block that is large enough and moves it next in the chain, and only then asks
 * for a new one; so a task that is repeated finds its blocks in place. */
#include "base/arena.h"

#include <assert.h>

struct arena_block {
  arena_block *next;
  size_t bytes; /* header included */
};

void arena_init(arena *scratch) {
  scratch->first = NULL;
  scratch->current = NULL;
  scratch->used = 0;
}

/* Where an aligned request of `bytes` would begin in the block when `used` bytes of it are taken. False: no room. */
static bool place_in_block(const arena_block *block, size_t used, size_t bytes, size_t alignment, size_t *start_out) {
  const size_t misalignment = (size_t)(((uintptr_t)block + used) & (uintptr_t)(alignment - 1));
  const size_t padding = misalignment ? alignment - misalignment : 0;
  const size_t room = block->bytes - used;
  if (padding > room || bytes > room - padding) return false;
  *start_out = used + padding;
  return true;
}

/* The link behind which the free blocks hang. */
static arena_block **free_link(arena *scratch) {
  return scratch->current ? &scratch->current->next : &scratch->first;
}

static bool take_waiting_block(arena *scratch, size_t bytes, size_t alignment) {
  arena_block **const front = free_link(scratch);
  for (arena_block **link = front; *link; link = &(*link)->next) {
    arena_block *const block = *link;
    size_t start;
    if (!place_in_block(block, sizeof(arena_block), bytes, alignment, &start)) continue;
    *link = block->next;
    block->next = *front;
    *front = block;
    return true;
  }
  return false;
}

static bool make_block(arena *scratch, memory *heap, size_t bytes, size_t alignment) {
  size_t block_bytes;
  if (!size_add(bytes, sizeof(arena_block), &block_bytes) || !size_add(block_bytes, alignment, &block_bytes))
    return false;
  if (block_bytes < ARENA_BLOCK_BYTES) block_bytes = ARENA_BLOCK_BYTES;
  arena_block *const block = memory_allocate(heap, block_bytes, 1);
  if (!block) return false;
  block->bytes = block_bytes;
  arena_block **const front = free_link(scratch);
  block->next = *front;
  *front = block;
  return true;
}

void *arena_allocate(arena *scratch, memory *heap, size_t bytes, size_t alignment) {
  assert(alignment > 0 && (alignment & (alignment - 1)) == 0);
  size_t start = 0;
  if (!scratch->current || !place_in_block(scratch->current, scratch->used, bytes, alignment, &start)) {
    if (!take_waiting_block(scratch, bytes, alignment) && !make_block(scratch, heap, bytes, alignment)) return NULL;
    scratch->current = *free_link(scratch);
    const bool fits = place_in_block(scratch->current, sizeof(arena_block), bytes, alignment, &start);
    assert(fits);
    (void)fits;
  }
  scratch->used = start + bytes;
  return (char *)scratch->current + start;
}

arena_position arena_mark(const arena *scratch) {
  const arena_position position = {scratch->current, scratch->used};
  return position;
}

void arena_rewind(arena *scratch, arena_position position) {
  scratch->current = position.block;
  scratch->used = position.used;
}

void arena_release(arena *scratch, memory *heap) {
  arena_block *block = scratch->first;
  while (block) {
    arena_block *const next = block->next;
    memory_release(heap, block, block->bytes, 1);
    block = next;
  }
  arena_init(scratch);
}

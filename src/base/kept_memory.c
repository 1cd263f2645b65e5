/* kept_memory: stacks of blocks by size; see kept_memory.h for its workload. */
#include "base/kept_memory.h"

#include "base/memory.h"

#include <assert.h>
#include <unistd.h>

/* Stored in the block itself while it is cached. */
typedef struct kept_block {
  struct kept_block *newer, *older;             /* over all classes */
  struct kept_block *newer_alike, *older_alike; /* within its class */
  size_t bytes;
  uint32_t class_number;
} kept_block;

_Static_assert(sizeof(kept_block) <= MEMORY_ALIGNMENT, "touches one cache line of a block");

bool kept_memory_class(size_t bytes, uint32_t *class_out, size_t *block_bytes_out) {
  if (bytes < KEPT_SMALLEST || bytes > KEPT_LARGEST) return false;
  uint32_t doublings = 0;
  while (KEPT_SMALLEST << doublings <= bytes / 2) doublings++;
  const size_t step = (KEPT_SMALLEST << doublings) / KEPT_STEPS;
  const size_t steps = (bytes - 1) / step + 1; /* 8 to 16: 16 is the first step of the next power */
  *class_out = doublings * KEPT_STEPS + (uint32_t)steps - KEPT_STEPS;
  *block_bytes_out = steps * step;
  return true;
}

/* In a forked child the thread that held the lock may be gone: a caller that finds it taken proceeds without the cache.
 * A system call for each waiting thread is cheap compared with the wait. */
static bool lock_cache(kept_memory *kept) {
  return pthread_mutex_trylock(&kept->mutex) == 0 ||
         (getpid() == kept->process && pthread_mutex_lock(&kept->mutex) == 0);
}

static void unlock_cache(kept_memory *kept) {
  pthread_mutex_unlock(&kept->mutex);
}

/* ---------------------------------------------------------------------------------------------- lists */

static void link_block(kept_memory *kept, kept_block *block) {
  kept_block **alike = &kept->classes[block->class_number];
  block->newer = block->newer_alike = NULL;
  block->older = kept->newest;
  block->older_alike = *alike;
  if (block->older != NULL) block->older->newer = block;
  if (block->older_alike != NULL) block->older_alike->newer_alike = block;
  kept->newest = *alike = block;
  if (kept->oldest == NULL) kept->oldest = block;
  kept->kept_bytes += block->bytes;
}

static void unlink_block(kept_memory *kept, kept_block *block) {
  if (block->newer != NULL) block->newer->older = block->older;
  if (block->older != NULL) block->older->newer = block->newer;
  if (block->newer_alike != NULL) block->newer_alike->older_alike = block->older_alike;
  if (block->older_alike != NULL) block->older_alike->newer_alike = block->newer_alike;
  if (kept->newest == block) kept->newest = block->older;
  if (kept->oldest == block) kept->oldest = block->newer;
  if (kept->classes[block->class_number] == block) kept->classes[block->class_number] = block->older_alike;
  kept->kept_bytes -= block->bytes;
}

/* The bytes that may be cached, given those in use. */
static size_t cacheable_bytes(const kept_memory *kept) {
  const size_t most = kept->most_now > kept->most_before ? kept->most_now : kept->most_before;
  const size_t all = most + most / 4; /* of existing blocks: far from an overflow */
  const size_t rest = all > kept->out_bytes ? all - kept->out_bytes : 0;
  return rest < kept->limit ? rest : kept->limit;
}

/* Unlinks the oldest blocks beyond `most`, as a list by `older`. */
static kept_block *unlink_beyond(kept_memory *kept, size_t most) {
  kept_block *surplus = NULL;
  while (kept->kept_bytes > most) {
    kept_block *const block = kept->oldest;
    unlink_block(kept, block);
    block->older = surplus;
    surplus = block;
  }
  return surplus;
}

/* Without the lock: nothing else refers to these blocks. */
static void give_back(kept_memory *kept, kept_block *first) {
  while (first != NULL) {
    kept_block *const block = first;
    const size_t bytes = block->bytes;
    first = block->older;
    UNPOISON(block, bytes);
    kept->source.release(kept->source.context, block, bytes);
  }
}

/* ---------------------------------------------------------------------------------------------- as an allocator */

/* In a forked child blocks may return that were not counted when allocated. */
static void subtract_out(kept_memory *kept, size_t bytes) {
  kept->out_bytes -= bytes < kept->out_bytes ? bytes : kept->out_bytes;
}

/* Allocates a whole block from the source. No call may fail because of cached blocks. */
static void *take_fresh(kept_memory *kept, size_t bytes, size_t alignment) {
  void *const fresh = kept->source.allocate(kept->source.context, bytes, alignment);
  if (fresh != NULL || kept_memory_bytes(kept) == 0) return fresh;
  kept_memory_trim(kept);
  return kept->source.allocate(kept->source.context, bytes, alignment);
}

static void *kept_allocate(void *context, size_t bytes, size_t alignment) {
  kept_memory *const kept = context;
  uint32_t class_number;
  size_t block_bytes;
  assert(alignment == MEMORY_ALIGNMENT);
  if (!kept_memory_class(bytes, &class_number, &block_bytes)) return take_fresh(kept, bytes, alignment);
  kept_block *block = NULL, *surplus = NULL;
  if (lock_cache(kept)) {
    block = kept->classes[class_number];
    if (block != NULL) unlink_block(kept, block);
    kept->out_bytes += block_bytes;
    if (kept->out_bytes > kept->most_now) kept->most_now = kept->out_bytes;
    surplus = unlink_beyond(kept, cacheable_bytes(kept));
    unlock_cache(kept);
  }
  give_back(kept, surplus);
  if (block != NULL) {
    UNPOISON(block, bytes);
    return block;
  }
  void *const fresh = take_fresh(kept, block_bytes, alignment);
  if (fresh == NULL && lock_cache(kept)) { /* it was never in use, and is not part of the peak */
    subtract_out(kept, block_bytes);
    kept->most_now = kept->out_bytes;
    unlock_cache(kept);
  }
  return fresh;
}

static void kept_release(void *context, void *pointer, size_t bytes) {
  kept_memory *const kept = context;
  uint32_t class_number;
  size_t block_bytes;
  if (!kept_memory_class(bytes, &class_number, &block_bytes)) {
    kept->source.release(kept->source.context, pointer, bytes);
    return;
  }
  kept_block *surplus = NULL;
  bool keeps = false;
  if (lock_cache(kept)) {
    subtract_out(kept, block_bytes);
    keeps = block_bytes <= cacheable_bytes(kept);
    if (keeps) {
      kept_block *const block = pointer;
      *block = (kept_block){.bytes = block_bytes, .class_number = class_number};
      link_block(kept, block);
      POISON(block + 1, block_bytes - sizeof *block);
    }
    surplus = unlink_beyond(kept, cacheable_bytes(kept));
    unlock_cache(kept);
  }
  if (!keeps) {
    UNPOISON(pointer, block_bytes); /* it may have been cached before, and allocated with fewer bytes */
    kept->source.release(kept->source.context, pointer, block_bytes);
  }
  give_back(kept, surplus);
}

/* ---------------------------------------------------------------------------------------------- lifetime */

void kept_memory_init(kept_memory *kept, const graze_allocator *source, size_t limit) {
  *kept = (kept_memory){.source = *source, .process = getpid(), .limit = limit};
  /* Cannot fail without attributes. */
  const int failed = pthread_mutex_init(&kept->mutex, NULL);
  assert(failed == 0);
  (void)failed;
}

graze_allocator kept_memory_allocator(kept_memory *kept) {
  return (graze_allocator){
      .struct_bytes = sizeof(graze_allocator), .context = kept, .allocate = kept_allocate, .release = kept_release};
}

void kept_memory_end_scene(kept_memory *kept) {
  if (!lock_cache(kept)) return;
  if (++kept->scenes == KEPT_SCENES) {
    kept->scenes = 0;
    kept->most_before = kept->most_now;
    kept->most_now = kept->out_bytes;
  }
  kept_block *const surplus = unlink_beyond(kept, cacheable_bytes(kept));
  unlock_cache(kept);
  give_back(kept, surplus);
}

/* Also forgets the peaks: later scenes may be smaller. */
void kept_memory_trim(kept_memory *kept) {
  if (!lock_cache(kept)) return;
  kept->most_now = kept->out_bytes;
  kept->most_before = 0;
  kept_block *const surplus = unlink_beyond(kept, 0);
  unlock_cache(kept);
  give_back(kept, surplus);
}

void kept_memory_close(kept_memory *kept) {
  if (!lock_cache(kept)) return;
  kept->limit = 0;
  kept_block *const surplus = unlink_beyond(kept, 0);
  unlock_cache(kept);
  give_back(kept, surplus);
}

size_t kept_memory_bytes(kept_memory *kept) {
  if (!lock_cache(kept)) return 0;
  const size_t bytes = kept->kept_bytes;
  unlock_cache(kept);
  return bytes;
}

/* A child must not touch a lock that a thread of the parent holds. */
void kept_memory_release(kept_memory *kept) {
  if (!lock_cache(kept)) return;
  kept_block *const all = unlink_beyond(kept, 0);
  unlock_cache(kept);
  give_back(kept, all);
  pthread_mutex_destroy(&kept->mutex);
}

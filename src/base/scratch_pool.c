/* scratch_pool: allocates scratch memory from one kept block; see scratch_pool.h for its workload.
 *
 * The block is a row of segments, each after its own header; no two free segments are adjacent. Free segments are
 * linked in address order. Placement uses both ends: small segments, such as the chunks of pair lists, come from the
 * highest free segment that holds them, large arrays from the lowest (first fit: Knuth, The Art of Computer Programming
 * 1, section 2.5, 1997). Chunks live to the end of a query, but arrays of the build do not: chunks in the holes that
 * the sort leaves would block the arrays that follow. In logged queries best fit needed up to 1.33 times the peak
 * allocation, two ends at most 1.02 times. */
#include "base/scratch_pool.h"

#include "base/memory.h"

#include <assert.h>

/* Up to this size segments come from the upper end: a chunk of a pair list and its header. */
#define SMALL_SEGMENT_BYTES ((size_t)65536 + MEMORY_ALIGNMENT)

/* Capacity beyond the peak: a thirty-second covers the gaps between segments. It doubles, up to an eighth, each time
 * that frames differ by more. */
enum { FIRST_SLACK_SHIFT = 5, LAST_SLACK_SHIFT = 3 };

/* A few frames of a dozen calls each. */
enum { FIRST_USES = 64 };

/* Always allowed as spare: in a small scene, the distribution of work over workers changes all allocations. */
#define LITTLE_BYTES ((size_t)1 << 20)

/* The header of a segment; its memory follows. */
typedef struct scratch_segment {
  _Alignas(MEMORY_ALIGNMENT) size_t bytes; /* with the header */
  size_t bytes_below;                      /* of the segment below; 0 for the lowest */
  bool is_free;
  struct scratch_segment *free_below, *free_above; /* of free segments */
} scratch_segment;

_Static_assert(sizeof(scratch_segment) == MEMORY_ALIGNMENT, "what follows a header is aligned");

static scratch_segment *segment_above(const scratch_pool *pool, scratch_segment *s) {
  unsigned char *end = (unsigned char *)s + s->bytes;
  return end < pool->block + pool->block_bytes ? (scratch_segment *)(void *)end : NULL;
}

static scratch_segment *segment_below(scratch_segment *s) {
  return s->bytes_below > 0 ? (scratch_segment *)(void *)((unsigned char *)s - s->bytes_below) : NULL;
}

static void set_bytes(const scratch_pool *pool, scratch_segment *s, size_t bytes) {
  s->bytes = bytes;
  scratch_segment *above = segment_above(pool, s);
  if (above != NULL) above->bytes_below = bytes;
}

/* ---------------------------------------------------------------------------------------------- the free list */

static void link_free(scratch_pool *pool, scratch_segment *s, scratch_segment *below, scratch_segment *above) {
  s->is_free = true;
  s->free_below = below;
  s->free_above = above;
  *(below != NULL ? &below->free_above : &pool->first_free) = s;
  *(above != NULL ? &above->free_below : &pool->last_free) = s;
}

static void unlink_free(scratch_pool *pool, scratch_segment *s) {
  s->is_free = false;
  *(s->free_below != NULL ? &s->free_below->free_above : &pool->first_free) = s->free_above;
  *(s->free_above != NULL ? &s->free_above->free_below : &pool->last_free) = s->free_below;
}

/* The highest free segment below `s`; NULL: none. Two walks alternate, and the shorter one ends the search: down from
 * `s`, and up the free list. Lists of chunks are released from the top down, one worker's after another's: those of the
 * first are close to the lower end of the list, those of the others a few chunks above a free one. */
static scratch_segment *free_under(const scratch_pool *pool, scratch_segment *s) {
  scratch_segment *last = NULL, *next = pool->first_free, *down = segment_below(s);
  while (next != NULL && next < s && down != NULL && !down->is_free) {
    last = next;
    next = next->free_above;
    down = segment_below(down);
  }
  return down != NULL && down->is_free ? down : last;
}

/* ---------------------------------------------------------------------------------------------- cutting and joining */

static scratch_segment *lowest_that_holds(const scratch_pool *pool, size_t bytes) {
  scratch_segment *s = pool->first_free;
  while (s != NULL && s->bytes < bytes) s = s->free_above;
  return s;
}

static scratch_segment *highest_that_holds(const scratch_pool *pool, size_t bytes) {
  scratch_segment *s = pool->last_free;
  while (s != NULL && s->bytes < bytes) s = s->free_below;
  return s;
}

/* Splits `at` bytes off the lower end of a segment; returns the upper part, which is not linked. */
static scratch_segment *split_segment(scratch_pool *pool, scratch_segment *s, size_t at) {
  scratch_segment *upper = (scratch_segment *)(void *)((unsigned char *)s + at);
  UNPOISON(upper, sizeof *upper);
  upper->is_free = false;
  upper->bytes_below = at;
  set_bytes(pool, upper, s->bytes - at);
  s->bytes = at;
  return upper;
}

/* Takes a segment of this many bytes, or one whose remainder is too small for a header; NULL: none fits. */
static scratch_segment *take_segment(scratch_pool *pool, size_t bytes) {
  const bool small = bytes <= SMALL_SEGMENT_BYTES;
  scratch_segment *s = small ? highest_that_holds(pool, bytes) : lowest_that_holds(pool, bytes);
  if (s == NULL) return NULL;
  const size_t rest = s->bytes - bytes;
  if (rest < 2 * sizeof *s) {
    unlink_free(pool, s);
    return s;
  }
  if (small) return split_segment(pool, s, rest);
  scratch_segment *below = s->free_below, *above = s->free_above;
  unlink_free(pool, s);
  link_free(pool, split_segment(pool, s, bytes), below, above);
  return s;
}

static void give_segment(scratch_pool *pool, scratch_segment *s) {
  assert(!s->is_free);
  scratch_segment *above = segment_above(pool, s), *below = segment_below(s);
  if (above != NULL && above->is_free) {
    scratch_segment *free_below = above->free_below, *free_above = above->free_above;
    unlink_free(pool, above);
    set_bytes(pool, s, s->bytes + above->bytes);
    if (below == NULL || !below->is_free) link_free(pool, s, free_below, free_above);
  } else if (below == NULL || !below->is_free) {
    scratch_segment *under = free_under(pool, s);
    link_free(pool, s, under, under != NULL ? under->free_above : pool->first_free);
  }
  if (below != NULL && below->is_free) set_bytes(pool, below, below->bytes + s->bytes);
  POISON(s + 1, s->bytes - sizeof *s);
}

/* ---------------------------------------------------------------------------------------------- the block */

static void drop_block(scratch_pool *pool) {
  UNPOISON(pool->block, pool->block_bytes);
  memory_release(pool->backing, pool->block, pool->block_bytes, 1);
  pool->block = NULL;
  pool->block_bytes = 0;
  pool->first_free = pool->last_free = NULL;
}

/* The expected difference between frames that allocate this many bytes. */
static size_t spare_beside(const scratch_pool *pool, size_t bytes) {
  const size_t most = bytes / 2 > LITTLE_BYTES ? bytes / 2 : LITTLE_BYTES;
  return pool->spare_bytes < most ? pool->spare_bytes : most;
}

/* Adds the slack, in whole headers; unchanged if the sum overflows, which no memory could hold. */
static size_t with_slack(const scratch_pool *pool, size_t bytes) {
  const size_t slack = ((bytes >> pool->slack_shift) + spare_beside(pool, bytes)) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
  size_t sum;
  return size_add(bytes, slack, &sum) ? sum : bytes;
}

/* Allocates a block of the wanted size, or else of the last size if that was enough. */
static void take_block(scratch_pool *pool, size_t bytes_before) {
  pool->block = memory_allocate(pool->backing, pool->wanted_bytes, 1);
  if (pool->block != NULL || pool->was_short || bytes_before == 0) return;
  pool->wanted_bytes = bytes_before;
  pool->uses = FIRST_USES;
  pool->block = memory_allocate(pool->backing, bytes_before, 1);
}

/* The old block is released first: both at once would be a new peak. If none can be allocated, the pool passes
 * allocations through and measures again, so that it does not repeat the request with every allocation. */
static void reserve_block(scratch_pool *pool) {
  const size_t before = pool->block_bytes;
  /* A block that was almost large enough: frames differ by more than the slack. */
  if (pool->was_short && pool->wanted_bytes - before < before / 4 && pool->slack_shift > LAST_SLACK_SHIFT) {
    pool->slack_shift--;
    pool->wanted_bytes += (pool->wanted_bytes >> pool->slack_shift) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
  }
  drop_block(pool);
  take_block(pool, before);
  pool->was_short = false;
  if (pool->block == NULL) {
    pool->wanted_bytes = 0;
    return;
  }
  const size_t bytes = pool->block_bytes = pool->wanted_bytes;
  scratch_segment *whole = (scratch_segment *)(void *)pool->block;
  *whole = (scratch_segment){.bytes = bytes};
  link_free(pool, whole, NULL, NULL);
  POISON(whole + 1, bytes - sizeof *whole);
}

/* This many bytes in use, of which some passed through, needed a larger block. If they would have fitted without its
 * gaps, it has to grow by the bytes that passed through. */
static void learn_need(scratch_pool *pool, size_t live_bytes, size_t passed_bytes) {
  size_t wanted = with_slack(pool, live_bytes);
  if (wanted <= pool->block_bytes) wanted = pool->block_bytes + passed_bytes;
  if (wanted > pool->wanted_bytes) pool->wanted_bytes = wanted;
  pool->was_short = pool->was_short || passed_bytes > 0;
}

/* The same if all fitted, but only with some of the spare. A block sized by a small use may hold a large one only
 * because of its spare, and much later fail for one that is hardly larger. So the first uses must leave most of the
 * spare unused. */
static void learn_use(scratch_pool *pool, size_t live_bytes) {
  const size_t left = pool->block_bytes > live_bytes ? pool->block_bytes - live_bytes : 0;
  if (pool->uses < FIRST_USES && left < spare_beside(pool, live_bytes) / 4 * 3) learn_need(pool, live_bytes, 0);
}

/* ---------------------------------------------------------------------------------------------- as an allocator */

static bool segment_bytes(size_t bytes, size_t *segment_bytes_out) {
  if (!size_add(bytes, sizeof(scratch_segment) + MEMORY_ALIGNMENT - 1, segment_bytes_out)) return false;
  *segment_bytes_out = *segment_bytes_out / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
  return true;
}

static void *pool_allocate(void *context, size_t bytes, size_t alignment) {
  scratch_pool *pool = context;
  size_t needed;
  assert(alignment == MEMORY_ALIGNMENT);
  (void)alignment;
  if (!segment_bytes(bytes, &needed)) return NULL;
  pthread_mutex_lock(&pool->mutex);
  if (pool->live_bytes == 0 && pool->wanted_bytes > pool->block_bytes) reserve_block(pool);
  scratch_segment *s = take_segment(pool, needed);
  const size_t live_bytes = pool->live_bytes += s != NULL ? s->bytes : needed;
  const size_t passed_bytes = pool->passed_bytes += s != NULL ? 0 : needed;
  if (s != NULL && passed_bytes > 0) learn_need(pool, live_bytes, passed_bytes);
  if (s != NULL && passed_bytes == 0) learn_use(pool, live_bytes);
  pthread_mutex_unlock(&pool->mutex);
  if (s != NULL) {
    UNPOISON(s + 1, bytes);
    return s + 1;
  }
  void *passed = memory_allocate(pool->backing, bytes, 1);
  pthread_mutex_lock(&pool->mutex);
  if (passed != NULL) {
    learn_need(pool, live_bytes, passed_bytes); /* only now, so that a failed request is not repeated */
  } else {
    pool->live_bytes -= needed;
    pool->passed_bytes -= needed;
  }
  pthread_mutex_unlock(&pool->mutex);
  return passed;
}

/* Blocks are changed only while nothing is in use, so the block of a released segment is still the pool's. */
static void pool_release(void *context, void *pointer, size_t bytes) {
  scratch_pool *pool = context;
  const uintptr_t at = (uintptr_t)pointer;
  size_t needed = 0;
  (void)segment_bytes(bytes, &needed);
  pthread_mutex_lock(&pool->mutex);
  const bool passed = at < (uintptr_t)pool->block || at >= (uintptr_t)pool->block + pool->block_bytes;
  if (passed) {
    pool->live_bytes -= needed;
    pool->passed_bytes -= needed;
  } else {
    scratch_segment *s = (scratch_segment *)pointer - 1;
    assert(s->bytes >= needed && s->bytes < needed + 2 * sizeof *s);
    pool->live_bytes -= s->bytes;
    give_segment(pool, s);
  }
  if (pool->live_bytes == 0 && pool->uses < FIRST_USES) pool->uses++;
  pthread_mutex_unlock(&pool->mutex);
  if (passed) memory_release(pool->backing, pointer, bytes, 1);
}

/* ---------------------------------------------------------------------------------------------- lifetime */

void scratch_pool_init(scratch_pool *pool, memory *backing) {
  const graze_allocator allocator = {
      .struct_bytes = sizeof(graze_allocator), .context = pool, .allocate = pool_allocate, .release = pool_release};
  *pool = (scratch_pool){.backing = backing, .slack_shift = FIRST_SLACK_SHIFT};
  memory_init(&pool->heap, &allocator);
  /* Cannot fail without attributes. */
  const int failed = pthread_mutex_init(&pool->mutex, NULL);
  assert(failed == 0);
  (void)failed;
}

void scratch_pool_spare(scratch_pool *pool, size_t bytes) {
  pool->spare_bytes = bytes;
}

void scratch_pool_trim(scratch_pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  if (pool->live_bytes == 0) {
    drop_block(pool);
    pool->wanted_bytes = 0;
    pool->uses = 0;
    pool->slack_shift = FIRST_SLACK_SHIFT;
  }
  pthread_mutex_unlock(&pool->mutex);
}

void scratch_pool_release(scratch_pool *pool) {
  assert(pool->live_bytes == 0);
  drop_block(pool);
  pthread_mutex_destroy(&pool->mutex);
}

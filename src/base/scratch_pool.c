/* scratch_pool: cuts scratch memory out of one kept block; see scratch_pool.h for its workload. */
#include "base/scratch_pool.h"

#include <assert.h>

/* The room beyond what was out: a thirty-second covers the gaps between segments, and each time that frames turn out
 * to differ by more it doubles, up to an eighth. */
enum { FIRST_SLACK_SHIFT = 5, LAST_SLACK_SHIFT = 3 };

/* Some frames, of a dozen calls each. */
enum { FIRST_USES = 64 };

/* What may be spare in any case: in a small scene, who of several workers does what changes all that is out. */
#define LITTLE_BYTES ((size_t)1 << 20)

/* ---------------------------------------------------------------------------------------------- the block */

static void drop_block(scratch_pool *pool) {
  unsigned char *const block = pool->row.block;
  const size_t bytes = pool->row.block_bytes;
  segment_row_close(&pool->row);
  memory_release(pool->backing, block, bytes, 1);
}

/* What frames that have so many bytes out may differ by. */
static size_t spare_beside(const scratch_pool *pool, size_t bytes) {
  const size_t most = bytes / 2 > LITTLE_BYTES ? bytes / 2 : LITTLE_BYTES;
  return pool->spare_bytes < most ? pool->spare_bytes : most;
}

/* With the slack, in whole headers; as it is where the sum overflows, which no memory could hold. */
static size_t with_slack(const scratch_pool *pool, size_t bytes) {
  const size_t slack = ((bytes >> pool->slack_shift) + spare_beside(pool, bytes)) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
  size_t sum;
  return size_add(bytes, slack, &sum) ? sum : bytes;
}

/* A block of the wanted size, or of the one before where that had been enough. */
static void *take_block(scratch_pool *pool, size_t bytes_before) {
  void *const block = memory_allocate(pool->backing, pool->wanted_bytes, 1);
  if (block != NULL || pool->was_short || bytes_before == 0) return block;
  pool->wanted_bytes = bytes_before;
  pool->uses = FIRST_USES;
  return memory_allocate(pool->backing, bytes_before, 1);
}

/* The old block goes first: both at once would be a new peak. Where there is none to be had the pool passes through
 * and learns anew, so that it does not ask for the same again with every allocation. */
static void reserve_block(scratch_pool *pool) {
  const size_t before = pool->row.block_bytes;
  /* A block that was nearly large enough: frames differ by more than the slack. */
  if (pool->was_short && pool->wanted_bytes - before < before / 4 && pool->slack_shift > LAST_SLACK_SHIFT) {
    pool->slack_shift--;
    pool->wanted_bytes += (pool->wanted_bytes >> pool->slack_shift) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
  }
  drop_block(pool);
  void *const block = take_block(pool, before);
  pool->was_short = false;
  if (block == NULL)
    pool->wanted_bytes = 0;
  else
    segment_row_open(&pool->row, block, pool->wanted_bytes);
}

/* So many bytes out at once, of which some passed through, needed a larger block. Where they would have fitted into it
 * but for its gaps, it has to grow by what passed through. */
static void learn(scratch_pool *pool, size_t live_bytes, size_t passed_bytes) {
  size_t wanted = with_slack(pool, live_bytes);
  if (wanted <= pool->row.block_bytes) wanted = pool->row.block_bytes + passed_bytes;
  if (wanted > pool->wanted_bytes) pool->wanted_bytes = wanted;
  pool->was_short = pool->was_short || passed_bytes > 0;
}

/* The same where all fitted, but by some of the spare: a block that a small use was the measure of may hold a large one
 * by its spare alone, and much later not one that differs from it. So the first uses leave most of it untouched. */
static void learn_use(scratch_pool *pool, size_t live_bytes) {
  const size_t left = pool->row.block_bytes > live_bytes ? pool->row.block_bytes - live_bytes : 0;
  if (pool->uses < FIRST_USES && left < spare_beside(pool, live_bytes) / 4 * 3) learn(pool, live_bytes, 0);
}

/* ---------------------------------------------------------------------------------------------- as an allocator */

static void *pool_allocate(void *context, size_t bytes, size_t alignment) {
  scratch_pool *pool = context;
  size_t needed;
  assert(alignment == MEMORY_ALIGNMENT);
  (void)alignment;
  if (!segment_row_bytes(bytes, &needed)) return NULL;
  size_t taken = needed;
  pthread_mutex_lock(&pool->mutex);
  if (pool->live_bytes == 0 && pool->wanted_bytes > pool->row.block_bytes) reserve_block(pool);
  void *cut = segment_row_take(&pool->row, needed, bytes, &taken);
  const size_t live_bytes = pool->live_bytes += taken;
  const size_t passed_bytes = pool->passed_bytes += cut != NULL ? 0 : needed;
  if (cut != NULL && passed_bytes > 0) learn(pool, live_bytes, passed_bytes);
  if (cut != NULL && passed_bytes == 0) learn_use(pool, live_bytes);
  pthread_mutex_unlock(&pool->mutex);
  if (cut != NULL) return cut;
  void *passed = memory_allocate(pool->backing, bytes, 1);
  pthread_mutex_lock(&pool->mutex);
  if (passed != NULL) {
    learn(pool, live_bytes, passed_bytes); /* only now: what cannot be had is not to be asked for again */
  } else {
    pool->live_bytes -= needed;
    pool->passed_bytes -= needed;
  }
  pthread_mutex_unlock(&pool->mutex);
  return passed;
}

/* Blocks are changed only while nothing is out, so that the block of what comes back is still the pool's. */
static void pool_release(void *context, void *pointer, size_t bytes) {
  scratch_pool *pool = context;
  size_t needed = 0;
  (void)segment_row_bytes(bytes, &needed);
  pthread_mutex_lock(&pool->mutex);
  const bool passed = !segment_row_has(&pool->row, pointer);
  if (passed) {
    pool->live_bytes -= needed;
    pool->passed_bytes -= needed;
  } else {
    const size_t taken = segment_row_give(&pool->row, pointer);
    assert(taken >= needed && taken < needed + 2 * MEMORY_ALIGNMENT);
    pool->live_bytes -= taken;
  }
  if (pool->live_bytes == 0 && pool->uses < FIRST_USES) pool->uses++;
  pthread_mutex_unlock(&pool->mutex);
  if (passed) memory_release(pool->backing, pointer, bytes, 1);
}

/* ---------------------------------------------------------------------------------------------- its life */

void scratch_pool_init(scratch_pool *pool, memory *backing) {
  const graze_allocator allocator = {
      .struct_bytes = sizeof(graze_allocator), .context = pool, .allocate = pool_allocate, .release = pool_release};
  *pool = (scratch_pool){.backing = backing, .slack_shift = FIRST_SLACK_SHIFT};
  memory_init(&pool->heap, &allocator);
  /* Without attributes this has nothing to fail of. */
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

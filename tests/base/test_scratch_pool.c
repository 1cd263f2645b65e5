/* Tests scratch pools: what they learn, keep and release. Blocks in use never overlap, for any worker. */
#include "base/scratch_pool.h"
#include "checked_allocator.h"
#include "number_sequence.h"
#include "test_scale.h"
#include "testing.h"
#include "worker_teams.h"

#include <stddef.h>
#include <string.h>

enum { SLOTS = 64, STORM_STEPS = 4000, CHUNK_BYTES = 65536 };

typedef struct pool_test {
  checked_allocator allocator;
  memory backing;
  scratch_pool pool;
} pool_test;

static void begin(pool_test *t, size_t refused) {
  checked_init(&t->allocator, &t->backing, refused);
  scratch_pool_init(&t->pool, &t->backing);
}

static void end(pool_test *t) {
  scratch_pool_release(&t->pool);
  assert_true(checked_is_clean(&t->allocator, &t->backing));
  assert_int_equal(atomic_load(&t->pool.heap.bytes_now), 0);
}

static size_t calls(pool_test *t) {
  return atomic_load(&t->allocator.allocations);
}

/* Imitates a query: arrays with overlapping lifetimes, and chunks that outlive most of them. */
static bool use(memory *heap, size_t scale) {
  bool done = false;
  char *boxes = memory_allocate(heap, 24 * scale, 1), *keys = memory_allocate(heap, 8 * scale, 1);
  char *chunks[4] = {NULL, NULL, NULL, NULL};
  if (boxes != NULL && keys != NULL) {
    chunks[0] = memory_allocate(heap, CHUNK_BYTES, 1);
    chunks[1] = memory_allocate(heap, CHUNK_BYTES, 1);
    memory_release(heap, keys, 8 * scale, 1);
    keys = NULL;
    char *rows = memory_allocate(heap, 28 * scale, 1);
    chunks[2] = memory_allocate(heap, CHUNK_BYTES, 1);
    memory_release(heap, rows, 28 * scale, 1);
    done = rows != NULL && chunks[0] != NULL && chunks[1] != NULL && chunks[2] != NULL;
  }
  memory_release(heap, keys, 8 * scale, 1);
  memory_release(heap, boxes, 24 * scale, 1);
  for (int i = 0; i < 3; i++) memory_release(heap, chunks[i], CHUNK_BYTES, 1);
  return done;
}

/* The first use is that of a plain memory, to the byte; the second reserves; the third allocates nothing. */
TEST(test_first_use_holds_no_more) {
  pool_test t;
  checked_allocator allocator;
  memory plain;
  checked_init(&allocator, &plain, SIZE_MAX);
  assert_true(use(&plain, 10000));
  begin(&t, SIZE_MAX);
  assert_true(use(&t.pool.heap, 10000));
  assert_int_equal(calls(&t), atomic_load(&allocator.allocations));
  assert_true(atomic_load(&t.backing.bytes_peak) == atomic_load(&plain.bytes_peak));
  assert_int_equal(atomic_load(&t.backing.bytes_now), 0);
  const size_t first = calls(&t);
  assert_true(use(&t.pool.heap, 10000));
  assert_int_equal(calls(&t), first + 1);
  assert_true(atomic_load(&t.backing.bytes_now) > 0);
  for (int i = 0; i < 50; i++) assert_true(use(&t.pool.heap, 10000 - 100 * (size_t)i));
  assert_int_equal(calls(&t), first + 1);
  /* A twentieth is the bar; what was out, its headers and the slack stay below it. */
  assert_true(atomic_load(&t.backing.bytes_peak) <= atomic_load(&plain.bytes_peak) * 21 / 20);
  end(&t);
}

/* Frames that grow are learned at the next quiet moment, by one block in place of the other. */
TEST(test_growth_is_learned) {
  pool_test t;
  begin(&t, SIZE_MAX);
  for (int i = 0; i < 3; i++) assert_true(use(&t.pool.heap, 10000));
  assert_true(use(&t.pool.heap, 40000));
  const size_t grown = calls(&t);
  assert_true(use(&t.pool.heap, 40000));
  assert_int_equal(calls(&t), grown + 1);
  for (int i = 0; i < 20; i++) assert_true(use(&t.pool.heap, 40000));
  assert_int_equal(calls(&t), grown + 1);
  assert_int_equal(atomic_load(&t.allocator.live), 1);
  end(&t);
}

/* One array, as large as the frame. */
static bool use_bytes(memory *heap, size_t bytes) {
  void *array = memory_allocate(heap, bytes, 1);
  memory_release(heap, array, bytes, 1);
  return array != NULL;
}

/* The spare memory after a small use does not cover a large use: later frames may need most of the spare in
 * addition. */
TEST(test_spare_is_beside_what_is_used) {
  const size_t spare = (size_t)1 << 20;
  pool_test t;
  begin(&t, SIZE_MAX);
  scratch_pool_spare(&t.pool, spare);
  assert_true(use_bytes(&t.pool.heap, 100));
  assert_true(use_bytes(&t.pool.heap, spare - 10000)); /* fits, by a hair */
  assert_int_equal(calls(&t), 2);
  assert_true(use_bytes(&t.pool.heap, spare - 10000));
  assert_int_equal(calls(&t), 3);
  for (size_t more = 0; more < spare / 4; more += spare / 256)
    assert_true(use_bytes(&t.pool.heap, spare - 10000 + more));
  assert_int_equal(calls(&t), 3);
  for (size_t more = 0; more < spare; more += spare / 64) /* the first uses are over */
    assert_true(use_bytes(&t.pool.heap, spare - 10000 + more));
  assert_int_equal(calls(&t), 3);
  end(&t);
}

enum { MEBIBYTE = 1 << 20 };

/* A pool whose block has held 10 MiB, and then 11.5 by its spare: the next use would have it larger. */
static void begin_with_growth(pool_test *t, size_t refused) {
  begin(t, refused);
  scratch_pool_spare(&t->pool, (size_t)4 * MEBIBYTE);
  for (int i = 0; i < 2; i++) assert_true(use_bytes(&t->pool.heap, (size_t)10 * MEBIBYTE));
  assert_true(use_bytes(&t->pool.heap, (size_t)11 * MEBIBYTE + MEBIBYTE / 2));
  assert_int_equal(calls(t), 2);
}

TEST(test_spare_is_added_once) {
  pool_test t;
  begin_with_growth(&t, SIZE_MAX);
  assert_true(use_bytes(&t.pool.heap, (size_t)11 * MEBIBYTE + MEBIBYTE / 2));
  assert_int_equal(calls(&t), 3);
  assert_true(atomic_load(&t.backing.bytes_now) < (size_t)16 * MEBIBYTE);
  end(&t);
}

/* The third allocation, of a larger block, is refused: the one before was enough, and is taken again for good. */
TEST(test_refused_growth) {
  pool_test t;
  begin_with_growth(&t, 2);
  const size_t before = atomic_load(&t.backing.bytes_now);
  for (int i = 0; i < 10; i++) assert_true(use_bytes(&t.pool.heap, (size_t)11 * MEBIBYTE + MEBIBYTE / 2));
  assert_int_equal(calls(&t), 4);
  assert_true(atomic_load(&t.backing.bytes_now) == before);
  end(&t);
}

TEST(test_trim_gives_back) {
  pool_test t;
  begin(&t, SIZE_MAX);
  for (int i = 0; i < 3; i++) assert_true(use(&t.pool.heap, 5000));
  void *out = memory_allocate(&t.pool.heap, 100, 1);
  scratch_pool_trim(&t.pool);
  assert_int_equal(atomic_load(&t.allocator.live), 1);
  memory_release(&t.pool.heap, out, 100, 1);
  scratch_pool_trim(&t.pool);
  assert_int_equal(atomic_load(&t.allocator.live), 0);
  assert_int_equal(atomic_load(&t.backing.bytes_now), 0);
  assert_true(use(&t.pool.heap, 5000));
  assert_int_equal(atomic_load(&t.allocator.live), 0);
  assert_true(use(&t.pool.heap, 5000));
  assert_int_equal(atomic_load(&t.allocator.live), 1);
  end(&t);
}

/* A block that cannot be had is done without; one alone refused does not fail a use. */
TEST(test_refused_block) {
  pool_test t;
  begin(&t, SIZE_MAX);
  assert_true(use(&t.pool.heap, 10000));
  t.allocator.refused = calls(&t);
  const size_t before = calls(&t);
  assert_true(use(&t.pool.heap, 10000));
  assert_int_equal(calls(&t), before + 7); /* the block in vain, and what passes through */
  assert_int_equal(atomic_load(&t.allocator.live), 0);
  for (int i = 0; i < 3; i++) assert_true(use(&t.pool.heap, 10000));
  assert_int_equal(calls(&t), before + 8);
  /* A request that cannot be satisfied fails, and is not repeated as a part of the block. */
  assert_null(memory_allocate(&t.pool.heap, SIZE_MAX, 1));
  t.allocator.refused = calls(&t);
  assert_null(memory_allocate(&t.pool.heap, 10000000, 1));
  const size_t after = calls(&t);
  assert_true(use(&t.pool.heap, 10000));
  assert_int_equal(calls(&t), after);
  end(&t);
}

/* ---------------------------------------------------------------------------------------------- storms */

typedef struct piece {
  unsigned char *at;
  size_t bytes;
  unsigned char mark;
} piece;

static size_t storm_bytes(uint64_t *sequence) {
  const uint64_t choice = sequence_below(sequence, 8);
  if (choice == 0) return CHUNK_BYTES;
  if (choice < 3) return 1 + sequence_below(sequence, 300000);
  return sequence_below(sequence, 3000);
}

static void check_piece(const piece *p) {
  for (size_t i = 0; i < p->bytes; i++)
    if (p->at[i] != p->mark) fail_msg("byte %zu of %zu was changed by another", i, p->bytes);
}

/* Takes and gives at random, and fills all that is out with marks of its own. */
static void storm(memory *heap, uint64_t seed, size_t steps) {
  piece pieces[SLOTS] = {{NULL, 0, 0}};
  uint64_t sequence = seed;
  for (size_t step = 0; step < steps + SLOTS; step++) {
    piece *p = &pieces[step < steps ? sequence_below(&sequence, SLOTS) : step - steps];
    if (p->at != NULL) {
      check_piece(p);
      memory_release(heap, p->at, p->bytes, 1);
      *p = (piece){NULL, 0, 0};
    } else if (step < steps) {
      *p = (piece){NULL, storm_bytes(&sequence), (unsigned char)(seed + step)};
      p->at = memory_allocate(heap, p->bytes, 1);
      assert_non_null(p->at);
      assert_int_equal((uintptr_t)p->at % MEMORY_ALIGNMENT, 0);
      memset(p->at, p->mark, p->bytes);
    }
  }
}

TEST(test_storms) {
  if (test_looks_for_races()) skip(); /* one thread */
  const size_t steps = test_sanitized(STORM_STEPS / 4, STORM_STEPS);
  pool_test t;
  begin(&t, SIZE_MAX);
  for (uint64_t seed = 1; seed < 12; seed++) storm(&t.pool.heap, seed, steps / 4);
  /* The same again and again comes to rest. */
  for (int i = 0; i < 8; i++) storm(&t.pool.heap, 99, steps);
  const size_t rest = calls(&t);
  storm(&t.pool.heap, 99, steps);
  assert_int_equal(calls(&t), rest);
  /* Nothing out: the block is one free piece again, and holds what is nearly as large as all of it. */
  const size_t whole = t.pool.block_bytes - 128;
  void *all = memory_allocate(&t.pool.heap, whole, 1);
  assert_int_equal(calls(&t), rest);
  memory_release(&t.pool.heap, all, whole, 1);
  end(&t);
}

static void storm_task(void *context, uint32_t index, uint32_t worker) {
  (void)worker;
  storm(context, index + 1, STORM_STEPS / 40);
}

TEST(test_storms_of_threads) {
  pool_test t;
  begin(&t, SIZE_MAX);
  workers *team = team_of_threads(&t.backing, 4);
  assert_non_null(team);
  const int frames = test_is_sanitized() ? 3 : 6; /* learned in the first, reserved in the second */
  for (int frame = 0; frame < frames; frame++) workers_run(team, storm_task, &t.pool.heap, 24);
  workers_destroy(&t.backing, team);
  end(&t);
}

/* Chunks of several lists, given back list by list, by the ten thousand: not in quadratic time. */
TEST(test_many_chunks) {
  enum { CHUNKS = 30000, LISTS = 3, BYTES = 256 };
  pool_test t;
  begin(&t, SIZE_MAX);
  void **chunks = malloc(CHUNKS * sizeof *chunks);
  assert_non_null(chunks);
  for (int frame = 0; frame < 4; frame++) {
    const size_t before = calls(&t);
    for (int i = 0; i < CHUNKS; i++) chunks[i] = memory_allocate(&t.pool.heap, BYTES, 1);
    for (int list = 0; list < LISTS; list++)
      for (int i = list; i < CHUNKS; i += LISTS) memory_release(&t.pool.heap, chunks[i], BYTES, 1);
    if (frame > 1) assert_int_equal(calls(&t), before);
  }
  free(chunks);
  end(&t);
}

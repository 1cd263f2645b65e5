/* Arenas: what is taken stays whole, what is rewound is used again. */
#include "base/arena.h"

#include "checked_allocator.h"
#include "number_sequence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PIECES_MAXIMUM 400

typedef struct piece {
  unsigned char *bytes;
  size_t count;
  unsigned char filling;
} piece;

static void check_pieces(const piece *pieces, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < pieces[i].count; j++)
      if (pieces[i].bytes[j] != pieces[i].filling) fail_msg("byte %zu of piece %zu was overwritten", j, i);
}

static size_t random_size(uint64_t *seed) {
  switch (sequence_below(seed, 20)) {
  case 0:
    return sequence_below(seed, 3 * ARENA_BLOCK_BYTES);
  case 1:
    return 0;
  case 2:
    return ARENA_BLOCK_BYTES - 16 - sequence_below(seed, 4); /* an exact fit behind the header, or nearly */
  default:
    return sequence_below(seed, 3000);
  }
}

/* Takes a random number of pieces, going deeper and back like a task with subtasks. */
static void take_pieces(arena *scratch, memory *heap, uint64_t *seed, piece *pieces, size_t first, int depth) {
  const arena_position position = arena_mark(scratch);
  size_t count = first;
  const size_t wanted = first + sequence_below(seed, 20);
  for (; count < wanted && count < PIECES_MAXIMUM; count++) {
    piece *const taken = &pieces[count];
    const size_t alignment = (size_t)1 << sequence_below(seed, 13);
    taken->count = random_size(seed);
    taken->filling = (unsigned char)sequence_next(seed);
    taken->bytes = arena_allocate(scratch, heap, taken->count, alignment);
    assert_non_null(taken->bytes);
    assert_int_equal((uintptr_t)taken->bytes % alignment, 0);
    memset(taken->bytes, taken->filling, taken->count);
    if (depth > 0 && sequence_below(seed, 8) == 0) take_pieces(scratch, heap, seed, pieces, count + 1, depth - 1);
  }
  check_pieces(pieces, count);
  arena_rewind(scratch, position);
}

static void pieces_do_not_overlap(void **state) {
  (void)state;
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  static piece pieces[PIECES_MAXIMUM];
  arena scratch;
  arena_init(&scratch);
  uint64_t seed = 5;
  for (int round = 0; round < 60; round++) take_pieces(&scratch, &heap, &seed, pieces, 0, 4);
  arena_release(&scratch, &heap);
  assert_true(checked_is_clean(&allocator, &heap));
}

static void repeated_tasks_allocate_once(void **state) {
  (void)state;
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  arena scratch;
  arena_init(&scratch);
  size_t after_first = 0;
  for (int round = 0; round < 50; round++) {
    const arena_position position = arena_mark(&scratch);
    for (size_t i = 0; i < 30; i++) assert_non_null(arena_allocate(&scratch, &heap, 1000 * (i % 7) * (i % 5) * 9, 64));
    arena_rewind(&scratch, position);
    if (round == 0) after_first = atomic_load(&allocator.allocations);
  }
  assert_true(after_first > 1);
  assert_int_equal(atomic_load(&allocator.allocations), after_first);
  arena_release(&scratch, &heap);
  assert_true(checked_is_clean(&allocator, &heap));
}

/* A waiting block that is too small for a request must still be found by a later, smaller one. */
static void waiting_blocks_are_searched(void **state) {
  (void)state;
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  arena scratch;
  arena_init(&scratch);
  const arena_position start = arena_mark(&scratch);
  assert_non_null(arena_allocate(&scratch, &heap, 1000, 8));
  assert_non_null(arena_allocate(&scratch, &heap, 4 * ARENA_BLOCK_BYTES, 8));
  arena_rewind(&scratch, start);
  assert_non_null(arena_allocate(&scratch, &heap, 3 * ARENA_BLOCK_BYTES, 8));
  assert_non_null(arena_allocate(&scratch, &heap, ARENA_BLOCK_BYTES, 8));
  assert_int_equal(atomic_load(&allocator.allocations), 2);
  assert_non_null(arena_allocate(&scratch, &heap, ARENA_BLOCK_BYTES / 2, 8));
  assert_int_equal(atomic_load(&allocator.allocations), 2);
  arena_release(&scratch, &heap);
  assert_true(checked_is_clean(&allocator, &heap));
}

static void failure_leaves_the_arena_unchanged(void **state) {
  (void)state;
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, 1);
  arena scratch;
  arena_init(&scratch);
  unsigned char *const before = arena_allocate(&scratch, &heap, 100, 4);
  assert_non_null(before);
  memset(before, 9, 100);
  const arena_position position = arena_mark(&scratch);
  assert_null(arena_allocate(&scratch, &heap, 2 * ARENA_BLOCK_BYTES, 64));
  assert_null(arena_allocate(&scratch, &heap, SIZE_MAX, 64));
  assert_null(arena_allocate(&scratch, &heap, SIZE_MAX - 70, 64));
  const arena_position same = arena_mark(&scratch);
  assert_ptr_equal(same.block, position.block);
  assert_int_equal(same.used, position.used);
  assert_non_null(arena_allocate(&scratch, &heap, 2 * ARENA_BLOCK_BYTES, 64));
  for (int i = 0; i < 100; i++) assert_int_equal(before[i], 9);
  arena_release(&scratch, &heap);
  assert_true(checked_is_clean(&allocator, &heap));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_do_not_overlap),
      cmocka_unit_test(repeated_tasks_allocate_once),
      cmocka_unit_test(waiting_blocks_are_searched),
      cmocka_unit_test(failure_leaves_the_arena_unchanged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

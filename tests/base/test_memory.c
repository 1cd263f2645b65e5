/* Tests checked sizes and memory accounting. */
#include "checked_allocator.h"
#include "testing.h"
#include "worker_teams.h"

#include <stddef.h>
#include <string.h>

TEST(sizes_are_checked) {
  size_t size = 7;
  assert_true(size_multiply(0, SIZE_MAX, &size));
  assert_int_equal(size, 0);
  assert_true(size_multiply(SIZE_MAX, 0, &size));
  assert_int_equal(size, 0);
  assert_true(size_multiply(SIZE_MAX / 3, 3, &size));
  assert_true(size == SIZE_MAX / 3 * 3);
  size = 7;
  assert_false(size_multiply(SIZE_MAX / 2 + 1, 2, &size));
  assert_false(size_multiply((size_t)1 << 32, (size_t)1 << 32, &size));
  assert_int_equal(size, 7);
  assert_true(size_add(SIZE_MAX - 5, 5, &size));
  assert_true(size == SIZE_MAX);
  size = 7;
  assert_false(size_add(SIZE_MAX - 5, 6, &size));
  assert_false(size_add(6, SIZE_MAX - 5, &size));
  assert_int_equal(size, 7);
}

TEST(default_memory_is_aligned) {
  memory heap;
  memory_init(&heap, NULL);
  for (size_t count = 0; count < 300; count += 7) {
    char *const bytes = memory_allocate(&heap, count, 3);
    assert_non_null(bytes);
    assert_int_equal((uintptr_t)bytes % MEMORY_ALIGNMENT, 0);
    memset(bytes, 1, count * 3);
    memory_release(&heap, bytes, count, 3);
  }
  assert_int_equal(atomic_load(&heap.bytes_now), 0);
}

TEST(zero_is_not_failure) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  void *const a = memory_allocate(&heap, 0, 16);
  void *const b = memory_allocate(&heap, 16, 0);
  assert_non_null(a);
  assert_non_null(b);
  memory_release(&heap, a, 0, 16);
  memory_release(&heap, b, 16, 0);
  memory_release(&heap, NULL, 5, 5);
  assert_true(checked_is_clean(&allocator, &heap));
}

TEST(impossible_sizes_are_refused) {
  memory heap;
  memory_init(&heap, NULL);
  assert_null(memory_allocate(&heap, SIZE_MAX, 2));
  assert_null(memory_allocate(&heap, SIZE_MAX / 8 + 1, 8));
  assert_null(memory_allocate(&heap, SIZE_MAX, 1));
  assert_int_equal(atomic_load(&heap.bytes_now), 0);
  assert_int_equal(atomic_load(&heap.bytes_peak), 0);
}

TEST(peak_is_the_highest_sum) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, 2);
  void *const a = memory_allocate(&heap, 100, 4);
  void *const b = memory_allocate(&heap, 50, 2);
  assert_null(memory_allocate(&heap, 1000, 1000));
  assert_int_equal(atomic_load(&heap.bytes_now), 500);
  memory_release(&heap, a, 100, 4);
  assert_int_equal(atomic_load(&heap.bytes_now), 100);
  void *const c = memory_allocate(&heap, 300, 1);
  assert_int_equal(atomic_load(&heap.bytes_now), 400);
  assert_int_equal(atomic_load(&heap.bytes_peak), 500);
  memory_release(&heap, b, 50, 2);
  memory_release(&heap, c, 300, 1);
  assert_true(checked_is_clean(&allocator, &heap));
  assert_int_equal(atomic_load(&heap.bytes_peak), 500);
}

static void take_and_give(void *context, uint32_t index, uint32_t worker) {
  memory *const heap = context;
  (void)worker;
  void *const kept = memory_allocate(heap, index + 1, 8);
  void *const passing = memory_allocate(heap, 10, 1);
  memory_release(heap, passing, 10, 1);
  memory_release(heap, kept, index + 1, 8);
}

TEST(workers_may_allocate_together) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  workers *const team = team_of_threads(&heap, 4);
  assert_non_null(team);
  workers_run(team, take_and_give, &heap, 500);
  assert_true(atomic_load(&heap.bytes_peak) >= 500 * 8 + 10);
  workers_destroy(&heap, team);
  assert_true(checked_is_clean(&allocator, &heap));
}

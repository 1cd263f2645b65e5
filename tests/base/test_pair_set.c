/* Compares pair sets with a table of all pairs while they grow and shrink, and when out of memory. */
#include "base/pair_set.h"
#include "testing.h"

#include "checked_allocator.h"
#include "number_sequence.h"

#include <stddef.h>
#include <string.h>

enum { SIDE = 200 };

TEST(test_has_what_was_added) {
  static bool added[SIDE][SIDE];
  memory heap;
  memory_init(&heap, NULL);
  pair_set set = {0};
  uint64_t seed = 1;
  size_t count = 0;
  memset(added, 0, sizeof added);
  assert_false(pair_set_has(&set, (index_pair){0, 0}));
  for (int step = 0; step < 20000; step++) {
    const index_pair pair = {(uint32_t)sequence_below(&seed, SIDE), (uint32_t)sequence_below(&seed, SIDE)};
    assert_int_equal(pair_set_has(&set, pair), added[pair.a][pair.b]);
    assert_true(pair_set_add(&set, &heap, pair));
    count += !added[pair.a][pair.b];
    added[pair.a][pair.b] = true;
    assert_int_equal(set.count, count);
  }
  for (uint32_t a = 0; a < SIDE; a++)
    for (uint32_t b = 0; b < SIDE; b++) assert_int_equal(pair_set_has(&set, (index_pair){a, b}), added[a][b]);
  pair_set_release(&set, &heap);
  assert_int_equal(set.count, 0);
  assert_int_equal(heap.bytes_now, 0);
}

/* Long runs of slots, so that what is removed lies in the middle of one; a pair that is not there changes nothing. */
TEST(test_removes) {
  static bool added[SIDE][SIDE];
  memory heap;
  memory_init(&heap, NULL);
  pair_set set = {0};
  uint64_t seed = 2;
  size_t count = 0;
  memset(added, 0, sizeof added);
  assert_false(pair_set_remove(&set, (index_pair){1, 2}));
  assert_true(pair_set_reserve(&set, &heap, 4000));
  const size_t slot_count = set.slot_count;
  for (int step = 0; step < 100000; step++) {
    const index_pair pair = {(uint32_t)sequence_below(&seed, SIDE), (uint32_t)sequence_below(&seed, SIDE)};
    bool *there = &added[pair.a][pair.b];
    if (sequence_below(&seed, 8000) >= count) {
      assert_true(pair_set_add(&set, &heap, pair));
      count += *there ? 0 : 1;
      *there = true;
    } else {
      assert_int_equal(pair_set_remove(&set, pair), *there);
      count -= *there ? 1 : 0;
      *there = false;
    }
    assert_int_equal(set.count, count);
    if (step % 10000 != 0) continue;
    for (uint32_t a = 0; a < SIDE; a++)
      for (uint32_t b = 0; b < SIDE; b++) assert_int_equal(pair_set_has(&set, (index_pair){a, b}), added[a][b]);
  }
  assert_true(count > 2000 && set.slot_count <= 4 * slot_count);
  pair_set_release(&set, &heap);
  assert_int_equal(heap.bytes_now, 0);
}

static void *refuse(void *context, size_t bytes, size_t alignment) {
  (void)context;
  (void)bytes;
  (void)alignment;
  return NULL;
}

/* A set that cannot grow keeps what it has. */
TEST(test_without_memory) {
  memory heap;
  memory_init(&heap, NULL);
  pair_set set = {0};
  assert_true(pair_set_add(&set, &heap, (index_pair){3, 4}));
  memory none = heap;
  none.allocator.allocate = refuse;
  size_t added = 0;
  while (pair_set_add(&set, &none, (index_pair){5, (uint32_t)added})) added++;
  assert_in_range(added, 1, 1000);
  assert_int_equal(set.count, added + 1);
  assert_true(pair_set_has(&set, (index_pair){3, 4}));
  assert_false(pair_set_has(&set, (index_pair){5, (uint32_t)added}));
  pair_set_release(&set, &heap);
}

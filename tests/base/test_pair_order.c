/* Compares the order of pairs with qsort, for inputs that take every path of the sort. */
#include "base/pair_order.h"
#include "testing.h"

#include "checked_allocator.h"
#include "number_sequence.h"
#include "test_scale.h"
#include "worker_teams.h"

#include <stddef.h>

typedef enum pair_shape {
  SHAPE_RANDOM,
  SHAPE_ONE_A, /* a floor under everything */
  SHAPE_ONE_B,
  SHAPE_FLOOR,   /* half of the pairs have the same a, the rest any */
  SHAPE_EQUAL,   /* one pair, again and again */
  SHAPE_CLUSTER, /* few neighboring indices of many */
  SHAPE_ENDS,    /* the smallest and the largest indices */
  SHAPE_REVERSED,
  SHAPE_OUTLIER, /* one pair far from a crowd: the crowd falls into one part and must be split */
  SHAPE_COUNT
} pair_shape;

static index_pair make_pair(pair_shape shape, uint64_t *seed, uint32_t items, size_t i, size_t count) {
  const uint32_t a = (uint32_t)sequence_below(seed, items), b = (uint32_t)sequence_below(seed, items);
  switch (shape) {
  case SHAPE_ONE_A:
    return (index_pair){items / 2, b};
  case SHAPE_ONE_B:
    return (index_pair){a, items - 1};
  case SHAPE_FLOOR:
    return (index_pair){i % 2 ? items / 3 : a, b};
  case SHAPE_EQUAL:
    return (index_pair){items / 2, items / 3};
  case SHAPE_CLUSTER:
    return (index_pair){items / 2 + a % (items / 50 + 1), items / 3 + b % (items / 40 + 1)};
  case SHAPE_ENDS:
    return (index_pair){a % 2 ? 0 : items - 1, b % 3 ? items - 1 - b % 2 * (items > 1) : 0};
  case SHAPE_REVERSED:
    return (index_pair){(uint32_t)((count - i) % items), b};
  case SHAPE_OUTLIER:
    return i == 0 ? (index_pair){items - 1, items - 1} : (index_pair){a % (items / 5000 + 1), b};
  default:
    return (index_pair){a, b};
  }
}

static int compare_pairs(const void *left, const void *right) {
  const index_pair *const x = left, *const y = right;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return x->b < y->b ? -1 : x->b > y->b;
}

/* Deals the pairs out to the lanes in uneven batches. */
static bool deal(pair_list *list, memory *heap, const index_pair *pairs, size_t count) {
  size_t at = 0;
  for (uint32_t round = 0; at < count; round++) {
    const size_t batch = 1 + round * 37 % 500 < count - at ? 1 + round * 37 % 500 : count - at;
    if (!pair_list_append(list, heap, round * round % list->worker_count, pairs + at, batch)) return false;
    at += batch;
  }
  return true;
}

static void check_order(pair_shape shape, uint32_t items, size_t count, memory *heap, workers *team) {
  index_pair *const expected = malloc((count + 1) * sizeof(index_pair));
  index_pair *const sorted = malloc((count + 1) * sizeof(index_pair));
  uint64_t seed = (uint64_t)shape * 7919 + count + items;
  for (size_t i = 0; i < count; i++) expected[i] = make_pair(shape, &seed, items, i, count);
  pair_list list;
  assert_true(pair_list_init(&list, heap, workers_count(team)));
  assert_true(deal(&list, heap, expected, count));
  sorted[count] = (index_pair){123, 456};
  assert_true(pair_order(&list, heap, team, items, sorted));
  qsort(expected, count, sizeof(index_pair), compare_pairs);
  if (memcmp(sorted, expected, count * sizeof(index_pair)) != 0) fail_msg("shape %d, %zu pairs", (int)shape, count);
  assert_int_equal(sorted[count].a, 123);
  assert_int_equal(sorted[count].b, 456);
  assert_int_equal(pair_list_count(&list), count);
  pair_list_release(&list, heap);
  free(expected);
  free(sorted);
}

static void check_shapes(uint32_t worker_count, uint32_t items, size_t count) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  workers *const team = team_of_threads(&heap, worker_count);
  assert_non_null(team);
  for (int shape = 0; shape < SHAPE_COUNT; shape++) check_order((pair_shape)shape, items, count, &heap, team);
  workers_destroy(&heap, team);
  assert_true(checked_is_clean(&allocator, &heap));
}

TEST(few_pairs) {
  static const size_t counts[] = {0, 1, 2, 3, 50, 4095, 4096, 4097, 8191};
  static const uint32_t items[] = {1, 2, 3, 1000, 1u << 20, UINT32_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    for (size_t j = 0; j < sizeof items / sizeof items[0]; j++) check_shapes(2, items[j], counts[i]);
}

TEST(many_pairs) {
  const size_t count = test_scaled(300000, 60000);
  for (uint32_t worker_count = 1; worker_count <= 5; worker_count += 2) {
    check_shapes(worker_count, 100000, count);
    check_shapes(worker_count, UINT32_MAX, count);
  }
  check_shapes(2, 300, count);
  check_shapes(2, (uint32_t)(count / 15), count); /* about as many of one a as are ranked, and more */
}

TEST(out_of_memory_is_reported) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  workers *const team = team_of_threads(&heap, 2);
  assert_non_null(team);
  pair_list list;
  assert_true(pair_list_init(&list, &heap, 2));
  static index_pair pairs[30000], sorted[30000];
  uint64_t seed = 9;
  for (size_t i = 0; i < 30000; i++) pairs[i] = make_pair(SHAPE_RANDOM, &seed, 5000, i, 30000);
  assert_true(deal(&list, &heap, pairs, 30000));
  const size_t live = atomic_load(&allocator.live);
  size_t failures = 0;
  for (bool done = false; !done;) {
    allocator.refused = atomic_load(&allocator.allocations) + failures;
    done = pair_order(&list, &heap, team, 5000, sorted);
    assert_int_equal(atomic_load(&allocator.live), live);
    if (!done) failures++;
  }
  assert_true(failures >= 5);
  qsort(pairs, 30000, sizeof(index_pair), compare_pairs);
  assert_memory_equal(sorted, pairs, sizeof pairs);
  pair_list_release(&list, &heap);
  workers_destroy(&heap, team);
  assert_true(checked_is_clean(&allocator, &heap));
}

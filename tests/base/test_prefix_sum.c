/* Compares prefix sums with their definition. */
#include "base/prefix_sum.h"
#include "testing.h"

#include "checked_allocator.h"
#include "number_sequence.h"
#include "worker_teams.h"

#include <stddef.h>

static const size_t counts[] = {0, 1, 2, 3, 1000, 32767, 32768, 32769, 65536, 100003, 1000000};
#define COUNT_COUNT (sizeof counts / sizeof counts[0])

/* `bound` is what values stay below; 2^32 makes the sums wrap. */
static void check(size_t count, uint64_t bound, workers *team_or_null) {
  uint32_t *const values = malloc((count + 1) * sizeof(uint32_t));
  uint32_t *const expected = malloc((count + 1) * sizeof(uint32_t));
  uint64_t seed = count * 31 + bound, sum = 0;
  for (size_t i = 0; i < count; i++) {
    values[i] = (uint32_t)sequence_below(&seed, bound);
    expected[i] = (uint32_t)(sum & UINT32_MAX);
    sum += values[i];
  }
  values[count] = expected[count] = 77; /* past the end */
  const uint64_t total = team_or_null ? prefix_sum_parallel(values, count, team_or_null) : prefix_sum(values, count);
  assert_true(total == sum);
  assert_memory_equal(values, expected, (count + 1) * sizeof(uint32_t));
  free(values);
  free(expected);
}

TEST(sums_follow_the_definition) {
  for (size_t i = 0; i < COUNT_COUNT; i++) {
    check(counts[i], 10, NULL);
    check(counts[i], UINT64_C(1) << 32, NULL);
  }
}

TEST(sums_do_not_depend_on_the_workers) {
  static const uint32_t worker_counts[] = {1, 2, 3, 8, 200};
  memory heap;
  memory_init(&heap, NULL);
  for (size_t i = 0; i < sizeof worker_counts / sizeof worker_counts[0]; i++) {
    workers *const team = team_of_threads(&heap, worker_counts[i]);
    assert_non_null(team);
    for (size_t j = 0; j < COUNT_COUNT; j++) {
      check(counts[j], 10, team);
      check(counts[j], UINT64_C(1) << 32, team);
    }
    workers_destroy(&heap, team);
  }
}

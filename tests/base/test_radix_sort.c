/* Compares radix sorts with the C library's qsort, with the position as the last key. */
#include "base/radix_sort.h"
#include "testing.h"

#include "checked_allocator.h"
#include "number_sequence.h"
#include "test_scale.h"
#include "worker_teams.h"

#include <stddef.h>

typedef enum key_kind {
  KEYS_RANDOM,
  KEYS_EQUAL,
  KEYS_TWO_VALUES,
  KEYS_SORTED,
  KEYS_REVERSED,
  KEYS_LOW_BITS,
  KEYS_HIGH_BITS,
  KEYS_MIDDLE_BITS,
  KEYS_SPREAD_BITS,
  KEYS_ONE_OUTLIER,
  KEYS_FEW_LONG,
  KEYS_OFTEN_ONE,
  KEYS_MOSTLY_ONE,
  KEYS_FOOL_SAMPLES,
  KEYS_KIND_COUNT
} key_kind;

static uint64_t make_key(key_kind kind, uint64_t *seed, size_t i, size_t count) {
  const uint64_t number = sequence_next(seed);
  switch (kind) {
  case KEYS_EQUAL:
    return UINT64_C(0x123456789abcdef0);
  case KEYS_TWO_VALUES:
    return number & 1 ? UINT64_MAX : 0;
  case KEYS_SORTED:
    return i * 3;
  case KEYS_REVERSED:
    return (count - i) << 20;
  case KEYS_LOW_BITS:
    return number & 0xfff;
  case KEYS_HIGH_BITS:
    return number << 55;
  case KEYS_MIDDLE_BITS:
    return UINT64_C(0xff00000000000001) | (number & 0x1fffff) << 29;
  case KEYS_SPREAD_BITS:
    return number & UINT64_C(0x8000400020011001);
  case KEYS_ONE_OUTLIER:
    return i == count / 2 ? 0 : UINT64_C(0xfffffffffffffff0);
  case KEYS_FEW_LONG: /* most share a digit, and the next, and many are equal */
    return number % 300 == 0 ? number : number % 7 == 0 ? number & 0x3ff00 : number & 0xff;
  case KEYS_OFTEN_ONE: /* a part of its own that is too large for one worker */
    return number % 10 < 4 ? UINT64_C(1) << 40 : number & UINT64_C(0x1ffffffffff);
  case KEYS_MOSTLY_ONE:
    return number % 10 < 7 ? UINT64_C(1) << 40 : number & UINT64_C(0x1ffffffffff);
  case KEYS_FOOL_SAMPLES: /* those at the distances of samples are the lowest */
    return i % 4 == 0 || i % 5 == 0 || i % 7 == 0 ? i & 3 : number | UINT64_C(1) << 50;
  default:
    return number;
  }
}

typedef struct oracle_record {
  uint64_t key, masked;
  uint32_t position;
} oracle_record;

static int compare_records(const void *left, const void *right) {
  const oracle_record *const a = left, *const b = right;
  if (a->masked != b->masked) return a->masked < b->masked ? -1 : 1;
  return a->position < b->position ? -1 : a->position > b->position;
}

typedef struct sort_case {
  size_t count;
  uint64_t *keys, *scratch_keys, *sorted_keys;
  uint32_t *values, *scratch_values;
  oracle_record *oracle;
} sort_case;

static sort_case case_make(key_kind kind, size_t count, uint32_t key_bits) {
  sort_case made = {.count = count};
  made.keys = malloc((count + 1) * sizeof(uint64_t));
  made.scratch_keys = malloc((count + 1) * sizeof(uint64_t));
  made.sorted_keys = malloc((count + 1) * sizeof(uint64_t));
  made.values = malloc((count + 1) * sizeof(uint32_t));
  made.scratch_values = malloc((count + 1) * sizeof(uint32_t));
  made.oracle = malloc((count + 1) * sizeof(oracle_record));
  uint64_t seed = (uint64_t)kind * 1000003 + count;
  for (size_t i = 0; i < count; i++) {
    const uint64_t key = make_key(kind, &seed, i, count);
    made.keys[i] = key;
    made.oracle[i] = (oracle_record){key, key_bits == 64 ? key : key & ((UINT64_C(1) << key_bits) - 1), (uint32_t)i};
  }
  qsort(made.oracle, count, sizeof(oracle_record), compare_records);
  return made;
}

static void case_free(sort_case *made) {
  free(made->keys);
  free(made->scratch_keys);
  free(made->sorted_keys);
  free(made->values);
  free(made->scratch_values);
  free(made->oracle);
}

static void case_start(sort_case *made) {
  for (size_t i = 0; i < made->count; i++) made->values[i] = (uint32_t)i;
  memcpy(made->sorted_keys, made->keys, made->count * sizeof(uint64_t));
}

static void case_check(const sort_case *made, bool with_values) {
  for (size_t i = 0; i < made->count; i++) {
    if (made->sorted_keys[i] != made->oracle[i].key) fail_msg("key %zu of %zu differs", i, made->count);
    if (with_values && made->values[i] != made->oracle[i].position) fail_msg("value %zu differs", i);
  }
}

static void check_serial(key_kind kind, size_t count, uint32_t key_bits) {
  sort_case made = case_make(kind, count, key_bits);
  case_start(&made);
  radix_sort_keys(made.sorted_keys, made.scratch_keys, count, key_bits);
  case_check(&made, false);
  case_start(&made);
  radix_sort_pairs(made.sorted_keys, made.values, made.scratch_keys, made.scratch_values, count, key_bits);
  case_check(&made, true);
  case_free(&made);
}

static void check_parallel(key_kind kind, size_t count, uint32_t key_bits, memory *heap, workers *team) {
  sort_case made = case_make(kind, count, key_bits);
  case_start(&made);
  radix_sort_keys_stoppable(made.sorted_keys, made.scratch_keys, count, key_bits, heap, team, NULL);
  case_check(&made, false);
  case_start(&made);
  radix_sort_pairs_stoppable(made.sorted_keys, made.values, made.scratch_keys, made.scratch_values, count, key_bits,
                             heap, team, NULL);
  case_check(&made, true);
  case_free(&made);
}

TEST(every_kind_of_keys_is_sorted) {
  static const size_t counts[] = {0, 1, 2, 39, 40, 41, 255, 1000, 20011};
  for (int kind = 0; kind < KEYS_KIND_COUNT; kind++)
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) check_serial((key_kind)kind, counts[i], 64);
}

TEST(bits_above_key_bits_take_no_part) {
  for (uint32_t key_bits = 1; key_bits <= 64; key_bits++) {
    check_serial(KEYS_RANDOM, 20, key_bits);
    check_serial(KEYS_RANDOM, 500, key_bits);
    check_serial(KEYS_SPREAD_BITS, 500, key_bits);
  }
}

TEST(workers_give_the_same) {
  static const uint32_t worker_counts[] = {1, 2, 3, 7};
  const size_t large = test_scaled(100003, 40000);
  for (size_t i = 0; i < sizeof worker_counts / sizeof worker_counts[0]; i++) {
    checked_allocator allocator;
    memory heap;
    checked_init(&allocator, &heap, SIZE_MAX);
    workers *const team = team_of_threads(&heap, worker_counts[i]);
    assert_non_null(team);
    const size_t before = atomic_load(&allocator.allocations);
    for (int kind = 0; kind < KEYS_KIND_COUNT; kind++) check_parallel((key_kind)kind, large, 64, &heap, team);
    check_parallel(KEYS_RANDOM, 32768, 21, &heap, team);
    check_parallel(KEYS_RANDOM, 32767, 64, &heap, team);
    check_parallel(KEYS_RANDOM, 8192, 64, &heap, team);
    check_parallel(KEYS_RANDOM, 8191, 64, &heap, team);
    check_parallel(KEYS_RANDOM, 0, 64, &heap, team);
    assert_true((atomic_load(&allocator.allocations) > before) == (worker_counts[i] > 1));
    workers_destroy(&heap, team);
    assert_true(checked_is_clean(&allocator, &heap));
  }
}

TEST(without_memory_the_sort_is_serial) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  workers *const team = team_of_threads(&heap, 2);
  assert_non_null(team);
  allocator.refused = atomic_load(&allocator.allocations);
  allocator.refuse_all_after = true;
  check_parallel(KEYS_RANDOM, 50000, 64, &heap, team);
  assert_true(atomic_load(&allocator.allocations) > allocator.refused);
  workers_destroy(&heap, team);
  assert_true(checked_is_clean(&allocator, &heap));
}

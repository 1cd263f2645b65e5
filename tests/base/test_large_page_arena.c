/* Arenas of large pages: what is cut out of regions and what is not, when regions come and go, and that nothing that is
 * out overlaps. */
#include "base/large_page_arena.h"
#include "checked_allocator.h"
#include "test_scale.h"
#include "worker_teams.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "allocation_storm.h"

#define KIBIBYTE ((size_t)1024)
#define MEBIBYTE ((size_t)1024 * 1024)

typedef struct arena_test {
  checked_allocator allocator;
  memory backing; /* counts nothing but what the team of threads has */
  large_page_arena arena;
  memory heap; /* what is allocated from */
} arena_test;

static void begin(arena_test *t, size_t refused) {
  checked_init(&t->allocator, &t->backing, refused);
  large_page_arena_init(&t->arena, &t->backing.allocator);
  const graze_allocator allocator = large_page_arena_allocator(&t->arena);
  memory_init(&t->heap, &allocator);
}

static void end(arena_test *t) {
  assert_int_equal(atomic_load(&t->heap.bytes_now), 0);
  large_page_arena_release(&t->arena);
  assert_true(checked_is_clean(&t->allocator, &t->backing));
}

static size_t calls(arena_test *t) {
  return atomic_load(&t->allocator.allocations);
}

static size_t live(arena_test *t) {
  return atomic_load(&t->allocator.live);
}

/* Arrays of a small scene, however many, come one by one from the source. */
static void test_small_scenes_have_no_region(void **state) {
  (void)state;
  arena_test t;
  begin(&t, SIZE_MAX);
  large_page_arena_expect(&t.arena, ARENA_FIRST - 1);
  void *arrays[40];
  for (int i = 0; i < 40; i++) arrays[i] = memory_allocate(&t.heap, 600 * KIBIBYTE, 1);
  assert_int_equal(calls(&t), 40);
  assert_int_equal(t.arena.region_bytes, 0);
  for (int i = 0; i < 40; i++) memory_release(&t.heap, arrays[i], 600 * KIBIBYTE, 1);
  end(&t);
}

/* Those of a large one share regions; what is below a page, or has large pages by itself, does not. */
static void test_arrays_share_regions(void **state) {
  (void)state;
  arena_test t;
  begin(&t, SIZE_MAX);
  void *before = memory_allocate(&t.heap, 500 * KIBIBYTE, 1);
  large_page_arena_expect(&t.arena, ARENA_FIRST);
  void *arrays[4];
  for (int i = 0; i < 4; i++) arrays[i] = memory_allocate(&t.heap, 900 * KIBIBYTE, 1);
  assert_int_equal(calls(&t), 2);
  assert_int_equal(t.arena.region_bytes, MEMORY_LARGE_BLOCK);
  void *small = memory_allocate(&t.heap, ARENA_SMALLEST - 1, 1), *page = memory_allocate(&t.heap, ARENA_SMALLEST, 1);
  assert_int_equal(calls(&t), 3);
  void *large = memory_allocate(&t.heap, MEMORY_LARGE_BLOCK, 1);
  assert_int_equal(calls(&t), 4);
  /* The largest that is cut does not fit into the smallest region. */
  void *nearly = memory_allocate(&t.heap, MEMORY_LARGE_BLOCK - 1, 1);
  assert_int_equal(calls(&t), 5);
  assert_int_equal(t.arena.region_bytes, MEMORY_LARGE_BLOCK + MEMORY_LARGE_BLOCK + MEMORY_LARGE_PAGE);
  memset(nearly, 1, MEMORY_LARGE_BLOCK - 1);
  memory_release(&t.heap, before, 500 * KIBIBYTE, 1);
  memory_release(&t.heap, small, ARENA_SMALLEST - 1, 1);
  memory_release(&t.heap, page, ARENA_SMALLEST, 1);
  memory_release(&t.heap, large, MEMORY_LARGE_BLOCK, 1);
  memory_release(&t.heap, nearly, MEMORY_LARGE_BLOCK - 1, 1);
  for (int i = 0; i < 4; i++) memory_release(&t.heap, arrays[i], 900 * KIBIBYTE, 1);
  end(&t);
}

/* A region that is empty goes back, but for a last one of the smallest size, which serves what comes next. */
static void test_empty_regions_go_back(void **state) {
  (void)state;
  enum { ARRAYS = 200 };
  arena_test t;
  begin(&t, SIZE_MAX);
  large_page_arena_expect(&t.arena, ARENA_FIRST);
  for (int round = 0; round < 3; round++) {
    void *arrays[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) arrays[i] = memory_allocate(&t.heap, MEBIBYTE, 1);
    assert_in_range(t.arena.region_bytes, ARRAYS * MEBIBYTE, ARRAYS * MEBIBYTE * 3 / 2);
    assert_in_range(live(&t), 5, 11); /* 4, 4, 8, 16, 32, 64 MiB and so on */
    for (int i = 1; i <= ARRAYS; i++) memory_release(&t.heap, arrays[i * 77 % ARRAYS], MEBIBYTE, 1);
    assert_int_equal(live(&t), 1); /* the first array was the last to go, and lay in the first region */
    assert_int_equal(t.arena.region_bytes, MEMORY_LARGE_BLOCK);
  }
  end(&t);
}

/* Where no region can be had, arrays come one by one, as far as they do. */
static void test_refused_regions(void **state) {
  (void)state;
  arena_test t;
  begin(&t, 0);
  large_page_arena_expect(&t.arena, ARENA_FIRST);
  void *first = memory_allocate(&t.heap, MEBIBYTE, 1);
  assert_non_null(first);
  assert_int_equal(t.arena.region_bytes, 0);
  t.allocator.refused = 2;
  t.allocator.refuse_all_after = true;
  assert_null(memory_allocate(&t.heap, MEBIBYTE, 1));
  t.allocator.refused = SIZE_MAX;
  t.allocator.refuse_all_after = false;
  void *second = memory_allocate(&t.heap, MEBIBYTE, 1);
  assert_non_null(second);
  assert_int_equal(t.arena.region_bytes, MEMORY_LARGE_BLOCK);
  memory_release(&t.heap, first, MEBIBYTE, 1);
  memory_release(&t.heap, second, MEBIBYTE, 1);
  end(&t);
}

static void storm_task(void *context, uint32_t index, uint32_t worker) {
  (void)worker;
  arena_test *t = context;
  if (index == 5) large_page_arena_expect(&t->arena, ARENA_FIRST);
  allocation_storm(&t->heap, index + 1, test_sanitized(60, 400));
}

/* From several threads, some of whose memory was given out before there were regions. */
static void test_storms_of_threads(void **state) {
  (void)state;
  arena_test t;
  begin(&t, SIZE_MAX);
  workers *team = team_of_threads(&t.backing, 4);
  assert_non_null(team);
  for (int frame = 0; frame < 3; frame++) workers_run(team, storm_task, &t, 24);
  assert_true(t.arena.cuts);
  workers_destroy(&t.backing, team);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_scenes_have_no_region), cmocka_unit_test(test_arrays_share_regions),
      cmocka_unit_test(test_empty_regions_go_back),       cmocka_unit_test(test_refused_regions),
      cmocka_unit_test(test_storms_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

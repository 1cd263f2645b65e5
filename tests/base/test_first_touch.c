/* Touching large blocks: a byte in each large page, none beside the block. */
#include "base/first_touch.h"

#include "worker_teams.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUARD_BYTES = 64, UNTOUCHED = 0x5a };

static bool all_untouched(const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i] != UNTOUCHED) return false;
  return true;
}

static void check_block(workers *team, size_t bytes, bool touched) {
  unsigned char *room = malloc(bytes + 2 * GUARD_BYTES), *block = room + GUARD_BYTES;
  assert_non_null(room);
  memset(room, UNTOUCHED, bytes + 2 * GUARD_BYTES);
  first_touch(team, block, bytes);
  assert_true(all_untouched(room, GUARD_BYTES));
  assert_true(all_untouched(block + bytes, GUARD_BYTES));
  /* Wherever pages begin: no stretch of a page's length is without a touched byte, nor is the end of the block. */
  size_t last = 0;
  for (size_t i = 0; i < bytes; i++) {
    if (block[i] != UNTOUCHED) last = i;
    if (touched && i - last >= MEMORY_LARGE_PAGE)
      fail_msg("byte %zu of %zu is in a page that nobody touched", i, bytes);
  }
  assert_int_equal(block[0] != UNTOUCHED, touched);
  assert_int_equal(block[bytes - 1] != UNTOUCHED, touched);
  free(room);
}

static void each_page_is_touched(void **state) {
  (void)state;
  memory heap;
  memory_init(&heap, NULL);
  workers *const team = team_of_threads(&heap, 3);
  check_block(team, MEMORY_LARGE_BLOCK, true);
  check_block(team, MEMORY_LARGE_BLOCK + 1, true);
  check_block(team, 5 * MEMORY_LARGE_PAGE - 1, true);
  check_block(team, 5 * MEMORY_LARGE_PAGE + 4097, true);
  workers_destroy(&heap, team);
}

static void small_blocks_and_lone_workers_need_none(void **state) {
  (void)state;
  memory heap;
  memory_init(&heap, NULL);
  workers *const team = team_of_threads(&heap, 2), *const alone = team_of_threads(&heap, 1);
  check_block(team, MEMORY_LARGE_BLOCK - 1, false);
  check_block(team, 1, false);
  check_block(alone, MEMORY_LARGE_BLOCK + 1, false);
  first_touch(team, NULL, 0);
  workers_destroy(&heap, alone);
  workers_destroy(&heap, team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_page_is_touched),
      cmocka_unit_test(small_blocks_and_lone_workers_need_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

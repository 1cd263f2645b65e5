/* Tests touching of large blocks: one byte in each large page, and none outside of the block. */
#include "base/workers.h"
#include "testing.h"

#include "worker_teams.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

TEST(each_page_is_touched) {
  memory heap;
  memory_init(&heap, NULL);
  workers *const team = team_of_threads(&heap, 3);
  check_block(team, MEMORY_LARGE_BLOCK, true);
  check_block(team, MEMORY_LARGE_BLOCK + 1, true);
  check_block(team, 5 * MEMORY_LARGE_PAGE - 1, true);
  check_block(team, 5 * MEMORY_LARGE_PAGE + 4097, true);
  workers_destroy(&heap, team);
}

/* A block of which each task is to touch a byte that none has touched. */
typedef struct watched_block {
  unsigned char *first;
  size_t bytes;
  uint32_t tasks;
} watched_block;

static size_t count_touched(const watched_block *block) {
  size_t count = 0;
  for (size_t i = 0; i < block->bytes; i++) count += block->first[i] != UNTOUCHED;
  return count;
}

/* One task after the other. */
static void run_watched(void *context, graze_task *task, void *task_context, uint32_t count) {
  watched_block *block = context;
  for (uint32_t i = 0; i < count; i++) {
    task(task_context, i, 0);
    assert_int_equal(count_touched(block), ++block->tasks);
  }
}

/* Two that wrote to the same byte would race. */
TEST(each_task_has_a_byte_of_its_own) {
  const size_t sizes[] = {MEMORY_LARGE_BLOCK, MEMORY_LARGE_BLOCK + 1, MEMORY_LARGE_BLOCK + 2};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    watched_block block = {malloc(sizes[i]), sizes[i], 0};
    assert_non_null(block.first);
    memset(block.first, UNTOUCHED, block.bytes);
    const graze_task_system tasks = {sizeof tasks, &block, 2, run_watched};
    graze_workers_def def = team_definition(GRAZE_THREADING_AUTO, 2);
    def.tasks = &tasks;
    memory heap;
    memory_init(&heap, NULL);
    workers *team = NULL;
    assert_int_equal(workers_create(&heap, &def, &team), GRAZE_OK);
    first_touch(team, block.first, block.bytes);
    assert_true(block.tasks > 1);
    workers_destroy(&heap, team);
    free(block.first);
  }
}

TEST(small_blocks_and_lone_workers_need_none) {
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

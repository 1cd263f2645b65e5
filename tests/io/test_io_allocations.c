/* Fails every allocation of libgraze_io in turn: a result code, a message, no leak, and the same call succeeds
 * afterwards. All memory comes from the caller's allocator. */
#include "io_tools.h"
#include "testing.h"

#include <stdio.h>
#include <string.h>

enum { KIND_COUNT = 5 };

/* Makes a list, appends a mesh and writes it, with one allocation that fails. GRAZE_OK, or the first failure. */
static graze_result write_once(counting_allocator *memory, graze_kind kind, const char *path) {
  OWNED(graze_io_meshes) *list = NULL;
  const graze_mesh_def def = small_mesh(kind);
  graze_io_write_options options = graze_io_write_options_default();
  options.allocator = &memory->hooks;
  graze_result result = graze_io_meshes_create(&memory->hooks, &list);
  if (result == GRAZE_OK) {
    result = graze_io_append(list, kind, &def);
    assert_int_equal(graze_io_meshes_count(list), result == GRAZE_OK);
  }
  if (result == GRAZE_OK) result = graze_io_write_file(path, list, &options);
  return result;
}

static graze_result read_once(counting_allocator *memory, const char *path) {
  OWNED(graze_io_meshes) *list = NULL;
  graze_io_read_options options = graze_io_read_options_default();
  options.allocator = &memory->hooks;
  options.separate = true;
  const graze_result result = graze_io_read_file(path, &options, &list);
  assert_int_equal(list != NULL, result == GRAZE_OK);
  if (list != NULL) assert_true(memory->live_bytes > 0);
  return result;
}

/* How many allocations failed with a code; the last ones cut blocks to their size, and may fail without harm. */
static size_t fail_each(graze_kind kind, const char *path, bool read) {
  size_t failures = 0;
  for (size_t fail_at = 1;; fail_at++) {
    counting_allocator memory;
    counting_allocator_start(&memory, fail_at);
    const graze_result result = read ? read_once(&memory, path) : write_once(&memory, kind, path);
    assert_int_equal(memory.live_bytes, 0);
    if (result != GRAZE_OK) {
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      assert_non_null(strstr(graze_io_error_text(), "out of memory"));
      failures++;
    }
    if (memory.calls < fail_at) return failures;
  }
}

TEST(each_allocation_fails_once) {
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    for (int compressed = 0; compressed < 2; compressed++) {
      char path[32];
      snprintf(path, sizeof path, "kind%d%s%s", kind, ending_of((graze_kind)kind), compressed ? ".gz" : "");
      assert_true(fail_each((graze_kind)kind, path, false) >= 4);
      assert_true(fail_each((graze_kind)kind, path, true) >= 4);
    }
  }
}

TEST(allocators_are_checked) {
  graze_io_meshes *list = NULL;
  graze_allocator half = graze_allocator_default();
  half.release = NULL;
  assert_int_equal(graze_io_meshes_create(&half, &list), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_io_meshes_create(&(graze_allocator){0}, &list), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_io_error_text(), "graze_allocator_default()"));
  assert_null(list);
}

TEST_GROUP(enter_folder, leave_folder)

/* Every allocation of every reader and writer fails once, in turn: a sentence, no mesh, no block left, and the same
 * call succeeds afterwards. */
#include "reading_tools.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A file on which reading must grow each of its arrays at least twice. */
static void write_file(const char *path, bool text) {
  enum { VERTICES = 2500, POLYGONS = 2500 };
  mesh two[2];
  for (int i = 0; i < 2; i++) {
    mesh m = {.name = (char *)(i ? "second" : "first"), .vertex_count = VERTICES, .polygon_count = POLYGONS};
    m.positions = malloc(3 * VERTICES * sizeof *m.positions);
    m.triangles = malloc(6 * POLYGONS * sizeof *m.triangles);
    m.polygon_first = malloc((POLYGONS + 1) * sizeof *m.polygon_first);
    m.corners = malloc(4 * POLYGONS * sizeof *m.corners);
    for (int j = 0; j < 3 * VERTICES; j++) m.positions[j] = j * 0.25 + i;
    for (uint32_t j = 0; j < POLYGONS; j++) {
      const uint32_t corners[] = {j, (j + 1) % VERTICES, (j + 2) % VERTICES, j / 2};
      const uint32_t triangles[] = {corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]};
      memcpy(m.corners + 4 * j, corners, sizeof corners);
      memcpy(m.triangles + 6 * j, triangles, sizeof triangles);
      m.polygon_first[j] = 4 * j;
    }
    m.polygon_first[POLYGONS] = 4 * POLYGONS;
    m.triangle_count = 2 * POLYGONS;
    two[i] = m;
  }
  char error[256];
  const mesh_write_options options = {.text = text};
  if (!mesh_file_write(path, two, 2, &options, error, sizeof error)) fail_msg("%s", error);
  for (int i = 0; i < 2; i++) {
    two[i].name = NULL;
    mesh_free(&two[i]);
  }
}

/* The last allocations cut arrays to their size, and may fail without harm. */
static void fail_each(const char *path, bool separate) {
  size_t failures = 0;
  for (size_t fail_at = 1;; fail_at++) {
    counted_memory memory = {.fail_at = fail_at};
    const mesh_read_options options = {.separate = separate, .memory = counted_memory_hook(&memory)};
    mesh *meshes;
    size_t mesh_count;
    char error[256];
    if (mesh_file_read(path, &options, &meshes, &mesh_count, error, sizeof error)) {
      assert_string_equal(error, "");
      assert_true(memory.live > 0);
      mesh_list_free(meshes, mesh_count);
      if (memory.calls < fail_at) break;
      continue;
    }
    failures++;
    assert_int_equal(memory.live, 0);
    assert_null(meshes);
    assert_int_equal(mesh_count, 0);
    if (!strstr(error, ": out of memory for ")) fail_msg("\"%s\" after allocation %zu", error, fail_at);
  }
  assert_true(failures >= 5);
}

static void readers_survive(void **state) {
  (void)state;
  static const struct {
    const char *path;
    bool text;
  } files[] = {{"a.obj", false}, {"a.obj.gz", false}, {"a.ply", false}, {"a.ply", true},
               {"a.stl", false}, {"a.stl", true},     {"a.off", false}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    write_file(files[i].path, files[i].text);
    fail_each(files[i].path, false);
    fail_each(files[i].path, true);
  }
}

/* Groups without a name take the file's. */
static void nameless_groups_survive(void **state) {
  (void)state;
  static const char text[] = "v 0 0 0\nf 1 1 1\ng\nf 1 1 1\ng x\nf 1 1 1 1\n";
  write_bytes("groups.obj", text, sizeof text - 1);
  fail_each("groups.obj", true);
}

static void writers_survive(void **state) {
  (void)state;
  static const char *const paths[] = {"b.obj", "b.obj.gz"};
  double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  uint32_t triangles[] = {0, 1, 2};
  const mesh m = {
      .positions = positions, .vertex_count = 3, .polygon_count = 1, .triangles = triangles, .triangle_count = 1};
  for (size_t i = 0; i < 2; i++) {
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
      counted_memory memory = {.fail_at = fail_at};
      const mesh_write_options options = {.memory = counted_memory_hook(&memory)};
      char error[256];
      done = mesh_file_write(paths[i], &m, 1, &options, error, sizeof error);
      assert_int_equal(memory.live, 0);
      if (!done) assert_non_null(strstr(error, ": out of memory for "));
      if (fail_at == 1) assert_false(done);
    }
  }
}

/* A file that cannot be opened leaves nothing behind either. */
static void failed_openings_leave_nothing(void **state) {
  (void)state;
  static const char *const paths[] = {"nowhere/b.obj", "nowhere/b.obj.gz"};
  const mesh none = {0};
  for (size_t i = 0; i < 2; i++) {
    counted_memory memory = {0};
    const mesh_write_options options = {.memory = counted_memory_hook(&memory)};
    char error[256];
    assert_false(mesh_file_write(paths[i], &none, 1, &options, error, sizeof error));
    assert_int_equal(memory.live, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readers_survive),
      cmocka_unit_test(nameless_groups_survive),
      cmocka_unit_test(writers_survive),
      cmocka_unit_test(failed_openings_leave_nothing),
  };
  return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}

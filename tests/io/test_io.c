/* Tests libgraze_io as a user: every kind is written to a file, read, and added to scenes; invalid input is rejected
 * with a message. */
#include "io_tools.h"
#include "scene_calls.h"
#include "testing.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_COUNT = 5 };

static graze_io_meshes *list_of(graze_kind kind) {
  graze_io_meshes *list = NULL;
  const graze_mesh_def def = small_mesh(kind);
  assert_ok(graze_io_meshes_create(NULL, &list));
  assert_ok(graze_io_append(list, kind, &def));
  return list;
}

static void expect_same_numbers(graze_view a, graze_view b, size_t element_bytes) {
  assert_int_equal(a.count, b.count);
  assert_int_equal(a.format, b.format);
  if (a.count > 0) assert_memory_equal(a.data, b.data, a.count * element_bytes);
}

static void expect_same(const graze_io_meshes *a, const graze_io_meshes *b) {
  graze_mesh_def of_a = graze_mesh_def_default(), of_b = graze_mesh_def_default();
  graze_io_info info_a = {0}, info_b = {0};
  assert_ok(graze_io_get_info(a, 0, &info_a));
  assert_ok(graze_io_get_info(b, 0, &info_b));
  assert_int_equal(info_a.struct_bytes, sizeof info_a);
  assert_int_equal(info_a.kind, info_b.kind);
  assert_int_equal(info_a.vertex_count, info_b.vertex_count);
  assert_int_equal(info_a.primitive_count, info_b.primitive_count);
  assert_ok(graze_io_get_def(a, 0, &of_a));
  assert_ok(graze_io_get_def(b, 0, &of_b));
  expect_same_numbers(of_a.positions, of_b.positions, 3 * sizeof(double));
  expect_same_numbers(of_a.radii, of_b.radii, sizeof(double));
  expect_same_numbers(of_a.triangles, of_b.triangles, 3 * sizeof(uint32_t));
  expect_same_numbers(of_a.tetrahedra, of_b.tetrahedra, 4 * sizeof(uint32_t));
  expect_same_numbers(of_a.corners, of_b.corners, sizeof(uint32_t));
  expect_same_numbers(of_a.face_starts, of_b.face_starts, sizeof(uint32_t));
  expect_same_numbers(of_a.cell_starts, of_b.cell_starts, sizeof(uint32_t));
}

static char *read_all(const char *path, size_t *size_out) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *bytes = malloc(1 << 16);
  *size_out = fread(bytes, 1, 1 << 16, file);
  fclose(file);
  return bytes;
}

TEST(every_kind_comes_back) {
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    for (int compressed = 0; compressed < 2; compressed++) {
      char path[32];
      snprintf(path, sizeof path, "kind%d%s%s", kind, ending_of((graze_kind)kind), compressed ? ".gz" : "");
      OWNED(graze_io_meshes) *written = list_of((graze_kind)kind), *read = NULL, *copied = NULL;
      if (graze_io_write_file(path, written, NULL) != GRAZE_OK) fail_msg("%s", graze_io_error_text());
      if (graze_io_read_file(path, NULL, &read) != GRAZE_OK) fail_msg("%s", graze_io_error_text());
      size_t size;
      char *bytes = read_all(path, &size);
      assert_ok(graze_io_read_memory(bytes, size, path, NULL, &copied));
      memset(bytes, 0, size);
      free(bytes);
      assert_int_equal(graze_io_meshes_count(read), 1);
      expect_same(written, read);
      expect_same(read, copied);
    }
  }
}

/* One line adds a mesh of any kind; the scene has its kind, counts and name. Empty meshes too. */
TEST(every_kind_is_added_to_a_scene) {
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    for (int empty = 0; empty < 2; empty++) {
      OWNED(graze_io_meshes) *list = NULL;
      graze_mesh_def def = small_mesh((graze_kind)kind);
      if (empty) def = graze_mesh_def_default();
      if (empty) def.positions.format = GRAZE_FORMAT_DOUBLE3;
      assert_ok(graze_io_meshes_create(NULL, &list));
      if (graze_io_append(list, (graze_kind)kind, &def) != GRAZE_OK) fail_msg("%s", graze_io_error_text());
      OWNED_SCENE *scene = NULL;
      graze_object object;
      graze_object_info info = {0};
      graze_io_info expected = {0};
      assert_ok(graze_scene_create(NULL, &scene));
      if (graze_io_add_to_scene(list, 0, scene, &object) != GRAZE_OK) fail_msg("%s", graze_io_error_text());
      assert_ok(graze_object_get_info(scene, object, &info));
      assert_ok(graze_io_get_info(list, 0, &expected));
      assert_int_equal(info.kind, expected.kind);
      assert_int_equal(info.primitive_count, expected.primitive_count);
      assert_string_equal(info.name == NULL ? "" : info.name, expected.name);
      if (!empty) assert_int_equal(info.kind, kind);
    }
  }
}

static const char two_groups[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ng one\nf 1 2 3\ng two\nf 1 2 4\nstrange 1\n";

/* Without primitives, a scene would find nothing. */
TEST(empty_files_need_permission) {
  static const char points[] = "v 0 0 0\nv 1 0 0\np 1\nl 1 2\n";
  OWNED(graze_io_meshes) *list = NULL;
  graze_io_read_options options = graze_io_read_options_default();
  assert_int_equal(graze_io_read_memory(points, sizeof points - 1, "a.obj", &options, &list), GRAZE_FILE_FAILED);
  assert_null(list);
  assert_string_equal(graze_io_error_text(), "a.obj: no triangle, polygon, tetrahedron, polyhedron or sphere was read, "
                                             "only 2 vertices; skipped 1 line and 1 point");
  options.allow_empty = true;
  assert_ok(graze_io_read_memory(points, sizeof points - 1, "a.obj", &options, &list));
  graze_io_info info = {0};
  assert_ok(graze_io_get_info(list, 0, &info));
  assert_int_equal(info.vertex_count, 2);
  assert_int_equal(info.primitive_count, 0);
  assert_int_equal(info.skipped, 2);
}

TEST(options_are_used) {
  graze_io_meshes *list = NULL;
  graze_io_read_options options = graze_io_read_options_default();
  graze_io_info info = {0};
  options.separate = true;
  assert_ok(graze_io_read_memory(two_groups, sizeof two_groups - 1, "a.obj", &options, &list));
  assert_int_equal(graze_io_meshes_count(list), 2);
  assert_ok(graze_io_get_info(list, 1, &info));
  assert_string_equal(info.name, "two");
  assert_int_equal(info.vertex_count, 3);
  assert_ok(graze_io_get_info(list, 0, &info));
  assert_int_equal(info.unknown_lines, 1);
  assert_non_null(info.note);
  graze_io_meshes_destroy(list);
  options = graze_io_read_options_default();
  options.element_limit = 3;
  assert_int_equal(graze_io_read_memory(two_groups, sizeof two_groups - 1, "a.obj", &options, &list),
                   GRAZE_FILE_FAILED);
  options = graze_io_read_options_default();
  options.byte_limit = 20;
  assert_int_equal(graze_io_read_memory(two_groups, sizeof two_groups - 1, "a.obj", &options, &list),
                   GRAZE_FILE_FAILED);
  assert_non_null(strstr(graze_io_error_text(), "exceeds the limit of 20 bytes"));
  /* Recognised by content, and as text. */
  assert_ok(graze_io_read_memory(two_groups, sizeof two_groups - 1, NULL, NULL, &list));
  graze_io_write_options text = graze_io_write_options_default();
  text.text = true;
  assert_ok(graze_io_write_file("text.ply", list, &text));
  graze_io_meshes_destroy(list);
  size_t size;
  OWNED_MEMORY char *bytes = read_all("text.ply", &size);
  assert_memory_equal(bytes, "ply\nformat ascii", 16);
}

TEST(failures_have_a_code_and_a_message) {
  graze_io_meshes *list = (graze_io_meshes *)1;
  assert_int_equal(graze_io_read_file("nowhere.obj", NULL, &list), GRAZE_FILE_FAILED);
  assert_null(list);
  assert_string_equal(graze_io_error_text(), "nowhere.obj: cannot be opened: No such file or directory");
  assert_int_equal(graze_io_read_memory("v 0 0 nan\n", 10, "a.obj", NULL, &list), GRAZE_FILE_FAILED);
  assert_memory_equal(graze_io_error_text(), "a.obj:1: ", 9);
  assert_int_equal(graze_io_read_memory("4 3 0 0\n", 8, "a.node", NULL, &list), GRAZE_FILE_FAILED);
  assert_non_null(strstr(graze_io_error_text(), "two files"));
  assert_int_equal(graze_io_read_memory(NULL, 0, "a.obj", NULL, &list), GRAZE_FILE_FAILED);
  assert_int_equal(graze_io_read_memory(NULL, 1, "a.obj", NULL, &list), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_io_read_file(NULL, NULL, &list), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_io_read_file("a.obj", NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_io_read_file("a.obj", &(graze_io_read_options){0}, &list), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_io_error_text(), "graze_io_read_options_default()"));

  list = list_of(GRAZE_KIND_TETRAHEDRON);
  assert_int_equal(graze_io_write_file("a.stl", list, NULL), GRAZE_FILE_FAILED);
  assert_int_equal(graze_io_write_file("nowhere/a.vtk", list, NULL), GRAZE_FILE_FAILED);
  assert_int_equal(graze_io_write_file("a.vtk", NULL, NULL), GRAZE_INVALID_ARGUMENT);
  graze_io_info info = {0};
  graze_mesh_def def = graze_mesh_def_default();
  assert_int_equal(graze_io_get_info(list, 1, &info), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(info.struct_bytes, 0);
  assert_int_equal(graze_io_get_def(list, 1, &def), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(graze_io_get_def(list, 0, &(graze_mesh_def){0}), GRAZE_INVALID_ARGUMENT);
  graze_object object;
  assert_int_equal(graze_io_add_to_scene(list, 0, NULL, &object), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_io_error_text(), graze_error_text());
  graze_io_meshes_destroy(list);
  graze_io_meshes_destroy(NULL);
  assert_int_equal(graze_io_meshes_count(NULL), 0);
}

/* A change to a definition that is refused. The list stays as it was. */
static void expect_refused(graze_io_meshes *list, graze_kind kind, const graze_mesh_def *def, graze_result expected,
                           const char *words) {
  const size_t before = graze_io_meshes_count(list);
  assert_int_equal(graze_io_append(list, kind, def), expected);
  if (strstr(graze_io_error_text(), words) == NULL) fail_msg("no '%s' in: %s", words, graze_io_error_text());
  assert_int_equal(graze_io_meshes_count(list), before);
}

TEST(bad_arrays_are_refused) {
  OWNED(graze_io_meshes) *list = list_of(GRAZE_KIND_POLYHEDRON);
  const double bad_places[] = {0, 0, 0, 1, 0, NAN, 0, 1, 0};
  const double bad_radii[] = {1, -1, 1};
  const int32_t bad_triangle[] = {0, 1, -1};
  const uint32_t bad_sizes[] = {4, 2, 4, 4, 4, 4, 3, 3, 3, 3}, short_sizes[] = {4}, bad_starts[] = {0, 5, 8};
  graze_mesh_def def = small_mesh(GRAZE_KIND_TRIANGLE);
  def.positions = (graze_view){bad_places, 3, 0, GRAZE_FORMAT_DOUBLE3};
  expect_refused(list, GRAZE_KIND_TRIANGLE, &def, GRAZE_NOT_FINITE, "coordinate z of vertex 1");
  def = small_mesh(GRAZE_KIND_TRIANGLE);
  def.triangles = (graze_view){bad_triangle, 1, 0, GRAZE_FORMAT_INT32_3};
  expect_refused(list, GRAZE_KIND_TRIANGLE, &def, GRAZE_INDEX_OUT_OF_RANGE, "corner -1");
  def.triangles.format = GRAZE_FORMAT_DOUBLE3;
  expect_refused(list, GRAZE_KIND_TRIANGLE, &def, GRAZE_INVALID_ARGUMENT, "triangles");
  expect_refused(list, (graze_kind)99, &def, GRAZE_INVALID_ARGUMENT, "kind 99");
  def = small_mesh(GRAZE_KIND_SPHERE);
  def.radii.data = bad_radii;
  expect_refused(list, GRAZE_KIND_SPHERE, &def, GRAZE_NOT_FINITE, "radius of sphere 1");
  def.radii.count = 2;
  expect_refused(list, GRAZE_KIND_SPHERE, &def, GRAZE_INVALID_ARGUMENT, "2 radii for 3 positions");
  def = small_mesh(GRAZE_KIND_POLYGON);
  def.face_starts.data = bad_starts;
  assert_ok(graze_io_append(list, GRAZE_KIND_POLYGON, &def)); /* 5 corners and 3 */
  def.face_starts.count = 2;
  expect_refused(list, GRAZE_KIND_POLYGON, &def, GRAZE_INVALID_ARGUMENT, "5 of 8 corners");
  def.face_sizes = (graze_view){short_sizes, 1, 0, GRAZE_FORMAT_UINT32};
  expect_refused(list, GRAZE_KIND_POLYGON, &def, GRAZE_INVALID_ARGUMENT, "both sizes and starts");
  def = small_mesh(GRAZE_KIND_POLYHEDRON);
  def.face_sizes.data = bad_sizes;
  expect_refused(list, GRAZE_KIND_POLYHEDRON, &def, GRAZE_INVALID_ARGUMENT, "number 1 of faces has 2 parts");
  def = small_mesh(GRAZE_KIND_POLYHEDRON);
  def.cell_sizes = (graze_view){short_sizes, 1, 0, GRAZE_FORMAT_UINT32};
  expect_refused(list, GRAZE_KIND_POLYHEDRON, &def, GRAZE_INVALID_ARGUMENT, "face 4 belongs to no cell");
  expect_refused(list, GRAZE_KIND_POLYHEDRON, &(graze_mesh_def){0}, GRAZE_INVALID_ARGUMENT, "graze_mesh_def_default()");
  expect_refused(list, GRAZE_KIND_POLYHEDRON, NULL, GRAZE_INVALID_ARGUMENT, "NULL");
}

/* Each format of the list is written if and only if it says so. */
TEST(formats_are_listed) {
  assert_true(graze_io_format_count() > 0);
  assert_null(graze_io_format_ending(graze_io_format_count()));
  assert_null(graze_io_format_name(graze_io_format_count()));
  for (size_t i = 0; i < graze_io_format_count(); i++) {
    for (int kind = 0; kind < KIND_COUNT; kind++) {
      char path[32];
      snprintf(path, sizeof path, "format%s", graze_io_format_ending(i));
      OWNED(graze_io_meshes) *list = list_of((graze_kind)kind);
      const graze_result result = graze_io_write_file(path, list, NULL);
      /* Gmsh holds some cells alone. */
      if (kind != GRAZE_KIND_POLYHEDRON)
        assert_int_equal(result == GRAZE_OK, graze_io_format_is_written(i, (graze_kind)kind));
    }
  }
  assert_false(graze_io_format_is_written(0, (graze_kind)99));
}

TEST(formats_are_documented) {
  static const struct {
    const char *path, *mark;
  } pages[] = {{GRAZE_DOCS_FOLDER "/guide/io.md", "`"}, {GRAZE_DOCS_FOLDER "/man/graze.1.scd", "*"}};
  for (size_t page = 0; page < sizeof pages / sizeof pages[0]; page++) {
    static char text[1 << 17];
    FILE *file = fopen(pages[page].path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < graze_io_format_count(); i++) {
      char words[16];
      snprintf(words, sizeof words, "%s%s%s", pages[page].mark, graze_io_format_ending(i), pages[page].mark);
      if (strstr(text, words) == NULL) fail_msg("%s has no %s", pages[page].path, words);
    }
  }
}

/* A program of an older or newer header: a shorter answer, and options with bytes that the library does not know. */
TEST(structs_can_grow) {
  struct {
    graze_io_read_options options;
    uint64_t appended;
  } later = {.options = graze_io_read_options_default()};
  graze_io_meshes *list = NULL;
  later.options.struct_bytes = sizeof later;
  assert_ok(graze_io_read_memory(two_groups, sizeof two_groups - 1, "a.obj", &later.options, &list));
  graze_io_meshes_destroy(list);
  later.appended = 1;
  assert_int_equal(graze_io_read_memory(two_groups, sizeof two_groups - 1, "a.obj", &later.options, &list),
                   GRAZE_UNSUPPORTED);
  list = list_of(GRAZE_KIND_TRIANGLE);
  struct {
    graze_io_info info;
    uint64_t appended;
  } answer = {.appended = 7};
  answer.info.struct_bytes = sizeof answer;
  assert_ok(graze_io_get_info(list, 0, &answer.info));
  assert_int_equal(answer.info.struct_bytes, sizeof answer);
  assert_int_equal(answer.appended, 7);
  answer.info.struct_bytes = 8;
  assert_int_equal(graze_io_get_info(list, 0, &answer.info), GRAZE_INVALID_ARGUMENT);
  graze_io_meshes_destroy(list);
}

/* Numbers are rounded to nearest in a host that rounds otherwise, and its mode stays. */
TEST(the_rounding_of_a_host_changes_nothing) {
  static const char text[] = "v 0.1 0.7 1e-5\nv 1.3 1e22 3\nv 123456789.123 0.3 9.7e-301\nf 1 2 3\n";
  OWNED(graze_io_meshes) *nearest = NULL, *upward = NULL;
  assert_ok(graze_io_read_memory(text, sizeof text - 1, "a.obj", NULL, &nearest));
  fesetround(FE_UPWARD);
  const graze_result result = graze_io_read_memory(text, sizeof text - 1, "a.obj", NULL, &upward);
  const int mode = fegetround();
  fesetround(FE_TONEAREST);
  assert_ok(result);
  assert_int_equal(mode, FE_UPWARD);
  expect_same(nearest, upward);
}

TEST_GROUP(enter_folder, leave_folder)

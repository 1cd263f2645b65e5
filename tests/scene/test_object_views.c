/* Arrays as callers have them: told from their end, or running around the end of memory; faces and cells by sizes or by
 * where they start. */
#include "small_meshes.h"

#include <float.h>

static graze_scene *empty_scene(void) {
  graze_scene *scene;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  return scene;
}

static void expect_positions(const graze_scene *scene, graze_object object, const double *wanted, size_t count) {
  double found[27];
  const graze_output_view all = {found, count, 0, GRAZE_DOUBLE3};
  assert_int_equal(graze_object_get_positions(scene, object, 0, all), GRAZE_OK);
  assert_memory_equal(found, wanted, 3 * count * sizeof *wanted);
}

/* The crossing mesh whose arrays lie the other way round in memory, vertices and triangles with something between. */
static void test_reversed_arrays(void **state) {
  (void)state;
  double wanted[27], positions[9][4];
  float floats[9][3];
  uint32_t triangles[3][5];
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 3; k++)
      wanted[3 * i + k] = positions[8 - i][k] = floats[8 - i][k] = crossing_positions[3 * i + k];
  for (int i = 0; i < 3; i++) memcpy(triangles[2 - i], crossing_triangles + 3 * i, 3 * sizeof(uint32_t));
  graze_scene *scene = empty_scene();
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions[8], 9, -(ptrdiff_t)sizeof *positions, GRAZE_DOUBLE3};
  def.triangles = (graze_view){triangles[2], 3, -(ptrdiff_t)sizeof *triangles, GRAZE_UINT32_3};
  graze_object object;
  assert_int_equal(graze_scene_add_triangles(scene, &def, &object), GRAZE_OK);
  expect_positions(scene, object, wanted, 9);
  graze_pairs pairs = {0};
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_OK);
  assert_true(pairs.count == 1 && pairs.pairs[0].primitive_a == 0 && pairs.pairs[0].primitive_b == 1);
  graze_pairs_free(&pairs);
  /* Set again, tightly packed but reversed, whole and in part. */
  memset(wanted, 0, 3 * sizeof *wanted);
  memset(floats[8], 0, sizeof floats[8]);
  const ptrdiff_t back = -(ptrdiff_t)sizeof *floats;
  assert_int_equal(graze_object_set_positions(scene, object, 0, (graze_view){floats[8], 9, back, GRAZE_FLOAT3}),
                   GRAZE_OK);
  expect_positions(scene, object, wanted, 9);
  for (int k = 0; k < 6; k++) wanted[21 + k] = (double)floats[k / 3 == 0 ? 5 : 4][k % 3];
  assert_int_equal(graze_object_set_positions(scene, object, 7, (graze_view){floats[5], 2, back, GRAZE_FLOAT3}),
                   GRAZE_OK);
  expect_positions(scene, object, wanted, 9);
  graze_scene_destroy(scene);
}

static void expect_stride(graze_scene *scene, const void *data, size_t count, ptrdiff_t stride, graze_result code,
                          const char *message) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){data, count, stride, GRAZE_DOUBLE3};
  assert_refused(graze_scene_add_triangles(scene, &def, NULL), code, message);
}

static void test_strides_that_are_refused(void **state) {
  (void)state;
  graze_scene *scene = empty_scene();
  double positions[6] = {0};
  expect_stride(scene, positions, 2, 23, GRAZE_INVALID_ARGUMENT,
                "positions have a stride of 23 bytes; an element has 24");
  expect_stride(scene, positions + 3, 2, -23, GRAZE_INVALID_ARGUMENT,
                "positions have a stride of -23 bytes; an element has 24");
  expect_stride(scene, positions, 2, PTRDIFF_MIN, GRAZE_INVALID_ARGUMENT,
                "positions, 2 with a stride of -9223372036854775808 bytes, run around the end of the address space");
  expect_stride(scene, (void *)(UINTPTR_MAX - 40), 2, 0, GRAZE_INVALID_ARGUMENT,
                "positions, 2 with a stride of 0 bytes, run around the end of the address space");
  expect_stride(scene, (void *)(UINTPTR_MAX - 20), 1, 0, GRAZE_INVALID_ARGUMENT,
                "positions, 1 with a stride of 0 bytes, run around the end of the address space");
  expect_stride(scene, (void *)(uintptr_t)40, 3, -24, GRAZE_INVALID_ARGUMENT,
                "positions, 3 with a stride of -24 bytes, run around the end of the address space");
  expect_stride(scene, positions, (size_t)1 << 31, (ptrdiff_t)1 << 33, GRAZE_INVALID_ARGUMENT,
                "positions, 2147483648 with a stride of 8589934592 bytes, run around the end of the address space");
  /* Of a single element the stride says nothing, and an array of none is nowhere. */
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 1, -5, GRAZE_DOUBLE3};
  assert_int_equal(graze_scene_add_triangles(scene, &def, NULL), GRAZE_OK);
  def.positions = (graze_view){NULL, 0, -5, GRAZE_DOUBLE3};
  assert_int_equal(graze_scene_add_triangles(scene, &def, NULL), GRAZE_OK);
  graze_scene_destroy(scene);
}

/* ---------------------------------------------------------------------------------------------- sizes and starts */

/* Two pyramids over one square, as two cells of five faces. */
static const double pyramid_positions[18] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 1, 1, 1, 1, 1, -1};
static const uint32_t pyramid_corners[32] = {0, 3, 2, 1, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4,
                                             0, 1, 2, 3, 1, 0, 5, 2, 1, 5, 3, 2, 5, 0, 3, 5};
static const uint32_t face_sizes[10] = {4, 3, 3, 3, 3, 4, 3, 3, 3, 3};
static const uint32_t face_starts[11] = {0, 4, 7, 10, 13, 16, 20, 23, 26, 29, 32};
static const uint32_t cell_sizes[2] = {5, 5}, cell_starts[3] = {0, 5, 10};

static graze_view numbers(const uint32_t *data, size_t count) {
  return (graze_view){data, count, 0, GRAZE_UINT32};
}

static graze_mesh_def pyramids(void) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(pyramid_positions, 6);
  def.corners = numbers(pyramid_corners, 32);
  return def;
}

/* With a triangle through both, so that there are pairs; their hash. */
static uint64_t hash_with(const graze_mesh_def *def, bool cells) {
  static const double through[9] = {0.9, 1, -0.5, 1.1, 1, -0.5, 1, 1, 0.5};
  static const uint32_t triangle[3] = {0, 1, 2};
  graze_scene *scene = empty_scene();
  graze_mesh_def blade = graze_mesh_def_default();
  blade.positions = double_view(through, 3);
  blade.triangles = index_view(triangle, 1);
  graze_pairs pairs = {0};
  const graze_result result =
      cells ? graze_scene_add_polyhedra(scene, def, NULL) : graze_scene_add_polygons(scene, def, NULL);
  if (result != GRAZE_OK) fail_msg("%s", graze_error_text());
  assert_int_equal(graze_scene_add_triangles(scene, &blade, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_OK);
  assert_true(pairs.count >= 2);
  const uint64_t hash = pairs.hash;
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  return hash;
}

static void test_starts_are_as_sizes(void **state) {
  (void)state;
  for (int cells = 0; cells < 2; cells++) {
    graze_mesh_def def = pyramids();
    def.face_sizes = numbers(face_sizes, 10);
    def.cell_sizes = numbers(cell_sizes, cells ? 2 : 0);
    const uint64_t wanted = hash_with(&def, cells);
    def.cell_sizes.count = 0;
    def.cell_starts = numbers(cell_starts, cells ? 3 : 0);
    assert_true(hash_with(&def, cells) == wanted);
    def.face_sizes.count = 0;
    def.face_starts = numbers(face_starts, 11);
    assert_true(hash_with(&def, cells) == wanted);
    def.cell_starts.count = 0;
    def.cell_sizes = numbers(cell_sizes, cells ? 2 : 0);
    assert_true(hash_with(&def, cells) == wanted);
  }
  /* The end alone: nothing at all. */
  graze_scene *scene = empty_scene();
  graze_mesh_def def = pyramids();
  def.corners.count = 0;
  def.face_starts = def.cell_starts = numbers(face_starts, 1);
  graze_object object;
  assert_int_equal(graze_scene_add_polyhedra(scene, &def, &object), GRAZE_OK);
  graze_object_info info = {.struct_bytes = sizeof info};
  assert_int_equal(graze_object_get_info(scene, object, &info), GRAZE_OK);
  assert_int_equal(info.primitive_count, 0);
  graze_scene_destroy(scene);
}

static void test_starts_that_are_refused(void **state) {
  (void)state;
  graze_scene *scene = empty_scene();
  graze_mesh_def def = pyramids();
  uint32_t starts[11];
  def.face_sizes = numbers(face_sizes, 10);
  def.face_starts = numbers(face_starts, 11);
  assert_refused(graze_scene_add_polygons(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "faces are given by 10 sizes and by 11 starts; one is needed");
  def.face_sizes.count = 0;
  def.cell_sizes = numbers(cell_sizes, 2);
  def.cell_starts = numbers(cell_starts, 3);
  assert_refused(graze_scene_add_polyhedra(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "cells are given by 2 sizes and by 3 starts; one is needed");
  def.cell_sizes.count = 0;
  def.face_starts.data = starts;
  memcpy(starts, face_starts, sizeof starts);
  starts[0] = 1;
  assert_refused(graze_scene_add_polyhedra(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: the starts of faces begin at 1; 0 is needed");
  starts[0] = 0;
  starts[5] = 3;
  assert_refused(graze_scene_add_polygons(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: polygon 4 starts at 13 of the corners, and the next at 3");
  starts[5] = 15;
  assert_refused(graze_scene_add_polygons(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: polygon 4 has 2 corners; 3 are needed");
  starts[5] = 16;
  starts[10] = 33;
  assert_refused(graze_scene_add_polygons(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: the starts of 10 polygons end at 33 corners; 32 are given");
  starts[10] = 32;
  def.cell_starts = numbers(cell_starts, 2);
  assert_refused(graze_scene_add_polyhedra(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: the starts of 1 polyhedrons end at 5 faces; 10 are given");
  def.face_starts.format = GRAZE_UINT32_3;
  assert_refused(graze_scene_add_polygons(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "face starts have format 3; GRAZE_UINT32 is needed");
  graze_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reversed_arrays),
      cmocka_unit_test(test_strides_that_are_refused),
      cmocka_unit_test(test_starts_are_as_sizes),
      cmocka_unit_test(test_starts_that_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

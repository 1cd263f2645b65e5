/* Tests arrays of callers: with negative strides, or at the end of the address space; faces and cells by sizes or by
 * starts; indices in each integer format. */
#include "small_meshes.h"

#include <float.h>
#include <stdio.h>

static void expect_positions(const graze_scene *scene, graze_object object, const double *wanted, size_t count) {
  double found[27];
  const graze_output_view all = {found, count, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_get_positions(scene, object, 0, all));
  assert_memory_equal(found, wanted, 3 * count * sizeof *wanted);
}

/* The crossing mesh whose arrays lie the other way round in memory, vertices and triangles with something between. */
TEST(test_reversed_arrays) {
  double wanted[27], positions[9][4];
  float floats[9][3];
  uint32_t triangles[3][5];
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 3; k++)
      wanted[3 * i + k] = positions[8 - i][k] = floats[8 - i][k] = crossing_positions[3 * i + k];
  for (int i = 0; i < 3; i++) memcpy(triangles[2 - i], crossing_triangles + 3 * i, 3 * sizeof(uint32_t));
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions[8], 9, -(ptrdiff_t)sizeof *positions, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){triangles[2], 3, -(ptrdiff_t)sizeof *triangles, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  expect_positions(scene, object, wanted, 9);
  assert_ok(graze_scene_update(scene));
  graze_pairs pairs = find_pairs(scene, NULL);
  assert_true(pairs.count == 1 && pairs.pairs[0].primitive_a == 0 && pairs.pairs[0].primitive_b == 1);
  graze_pairs_free(&pairs);
  /* Set again, tightly packed but reversed, whole and in part. */
  memset(wanted, 0, 3 * sizeof *wanted);
  memset(floats[8], 0, sizeof floats[8]);
  const ptrdiff_t back = -(ptrdiff_t)sizeof *floats;
  assert_ok(graze_object_set_positions(scene, object, 0, (graze_view){floats[8], 9, back, GRAZE_FORMAT_FLOAT3}));
  expect_positions(scene, object, wanted, 9);
  for (int k = 0; k < 6; k++) wanted[21 + k] = (double)floats[k / 3 == 0 ? 5 : 4][k % 3];
  assert_ok(graze_object_set_positions(scene, object, 7, (graze_view){floats[5], 2, back, GRAZE_FORMAT_FLOAT3}));
  expect_positions(scene, object, wanted, 9);
}

static void expect_stride(graze_scene *scene, const void *data, size_t count, ptrdiff_t stride, graze_result code,
                          const char *message) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){data, count, stride, GRAZE_FORMAT_DOUBLE3};
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), code, message);
}

TEST(test_strides_that_are_refused) {
  OWNED_SCENE *scene = create_scene(NULL);
  double positions[6] = {0};
  expect_stride(scene, positions, 2, 23, GRAZE_INVALID_ARGUMENT,
                "positions have a stride of 23 bytes; an element has 24");
  expect_stride(scene, positions + 3, 2, -23, GRAZE_INVALID_ARGUMENT,
                "positions have a stride of -23 bytes; an element has 24");
  expect_stride(scene, positions, 2, PTRDIFF_MIN, GRAZE_INVALID_ARGUMENT,
                "positions: 2 elements with a stride of -9223372036854775808 bytes wrap around the address space");
  expect_stride(scene, (void *)(UINTPTR_MAX - 40), 2, 0, GRAZE_INVALID_ARGUMENT,
                "positions: 2 elements with a stride of 0 bytes wrap around the address space");
  expect_stride(scene, (void *)(UINTPTR_MAX - 20), 1, 0, GRAZE_INVALID_ARGUMENT,
                "positions: 1 elements with a stride of 0 bytes wrap around the address space");
  expect_stride(scene, (void *)(uintptr_t)40, 3, -24, GRAZE_INVALID_ARGUMENT,
                "positions: 3 elements with a stride of -24 bytes wrap around the address space");
  expect_stride(scene, positions, (size_t)1 << 31, (ptrdiff_t)1 << 33, GRAZE_INVALID_ARGUMENT,
                "positions: 2147483648 elements with a stride of 8589934592 bytes wrap around the address space");
  /* The stride of a single element is ignored, and an empty array has no address. */
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 1, -5, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  def.positions = (graze_view){NULL, 0, -5, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
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
  return (graze_view){data, count, 0, GRAZE_FORMAT_UINT32};
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
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def blade = graze_mesh_def_default();
  blade.positions = double_view(through, 3);
  blade.triangles = index_view(triangle, 1);
  const graze_result result = cells ? graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, def, NULL, NULL)
                                    : graze_scene_add(scene, GRAZE_KIND_POLYGON, def, NULL, NULL);
  assert_ok(result);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &blade, NULL, NULL));
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_true(pairs.count >= 2);
  const uint64_t hash = pairs.hash;
  return hash;
}

TEST(test_starts_are_as_sizes) {
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
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = pyramids();
  def.corners.count = 0;
  def.face_starts = def.cell_starts = numbers(face_starts, 1);
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, &object));
  graze_object_info info = {.struct_bytes = sizeof info};
  assert_ok(graze_object_get_info(scene, object, &info));
  assert_int_equal(info.primitive_count, 0);
}

TEST(test_starts_that_are_refused) {
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = pyramids();
  uint32_t starts[11];
  def.face_sizes = numbers(face_sizes, 10);
  def.face_starts = numbers(face_starts, 11);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "faces have 10 sizes and 11 starts; give only one of them");
  def.face_sizes.count = 0;
  def.cell_sizes = numbers(cell_sizes, 2);
  def.cell_starts = numbers(cell_starts, 3);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "cells have 2 sizes and 3 starts; give only one of them");
  def.cell_sizes.count = 0;
  def.face_starts.data = starts;
  memcpy(starts, face_starts, sizeof starts);
  starts[0] = 1;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: the starts of faces begin at 1, but must begin at 0");
  starts[0] = 0;
  starts[5] = 3;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: polygon 4 starts at 13 of the corners, and the next at 3");
  starts[5] = 15;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: polygon 4 has 2 corners; at least 3 are required");
  starts[5] = 16;
  starts[10] = 33;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: the starts of 10 polygons end at 33 corners; 32 are given");
  starts[10] = 32;
  def.cell_starts = numbers(cell_starts, 2);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: the starts of 1 polyhedrons end at 5 faces; 10 are given");
  def.face_starts.format = GRAZE_FORMAT_UINT32_3;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "face starts have format 3; GRAZE_FORMAT_UINT32 or another format of one integer is required");
}

/* ---------------------------------------------------------------------------------------------- formats of indices */

enum { FORMATS = 4, LAYOUTS = 3, MOST_NUMBERS = 32 };

/* Indexed by bytes and sign, then by the numbers of an element: one, three, four. */
static const graze_format formats[FORMATS][3] = {{GRAZE_FORMAT_UINT32, GRAZE_FORMAT_UINT32_3, GRAZE_FORMAT_UINT32_4},
                                                 {GRAZE_FORMAT_INT32, GRAZE_FORMAT_INT32_3, GRAZE_FORMAT_INT32_4},
                                                 {GRAZE_FORMAT_INT64, GRAZE_FORMAT_INT64_3, GRAZE_FORMAT_INT64_4},
                                                 {GRAZE_FORMAT_UINT64, GRAZE_FORMAT_UINT64_3, GRAZE_FORMAT_UINT64_4}};

/* Integers in another format: packed, with a gap that aligns nothing, or from the end. */
typedef struct integer_array {
  unsigned char bytes[MOST_NUMBERS * (sizeof(int64_t) + 3)];
  graze_view view;
} integer_array;

static graze_view fill_integers(integer_array *to, const int64_t *numbers, size_t count, size_t width, int format,
                                int layout) {
  const size_t number = format < 2 ? sizeof(uint32_t) : sizeof(uint64_t), element = number * width;
  const size_t stride = element + (layout == 0 ? 0 : 3);
  assert_true(count * stride <= sizeof to->bytes);
  for (size_t i = 0; i < count * width; i++) {
    const size_t place = layout == 2 ? count - 1 - i / width : i / width;
    const uint32_t narrow = (uint32_t)numbers[i];
    memcpy(to->bytes + place * stride + i % width * number, format < 2 ? (const void *)&narrow : &numbers[i], number);
  }
  to->view = (graze_view){to->bytes, count, layout == 0 ? 0 : (ptrdiff_t)stride, formats[format][width / 2]};
  if (layout == 2) to->view.data = to->bytes + (count - 1) * stride, to->view.stride_bytes *= -1;
  return to->view;
}

static graze_view fill_again(integer_array *to, const uint32_t *numbers, size_t count, size_t width, int format,
                             int layout) {
  int64_t wide[MOST_NUMBERS];
  for (size_t i = 0; i < count * width; i++) wide[i] = numbers[i];
  return fill_integers(to, wide, count, width, format, layout);
}

TEST(test_formats_of_indices_agree) {
  static const uint32_t cells[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int format = 0; format < FORMATS; format++)
    for (int layout = 0; layout < LAYOUTS; layout++) {
      integer_array a, b, c;
      OWNED_SCENE *scene = create_scene(NULL);
      graze_mesh_def def = crossing_def();
      def.triangles = fill_again(&a, crossing_triangles, 1, 3, format, layout);
      graze_object object;
      uint32_t first;
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
      const graze_view more = fill_again(&b, crossing_triangles + 3, 2, 3, format, layout);
      assert_ok(graze_object_append_primitives(scene, object, more, &first));
      assert_int_equal(first, 1);
      assert_int_equal(count_pairs_updated(scene), 1);
      /* Tetrahedra of the same vertices: the first is cut by both triangles, and so is the second. */
      def.tetrahedra = fill_again(&c, cells, 2, 4, format, layout);
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, NULL));
      graze_mesh_def usual = crossing_def();
      usual.tetrahedra = (graze_view){cells, 2, 0, GRAZE_FORMAT_UINT32_4};
      OWNED_SCENE *wanted = create_scene(NULL);
      assert_ok(graze_scene_add(wanted, GRAZE_KIND_TRIANGLE, &usual, NULL, NULL));
      assert_ok(graze_scene_add(wanted, GRAZE_KIND_TETRAHEDRON, &usual, NULL, NULL));
      graze_pairs pairs[2] = {{0}, {0}};
      assert_true(graze_scene_update(scene) == GRAZE_OK && graze_scene_update(wanted) == GRAZE_OK);
      assert_ok(graze_scene_find_pairs(scene, NULL, &pairs[0]));
      assert_ok(graze_scene_find_pairs(wanted, NULL, &pairs[1]));
      assert_true(pairs[0].count > 3 && pairs[0].hash == pairs[1].hash);
      for (int i = 0; i < 2; i++) graze_pairs_free(&pairs[i]);
    }
}

TEST(test_formats_of_rings_agree) {
  for (int cells = 0; cells < 2; cells++) {
    graze_mesh_def def = pyramids();
    def.face_sizes = numbers(face_sizes, 10);
    def.cell_sizes = numbers(cell_sizes, cells ? 2 : 0);
    const uint64_t wanted = hash_with(&def, cells);
    for (int format = 0; format < FORMATS; format++)
      for (int layout = 0; layout < LAYOUTS; layout++) {
        integer_array corners, faces, parts;
        def = pyramids();
        def.corners = fill_again(&corners, pyramid_corners, 32, 1, format, layout);
        def.face_sizes = fill_again(&faces, face_sizes, 10, 1, format, layout);
        if (cells) def.cell_sizes = fill_again(&parts, cell_sizes, 2, 1, format, layout);
        assert_true(hash_with(&def, cells) == wanted);
        def.face_sizes.count = def.cell_sizes.count = 0;
        def.face_starts = fill_again(&faces, face_starts, 11, 1, format, layout);
        if (cells) def.cell_starts = fill_again(&parts, cell_starts, 3, 1, format, layout);
        assert_true(hash_with(&def, cells) == wanted);
      }
  }
}

/* Of the formats with a sign of 32 and 64 bits, and of that without: a value that is refused, and what it is called. */
typedef struct bad_index {
  int format;
  int64_t value;
  const char *words;
} bad_index;

static const bad_index bad_indices[] = {{0, 9, "9"},
                                        {0, UINT32_MAX, "4294967295"},
                                        {1, -1, "-1"},
                                        {1, INT32_MIN, "-2147483648"},
                                        {1, 9, "9"},
                                        {2, -1, "-1"},
                                        {2, INT64_MIN, "-9223372036854775808"},
                                        {2, INT64_MAX, "9223372036854775807"},
                                        {2, (int64_t)1 << 32, "4294967296"},
                                        {2, UINT32_MAX, "4294967295"},
                                        {3, ((int64_t)1 << 32) + 3, "4294967299"},
                                        {3, -1, "18446744073709551615"}};

TEST(test_bad_indices_of_each_format) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  for (size_t i = 0; i < sizeof bad_indices / sizeof *bad_indices; i++)
    for (int layout = 0; layout < LAYOUTS; layout++) {
      const bad_index *bad = &bad_indices[i];
      const int64_t triangles[9] = {0, 1, 2, 3, 4, 5, 6, bad->value, 8}, sizes[3] = {3, 3, 3};
      integer_array a, b;
      char message[128];
      graze_mesh_def def = crossing_def();
      def.name = "bad";
      def.triangles = fill_integers(&a, triangles, 3, 3, bad->format, layout);
      snprintf(message, sizeof message,
               "object 1 (bad): triangle 2 refers to vertex %s at corner 1; the object has 9 vertices", bad->words);
      assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE, message);
      snprintf(message, sizeof message,
               "object 0: triangle 5 refers to vertex %s at corner 1; the object has 9 vertices", bad->words);
      assert_refused(graze_object_append_primitives(scene, object, def.triangles, NULL), GRAZE_INDEX_OUT_OF_RANGE,
                     message);
      assert_int_equal(count_pairs(scene), 1); /* nothing was changed: no update is needed */
      def.corners = fill_integers(&a, triangles, 9, 1, bad->format, layout);
      def.face_sizes = fill_integers(&b, sizes, 3, 1, bad->format, layout);
      snprintf(message, sizeof message,
               "object 1 (bad): polygon 2 refers to vertex %s at corner 1; the object has 9 vertices", bad->words);
      assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE, message);
    }
}

TEST(test_bad_sizes_of_each_format) {
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = pyramids();
  integer_array a;
  int64_t sizes[10], starts[11];
  for (int i = 0; i < 10; i++) sizes[i] = face_sizes[i];
  for (int i = 0; i < 11; i++) starts[i] = face_starts[i];
  sizes[2] = -3;
  def.face_sizes = fill_integers(&a, sizes, 10, 1, 1, 1);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: polygon 2 has -3 corners; at least 3 are required");
  sizes[2] = ((int64_t)1 << 32) + 3;
  def.face_sizes = fill_integers(&a, sizes, 10, 1, 2, 1);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_TOO_LARGE,
                 "object 0: polygon 2 has 4294967299 corners; at most 1073741824 are supported");
  def.face_sizes.count = 0;
  starts[0] = -1;
  def.face_starts = fill_integers(&a, starts, 11, 1, 2, 0);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: the starts of polygons begin at -1, but must begin at 0");
  starts[0] = 0;
  starts[5] = (int64_t)1 << 40;
  def.face_starts = fill_integers(&a, starts, 11, 1, 3, 0);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: polygon 5 starts at 1099511627776 of the corners, and the next at 20");
  starts[5] = face_starts[5];
  starts[10] = -32;
  def.face_starts = fill_integers(&a, starts, 11, 1, 1, 0);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0: the starts of 10 polygons end at -32 corners; 32 are given");
  def.positions.format = GRAZE_FORMAT_INT32_3;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "positions have format 8; GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3 is required");
}

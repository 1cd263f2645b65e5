/* Tests the properties of an object: info, the caller's pointer, positions before and after the pose, the box. */
#include "posed_object.h"
#include "small_meshes.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static graze_object_info info_of(const graze_scene *scene, graze_object object) {
  graze_object_info info;
  memset(&info, 0xee, sizeof info);
  info.struct_bytes = sizeof info;
  assert_ok(graze_object_get_info(scene, object, &info));
  assert_int_equal(info.struct_bytes, sizeof info);
  return info;
}

static const double quarter_turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, shift[3] = {0.1, 0.2, 0.3};

TEST(test_info) {
  int mine;
  OWNED_SCENE *scene = crossing_scene(NULL);
  graze_mesh_def def = crossing_def();
  graze_object_def placed = graze_object_def_default();
  def.name = "a mesh";
  placed.user_data = &mine;
  placed.category = 6;
  placed.mask = 10;
  placed.self = false;
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
  graze_object_info info = info_of(scene, object);
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, nowhere[3] = {0, 0, 0};
  assert_true(info.kind == GRAZE_KIND_TRIANGLE && info.format == GRAZE_FORMAT_FLOAT3);
  assert_true(info.vertex_count == 9 && info.primitive_count == 3 && info.live_count == 3);
  assert_memory_equal(info.pose.rotation, identity, sizeof identity);
  assert_memory_equal(info.pose.translation, nowhere, sizeof nowhere);
  assert_true(info.category == 6 && info.mask == 10 && !info.self);
  assert_false(info.global_numbers);
  assert_string_equal(info.name, "a mesh");
  assert_ptr_equal(info.user_data, &mine);
  assert_ptr_equal(graze_object_user_data(scene, object), &mine);

  assert_ok(pose_object(scene, object, quarter_turn, shift));
  assert_ok(graze_object_set_filter(scene, object, 1, 3, true));
  const uint32_t first = 0, last = 2;
  assert_ok(graze_object_remove_primitives(scene, object, &first, 1));
  info = info_of(scene, object);
  assert_memory_equal(info.pose.rotation, quarter_turn, sizeof quarter_turn);
  assert_memory_equal(info.pose.translation, shift, sizeof shift);
  assert_true(info.category == 1 && info.mask == 3 && info.self);
  assert_true(info.primitive_count == 3 && info.live_count == 2);
  assert_ok(graze_object_remove_primitives(scene, object, &last, 1)); /* a number that is given out again */
  info = info_of(scene, object);
  assert_true(info.primitive_count == 2 && info.live_count == 1);
  assert_ok(graze_object_append_primitives(scene, object, index_view(crossing_triangles, 2), NULL));
  info = info_of(scene, object);
  assert_true(info.primitive_count == 4 && info.live_count == 3);
  assert_true(info_of(scene, (graze_object){0, 1}).name == NULL);
  assert_null(graze_object_user_data(scene, (graze_object){0, 1}));
}

/* Another pointer is no change: the scene goes on answering. */
TEST(test_user_data) {
  int mine;
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  assert_ok(graze_object_set_user_data(scene, object, &mine));
  assert_int_equal(count_pairs(scene), 1);
  assert_ptr_equal(graze_object_user_data(scene, object), &mine);
  assert_ok(graze_scene_remove_object(scene, object));
  assert_null(graze_object_user_data(scene, object));
  assert_null(graze_object_user_data(NULL, object));
  assert_int_equal(graze_object_set_user_data(NULL, object, NULL), GRAZE_INVALID_ARGUMENT);
}

TEST(test_infos_of_other_sizes) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  struct {
    graze_object_info info;
    uint64_t later[2];
  } wide;
  memset(&wide, 0xee, sizeof wide);
  wide.info.struct_bytes = sizeof wide;
  assert_ok(graze_object_get_info(scene, object, &wide.info));
  assert_true(wide.later[0] == UINT64_C(0xeeeeeeeeeeeeeeee) && wide.later[1] == wide.later[0]);
  assert_int_equal(wide.info.struct_bytes, sizeof wide);
  wide.later[0] = 7;
  wide.info.struct_bytes = sizeof wide.info;
  assert_ok(graze_object_get_info(scene, object, &wide.info));
  assert_int_equal(wide.later[0], 7);
  wide.info.struct_bytes = 3;
  assert_refused(graze_object_get_info(scene, object, &wide.info), GRAZE_INVALID_ARGUMENT,
                 "struct_bytes of the info is 3, but must be at least 184: initialize it with {0}");
  assert_refused(graze_object_get_info(scene, object, NULL), GRAZE_INVALID_ARGUMENT, "the output for the info is NULL");
  assert_int_equal(graze_object_get_info(NULL, object, &wide.info), GRAZE_INVALID_ARGUMENT);
  graze_mesh_def def = crossing_def();
  def.struct_bytes = 3;
  assert_refused(
      graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
      "struct_bytes of the mesh is 3, but must be at least 304: initialize it with graze_mesh_def_default()");
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, NULL, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "the mesh is NULL: initialize it with graze_mesh_def_default()");
}

TEST(test_positions) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  float floats[27];
  double doubles[27], strided[9][5];
  assert_ok(graze_object_get_positions(scene, object, 0, (graze_output_view){floats, 9, 0, GRAZE_FORMAT_FLOAT3}));
  assert_memory_equal(floats, crossing_positions, sizeof floats);
  assert_ok(pose_object(scene, object, quarter_turn, shift));
  assert_ok(graze_object_get_positions(scene, object, 0, (graze_output_view){doubles, 9, 0, GRAZE_FORMAT_DOUBLE3}));
  for (int i = 0; i < 27; i++) assert_true(doubles[i] == (double)crossing_positions[i]);
  /* From vertex 4 on, into columns 1 to 3 of a table that is filled from its end. */
  memset(strided, 0, sizeof strided);
  const graze_output_view backward = {&strided[4][1], 5, -(ptrdiff_t)sizeof *strided, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_get_posed_positions(scene, object, 4, backward));
  for (int i = 0; i < 5; i++) {
    const float *given = crossing_positions + 3 * (4 + i);
    const double *row = strided[4 - i];
    assert_true(row[0] == 0.0 && row[4] == 0.0);
    assert_true(row[1] == -(double)given[1] + shift[0] && row[2] == (double)given[0] + shift[1] &&
                row[3] == (double)given[2] + shift[2]);
  }
  assert_ok(graze_object_get_positions(scene, object, 9, (graze_output_view){NULL, 0, 0, GRAZE_FORMAT_DOUBLE3}));
}

TEST(test_positions_that_are_refused) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  double doubles[27];
  float floats[27] = {0};
  const graze_output_view all = {doubles, 9, 0, GRAZE_FORMAT_DOUBLE3}, narrow = {floats, 9, 0, GRAZE_FORMAT_FLOAT3};
  assert_refused(graze_object_get_positions(scene, object, 1, all), GRAZE_INDEX_OUT_OF_RANGE,
                 "object 0: positions 1 to 10 are out of range; the object has 9");
  assert_refused(graze_object_get_positions(scene, object, 0, (graze_output_view){NULL, 2, 0, GRAZE_FORMAT_FLOAT3}),
                 GRAZE_INVALID_ARGUMENT, "positions: the pointer to 2 elements is NULL");
  assert_refused(graze_object_get_positions(scene, object, 0, (graze_output_view){doubles, 2, 0, GRAZE_FORMAT_UINT32}),
                 GRAZE_INVALID_ARGUMENT,
                 "positions have format 5; GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3 is required");
  assert_int_equal(graze_object_get_positions(NULL, object, 0, all), GRAZE_INVALID_ARGUMENT);
  const double far[3] = {0, 1e300, 0};
  assert_ok(graze_object_set_positions(scene, object, 8, double_view(far, 1)));
  assert_ok(graze_object_get_positions(scene, object, 0, all));
  assert_refused(graze_object_get_positions(scene, object, 0, narrow), GRAZE_NOT_FINITE,
                 "object 0: coordinate y of vertex 8 is 1e+300, which exceeds the range of float");
  for (int i = 0; i < 27; i++) assert_true(floats[i] == 0.0f);
}

TEST(test_box) {
  graze_object object, empty;
  OWNED_SCENE *scene = crossing_scene(&object);
  double low[3], high[3];
  assert_ok(graze_object_get_box(scene, object, low, high));
  assert_true(low[0] == 0 && low[1] == 0 && low[2] == -1 && high[0] == 10 && high[1] == 10 && high[2] == 9);
  assert_ok(pose_object(scene, object, quarter_turn, shift));
  assert_ok(graze_object_get_box(scene, object, low, high));
  assert_true(low[0] == -10 + 0.1 && low[1] == 0.2 && low[2] == -1 + 0.3 && high[0] == 0.1 && high[1] == 10 + 0.2 &&
              high[2] == 9 + 0.3);
  graze_mesh_def def = graze_mesh_def_default();
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &empty));
  assert_ok(graze_object_get_box(scene, empty, low, high));
  for (int axis = 0; axis < 3; axis++) assert_true(low[axis] == INFINITY && high[axis] == -INFINITY);
  assert_refused(graze_object_get_box(scene, object, NULL, high), GRAZE_INVALID_ARGUMENT,
                 "the output for the box of object 0 is NULL");
  assert_int_equal(graze_object_get_box(NULL, object, low, high), GRAZE_INVALID_ARGUMENT);
  const double far[3] = {DBL_MAX, 0, 0}, further[3] = {0, DBL_MAX, 0};
  assert_ok(graze_object_set_positions(scene, object, 2, double_view(far, 1)));
  assert_ok(pose_object(scene, object, quarter_turn, further));
  assert_refused(graze_object_get_box(scene, object, low, high), GRAZE_NOT_FINITE,
                 "object 0: coordinate y of vertex 2 is inf after the pose");
}

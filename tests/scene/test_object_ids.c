/* Tests ids of objects: the zero id is invalid, numbers and generations, and the iteration over all objects. */
#include "posed_object.h"
#include "small_meshes.h"

#include <stdio.h>

static graze_object add(graze_scene *scene) {
  const graze_mesh_def def = crossing_def();
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  return object;
}

TEST(test_zeros_are_no_object) {
  graze_object first;
  OWNED_SCENE *scene = crossing_scene(&first);
  static const double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, translation[3] = {0, 0, 0};
  const graze_object none = {0, 0};
  const char *const words =
      "an object id of generation 0 (0) is invalid: take the id from the call that adds the object";
  const uint32_t number = 0;
  double low[3], high[3], position[3];
  graze_object_info info = {.struct_bytes = sizeof info};
  graze_query query = graze_query_default();
  OWNED(graze_pairs) pairs = {0};
  OWNED(graze_crowding) crowding = {0};
  assert_true(first.index == 0 && first.generation == 1);
  assert_false(graze_object_is_valid(scene, none));
  assert_null(graze_object_user_data(scene, none));
  const graze_output_view out = {position, 1, 0, GRAZE_FORMAT_DOUBLE3};
  const graze_view in = float_view(crossing_positions, 1), triangles = index_view(crossing_triangles, 1);
  assert_refused(graze_scene_remove_object(scene, none), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_set_positions(scene, none, 0, in), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_append_positions(scene, none, in, NULL), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(pose_object(scene, none, rotation, translation), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_set_filter(scene, none, 1, 1, true), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_scene_exclude(scene, first, none, true), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_set_user_data(scene, none, NULL), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_append_primitives(scene, none, triangles, NULL), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_remove_primitives(scene, none, &number, 1), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_get_info(scene, none, &info), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_get_positions(scene, none, 0, out), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_get_posed_positions(scene, none, 0, out), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_object_get_box(scene, none, low, high), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_scene_measure_crowding(scene, none, &crowding), GRAZE_NO_SUCH_OBJECT, words);
  query.about_count = 1;
  assert_refused(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_NO_SUCH_OBJECT, words);
  assert_refused(graze_scene_set_poses(scene, &none, 1, &(graze_pose){{0}, {0}}), GRAZE_NO_SUCH_OBJECT,
                 "pose 0: object 0 of generation 0 is not in the scene");
  assert_int_equal(count_pairs(scene), 1); /* nothing was changed: no update is needed */
}

TEST(test_validity) {
  graze_object a;
  OWNED_SCENE *scene = crossing_scene(&a);
  assert_true(graze_object_is_valid(scene, a));
  assert_false(graze_object_is_valid(NULL, a));
  assert_false(graze_object_is_valid(scene, (graze_object){0, 2}));
  assert_false(graze_object_is_valid(scene, (graze_object){1, 1}));
  assert_ok(graze_scene_remove_object(scene, a));
  assert_false(graze_object_is_valid(scene, a));
  const graze_object again = add(scene);
  assert_true(again.index == 0 && again.generation == 2);
  assert_true(graze_object_is_valid(scene, again));
  assert_false(graze_object_is_valid(scene, a));
  /* A mesh that is refused takes no id with it. */
  graze_mesh_def bad = crossing_def();
  bad.positions.count = 3;
  assert_ok(graze_scene_remove_object(scene, again));
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &bad, NULL, &a), GRAZE_INDEX_OUT_OF_RANGE);
  const graze_object third = add(scene);
  assert_true(third.index == 0 && third.generation == 3);
}

static void expect_walk(const graze_scene *scene, const char *wanted) {
  char found[64] = "";
  size_t count = 0;
  for (graze_object o = {0, 0}; (o = graze_scene_next_object(scene, o)).generation != 0; count++) {
    assert_true(graze_object_is_valid(scene, o));
    snprintf(found + strlen(found), sizeof found - strlen(found), "%u.%u ", o.index, o.generation);
  }
  assert_string_equal(found, wanted);
  assert_int_equal(graze_scene_object_count(scene), count);
}

TEST(test_walk) {
  OWNED_SCENE *scene = create_scene(NULL);
  expect_walk(scene, "");
  graze_object objects[4];
  for (int i = 0; i < 4; i++) objects[i] = add(scene);
  expect_walk(scene, "0.1 1.1 2.1 3.1 ");
  assert_ok(graze_scene_remove_object(scene, objects[1]));
  assert_ok(graze_scene_remove_object(scene, objects[3]));
  expect_walk(scene, "0.1 2.1 ");
  add(scene);
  expect_walk(scene, "0.1 1.2 2.1 ");
  /* Removing while walking. */
  for (graze_object o = {0, 0}; (o = graze_scene_next_object(scene, o)).generation != 0;)
    assert_ok(graze_scene_remove_object(scene, o));
  expect_walk(scene, "");
  assert_int_equal(graze_scene_object_count(NULL), 0);
  assert_int_equal(graze_scene_next_object(NULL, objects[0]).generation, 0);
  assert_int_equal(graze_scene_next_object(scene, (graze_object){UINT32_MAX, 1}).generation, 0);
}

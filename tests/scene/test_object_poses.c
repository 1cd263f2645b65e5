/* Tests many poses in one call: the same as single calls, and all of them or none, also if workers share them. */
#include "small_meshes.h"

#include <math.h>

enum { OBJECTS = 5 };

static graze_scene *scene_of_many(graze_object *objects_out) {
  graze_scene *scene = create_scene(NULL);
  graze_mesh_def def = crossing_def();
  def.name = "mesh";
  for (int i = 0; i < OBJECTS; i++) assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &objects_out[i]));
  return scene;
}

static void fill_poses(graze_pose *poses) {
  for (int i = 0; i < OBJECTS; i++) {
    const double c = cos(0.3 * i), s = sin(0.3 * i);
    const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, translation[3] = {0.01 * i, 0.02 * i, -0.03 * i};
    memcpy(poses[i].rotation, rotation, sizeof rotation);
    memcpy(poses[i].translation, translation, sizeof translation);
  }
}

TEST(test_many_are_as_one_by_one) {
  graze_object ones[OBJECTS], many[OBJECTS];
  graze_pose poses[OBJECTS];
  OWNED_SCENE *wanted = scene_of_many(ones), *scene = scene_of_many(many);
  fill_poses(poses);
  for (int i = 0; i < OBJECTS; i++) assert_ok(graze_object_set_pose(wanted, ones[i], &poses[i]));
  assert_ok(graze_scene_set_poses(scene, many, OBJECTS, poses));
  for (int i = 0; i < OBJECTS; i++) {
    graze_object_info info = {.struct_bytes = sizeof info};
    assert_ok(graze_object_get_info(scene, many[i], &info));
    assert_memory_equal(info.pose.rotation, poses[i].rotation, sizeof info.pose.rotation);
    assert_memory_equal(info.pose.translation, poses[i].translation, sizeof info.pose.translation);
  }
  graze_pairs pairs[2] = {{0}, {0}};
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs[0]), GRAZE_NOT_UPDATED);
  assert_ok(graze_scene_update(wanted));
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(wanted, NULL, &pairs[0]));
  assert_ok(graze_scene_find_pairs(scene, NULL, &pairs[1]));
  assert_true(pairs[0].count > OBJECTS && pairs[0].count == pairs[1].count && pairs[0].hash == pairs[1].hash);
  /* The last of two poses of one object counts. */
  const graze_object twice[2] = {many[3], many[3]};
  assert_ok(graze_scene_set_poses(scene, twice, 2, poses + 1));
  graze_object_info info = {.struct_bytes = sizeof info};
  assert_ok(graze_object_get_info(scene, many[3], &info));
  assert_memory_equal(info.pose.translation, poses[2].translation, sizeof info.pose.translation);
  for (int i = 0; i < 2; i++) graze_pairs_free(&pairs[i]);
}

TEST(test_all_or_none) {
  graze_object objects[OBJECTS];
  graze_pose poses[OBJECTS];
  OWNED_SCENE *scene = scene_of_many(objects);
  const size_t before = count_pairs_updated(scene);
  fill_poses(poses);
  poses[4].rotation[0] = 2.0;
  assert_int_equal(graze_scene_set_poses(scene, objects, OBJECTS, poses), GRAZE_NOT_A_ROTATION);
  assert_non_null(strstr(graze_error_text(), "pose 4: object 4 (mesh): the pose is not a rotation"));
  fill_poses(poses);
  for (int i = 0; i < 3; i++) poses[3].rotation[i] *= -1;
  assert_int_equal(graze_scene_set_poses(scene, objects, OBJECTS, poses), GRAZE_NOT_A_ROTATION);
  assert_non_null(strstr(graze_error_text(), "pose 3: object 3 (mesh): the pose is a reflection"));
  fill_poses(poses);
  poses[2].translation[1] = NAN;
  assert_int_equal(graze_scene_set_poses(scene, objects, OBJECTS, poses), GRAZE_NOT_FINITE);
  assert_non_null(strstr(graze_error_text(), "pose 2: object 2 (mesh): translation y of the pose is"));
  fill_poses(poses);
  const graze_object last = objects[4];
  objects[4].generation = 9;
  assert_refused(graze_scene_set_poses(scene, objects, OBJECTS, poses), GRAZE_NO_SUCH_OBJECT,
                 "pose 4: object 4 of generation 9 is not in the scene");
  objects[4] = last;
  assert_refused(graze_scene_set_poses(scene, NULL, 2, poses), GRAZE_INVALID_ARGUMENT, "the ids of 2 objects are NULL");
  assert_refused(graze_scene_set_poses(scene, objects, 2, NULL), GRAZE_INVALID_ARGUMENT,
                 "the poses of 2 objects are NULL");
  assert_int_equal(graze_scene_set_poses(NULL, objects, 1, poses), GRAZE_INVALID_ARGUMENT);
  assert_ok(graze_scene_set_poses(scene, NULL, 0, NULL));
  /* Nothing has changed: the scene answers without an update, as before. */
  assert_int_equal(count_pairs(scene), before);
}

enum { MANY = 6000, LISTED = 9000 };

/* The last task first, so that what hangs on their order is seen. */
static void run_backward(void *context, graze_task *task, void *task_context, uint32_t count) {
  (void)context;
  for (uint32_t i = count; i-- > 0;) task(task_context, i, 0);
}

static graze_scene *large_scene(graze_object *objects_out) {
  graze_scene_def def = graze_scene_def_default();
  graze_task_system tasks = graze_task_system_default();
  tasks.worker_count = 2;
  tasks.run = run_backward;
  def.tasks = &tasks;
  graze_scene *scene = create_scene(&def);
  const graze_mesh_def mesh = crossing_def();
  for (int i = 0; i < MANY; i++) assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &objects_out[i]));
  return scene;
}

static void check_translation(const graze_scene *scene, graze_object object, double wanted) {
  graze_object_info info = {.struct_bytes = sizeof info};
  assert_ok(graze_object_get_info(scene, object, &info));
  assert_true(info.pose.translation[0] == wanted);
}

/* As many as workers share, objects named twice among them: the last pose of each holds. The lowest that is refused is
 * told of, and none is set. */
TEST(test_workers_share_poses) {
  static graze_object objects[MANY], listed[LISTED];
  static graze_pose poses[LISTED];
  static double wanted[MANY];
  OWNED_SCENE *scene = large_scene(objects);
  for (int order = 0; order < 3; order++) { /* ascending, falling, half of them twice */
    const size_t count = order < 2 ? MANY : LISTED;
    for (size_t i = 0; i < count; i++) {
      const size_t number = order == 1 ? MANY - 1 - i : i % MANY;
      listed[i] = objects[number];
      for (int axis = 0; axis < 3; axis++) poses[i].rotation[4 * axis] = 1.0;
      wanted[number] = poses[i].translation[0] = 1.0 + (double)i + 10000.0 * order;
    }
    assert_ok(graze_scene_set_poses(scene, listed, count, poses));
    for (size_t i = 0; i < MANY; i++) check_translation(scene, objects[i], wanted[i]);
  }
  const double before = wanted[0];
  for (size_t i = 0; i < LISTED; i++) poses[i].translation[0] = -1.0;
  poses[8000].rotation[0] = 2.0;
  poses[2500].translation[0] = NAN;
  poses[7000].rotation[0] = NAN;
  assert_int_equal(graze_scene_set_poses(scene, listed, LISTED, poses), GRAZE_NOT_FINITE);
  assert_non_null(strstr(graze_error_text(), "pose 2500: "));
  check_translation(scene, listed[0], before);
}

/* Objects that come move the poses of those that are there; where one is refused the scene goes on answering. */
TEST(test_poses_outlive_refused_objects) {
  graze_object objects[OBJECTS];
  graze_pose poses[OBJECTS];
  OWNED_SCENE *scene = scene_of_many(objects);
  fill_poses(poses);
  assert_ok(graze_scene_set_poses(scene, objects, OBJECTS, poses));
  graze_object kept;
  const graze_mesh_def more = crossing_def();
  const uint32_t wrong[3] = {0, 1, 999};
  graze_mesh_def refused = more;
  refused.triangles = (graze_view){wrong, 1, 0, GRAZE_FORMAT_UINT32_3};
  for (int i = 0; i < 40; i++) {
    const size_t before = count_pairs_updated(scene);
    assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &refused, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
    assert_int_equal(count_pairs(scene), before);
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &more, NULL, &kept));
    assert_ok(graze_object_set_pose(scene, kept, poses + 1));
  }
}

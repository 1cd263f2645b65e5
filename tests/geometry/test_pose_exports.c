/* Tests poses from quaternions through the public header and the installed form of the library. */
#include <stddef.h>
#include <stdint.h>

#include <float.h>
#include <math.h>

#include "graze/graze.h"
#include "scene_calls.h"
#include "testing.h"

static const double shift[3] = {1.0, -2.0, 3.0};

static void check_rotation(const double quaternion[4], const double wanted[9]) {
  const graze_pose pose = graze_pose_from_quaternion(quaternion, shift);
  for (int i = 0; i < 9; i++)
    if (!(fabs(pose.rotation[i] - wanted[i]) <= 0x1p-50)) fail_msg("element %d is %g", i, pose.rotation[i]);
  for (int i = 0; i < 3; i++) assert_true(pose.translation[i] == shift[i]);
}

/* w comes first; a quarter turn about each axis takes the next axis to the one after it. */
TEST(test_quarter_turns) {
  const double half = sqrt(0.5);
  check_rotation((const double[4]){1, 0, 0, 0}, graze_pose_identity().rotation);
  check_rotation((const double[4]){half, half, 0, 0}, (const double[9]){1, 0, 0, 0, 0, -1, 0, 1, 0});
  check_rotation((const double[4]){half, 0, half, 0}, (const double[9]){0, 0, 1, 0, 1, 0, -1, 0, 0});
  check_rotation((const double[4]){half, 0, 0, half}, (const double[9]){0, -1, 0, 1, 0, 0, 0, 0, 1});
}

/* All lengths represent the same rotation, even if squares overflow or underflow. */
TEST(test_any_length) {
  static const double lengths[] = {1e-3, 7.0, 1e200, DBL_MAX, 1e-200, DBL_MIN, 0x1p-1074};
  static const double wanted[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}; /* a third of a turn about the diagonal */
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    const double part = lengths[i];
    check_rotation((const double[4]){part, part, part, part}, wanted);
    check_rotation((const double[4]){-part, -part, -part, -part}, wanted);
  }
}

TEST(test_no_rotation) {
  static const double none[][4] = {
      {0, 0, 0, 0}, {NAN, 0, 0, 1}, {1, 0, NAN, 0}, {INFINITY, 0, 0, 0}, {0, 1, 0, -INFINITY}};
  graze_object object;
  const graze_mesh_def def = graze_mesh_def_default();
  OWNED_SCENE *scene = create_scene(NULL);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    const graze_pose pose = graze_pose_from_quaternion(none[i], shift);
    for (int k = 0; k < 9; k++) assert_true(isnan(pose.rotation[k]));
    assert_int_equal(graze_object_set_pose(scene, object, &pose), GRAZE_NOT_A_ROTATION);
  }
}

/* Tests which method "auto" selects, as the scene reports it: trees while objects only move, the grid if they deform or
 * change, brute force for a few primitives. The pairs are always the same. */
#include "posed_object.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>

static const char *method_of(const graze_scene *scene) {
  const char *reason = NULL, *name = graze_scene_method(scene, &reason);
  assert_non_null(reason);
  return name;
}

static void turn(graze_scene *scene, double angle) {
  const double c = cos(angle), s = sin(angle), rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, shift[3] = {0.5, 0.1, 0};
  assert_ok(pose_object(scene, (graze_object){1, 1}, rotation, shift));
  assert_ok(graze_scene_update(scene));
}

static void compare(graze_scene *scene, graze_scene *judge) {
  const graze_query query = graze_query_default();
  OWNED(pair_answer) found = runner_find(scene, &query), wanted = runner_find(judge, &query);
  assert_true(wanted.count > 0);
  runner_compare(&wanted, &found, "auto", method_of(scene));
}

TEST(test_trees_come_and_go) {
  OWNED(mesh_set) made = torture_set("blob", 600, 1);
  const mesh both[2] = {made.meshes[0], made.meshes[0]};
  running_variant variant = running_variant_reference();
  OWNED_SCENE *judge = runner_scene(&variant, both, 2, NULL);
  variant.method = "auto";
  OWNED_SCENE *scene = runner_scene(&variant, both, 2, NULL);
  const char *const wanted[] = {"grid", "tree", "tree", "grid", "grid", "tree", "tree"};
  for (int frame = 0; frame < 7; frame++) {
    if (frame == 3) { /* a vertex moves */
      const graze_view one = {made.meshes[0].positions, 1, 0, GRAZE_FORMAT_DOUBLE3};
      assert_ok(graze_object_set_positions(scene, (graze_object){0, 1}, 0, one));
    }
    turn(scene, 0.1 * frame + 0.01);
    turn(judge, 0.1 * frame + 0.01);
    assert_string_equal(method_of(scene), wanted[frame]);
    compare(scene, judge);
  }
  assert_string_equal(method_of(judge), "brute");
}

TEST(test_what_is_reported) {
  OWNED_SCENE *scene;
  const graze_mesh_def def = crossing_def();
  assert_null(graze_scene_method(NULL, NULL));
  assert_ok(graze_scene_create(NULL, &scene));
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  assert_string_equal(method_of(scene), "auto");
  assert_ok(graze_scene_update(scene));
  assert_string_equal(method_of(scene), "brute");
}

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
  assert_int_equal(pose_object(scene, (graze_object){1, 1}, rotation, shift), GRAZE_OK);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
}

static void compare(graze_scene *scene, graze_scene *judge) {
  const graze_query query = graze_query_default();
  pair_answer found = runner_find(scene, &query), wanted = runner_find(judge, &query);
  assert_true(wanted.count > 0);
  runner_compare(&wanted, &found, "auto", method_of(scene));
  free(found.pairs);
  free(wanted.pairs);
}

TEST(test_trees_come_and_go) {
  mesh *meshes;
  size_t mesh_count;
  torture_model("blob", 600, 1, &meshes, &mesh_count);
  const mesh both[2] = {meshes[0], meshes[0]};
  running_variant variant = running_variant_reference();
  graze_scene *judge = runner_scene(&variant, both, 2, NULL);
  variant.method = "auto";
  graze_scene *scene = runner_scene(&variant, both, 2, NULL);
  const char *const wanted[] = {"grid", "tree", "tree", "grid", "grid", "tree", "tree"};
  for (int frame = 0; frame < 7; frame++) {
    if (frame == 3) { /* a vertex moves */
      const graze_view one = {meshes[0].positions, 1, 0, GRAZE_FORMAT_DOUBLE3};
      assert_int_equal(graze_object_set_positions(scene, (graze_object){0, 1}, 0, one), GRAZE_OK);
    }
    turn(scene, 0.1 * frame + 0.01);
    turn(judge, 0.1 * frame + 0.01);
    assert_string_equal(method_of(scene), wanted[frame]);
    compare(scene, judge);
  }
  assert_string_equal(method_of(judge), "brute");
  graze_scene_destroy(scene);
  graze_scene_destroy(judge);
  mesh_list_free(meshes, mesh_count);
}

TEST(test_what_is_reported) {
  graze_scene *scene;
  const graze_mesh_def def = crossing_def();
  assert_null(graze_scene_method(NULL, NULL));
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_OK);
  assert_string_equal(method_of(scene), "auto");
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_string_equal(method_of(scene), "brute");
  graze_scene_destroy(scene);
}

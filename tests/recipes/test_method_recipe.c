/* Tests the example of a method: it finds the pairs of the reference and is refused where it has no implementation. */
#include "base/number_sequence.h"
#include "method_names.h"
#include "testing.h"

#include <string.h>

enum { TRIANGLES = 400 };

static void add_soup(graze_scene *scene) {
  static double positions[3 * TRIANGLES][3];
  static uint32_t corners[TRIANGLES][3];
  uint64_t sequence = 7;
  for (uint32_t i = 0; i < TRIANGLES; i++)
    for (uint32_t k = 0; k < 3; k++) {
      corners[i][k] = 3 * i + k;
      for (int axis = 0; axis < 3; axis++)
        positions[3 * i + k][axis] =
            (double)sequence_below(&sequence, k == 0 ? 4096 : 512) / 512.0 + (k == 0 ? 0.0 : positions[3 * i][axis]);
    }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 3 * TRIANGLES, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){corners, TRIANGLES, 0, GRAZE_FORMAT_UINT32_3};
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_OK);
}

TEST(every_method_finds_the_same) {
  graze_scene *scene;
  graze_pairs wanted = {0}, found = {0};
  bool listed = false;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  add_soup(scene);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &wanted), GRAZE_OK);
  assert_true(wanted.count > 0);
  for (size_t i = 0; method_name_at(i) != NULL; i++) {
    graze_method_def method = graze_method_def_default();
    method.name = method_name_at(i);
    listed = listed || strcmp(method.name, "sweep") == 0;
    assert_int_equal(graze_scene_set_method(scene, &method), GRAZE_OK);
    assert_int_equal(graze_scene_find_pairs(scene, NULL, &found), GRAZE_OK);
    assert_true(found.count == wanted.count && found.hash == wanted.hash);
  }
  assert_true(listed);
  graze_pairs_free(&found);
  graze_pairs_free(&wanted);
  graze_scene_destroy(scene);
}

TEST(a_device_refuses_it_by_name) {
  graze_scene *scene;
  graze_method_def method = graze_method_def_default();
  graze_backend_def cuda = graze_backend_def_default();
  method.name = "sweep";
  cuda.name = "cuda";
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  assert_int_equal(graze_scene_set_method(scene, &method), GRAZE_OK);
  assert_int_equal(graze_scene_set_backend(scene, &cuda), GRAZE_UNSUPPORTED);
  assert_string_equal(graze_error_text(), "the method \"sweep\" does not run on the backend cuda; methods that do: "
                                          "auto, grid, tree, clusters, brute");
  graze_scene_destroy(scene);
}

/* Tests radii of spheres: set and read, added and erased spheres, boxes that are rounded outward, and errors. */
#include "graze/graze.h"
#include "scene_calls.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <string.h>

static graze_scene *scene_of_two(graze_object *object_out) {
  static const float centers[6] = {0, 0, 0, 3, 0, 0}, radii[2] = {1, 1.5f};
  graze_scene *scene = create_scene(NULL);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){centers, 2, 0, GRAZE_FORMAT_FLOAT3};
  def.radii = (graze_view){radii, 2, 0, GRAZE_FORMAT_FLOAT};
  def.name = "two";
  assert_ok(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, object_out));
  return scene;
}

static size_t count_pairs(graze_scene *scene) {
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  const size_t count = pairs.count;
  return count;
}

TEST(test_radii_are_set_and_read) {
  graze_object object;
  OWNED_SCENE *scene = scene_of_two(&object);
  assert_int_equal(count_pairs(scene), 0);
  const double touching = 2.0, nearly = nextafter(2.0, 0.0);
  assert_ok(graze_object_set_radii(scene, object, 0, (graze_view){&touching, 1, 0, GRAZE_FORMAT_DOUBLE}));
  assert_int_equal(count_pairs(scene), 1);
  assert_ok(graze_object_set_radii(scene, object, 0, (graze_view){&(float){1.5f}, 1, 0, GRAZE_FORMAT_FLOAT}));
  assert_int_equal(count_pairs(scene), 1); /* 1.5 + 1.5 = 3 */
  const double both[2] = {nearly, 1.0};
  assert_ok(graze_object_set_radii(scene, object, 0, (graze_view){both, 2, 0, GRAZE_FORMAT_DOUBLE}));
  assert_int_equal(count_pairs(scene), 0); /* a bit of a double too small, which a float would have rounded up */
  double read[2] = {0, 0};
  assert_ok(graze_object_get_radii(scene, object, 0, (graze_output_view){read, 2, 0, GRAZE_FORMAT_DOUBLE}));
  assert_memory_equal(read, both, sizeof both);
  float narrow[2] = {0, 0};
  assert_ok(graze_object_get_radii(scene, object, 0, (graze_output_view){narrow + 1, 2, -4, GRAZE_FORMAT_FLOAT}));
  assert_true(narrow[1] == 2.0f && narrow[0] == 1.0f);
  double low[3], high[3];
  assert_ok(graze_object_get_box(scene, object, low, high));
  assert_true(low[0] == -nearly && high[0] == 4.0 && low[1] == -nearly && high[2] == nearly);
  const double far[6] = {0x1p60, 0x1p60, 0x1p60, 0x1p60, 0x1p60, 0x1p60};
  assert_ok(graze_object_set_positions(scene, object, 0, (graze_view){far, 2, 0, GRAZE_FORMAT_DOUBLE3}));
  assert_ok(graze_object_get_box(scene, object, low, high));
  assert_true(low[0] == nextafter(0x1p60, 0.0) && high[0] == nextafter(0x1p60, INFINITY)); /* rounded outward */
}

TEST(test_spheres_come_and_go) {
  graze_object object;
  OWNED_SCENE *scene = scene_of_two(&object);
  const double centers[6] = {1.5, 0, 0, 9, 9, 9}, radii[2] = {0.25, 0.0};
  uint32_t first = 0;
  assert_ok(graze_object_append_spheres(scene, object, (graze_view){centers, 2, 0, GRAZE_FORMAT_DOUBLE3},
                                        (graze_view){radii, 2, 0, GRAZE_FORMAT_DOUBLE}, &first));
  assert_int_equal(first, 2);
  assert_int_equal(count_pairs(scene), 1); /* with the second: 1.5 = 1.5, and 1.25 of the first */
  assert_ok(graze_object_remove_primitives(scene, object, &(uint32_t){1}, 1));
  assert_int_equal(count_pairs(scene), 0);
  assert_ok(graze_object_append_spheres(scene, object, (graze_view){centers, 2, 0, GRAZE_FORMAT_DOUBLE3},
                                        (graze_view){radii, 2, 0, GRAZE_FORMAT_DOUBLE}, &first));
  assert_int_equal(first, 4);
  assert_int_equal(count_pairs(scene), 2); /* each new one with its twin, also where both are points */
  graze_object_info info = {0};
  assert_ok(graze_object_get_info(scene, object, &info));
  assert_int_equal(info.kind, GRAZE_KIND_SPHERE);
  assert_int_equal(info.primitive_count, 6);
  assert_int_equal(info.live_count, 5);
  assert_string_equal(graze_kind_text(info.kind, 1), "sphere");
  assert_true(graze_kind_is_solid(info.kind));
}

#define assert_refused(call, code, message)                                                                            \
  do {                                                                                                                 \
    assert_int_equal(call, code);                                                                                      \
    assert_string_equal(graze_error_text(), message);                                                                  \
  } while (0)

TEST(test_refusals) {
  graze_object object;
  OWNED_SCENE *scene = scene_of_two(&object);
  const double bad[3] = {1.0, -0.5, NAN}, huge = DBL_MAX, center[3] = {0, 0, 0};
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){center, 1, 0, GRAZE_FORMAT_DOUBLE3};
  assert_refused(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 1: 1 spheres have 0 radii");
  def.radii = (graze_view){bad + 1, 1, 0, GRAZE_FORMAT_DOUBLE};
  assert_refused(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 1: the radius of sphere 0 is -0.5; it must be 0 or more");
  def.radii.data = bad + 2;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, NULL), GRAZE_NOT_FINITE,
                 "object 1: the radius of sphere 0 is nan");
  def.radii.format = GRAZE_FORMAT_UINT32;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "radii have format 5; GRAZE_FORMAT_FLOAT or GRAZE_FORMAT_DOUBLE is required");
  assert_refused(graze_object_set_radii(scene, object, 0, (graze_view){bad, 2, 0, GRAZE_FORMAT_DOUBLE}),
                 GRAZE_INVALID_ARGUMENT, "object 0 (two): the radius of sphere 1 is -0.5; it must be 0 or more");
  assert_refused(graze_object_set_radii(scene, object, 1, (graze_view){bad, 2, 0, GRAZE_FORMAT_DOUBLE}),
                 GRAZE_INDEX_OUT_OF_RANGE, "object 0 (two): radii 1 to 3 are set, but the object has 2");
  assert_refused(graze_object_append_positions(scene, object, def.positions, NULL), GRAZE_UNSUPPORTED,
                 "object 0 (two): spheres need radii; use graze_object_append_spheres");
  assert_refused(
      graze_object_append_primitives(scene, object, (graze_view){&(uint32_t){0}, 1, 0, GRAZE_FORMAT_UINT32}, NULL),
      GRAZE_UNSUPPORTED, "object 0 (two): spheres cannot be inserted; create a new object");
  assert_refused(
      graze_object_append_spheres(scene, object, def.positions, (graze_view){bad, 2, 0, GRAZE_FORMAT_DOUBLE}, NULL),
      GRAZE_INVALID_ARGUMENT, "object 0 (two): 1 spheres have 2 radii");
  assert_ok(graze_object_set_radii(scene, object, 0, (graze_view){&huge, 1, 0, GRAZE_FORMAT_DOUBLE}));
  float narrow;
  assert_refused(graze_object_get_radii(scene, object, 0, (graze_output_view){&narrow, 1, 0, GRAZE_FORMAT_FLOAT}),
                 GRAZE_NOT_FINITE,
                 "object 0 (two): the radius of sphere 0 is 1.79769e+308, which exceeds the range of float");
  assert_int_equal(count_pairs(scene), 1);
  const double corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  def = graze_mesh_def_default();
  def.positions = (graze_view){corner, 3, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){(const uint32_t[3]){0, 1, 2}, 1, 0, GRAZE_FORMAT_UINT32_3};
  graze_object triangle;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &triangle));
  assert_refused(graze_object_set_radii(scene, triangle, 0, (graze_view){bad, 1, 0, GRAZE_FORMAT_DOUBLE}),
                 GRAZE_UNSUPPORTED, "object 1: triangles have no radii");
}

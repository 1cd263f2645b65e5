/* Tests uploads of scenes with thousands of objects to an emulated device: few copies for any number of objects, and
 * after every change the pairs of the processor. */
#include "backend_choice.h"
#include "graze/graze.h"
#include "host_operations.h"
#include "posed_object.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t triangles[4][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}};
static const uint32_t tetrahedra[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};

enum {
  LONG_VERTICES = 12000, /* of one object: more bytes than are gathered */
  LONG_NUMBER = 10,
  COPIES_MOST = 16 /* of any update: some tables, the long object, runs of moved ones */
};

/* The same scene on the processor and on the device. */
typedef struct twin_scenes {
  graze_scene *scenes[2];
  uint32_t object_count;
} twin_scenes;

/* Positions of an object; a later phase of it lies a little further on. */
static graze_view positions_of(uint32_t number, uint32_t phase, uint32_t side) {
  static double wide[LONG_VERTICES][3];
  static float narrow[8][3];
  const double place[3] = {number % side, number / side % side, number / side / side};
  const size_t count = number == LONG_NUMBER ? LONG_VERTICES : 8;
  for (size_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++)
      wide[i][axis] = 0.75 * place[axis] + cube[i % 8][axis] + 0.03125 * phase * (1 + number % 3);
  for (int i = 0; i < 24; i++) narrow[i / 3][i % 3] = (float)wide[i / 3][i % 3];
  if (number % 4 == 1) return (graze_view){narrow, 8, 0, GRAZE_FORMAT_FLOAT3};
  return (graze_view){wide, count, 0, GRAZE_FORMAT_DOUBLE3};
}

static uint32_t side_of(uint32_t object_count) {
  return (uint32_t)ceil(cbrt(object_count));
}

static twin_scenes make_twins(uint32_t object_count, bool solids) {
  twin_scenes twins = {{NULL, NULL}, object_count};
  for (int there = 0; there < 2; there++) {
    assert_ok(create_on(there != 0 ? "cuda" : "cpu", 0, graze_scene_def_default(), &twins.scenes[there]));
    for (uint32_t i = 0; i < object_count; i++) {
      graze_mesh_def mesh = graze_mesh_def_default();
      const bool solid = solids && i % 6 == 0;
      mesh.positions = positions_of(i, 0, side_of(object_count));
      if (solid) mesh.tetrahedra = (graze_view){tetrahedra, 5, 0, GRAZE_FORMAT_UINT32_4};
      if (!solid) mesh.triangles = (graze_view){triangles, 4, 0, GRAZE_FORMAT_UINT32_3};
      assert_ok(solid ? graze_scene_add(twins.scenes[there], GRAZE_KIND_TETRAHEDRON, &mesh, NULL, NULL)
                      : graze_scene_add(twins.scenes[there], GRAZE_KIND_TRIANGLE, &mesh, NULL, NULL));
    }
  }
  return twins;
}

/* Updates both, compares their pairs, and says how many copies the device took. */
static size_t compare_twins(const twin_scenes *twins) {
  graze_pairs pairs[2] = {{0}, {0}};
  size_t copies = 0;
  for (int there = 0; there < 2; there++) {
    const size_t before = host_device_count().uploads;
    assert_ok(graze_scene_update(twins->scenes[there]));
    copies = host_device_count().uploads - before;
    assert_ok(graze_scene_find_pairs(twins->scenes[there], NULL, &pairs[there]));
  }
  assert_true(pairs[0].count > twins->object_count);
  assert_int_equal(pairs[0].count, pairs[1].count);
  assert_true(pairs[0].hash == pairs[1].hash);
  for (int there = 0; there < 2; there++) graze_pairs_free(&pairs[there]);
  return copies;
}

static void move(const twin_scenes *twins, uint32_t number, uint32_t phase) {
  for (int there = 0; there < 2; there++)
    assert_ok(graze_object_set_positions(twins->scenes[there], (graze_object){number, 1}, 0,
                                         positions_of(number, phase, side_of(twins->object_count))));
}

static void pose_all(const twin_scenes *twins) {
  const double c = cos(0.01), s = sin(0.01), turned[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  for (uint32_t i = 0; i < twins->object_count; i++) {
    const double moved[3] = {0.001 * (i % 7), 0, 0};
    for (int there = 0; there < 2; there++)
      assert_ok(pose_object(twins->scenes[there], (graze_object){i, 1}, turned, moved));
  }
}

static void erase_some(const twin_scenes *twins) {
  const uint32_t second = 1;
  for (uint32_t i = 0; i < twins->object_count; i += 5)
    for (int there = 0; there < 2; there++)
      assert_ok(graze_object_remove_primitives(twins->scenes[there], (graze_object){i, 1}, &second, 1));
}

TEST(test_copies_do_not_grow_with_objects) {
  const host_device_settings settings = {.order = INDICES_FORWARD};
  host_device_configure(&settings);
  for (uint32_t count = 1500; count <= (test_scale() < 1.0 ? 1500 : 3000); count *= 2)
    for (int solids = 0; solids < 2; solids++) {
      const twin_scenes twins = make_twins(count, solids != 0);
      assert_in_range(compare_twins(&twins), 5, COPIES_MOST);
      assert_int_equal(compare_twins(&twins), 0);
      pose_all(&twins);
      assert_in_range(compare_twins(&twins), 1, 2); /* objects, and sources that were not posed before */
      pose_all(&twins);
      assert_int_equal(compare_twins(&twins), 0); /* the same poses */
      for (uint32_t i = 0; i < count; i += 3) move(&twins, i, 1);
      assert_in_range(compare_twins(&twins), 1, COPIES_MOST);
      /* The large range between the two is not copied. */
      move(&twins, LONG_NUMBER + 1, 2);
      move(&twins, count - 1, 2);
      assert_int_equal(compare_twins(&twins), 2);
      /* Some of what lies between goes along, and some is too much; none of it is lost. */
      move(&twins, LONG_NUMBER + 1, 3);
      move(&twins, LONG_NUMBER + 451, 3);
      assert_int_equal(compare_twins(&twins), 2);
      move(&twins, LONG_NUMBER, 3);
      move(&twins, LONG_NUMBER - 1, 3);
      assert_int_equal(compare_twins(&twins), 2);
      erase_some(&twins);
      assert_in_range(compare_twins(&twins), 5, COPIES_MOST);
      for (int there = 0; there < 2; there++) graze_scene_destroy(twins.scenes[there]);
    }
}

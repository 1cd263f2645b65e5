/* Compares least distances of batches of poses bit by bit with graze_scene_find_nearest after posing and updating the
 * same scene, for all kinds, methods and threads; and tests limits and errors. */
#include "base/number_sequence.h"
#include "batch_calls.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "sphere_scenes.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>

enum { OBJECTS = 5, POSES = 24, PAIRS_MOST = OBJECTS * OBJECTS };

static const running_variant variants[] = {{"tree", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
                                           {"tree", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
                                           {"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const char *const model_sets[][OBJECTS] = {{"sphere", "gear", "soup", "torus", "panels"},
                                                  {"panels", "tet-ball", "balls", "cells", "sphere"},
                                                  {"balls", "balls", "panels", "tet-box", "cells"},
                                                  {"cells", "cells", "balls", "soup", "tet-ball"}};

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * ((double)(sequence_next(seed) >> 11) * 0x1p-53);
}

static graze_pose random_pose(uint64_t *seed, double far) {
  double quaternion[4], translation[3];
  for (int i = 0; i < 4; i++) quaternion[i] = between(seed, -1.0, 1.0);
  for (int i = 0; i < 3; i++) translation[i] = between(seed, -far, far);
  if (sequence_below(seed, 8) == 0) return graze_pose_identity();
  return graze_pose_from_quaternion(quaternion, translation);
}

static mesh make_balls(uint64_t seed, size_t count) {
  mesh balls = sphere_mesh(count);
  for (size_t i = 0; i < count; i++) {
    for (int axis = 0; axis < 3; axis++) balls.positions[3 * i + (size_t)axis] = between(&seed, -1.0, 1.0);
    balls.radii[i] = between(&seed, 0.0, 0.1);
  }
  return balls;
}

/* Objects of a set; the last one may have no primitives. */
static graze_scene *make_scene(const running_variant *variant, uint64_t set, uint64_t size, bool last_is_empty,
                               graze_object objects_out[OBJECTS]) {
  graze_scene *scene = runner_scene(variant, NULL, 0, NULL);
  for (int i = 0; i < OBJECTS; i++) {
    const char *name = model_sets[set][i];
    OWNED(mesh)
    made = strcmp(name, "balls") == 0 ? make_balls(set + (uint64_t)i, size)
                                      : torture_first_mesh(name, size, set + (uint64_t)i);
    const graze_mesh_def empty = graze_mesh_def_default();
    if (last_is_empty && i == OBJECTS - 1)
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &empty, NULL, &objects_out[i]));
    else
      objects_out[i] = runner_add(scene, &made, false, NULL);
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

static graze_nearest empty_row(double lower) {
  const graze_nearest row = {.complete = 1, .distance = INFINITY, .lower = lower, .upper = INFINITY};
  return row;
}

static void check_rows(const graze_nearest *found, const graze_nearest *wanted, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (memcmp(&found[i], &wanted[i], sizeof *found) != 0)
      fail_msg("%s, row %zu: %u %u %u %u at %.17g in [%.17g, %.17g] in place of %u %u %u %u at %.17g in [%.17g, %.17g]",
               name, i, found[i].pair.object_a, found[i].pair.primitive_a, found[i].pair.object_b,
               found[i].pair.primitive_b, found[i].distance, found[i].lower, found[i].upper, wanted[i].pair.object_a,
               wanted[i].pair.primitive_a, wanted[i].pair.object_b, wanted[i].pair.primitive_b, wanted[i].distance,
               wanted[i].lower, wanted[i].upper);
}

/* ---------------------------------------------------------------------------------------------- one object */

/* The row of two objects as they lie in the scene. */
static graze_nearest row_of_two(const graze_scene *judge, graze_object a, graze_object b, double max_distance) {
  graze_nearest_options options = graze_nearest_options_default();
  options.about_count = 2;
  options.about_a = a;
  options.about_b = b;
  options.max_distance = max_distance;
  OWNED(graze_nearest_list) found = find_nearest(judge, &options);
  const graze_nearest row = found.count == 1 ? found.nearests[0] : empty_row(max_distance);
  return row;
}

static int compare_distances(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}

static double median_of(const graze_nearest *rows, size_t count) {
  double distances[POSES];
  for (size_t i = 0; i < count; i++) distances[i] = rows[i].distance;
  qsort(distances, count, sizeof distances[0], compare_distances);
  return distances[count / 2];
}

/* Rows without a bound, and with one that half of them are beyond; one that is a row's own distance, too. */
static void check_poses(graze_scene *const scenes[VARIANTS], graze_scene *judge, graze_object still,
                        graze_object moving, const graze_pose *poses, size_t count) {
  graze_nearest wanted[POSES], found[POSES];
  const graze_id_pair pair = {still, moving};
  graze_batch_def batch = batch_of_pair(&pair, poses, count);
  for (int round = 0; round < 3; round++) {
    if (round == 1) batch.max_distance = median_of(wanted, count);
    if (round == 2) batch.max_distance = nextafter(batch.max_distance, 0.0);
    for (size_t i = 0; i < count; i++) {
      assert_ok(graze_object_set_pose(judge, moving, &poses[i]));
      assert_ok(graze_scene_update(judge));
      wanted[i] = row_of_two(judge, still, moving, batch.max_distance);
    }
    for (int v = 0; v < VARIANTS; v++) {
      memset(found, 0xff, sizeof found);
      if (batch_nearest(scenes[v], batch, found) != GRAZE_OK)
        fail_msg("%s: %s", variants[v].method, graze_error_text());
      check_rows(found, wanted, count, variants[v].method);
    }
  }
  const graze_pose none = graze_pose_identity();
  assert_ok(graze_object_set_pose(judge, moving, &none));
}

/* A limit leaves true bounds. */
static void check_limit(const graze_scene *scene, graze_object still, graze_object moving, const graze_pose *poses,
                        size_t count) {
  graze_nearest wanted[POSES], found[POSES];
  const graze_id_pair pair = {still, moving};
  graze_batch_def batch = batch_of_pair(&pair, poses, count);
  assert_ok(batch_nearest(scene, batch, wanted));
  batch.visit_limit = 2;
  assert_ok(batch_nearest(scene, batch, found));
  for (size_t i = 0; i < count; i++) {
    assert_true(found[i].lower <= wanted[i].upper && wanted[i].lower <= found[i].upper);
    assert_true(found[i].distance >= wanted[i].distance);
    assert_true(found[i].complete == 0 || found[i].distance == wanted[i].distance);
  }
}

TEST(test_poses_of_one_object) {
  static const double far[] = {0.7, 2.5, 40.0, 1e6, 1e12};
  const size_t count = (size_t)(POSES * fmin(test_scale(), 1.0)) + 3;
  for (uint64_t set = 0; set < sizeof model_sets / sizeof model_sets[0]; set++) {
    graze_object objects[OBJECTS];
    graze_scene *scenes[VARIANTS], *judge;
    const running_variant reference = running_variant_reference();
    uint64_t seed = set;
    judge = make_scene(&reference, set, 40, false, objects);
    for (int v = 0; v < VARIANTS; v++) scenes[v] = make_scene(&variants[v], set, 40, false, objects);
    for (size_t f = 0; f < sizeof far / sizeof far[0]; f++) {
      graze_pose poses[POSES];
      for (int i = 0; i < POSES; i++) poses[i] = random_pose(&seed, far[f]);
      const size_t a = sequence_below(&seed, OBJECTS), b = (a + 1 + sequence_below(&seed, OBJECTS - 1)) % OBJECTS;
      check_poses(scenes, judge, objects[a], objects[b], poses, count < POSES ? count : POSES);
      check_limit(scenes[0], objects[a], objects[b], poses, POSES);
    }
    for (int v = 0; v < VARIANTS; v++) graze_scene_destroy(scenes[v]);
    graze_scene_destroy(judge);
  }
}

/* Two grids of equal triangles have ties everywhere: the lowest pair is found. */
TEST(test_ties) {
  enum { SIDE = 16, COUNT = SIDE * SIDE };
  OWNED(mesh) flat = torture_mesh(3 * COUNT, COUNT);
  for (size_t i = 0; i < COUNT; i++) {
    const double x = (double)(i % SIDE), y = (double)(i / SIDE);
    const double corners[9] = {x, y, 0.0, x + 0.75, y, 0.0, x, y + 0.75, 0.0};
    memcpy(flat.positions + 9 * i, corners, sizeof corners);
    for (uint32_t k = 0; k < 3; k++) flat.triangles[3 * i + k] = (uint32_t)(3 * i + k);
  }
  const mesh meshes[2] = {flat, flat};
  for (int v = 0; v < VARIANTS; v++) {
    OWNED_SCENE *scene = runner_scene(&variants[v], meshes, 2, NULL);
    graze_pose poses[4];
    graze_nearest rows[4];
    const graze_id_pair pair = {{0, 1}, {1, 1}};
    for (int i = 0; i < 4; i++) {
      poses[i] = graze_pose_identity();
      poses[i].translation[2] = i;
    }
    assert_ok(batch_nearest(scene, batch_of_pair(&pair, poses, 4), rows));
    for (int i = 0; i < 4; i++) {
      assert_true(rows[i].distance == (double)i);
      assert_int_equal(rows[i].pair.primitive_a, 0);
      assert_int_equal(rows[i].pair.primitive_b, 0);
    }
  }
}

/* A pose that leaves an object where it is keeps the signs of its zeros, as it does in a scene. */
TEST(test_signs_of_zeros) {
  const double values[] = {-0.0, 0.0, 1.0, -1.0};
  const uint32_t triangle[3] = {0, 1, 2};
  const graze_pose identity = graze_pose_identity();
  uint64_t seed = 5;
  for (int trial = 0; trial < 300; trial++) {
    double corners[2][9];
    OWNED_SCENE *scene = runner_scene(&variants[0], NULL, 0, NULL);
    graze_object objects[2];
    for (int i = 0; i < 2; i++) {
      graze_mesh_def def = graze_mesh_def_default();
      for (int k = 0; k < 9; k++) corners[i][k] = values[sequence_below(&seed, 4)];
      def.positions = (graze_view){.data = corners[i], .count = 3, .format = GRAZE_FORMAT_DOUBLE3};
      def.triangles = (graze_view){.data = triangle, .count = 1, .format = GRAZE_FORMAT_UINT32_3};
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &objects[i]));
    }
    assert_ok(graze_scene_update(scene));
    const graze_nearest wanted = row_of_two(scene, objects[0], objects[1], INFINITY);
    graze_nearest found;
    const graze_id_pair pair = {objects[0], objects[1]};
    assert_ok(batch_nearest(scene, batch_of_pair(&pair, &identity, 1), &found));
    check_rows(&found, &wanted, 1, "signs of zeros");
  }
}

/* Spheres of all sizes that doubles have: bounds of the search overflow, and answers stay those of the judge. */
TEST(test_extreme_spheres) {
  const graze_object still = {0, 1}, moving = {1, 1};
  graze_pose poses[POSES];
  uint64_t seed = 77;
  for (int i = 0; i < POSES; i++) poses[i] = random_pose(&seed, i % 8 == 7 ? 100.0 : 0.1 * i);
  for (size_t number = 0; number < sphere_scene_count(); number++) {
    const sphere_scene *made = sphere_scene_at(number);
    OWNED(mesh_set) set = made_set(made->make);
    graze_scene *scenes[VARIANTS], *judge = runner_scene(&variants[0], set.meshes, set.count, NULL);
    for (int v = 0; v < VARIANTS; v++) {
      scenes[v] = runner_scene(&variants[v], set.meshes, set.count, NULL);
      assert_ok(graze_scene_update(scenes[v]));
    }
    if (set.count > 1) check_poses(scenes, judge, still, moving, poses, 8);
    for (int v = 0; v < VARIANTS; v++) graze_scene_destroy(scenes[v]);
    graze_scene_destroy(judge);
  }
}

static graze_object add_ball(graze_scene *scene, const double center[3], double radius) {
  graze_object ball;
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){.data = center, .count = 1, .format = GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){.data = &radius, .count = 1, .format = GRAZE_FORMAT_DOUBLE};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, &ball));
  return ball;
}

/* The answers for one pose, or the same failure, as the judge gives after an update. */
static void check_extreme_pose(const graze_scene *scene, graze_scene *judge, graze_object still, graze_object moving,
                               const graze_pose *pose) {
  graze_nearest found, wanted = empty_row(INFINITY);
  const graze_id_pair pair = {still, moving};
  const graze_batch_def batch = batch_of_pair(&pair, pose, 1);
  const graze_pose home = graze_pose_identity();
  uint64_t meets = 2;
  uint8_t collides = 2;
  assert_ok(graze_object_set_pose(judge, moving, pose));
  const graze_result update = graze_scene_update(judge);
  if (update == GRAZE_OK) wanted = row_of_two(judge, still, moving, INFINITY);
  assert_ok(graze_object_set_pose(judge, moving, &home));
  assert_int_equal(batch_nearest(scene, batch, &found), update);
  assert_int_equal(batch_counts(scene, batch, &meets), update);
  assert_int_equal(batch_hits(scene, batch, &collides), update);
  if (update != GRAZE_OK) return;
  check_rows(&found, &wanted, 1, "boxes beyond doubles");
  assert_true(meets == (wanted.distance == 0.0) && collides == meets);
}

/* Balls whose boxes exceed the range of double after some poses, and whose centers do after the last one. */
TEST(test_boxes_beyond_doubles) {
  const double centers[3][3] = {{0, 0, 0}, {0x1p1023, 0, 0}, {0x1.4p1023, 0x1.4p1023, 0}};
  const double radii[3] = {1.0, 0x1.8p1023, 0x1p1022}, none[4] = {0, 0, 0, 1}, eighth[4] = {0, 0, 0.6, 0.8};
  const double shifts[5][3] = {
      {0, 0, 0}, {0, 0, 0}, {-0x1p1022, 0x1p1022, 1}, {-0x1.4p1023, -0x1.4p1023, 3}, {0x1p1023, 0, 0}};
  for (int v = 0; v < VARIANTS; v++) {
    graze_scene *scenes[2];
    graze_object balls[3];
    for (int i = 0; i < 2; i++) {
      scenes[i] = runner_scene(&variants[i == 0 ? v : 0], NULL, 0, NULL);
      for (int k = 0; k < 3; k++) balls[k] = add_ball(scenes[i], centers[k], radii[k]);
      assert_ok(graze_scene_update(scenes[i]));
    }
    for (int i = 0; i < 10; i++) {
      const graze_pose pose = graze_pose_from_quaternion(i / 2 == 1 ? eighth : none, shifts[i / 2]);
      check_extreme_pose(scenes[0], scenes[1], balls[0], balls[1 + i % 2], &pose);
    }
    for (int i = 0; i < 2; i++) graze_scene_destroy(scenes[i]);
  }
}

/* ---------------------------------------------------------------------------------------------- configurations */

enum { MOVING = 3, CONFIGURATIONS = 24 };

static void filter_scene(graze_scene *scene, const graze_object objects[OBJECTS]) {
  assert_ok(graze_scene_exclude(scene, objects[0], objects[1], true));
  assert_ok(graze_object_set_filter(scene, objects[2], 2, 3, true));
  assert_ok(graze_scene_update(scene));
}

/* Compares by distance, then by pair. */
static bool row_is_lower(const graze_nearest *a, const graze_nearest *b) {
  if (a->distance != b->distance) return a->distance < b->distance;
  if (a->pair.object_a != b->pair.object_a) return a->pair.object_a < b->pair.object_a;
  if (a->pair.primitive_a != b->pair.primitive_a) return a->pair.primitive_a < b->pair.primitive_a;
  return a->pair.object_b < b->pair.object_b;
}

/* The row of all pairs is the lowest of their rows, but for a lower bound that is at most as high. */
static void check_one_row(graze_nearest found, const graze_nearest *rows, size_t count, double max_distance) {
  graze_nearest wanted = empty_row(INFINITY);
  double lower = INFINITY;
  for (size_t i = 0; i < count; i++) {
    lower = fmin(lower, rows[i].lower);
    if (row_is_lower(&rows[i], &wanted)) wanted = rows[i];
  }
  assert_true(found.lower <= lower);
  assert_true(found.lower >= fmin(lower, max_distance) - 1e-9);
  wanted.lower = found.lower;
  check_rows(&found, &wanted, 1, "one row");
}

static void check_configurations(const graze_scene *scene, graze_scene *judge, const graze_object moving[MOVING],
                                 const graze_id_pair *pairs, size_t pair_count, bool given, const graze_pose *poses,
                                 double max_distance, const char *name) {
  static graze_nearest wanted[CONFIGURATIONS * PAIRS_MOST], found[CONFIGURATIONS * PAIRS_MOST], one[CONFIGURATIONS];
  graze_batch_def batch = batch_of(moving, MOVING, poses, CONFIGURATIONS * MOVING);
  batch.max_distance = max_distance;
  if (given) {
    batch.pairs = pairs;
    batch.pair_count = pair_count;
  }
  for (int each = 0; each < 2; each++) {
    batch.each_pair = each == 1;
    if (batch_nearest(scene, batch, each ? found : one) != GRAZE_OK) fail_msg("%s: %s", name, graze_error_text());
  }
  for (size_t c = 0; c < CONFIGURATIONS; c++) {
    graze_nearest *rows = wanted + c * pair_count;
    assert_ok(graze_scene_set_poses(judge, moving, MOVING, poses + c * MOVING));
    assert_ok(graze_scene_update(judge));
    for (size_t i = 0; i < pair_count; i++) {
      graze_nearest_options alone = graze_nearest_options_default();
      alone.about_count = 2;
      alone.about_a = pairs[i].a;
      alone.about_b = pairs[i].b;
      OWNED(graze_nearest_list) found_alone = find_nearest(judge, &alone);
      const bool counts = found_alone.count == 1; /* not filtered, and not empty */
      rows[i] = counts ? row_of_two(judge, pairs[i].a, pairs[i].b, max_distance) : empty_row(INFINITY);
    }
    check_one_row(one[c], rows, pair_count, max_distance);
  }
  check_rows(found, wanted, CONFIGURATIONS * pair_count, name);
}

TEST(test_configurations) {
  for (uint64_t set = 0; set < sizeof model_sets / sizeof model_sets[0]; set++) {
    graze_object objects[OBJECTS];
    const running_variant reference = running_variant_reference();
    graze_scene *judge = make_scene(&reference, set, 30, set % 2 == 0, objects);
    filter_scene(judge, objects);
    const graze_object moving[MOVING] = {objects[3], objects[0], objects[OBJECTS - 1]};
    uint64_t seed = 50 + set;
    graze_pose poses[CONFIGURATIONS * MOVING];
    for (int i = 0; i < CONFIGURATIONS * MOVING; i++) poses[i] = random_pose(&seed, set % 2 == 0 ? 2.0 : 6.0);
    for (int v = 0; v < VARIANTS; v++) {
      graze_scene *scene = make_scene(&variants[v], set, 30, set % 2 == 0, objects);
      filter_scene(scene, objects);
      graze_id_pair pairs[PAIRS_MOST];
      size_t count;
      assert_ok(graze_scene_list_batch_pairs(scene, moving, MOVING, pairs, PAIRS_MOST, &count));
      assert_true(count > 3);
      check_configurations(scene, judge, moving, pairs, count, false, poses, INFINITY, variants[v].method);
      check_configurations(scene, judge, moving, pairs, count, false, poses, 0.5, variants[v].method);
      const graze_id_pair some[3] = {{objects[0], objects[1]}, {objects[3], objects[1]}, {objects[2], objects[1]}};
      check_configurations(scene, judge, moving, some, 3, true, poses, INFINITY, variants[v].method);
      check_configurations(scene, judge, moving, some, 0, true, poses, INFINITY, variants[v].method);
      graze_scene_destroy(scene);
    }
    graze_scene_destroy(judge);
  }
}

/* ---------------------------------------------------------------------------------------------- refusals */

static bool stop_at_once(void *context) {
  (void)context;
  return true;
}

TEST(test_refusals) {
  OWNED_SCENE *scene = runner_scene(&variants[1], NULL, 0, NULL);
  graze_object o[3];
  graze_mesh_def def = crossing_def();
  static const char *const names[3] = {"base", "arm", "hand"};
  for (int i = 0; i < 3; i++) {
    def.name = names[i];
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &o[i]));
  }
  graze_pose poses[8];
  for (int i = 0; i < 8; i++) poses[i] = graze_pose_identity();
  graze_nearest rows[8];
  const graze_id_pair pair = {o[0], o[1]}, gone = {o[0], {9, 1}};
  const graze_batch_def one = batch_of_pair(&pair, poses, 8), many = batch_of(o + 1, 2, poses, 8);
  graze_batch_def batch = many;
  assert_int_equal(batch_nearest(scene, one, rows), GRAZE_NOT_UPDATED);
  assert_int_equal(batch_nearest(scene, many, rows), GRAZE_NOT_UPDATED);
  assert_ok(graze_scene_update(scene));
  assert_ok(batch_nearest(scene, batch_of_pair(&pair, NULL, 0), rows));
  assert_ok(batch_nearest(scene, one, rows));
  assert_true(rows[7].distance == 0.0);
  assert_ok(batch_nearest(scene, many, rows));
  assert_refused(batch_nearest(scene, batch_of(o + 1, 2, poses, 7), rows), GRAZE_INVALID_ARGUMENT,
                 "configuration 3 has 1 of 2 poses");
  poses[5].rotation[0] = 1.5;
  poses[6].rotation[0] = NAN;
  assert_refused(batch_nearest(scene, one, rows), GRAZE_NOT_A_ROTATION,
                 "configuration 5: object 1 (arm): the pose is not a rotation: R times its transpose differs from the "
                 "identity by 1.25");
  assert_refused(batch_nearest(scene, many, rows), GRAZE_NOT_A_ROTATION,
                 "configuration 2: object 2 (hand): the pose is not a rotation: R times its transpose differs from the "
                 "identity by 1.25");
  poses[5] = poses[6] = graze_pose_identity();
  assert_int_equal(batch_nearest(scene, batch_of_pair(&gone, poses, 1), rows), GRAZE_NO_SUCH_OBJECT);
  assert_refused(batch_nearest(scene, batch_of_pair(&pair, NULL, 3), rows), GRAZE_INVALID_ARGUMENT,
                 "the poses of 3 configurations are NULL");
  assert_refused(batch_nearest(scene, batch_of_pair(&pair, poses, 3), NULL), GRAZE_INVALID_ARGUMENT,
                 "the answers of 3 configurations are NULL");
  batch.max_distance = NAN;
  assert_int_equal(batch_nearest(scene, batch, rows), GRAZE_INVALID_ARGUMENT);
  batch.max_distance = -1.0;
  assert_refused(batch_nearest(scene, batch, rows), GRAZE_INVALID_ARGUMENT,
                 "the largest distance is -1: it must not be negative");
  batch = many;
  batch.clearance = 0.5;
  assert_refused(batch_nearest(scene, batch, rows), GRAZE_INVALID_ARGUMENT,
                 "a clearance is for tests: distances have max_distance");
  batch = many;
  batch.should_stop = stop_at_once;
  assert_refused(batch_nearest(scene, batch, rows), GRAZE_STOPPED, "the caller stopped the batch");
}

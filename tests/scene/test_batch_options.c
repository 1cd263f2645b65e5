/* Tests the options of batches against one scene at a time: a clearance and padding, objects against themselves,
 * ignored filters, and rows of objects that touch without a pair. */
#include "base/number_sequence.h"
#include "batch_calls.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 5, MOVING = 3, COUNT = 24, PAIRS = OBJECTS * (OBJECTS - 1) / 2 };

static const running_variant variants[] = {{"tree", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
                                           {"tree", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
                                           {"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* A scene, its configurations, and the limits of its pairs. */
typedef struct batch_model {
  graze_scene *judge, *scene;
  graze_object objects[OBJECTS];
  graze_pose poses[COUNT * MOVING];
  graze_id_pair pairs[PAIRS];
  size_t pair_count;
  graze_batch_padding paddings[OBJECTS];
  double clearance;
} batch_model;

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * ((double)(sequence_next(seed) >> 11) * 0x1p-53);
}

static graze_scene *make_scene(const running_variant *variant, uint64_t seed, graze_object objects_out[OBJECTS]) {
  static const char *const models[] = {"sphere", "tet-ball", "panels", "cells", "soup", "torus", "gear"};
  graze_scene *scene = runner_scene(variant, NULL, 0, NULL);
  for (uint64_t i = 0; i < OBJECTS; i++) {
    mesh made = torture_first_mesh(models[(seed + i) % 7], 30, seed + i);
    objects_out[i] = runner_add(scene, &made, false, NULL);
    mesh_free(&made);
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

static batch_model make_model(const running_variant *variant, uint64_t seed, double clearance, bool padded) {
  batch_model made = {.clearance = clearance};
  const running_variant reference = running_variant_reference();
  made.judge = make_scene(&reference, seed, made.objects);
  made.scene = make_scene(variant, seed, made.objects);
  for (int i = 0; i < COUNT * MOVING; i++) {
    double quaternion[4], translation[3];
    for (int k = 0; k < 4; k++) quaternion[k] = between(&seed, -1.0, 1.0);
    for (int k = 0; k < 3; k++) translation[k] = between(&seed, -3.5, 3.5);
    made.poses[i] = graze_pose_from_quaternion(quaternion, translation);
  }
  for (int i = 0; i < OBJECTS; i++)
    made.paddings[i] = (graze_batch_padding){made.objects[i], padded && i % 2 == 0 ? between(&seed, 0.0, 0.4) : 0.0};
  assert_ok(graze_scene_list_batch_pairs(made.scene, made.objects, MOVING, made.pairs, PAIRS, &made.pair_count));
  assert_int_equal(made.pair_count, PAIRS - 1);
  return made;
}

static void free_model(batch_model *model) {
  graze_scene_destroy(model->judge);
  graze_scene_destroy(model->scene);
}

static graze_batch_def batch_of_model(const batch_model *model) {
  graze_batch_def batch = batch_of(model->objects, MOVING, model->poses, (size_t)COUNT * MOVING);
  batch.paddings = model->paddings;
  batch.padding_count = OBJECTS;
  return batch;
}

static double padding_of(const batch_model *model, size_t pair) {
  return model->paddings[model->pairs[pair].a.index].padding + model->paddings[model->pairs[pair].b.index].padding;
}

static void pose_judge(const batch_model *model, size_t configuration) {
  assert_ok(graze_scene_set_poses(model->judge, model->objects, MOVING, model->poses + configuration * MOVING));
  assert_ok(graze_scene_update(model->judge));
}

/* ---------------------------------------------------------------------------------------------- tests */

static uint64_t count_within(const graze_scene *judge, graze_id_pair pair, double limit) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.about_count = 2;
  query.about_a = pair.a;
  query.about_b = pair.b;
  query.clearance = limit;
  OWNED(graze_pairs) found = find_pairs(judge, &query);
  const uint64_t count = found.count;
  return count;
}

static uint64_t check_tests(const batch_model *model, const char *name) {
  static uint8_t any[COUNT], hits[COUNT * PAIRS];
  static uint64_t sums[COUNT], counts[COUNT * PAIRS];
  const size_t pairs = model->pair_count;
  uint64_t met = 0;
  graze_batch_def batch = batch_of_model(model);
  batch.clearance = model->clearance;
  bool good = batch_hits(model->scene, batch, any) == GRAZE_OK && batch_counts(model->scene, batch, sums) == GRAZE_OK;
  batch.each_pair = true;
  good = good && batch_hits(model->scene, batch, hits) == GRAZE_OK &&
         batch_counts(model->scene, batch, counts) == GRAZE_OK;
  if (!good) fail_msg("%s: %s", name, graze_error_text());
  for (size_t c = 0; c < COUNT; c++) {
    uint64_t sum = 0;
    pose_judge(model, c);
    for (size_t i = 0; i < pairs; i++) {
      const double limit = model->clearance + padding_of(model, i);
      const uint64_t wanted = count_within(model->judge, model->pairs[i], limit);
      sum += wanted;
      if (counts[c * pairs + i] != wanted || hits[c * pairs + i] != (wanted > 0))
        fail_msg("%s, configuration %zu, pair %zu: %u, %llu in place of %llu", name, c, i, hits[c * pairs + i],
                 (unsigned long long)counts[c * pairs + i], (unsigned long long)wanted);
    }
    assert_int_equal(sums[c], sum);
    assert_int_equal(any[c], sum > 0);
    met += any[c];
  }
  return met;
}

TEST(test_clearance_and_padding) {
  static const double clearances[] = {0.0, 0.05, 0.7};
  const uint64_t rounds = test_scaled(8, 2);
  uint64_t met = 0, asked = 0;
  for (uint64_t seed = 0; seed < rounds; seed++)
    for (int v = 0; v < VARIANTS; v++)
      for (int i = 0; i < 6; i++) {
        batch_model model = make_model(&variants[v], seed, clearances[i / 2], i % 2 != 0);
        met += check_tests(&model, variants[v].method);
        asked += COUNT;
        free_model(&model);
      }
  assert_true(met > asked / 8 && met < asked);
}

/* Cubes of side 1 a distance of 2 apart: exact at the boundary, also by padding. A batch that is large enough for a
 * table of occupied cells answers the same. */
TEST(test_exact_limits) {
  enum { MANY = 20000 };
  static const double corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                        {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  OWNED_MEMORY graze_pose *poses = malloc(MANY * sizeof *poses);
  OWNED_MEMORY uint8_t *hits = malloc(MANY);
  assert_true(poses != NULL && hits != NULL);
  OWNED_SCENE *scene = runner_scene(&variants[1], NULL, 0, NULL);
  graze_mesh_def cube = graze_mesh_def_default();
  graze_id_pair pair;
  cube.positions = (graze_view){corners, 8, 0, GRAZE_FORMAT_DOUBLE3};
  cube.triangles = (graze_view){faces, 12, 0, GRAZE_FORMAT_UINT32_3};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &cube, NULL, &pair.a));
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &cube, NULL, &pair.b));
  assert_ok(graze_scene_update(scene));
  for (int i = 0; i < MANY; i++) {
    poses[i] = graze_pose_identity();
    poses[i].translation[i % 3] = i / 3 % 2 == 0 ? 3.0 : -3.0;
    poses[i].translation[(i + 1) % 3] = 0.5;
  }
  static const double limits[4][3] = {{2.0, 0.0, 0.0}, {1.0, 0.5, 0.5}, {0.0, 0.0, 2.0}, {0.0, 2.0, 0.0}};
  for (int i = 0; i < 8; i++)
    for (int part = 0; part < 2; part++) {
      const double *limit = limits[i / 2], less = i % 2 == 0 ? 0.0 : 0x1p-50;
      graze_batch_def batch = batch_of_pair(&pair, poses, part == 0 ? MANY : 6);
      const graze_batch_padding paddings[2] = {{pair.a, limit[1]}, {pair.b, limit[2]}};
      batch.paddings = paddings;
      batch.padding_count = 2;
      batch.clearance = limit[0];
      if (less > 0.0) /* the scene is a little larger */
        for (int k = 0; k < MANY; k++) poses[k].translation[k % 3] = k / 3 % 2 == 0 ? 3.0 + less : -3.0 - less;
      assert_ok(batch_hits(scene, batch, hits));
      for (size_t k = 0; k < batch.pose_count; k++) assert_int_equal(hits[k], less == 0.0);
      for (int k = 0; k < MANY; k++) poses[k].translation[k % 3] = k / 3 % 2 == 0 ? 3.0 : -3.0;
    }
}

/* ---------------------------------------------------------------------------------------------- distances */

static graze_nearest row_within(const graze_scene *judge, graze_id_pair pair, double limit, double max_distance) {
  graze_nearest row = {.complete = 1, .distance = INFINITY, .lower = max_distance, .upper = INFINITY};
  graze_nearest_options options = graze_nearest_options_default();
  options.about_count = 2;
  options.about_a = pair.a;
  options.about_b = pair.b;
  options.max_distance = limit;
  OWNED(graze_nearest_list) found = find_nearest(judge, &options);
  if (found.count == 1) row = found.nearests[0];
  return row;
}

/* Without their pairs, rows of objects that touch have a distance only. */
static graze_nearest without_contact(graze_nearest row) {
  return row.distance == 0.0 ? (graze_nearest){.complete = 1} : row;
}

static void check_rows(const batch_model *model, bool any_contact, double max_distance, const char *name) {
  static graze_nearest one[COUNT], each[COUNT * PAIRS];
  const size_t pairs = model->pair_count;
  graze_batch_def batch = batch_of_model(model);
  batch.max_distance = max_distance;
  batch.any_contact = any_contact;
  bool good = batch_nearest(model->scene, batch, one) == GRAZE_OK;
  batch.each_pair = true;
  good = good && batch_nearest(model->scene, batch, each) == GRAZE_OK;
  if (!good) fail_msg("%s: %s", name, graze_error_text());
  for (size_t c = 0; c < COUNT; c++) {
    double least = INFINITY;
    graze_nearest first = {.distance = INFINITY};
    pose_judge(model, c);
    for (size_t i = 0; i < pairs; i++) {
      graze_nearest wanted =
          row_within(model->judge, model->pairs[i], max_distance + padding_of(model, i), max_distance);
      const double value = wanted.distance - padding_of(model, i);
      if (any_contact) wanted = without_contact(wanted);
      if (memcmp(&each[c * pairs + i], &wanted, sizeof wanted) != 0)
        fail_msg("%s, configuration %zu, pair %zu: %g in place of %g", name, c, i, each[c * pairs + i].distance,
                 wanted.distance);
      if (value < least || (value == least && wanted.pair.object_a < first.pair.object_a)) first = wanted;
      least = fmin(least, value);
    }
    assert_true(one[c].distance == first.distance);
    if (!any_contact && first.distance > 0.0)
      assert_memory_equal(&one[c].pair, &first.pair, sizeof first.pair);
    else if (any_contact && first.distance == 0.0)
      assert_memory_equal(&one[c], &first, sizeof first);
  }
}

TEST(test_distances) {
  const uint64_t rounds = test_scaled(8, 2);
  for (uint64_t seed = 0; seed < rounds; seed++)
    for (int v = 0; v < VARIANTS; v++)
      for (int i = 0; i < 4; i++) {
        batch_model model = make_model(&variants[v], seed, 0.0, i % 2 != 0);
        check_rows(&model, i / 2 != 0, INFINITY, variants[v].method);
        check_rows(&model, i / 2 != 0, 0.3, variants[v].method);
        free_model(&model);
      }
}

/* ---------------------------------------------------------------------------------------------- pairs */

/* An object in other poses against itself is one against its copy; filters do not matter if they are ignored. */
TEST(test_itself_and_filters) {
  for (int v = 0; v < VARIANTS; v++) {
    uint64_t seed = 3, counts[2][COUNT], met = 0;
    graze_nearest rows[2][COUNT];
    graze_pose poses[COUNT];
    OWNED(mesh) made = torture_first_mesh("gear", 80, 2);
    OWNED_SCENE *scene = runner_scene(&variants[v], NULL, 0, NULL);
    const graze_object a = runner_add(scene, &made, false, NULL), copy = runner_add(scene, &made, false, NULL);
    const graze_id_pair two = {copy, a}, itself = {a, a};
    for (int i = 0; i < COUNT; i++) {
      const double shift[3] = {between(&seed, -2.0, 2.0), between(&seed, -1.0, 1.0), 0.3}, none[4] = {0, 0, 0, 1};
      poses[i] = graze_pose_from_quaternion(none, shift);
    }
    assert_ok(graze_scene_exclude(scene, a, copy, true));
    assert_ok(graze_scene_update(scene));
    assert_ok(batch_counts(scene, batch_of_pair(&two, poses, COUNT), counts[0]));
    assert_ok(batch_counts(scene, batch_of_pair(&itself, poses, COUNT), counts[1]));
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
    assert_ok(batch_nearest(scene, batch_of_pair(&two, poses, COUNT), rows[0]));
    assert_ok(batch_nearest(scene, batch_of_pair(&itself, poses, COUNT), rows[1]));
    for (int i = 0; i < COUNT; i++) assert_true(rows[0][i].distance == rows[1][i].distance);
    for (int i = 0; i < COUNT; i++) met += counts[0][i] > 0;
    assert_true(met > 0 && met < COUNT);
    graze_batch_def filtered = batch_of_pair(&two, poses, COUNT);
    filtered.ignore_filters = false;
    assert_ok(batch_counts(scene, filtered, counts[1]));
    for (int i = 0; i < COUNT; i++) assert_int_equal(counts[1][i], 0);
  }
}

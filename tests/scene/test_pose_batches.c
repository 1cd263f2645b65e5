/* Compares batches of poses with setting each pose, updating and querying, for all kinds, methods and threads; and
 * tests errors. */
#include "base/number_sequence.h"
#include "batch_calls.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>

enum { POSES = 200 };

typedef struct pose_list {
  graze_pose items[POSES];
} pose_list;

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * ((double)(sequence_next(seed) >> 11) * 0x1p-53);
}

/* Turns about all axes, shifts of at most `far`; the first is none at all. */
static pose_list make_poses(uint64_t seed, double far) {
  pose_list poses;
  for (int i = 0; i < POSES; i++) {
    double q[4], length = 0.0;
    for (int k = 0; k < 4; k++) q[k] = between(&seed, -1.0, 1.0);
    for (int k = 0; k < 4; k++) length += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrt(length);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                                2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                                2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int k = 0; k < 9; k++) poses.items[i].rotation[k] = i == 0 ? (k % 4 == 0 ? 1.0 : 0.0) : rotation[k];
    for (int k = 0; k < 3; k++) poses.items[i].translation[k] = i == 0 ? 0.0 : between(&seed, -far, far);
  }
  return poses;
}

/* The result of the calls for a single pose, with the reference. */
static uint64_t pairs_in_pose(graze_scene *scene, graze_object still, graze_object moving, const pose_list *poses,
                              int i) {
  assert_ok(graze_object_set_pose(scene, moving, &poses->items[i]));
  assert_ok(graze_scene_update(scene));
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.about_count = 2;
  query.about_a = still;
  query.about_b = moving;
  OWNED(pair_answer) found = runner_find(scene, &query);
  return found.count;
}

static void check_answers(const running_variant *variant, const mesh *meshes, size_t mesh_count, const pose_list *poses,
                          const uint64_t *wanted, const char *name) {
  OWNED_SCENE *scene = runner_scene(variant, meshes, mesh_count, NULL);
  const graze_id_pair pair = {{0, 1}, {1, 1}};
  const graze_batch_def batch = batch_of_pair(&pair, poses->items, POSES);
  uint64_t counts[POSES];
  uint8_t hits[POSES];
  if (batch_counts(scene, batch, counts) != GRAZE_OK || batch_hits(scene, batch, hits) != GRAZE_OK)
    fail_msg("%s", graze_error_text());
  for (int i = 0; i < POSES; i++)
    if (counts[i] != wanted[i] || hits[i] != (wanted[i] > 0))
      fail_msg("%s, %s, pose %d: %u, %llu in place of %llu", name, variant->method, i, hits[i],
               (unsigned long long)counts[i], (unsigned long long)wanted[i]);
  /* The scene is as it was. */
  OWNED(pair_answer)
  after = runner_find(scene, &(graze_query){.struct_bytes = sizeof(graze_query), .scope = GRAZE_SCOPE_BETWEEN});
  OWNED_SCENE *fresh = runner_scene(variant, meshes, mesh_count, NULL);
  OWNED(pair_answer)
  before = runner_find(fresh, &(graze_query){.struct_bytes = sizeof(graze_query), .scope = GRAZE_SCOPE_BETWEEN});
  runner_compare(&before, &after, name, variant->method);
}

static uint64_t check_model(const char *first, const char *second, double far, uint64_t seed) {
  mesh *of_first, *of_second;
  size_t first_count, second_count;
  torture_model(first, 150, seed, &of_first, &first_count);
  torture_model(second, 90, seed + 1, &of_second, &second_count);
  const mesh meshes[2] = {of_first[0], of_second[0]};
  const pose_list poses = make_poses(seed, far);
  const running_variant reference = running_variant_reference();
  graze_scene *judge = runner_scene(&reference, meshes, 2, NULL);
  uint64_t wanted[POSES], met = 0;
  for (int i = 0; i < POSES; i++) {
    wanted[i] = pairs_in_pose(judge, (graze_object){0, 1}, (graze_object){1, 1}, &poses, i);
    met += wanted[i] > 0;
  }
  graze_scene_destroy(judge);
  static const running_variant variants[] = {{"tree", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
                                             {"tree", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
                                             {"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false}};
  for (int i = 0; i < 3; i++) check_answers(&variants[i], meshes, 2, &poses, wanted, first);
  mesh_list_free(of_first, first_count);
  mesh_list_free(of_second, second_count);
  return met;
}

TEST(test_answers_are_those_of_single_poses) {
  static const char *const models[][2] = {
      {"sphere", "gear"}, {"soup", "panels"}, {"torus", "tet-ball"}, {"cells", "soup"}, {"tet-box", "cells"}};
  for (uint64_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    const uint64_t met = check_model(models[i][0], models[i][1], 1.5, 7 * i + 1);
    assert_true(met > 0 && met <= POSES);
  }
}

/* ---------------------------------------------------------------------------------------------- refusals */

static bool stop_at_once(void *context) {
  (void)context;
  return true;
}

TEST(test_refusals) {
  graze_object a, b;
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = crossing_def();
  def.name = "arm";
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &a));
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &b));
  pose_list poses = make_poses(3, 1.0);
  uint8_t answers[POSES];
  const graze_id_pair two = {a, b}, itself = {a, a}, none = {a, {0}};
  const graze_batch_def batch = batch_of_pair(&two, poses.items, POSES);
  assert_int_equal(batch_hits(scene, batch, answers), GRAZE_NOT_UPDATED);
  assert_ok(graze_scene_update(scene));
  assert_ok(batch_hits(scene, batch, answers));
  assert_int_equal(answers[0], 1); /* where it lies, on its copy */
  assert_ok(batch_hits(scene, batch_of_pair(&itself, poses.items, POSES), answers));
  assert_int_equal(answers[0], 1);
  assert_int_equal(batch_hits(scene, batch_of_pair(&none, poses.items, POSES), answers), GRAZE_NO_SUCH_OBJECT);
  assert_ok(batch_hits(scene, batch_of_pair(&two, NULL, 0), NULL));
  graze_batch_def changed = batch;
  changed.should_stop = stop_at_once;
  assert_int_equal(batch_hits(scene, changed, answers), GRAZE_STOPPED);
  changed = batch;
  changed.test = (graze_test)9;
  assert_int_equal(batch_hits(scene, changed, answers), GRAZE_INVALID_ARGUMENT);
  const double kept = poses.items[150].rotation[0];
  poses.items[150].rotation[0] = NAN;
  poses.items[180].translation[0] = INFINITY;
  assert_int_equal(batch_hits(scene, batch, answers), GRAZE_NOT_A_ROTATION);
  assert_non_null(strstr(graze_error_text(), "configuration 150: object 1 (arm)"));
  poses.items[150].rotation[0] = kept;
  assert_int_equal(batch_hits(scene, batch, answers), GRAZE_NOT_FINITE);
  assert_non_null(strstr(graze_error_text(), "configuration 180: "));
  poses.items[180].translation[0] = 1.7976931348623157e308;
  poses.items[180].translation[1] = -1.7976931348623157e308;
  const graze_result result = batch_hits(scene, batch, answers);
  assert_true(result == GRAZE_OK || result == GRAZE_NOT_FINITE);
}

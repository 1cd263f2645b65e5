/* Tests configurations of many objects: random scenes, subsets, poses and lists of object pairs, with every method,
 * against the same scene posed, updated and queried with the reference; and tests errors. */
#include "base/number_sequence.h"
#include "batch_calls.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>

enum { OBJECTS = 7, CONFIGURATIONS = 24, LISTED = 12 };

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * ((double)(sequence_next(seed) >> 11) * 0x1p-53);
}

static graze_pose random_pose(uint64_t *seed) {
  double quaternion[4], translation[3];
  for (int i = 0; i < 4; i++) quaternion[i] = between(seed, -1.0, 1.0);
  for (int i = 0; i < 3; i++) translation[i] = between(seed, -1.2, 1.2);
  if (sequence_below(seed, 8) == 0) return graze_pose_identity();
  return graze_pose_from_quaternion(quaternion, translation);
}

/* ---------------------------------------------------------------------------------------------- a model */

/* A robot in a scene, its configurations, and how many pairs each two objects have in each of them. */
typedef struct robot_model {
  graze_object objects[OBJECTS];
  graze_object moving[OBJECTS];
  size_t moving_count;
  graze_pose poses[CONFIGURATIONS * OBJECTS];
  uint64_t wanted[CONFIGURATIONS][OBJECTS][OBJECTS]; /* the lower object first; of two that stay as well */
  bool moves[OBJECTS];
} robot_model;

static const char *const model_names[] = {"sphere", "gear", "soup", "panels", "tet-ball", "cells", "torus"};

/* Objects of all kinds, one without primitives, some erased; posed, filtered and excluded from each other. The same
 * seed gives the same scene by any method. */
static graze_scene *make_scene(const running_variant *variant, uint64_t seed, graze_object *objects_out) {
  graze_scene *scene = runner_scene(variant, NULL, 0, NULL);
  for (int i = 0; i < OBJECTS; i++) {
    mesh made = torture_first_mesh(model_names[sequence_below(&seed, 7)], 30 + sequence_below(&seed, 60), seed);
    const graze_mesh_def empty = graze_mesh_def_default();
    if (i == 3 && sequence_below(&seed, 3) == 0)
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &empty, NULL, &objects_out[i]));
    else
      objects_out[i] = runner_add(scene, &made, false, NULL);
    mesh_free(&made);
    const graze_pose pose = random_pose(&seed);
    assert_ok(graze_object_set_pose(scene, objects_out[i], &pose));
    const uint32_t first = 0;
    if (i == 2) assert_ok(graze_object_remove_primitives(scene, objects_out[i], &first, 1));
    if (sequence_below(&seed, 4) == 0)
      assert_ok(graze_object_set_filter(scene, objects_out[i], 1 + sequence_below(&seed, 3),
                                        1 + sequence_below(&seed, 3), true));
  }
  for (int i = 0; i < OBJECTS; i++) {
    const uint64_t a = sequence_below(&seed, OBJECTS), b = sequence_below(&seed, OBJECTS);
    if (a != b) assert_ok(graze_scene_exclude(scene, objects_out[a], objects_out[b], true));
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

static void choose_robot(robot_model *model, uint64_t *seed) {
  graze_object left[OBJECTS];
  size_t count = OBJECTS;
  for (int i = 0; i < OBJECTS; i++) left[i] = model->objects[i];
  model->moving_count = 1 + sequence_below(seed, OBJECTS);
  for (size_t i = 0; i < model->moving_count; i++) {
    const size_t place = sequence_below(seed, count);
    model->moving[i] = left[place];
    model->moves[left[place].index] = true;
    left[place] = left[--count];
  }
  for (size_t i = 0; i < CONFIGURATIONS * model->moving_count; i++) model->poses[i] = random_pose(seed);
}

static void ask_reference(robot_model *model, graze_scene *judge) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  for (size_t c = 0; c < CONFIGURATIONS; c++) {
    const graze_pose *poses = model->poses + c * model->moving_count;
    assert_ok(graze_scene_set_poses(judge, model->moving, model->moving_count, poses));
    assert_ok(graze_scene_update(judge));
    OWNED(pair_answer) found = runner_find(judge, &query);
    for (size_t i = 0; i < found.count; i++) model->wanted[c][found.pairs[i].object_a][found.pairs[i].object_b]++;
  }
}

static uint64_t wanted_of(const robot_model *model, size_t configuration, graze_id_pair pair) {
  const uint32_t a = pair.a.index, b = pair.b.index;
  return model->wanted[configuration][a < b ? a : b][a < b ? b : a];
}

static robot_model make_model(uint64_t seed) {
  robot_model model = {0};
  const running_variant reference = running_variant_reference();
  OWNED_SCENE *judge = make_scene(&reference, seed, model.objects);
  choose_robot(&model, &seed);
  ask_reference(&model, judge);
  return model;
}

/* ---------------------------------------------------------------------------------------------- answers */

static void check_list(const robot_model *model, const graze_scene *scene, const graze_id_pair *pairs,
                       size_t pair_count, bool given, const char *name) {
  static uint8_t any[CONFIGURATIONS], matrix[CONFIGURATIONS * OBJECTS * OBJECTS];
  static uint64_t counts[CONFIGURATIONS], each[CONFIGURATIONS * OBJECTS * OBJECTS];
  graze_batch_def batch =
      batch_of(model->moving, model->moving_count, model->poses, CONFIGURATIONS * model->moving_count);
  if (given) {
    batch.pairs = pairs;
    batch.pair_count = pair_count;
  }
  bool good = batch_hits(scene, batch, any) == GRAZE_OK && batch_counts(scene, batch, counts) == GRAZE_OK;
  batch.each_pair = true;
  good = good && batch_hits(scene, batch, matrix) == GRAZE_OK && batch_counts(scene, batch, each) == GRAZE_OK;
  if (!good) fail_msg("%s: %s", name, graze_error_text());
  for (size_t c = 0; c < CONFIGURATIONS; c++) {
    uint64_t sum = 0;
    for (size_t i = 0; i < pair_count; i++) {
      const uint64_t wanted = wanted_of(model, c, pairs[i]);
      sum += wanted;
      if (matrix[c * pair_count + i] != (wanted > 0) || each[c * pair_count + i] != wanted)
        fail_msg("%s, configuration %zu: objects %u and %u", name, c, pairs[i].a.index, pairs[i].b.index);
    }
    if (any[c] != (sum > 0)) fail_msg("%s, configuration %zu: any is %u", name, c, any[c]);
    if (counts[c] != sum)
      fail_msg("%s, configuration %zu: %llu pairs in place of %llu", name, c, (unsigned long long)counts[c],
               (unsigned long long)sum);
  }
}

/* The library's list has each two objects with a moving one that have pairs, once. */
static size_t check_listing(const robot_model *model, const graze_scene *scene, graze_id_pair *pairs_out) {
  size_t count, again, wanted = 0, covered = 0;
  assert_ok(graze_scene_list_batch_pairs(scene, model->moving, model->moving_count, NULL, 0, &count));
  assert_true(count <= OBJECTS * OBJECTS);
  assert_ok(graze_scene_list_batch_pairs(scene, model->moving, model->moving_count, pairs_out, count, &again));
  assert_int_equal(count, again);
  for (size_t c = 0; c < CONFIGURATIONS; c++)
    for (int a = 0; a < OBJECTS; a++)
      for (int b = a + 1; b < OBJECTS; b++)
        if (model->moves[a] || model->moves[b]) wanted += model->wanted[c][a][b];
  for (size_t i = 0; i < count; i++) {
    assert_true(model->moves[pairs_out[i].a.index] && !graze_scene_is_excluded(scene, pairs_out[i].a, pairs_out[i].b));
    for (size_t c = 0; c < CONFIGURATIONS; c++) covered += wanted_of(model, c, pairs_out[i]);
  }
  assert_int_equal(covered, wanted);
  return count;
}

static void check_variant(const robot_model *model, const running_variant *variant, uint64_t seed) {
  graze_object objects[OBJECTS];
  graze_id_pair pairs[OBJECTS * OBJECTS], listed[LISTED];
  OWNED_SCENE *scene = make_scene(variant, seed, objects);
  const size_t count = check_listing(model, scene, pairs);
  check_list(model, scene, pairs, count, false, variant->method);
  /* Some twice, some that filters or exclusions leave out, some of objects that stay. */
  for (int i = 0; i < LISTED; i++) {
    const size_t a = sequence_below(&seed, OBJECTS), b = (a + 1 + sequence_below(&seed, OBJECTS - 1)) % OBJECTS;
    listed[i] = (graze_id_pair){objects[a], objects[b]};
  }
  check_list(model, scene, listed, LISTED, true, variant->method);
  check_list(model, scene, listed, 0, true, variant->method);
}

TEST(test_answers_are_those_of_posed_scenes) {
  static const running_variant variants[] = {{"tree", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
                                             {"tree", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
                                             {"tree", GRAZE_SIMD_AUTO, 1, 0, &host_runs_shuffled, false},
                                             {"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
                                             {"clusters", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
                                             {"auto", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false}};
  const size_t rounds = test_scaled(40, 3);
  for (uint64_t seed = 1; seed <= rounds; seed++) {
    const robot_model model = make_model(seed);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) check_variant(&model, &variants[i], seed);
  }
}

/* So many still objects that they are grouped: a cloud of tetrahedra, three of which move through the others. */
TEST(test_many_still_objects) {
  enum { MANY = 300, MOVING = 3, COUNT = 60 };
  static const uint32_t triangles[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  uint64_t seed = 9, counts[COUNT], met = 0;
  graze_object objects[MANY];
  graze_pose poses[COUNT * MOVING];
  OWNED_SCENE *scene = create_scene(NULL);
  for (int i = 0; i < MANY; i++) {
    double corners[4][3], place[3];
    for (int axis = 0; axis < 3; axis++) place[axis] = between(&seed, -1.0, 1.0);
    for (int k = 0; k < 12; k++) corners[k / 3][k % 3] = place[k % 3] * (i >= MOVING) + between(&seed, -0.15, 0.15);
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){corners, 4, 0, GRAZE_FORMAT_DOUBLE3};
    def.triangles = (graze_view){triangles, 4, 0, GRAZE_FORMAT_UINT32_3};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &objects[i]));
    if (i % 7 == 5) assert_ok(graze_scene_exclude(scene, objects[i], objects[1], true));
  }
  for (int i = 0; i < COUNT * MOVING; i++) poses[i] = random_pose(&seed);
  assert_ok(graze_scene_update(scene));
  assert_ok(batch_counts(scene, batch_of(objects, MOVING, poses, COUNT * MOVING), counts));
  for (int c = 0; c < COUNT; c++) {
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    assert_ok(graze_scene_set_poses(scene, objects, MOVING, poses + c * MOVING));
    assert_ok(graze_scene_update(scene));
    OWNED(graze_pairs) pairs = find_pairs(scene, &query);
    uint64_t wanted = 0;
    for (size_t i = 0; i < pairs.count; i++) wanted += pairs.pairs[i].object_a < MOVING;
    assert_int_equal(counts[c], wanted);
    met += wanted;
  }
  assert_true(met > COUNT);
}

/* A batch that is large enough for a table of occupied cells answers like single calls, which have none. */
TEST(test_large_batches) {
  enum { MANY = 200, MOVING = 4, COUNT = 4000 };
  static const uint32_t triangles[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  uint64_t seed = 11, met = 0;
  OWNED_MEMORY uint64_t *counts = calloc(COUNT, sizeof *counts);
  OWNED_MEMORY uint8_t *any = calloc(COUNT, 1);
  OWNED_MEMORY graze_pose *poses = calloc(COUNT * MOVING, sizeof *poses);
  graze_object objects[MANY];
  const running_variant variant = {"tree", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false};
  OWNED_SCENE *scene = runner_scene(&variant, NULL, 0, NULL);
  assert_true(counts != NULL && any != NULL && poses != NULL);
  for (int i = 0; i < MANY; i++) {
    const double reach = i % 50 == 49 ? 0.5 : 0.04;
    double corners[4][3], place[3];
    for (int axis = 0; axis < 3; axis++) place[axis] = between(&seed, -1.0, 1.0);
    for (int k = 0; k < 12; k++) corners[k / 3][k % 3] = place[k % 3] * (i >= MOVING) + between(&seed, -reach, reach);
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){corners, 4, 0, GRAZE_FORMAT_DOUBLE3};
    def.triangles = (graze_view){triangles, 4, 0, GRAZE_FORMAT_UINT32_3};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &objects[i]));
    const graze_pose pose = random_pose(&seed);
    if (i % 3 == 2) assert_ok(graze_object_set_pose(scene, objects[i], &pose));
  }
  for (int i = 0; i < COUNT * MOVING; i++) poses[i] = random_pose(&seed);
  assert_ok(graze_scene_update(scene));
  const graze_batch_def batch = batch_of(objects, MOVING, poses, COUNT * MOVING);
  assert_ok(batch_hits(scene, batch, any));
  assert_ok(batch_counts(scene, batch, counts));
  for (int c = 0; c < COUNT; c++) {
    uint64_t alone;
    assert_ok(batch_counts(scene, batch_of(objects, MOVING, poses + c * MOVING, MOVING), &alone));
    assert_int_equal(counts[c], alone);
    assert_int_equal(any[c], alone > 0);
    met += any[c];
  }
  assert_true(met > COUNT / 50 && met < COUNT / 2);
}

/* ---------------------------------------------------------------------------------------------- refusals */

static bool stop_at_once(void *context) {
  (void)context;
  return true;
}

static bool stop_when_asked_again(void *context) {
  int *asked = context;
  return ++*asked > 1;
}

/* One configuration of millions of object pairs asks more than once. */
TEST(test_stop_within_a_configuration) {
  enum { MANY = 2500 };
  OWNED_SCENE *scene;
  OWNED_MEMORY graze_object *objects = malloc(MANY * sizeof *objects);
  OWNED_MEMORY graze_pose *poses = malloc(MANY * sizeof *poses);
  assert_true(objects != NULL && poses != NULL);
  assert_ok(graze_scene_create(NULL, &scene));
  const graze_mesh_def def = crossing_def();
  for (int i = 0; i < MANY; i++) {
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &objects[i]));
    poses[i] = graze_pose_identity();
    poses[i].translation[0] = 100.0 * i;
  }
  assert_ok(graze_scene_update(scene));
  graze_batch_def batch = batch_of(objects, MANY, poses, MANY);
  uint8_t answer;
  int asked = 0;
  batch.should_stop = stop_when_asked_again;
  batch.stop_context = &asked;
  assert_refused(batch_hits(scene, batch, &answer), GRAZE_STOPPED, "the caller stopped the batch");
  assert_int_equal(asked, 2);
}

TEST(test_refusals) {
  graze_object o[3];
  graze_scene *scene = create_scene(NULL);
  graze_mesh_def def = crossing_def();
  static const char *const names[3] = {"base", "arm", "hand"};
  for (int i = 0; i < 3; i++) {
    def.name = names[i];
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &o[i]));
  }
  graze_pose poses[8];
  for (int i = 0; i < 8; i++) poses[i] = graze_pose_identity();
  uint8_t answers[64] = {0};
  size_t count;
  graze_batch_def batch = graze_batch_def_default();
#define ASK(moving, moving_count, pose_count)                                                                          \
  batch_hits(scene, batch_of(moving, moving_count, poses, pose_count), answers)
  assert_int_equal(ASK(o + 1, 2, 8), GRAZE_NOT_UPDATED);
  assert_ok(graze_scene_update(scene));
  assert_ok(ASK(o + 1, 2, 8));
  assert_true(answers[0] == 1 && answers[3] == 1 && answers[4] == 0);
  assert_ok(ASK(NULL, 0, 0));
  assert_ok(ASK(o, 3, 0));
  assert_refused(ASK(o + 1, 2, 7), GRAZE_INVALID_ARGUMENT, "configuration 3 has 1 of 2 poses");
  assert_refused(ASK(o, 0, 4), GRAZE_INVALID_ARGUMENT, "configuration 0 has 4 of 0 poses");
  assert_refused(ASK(NULL, 2, 8), GRAZE_INVALID_ARGUMENT, "the list of 2 moving objects is NULL");
  const graze_object twice[2] = {o[1], o[1]}, gone[2] = {o[1], {7, 3}};
  assert_refused(ASK(twice, 2, 8), GRAZE_INVALID_ARGUMENT,
                 "moving object 1: object 1 (arm) is already moving object 0");
  assert_refused(ASK(gone, 2, 8), GRAZE_NO_SUCH_OBJECT,
                 "moving object 1: object 7 of generation 3 is not in the scene");
  poses[5].rotation[0] = 1.5;
  poses[6].rotation[0] = NAN;
  assert_refused(ASK(o + 1, 2, 8), GRAZE_NOT_A_ROTATION,
                 "configuration 2: object 2 (hand): the pose is not a rotation: R times its transpose differs from the "
                 "identity by 1.25");
  poses[5] = graze_pose_identity();
  poses[5].translation[1] = INFINITY;
  assert_refused(ASK(o + 1, 2, 8), GRAZE_NOT_FINITE,
                 "configuration 2: object 2 (hand): translation y of the pose is inf");
  poses[5].translation[1] = 1.7976931348623157e308;
  poses[6] = graze_pose_identity();
  const graze_result edge = ASK(o + 1, 2, 8);
  assert_true(edge == GRAZE_OK || edge == GRAZE_NOT_FINITE);
  poses[5] = graze_pose_identity();
  assert_refused(batch_hits(NULL, batch_of(o, 1, poses, 1), answers), GRAZE_INVALID_ARGUMENT, "the scene is NULL");
  assert_refused(graze_scene_run_batch(scene, NULL), GRAZE_INVALID_ARGUMENT,
                 "the batch is NULL: initialize it with graze_batch_def_default()");
  assert_refused(batch_hits(scene, batch_of(o, 1, NULL, 3), answers), GRAZE_INVALID_ARGUMENT,
                 "the poses of 3 configurations are NULL");
  assert_refused(batch_hits(scene, batch_of(o, 1, poses, 3), NULL), GRAZE_INVALID_ARGUMENT,
                 "the answers of 3 configurations are NULL");
  const graze_id_pair itself[2] = {{o[0], o[1]}, {o[2], o[2]}}, stale[1] = {{o[0], {9, 1}}};
  uint64_t counts[1];
#define FRESH() batch = batch_of(o, 1, poses, 1)
#define REFUSES(code, words) assert_refused(batch_hits(scene, batch, answers), code, words)
  FRESH();
  batch.pairs = itself;
  batch.pair_count = 2;
  REFUSES(GRAZE_INVALID_ARGUMENT, "object pair 1: object 2 (hand) is paired with itself, and does not move");
  batch.pairs = stale;
  batch.pair_count = 1;
  REFUSES(GRAZE_NO_SUCH_OBJECT, "object pair 0: object 9 of generation 1 is not in the scene");
  batch.pairs = NULL;
  REFUSES(GRAZE_INVALID_ARGUMENT, "the list of 1 object pairs is NULL");
  FRESH();
  batch.ignore_filters = true;
  REFUSES(GRAZE_INVALID_ARGUMENT, "filters are ignored for given object pairs only");
  FRESH();
  batch.counts_out = counts;
  REFUSES(GRAZE_INVALID_ARGUMENT, "a batch has one kind of answers, but 2 arrays are given");
  FRESH();
  batch.test = (graze_test)9;
  assert_int_equal(batch_hits(scene, batch, answers), GRAZE_INVALID_ARGUMENT);
  FRESH();
  batch.clearance = -1.0;
  REFUSES(GRAZE_INVALID_ARGUMENT, "the clearance is -1: it must not be negative, and at most 2^1000");
  FRESH();
  batch.padding_count = 1;
  REFUSES(GRAZE_INVALID_ARGUMENT, "the list of 1 paddings is NULL");
  const graze_batch_padding bad[2] = {{o[1], 0.5}, {o[2], -2.0}}, repeated[2] = {{o[1], 0.5}, {o[1], 0.5}};
  const graze_batch_padding lost[1] = {{{9, 1}, 0.5}};
  batch.paddings = bad;
  batch.padding_count = 2;
  REFUSES(GRAZE_INVALID_ARGUMENT,
          "padding 1: object 2 (hand): the padding is -2: it must not be negative, and at most 2^1000");
  batch.paddings = repeated;
  REFUSES(GRAZE_INVALID_ARGUMENT, "padding 1: object 1 is already padded");
  batch.paddings = lost;
  batch.padding_count = 1;
  REFUSES(GRAZE_NO_SUCH_OBJECT, "padding 0: object 9 of generation 1 is not in the scene");
  FRESH();
  batch.poses_on_device = true;
  REFUSES(GRAZE_INVALID_ARGUMENT, "the poses are on a device, but the scene runs on the backend cpu");
  FRESH();
  batch.answers_on_device = true;
  REFUSES(GRAZE_INVALID_ARGUMENT, "the answers are on a device, but the scene runs on the backend cpu");
  batch = batch_of(o + 1, 2, poses, 8);
  batch.should_stop = stop_at_once;
  REFUSES(GRAZE_STOPPED, "the caller stopped the batch");
#undef REFUSES
#undef FRESH
  assert_refused(graze_scene_list_batch_pairs(scene, o, 1, NULL, 1, &count), GRAZE_INVALID_ARGUMENT,
                 "the output for the object pairs is NULL");
  assert_refused(graze_scene_list_batch_pairs(scene, o, 1, NULL, 0, NULL), GRAZE_INVALID_ARGUMENT,
                 "the output for the number of object pairs is NULL");
  assert_refused(graze_scene_list_batch_pairs(NULL, o, 1, NULL, 0, &count), GRAZE_INVALID_ARGUMENT,
                 "the scene is NULL");
#undef ASK
  graze_scene_destroy(scene);
}

/* Tests trees that an emulated device fits and orders: objects of every kind that deform slightly, fall apart, shrink
 * to a point or plane, and grow a million times, with positions on the host or only on the device; primitives that are
 * added and erased, alternating methods and backends, and each operation failing once. The reference is the processor's
 * method "brute". */
#include "base/number_sequence.h"
#include "batch_calls.h"
#include "graze/cuda.h"
#include "host_operations.h"
#include "mesh_set.h"
#include "models/model.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESHES_MOST = 8 };

/* How positions move from one frame to the next. */
typedef enum motion { GENTLE, SCRAMBLED, HUGE_AND_TINY, FLAT, ONE_POINT, BACK, MOTIONS } motion;

/* Where they are given. */
typedef enum giving { BY_HOST, BY_DEVICE, BY_DEVICE_AS_FLOAT, IN_TURNS, GIVINGS } giving;

/* The same objects twice; positions as they are now, which a device reads where they lie. */
typedef struct trial {
  graze_scene *judge, *scene;
  const mesh *meshes;
  size_t mesh_count;
  double *positions[MESHES_MOST];
  float *floats[MESHES_MOST];
  bool is_on_device[MESHES_MOST]; /* the scene reads them on the device */
  uint64_t seed;
  size_t pairs;
  const char *name;
} trial;

static void choose(graze_scene *scene, const char *name, graze_tree_builder builder, graze_tree_update update) {
  graze_method_def method = graze_method_def_default();
  method.name = name;
  if (strcmp(name, "tree") == 0) {
    method.tree_builder = builder;
    method.tree_update = update;
  }
  assert_ok(graze_scene_set_method(scene, &method));
}

static graze_object object_at(size_t index) {
  return (graze_object){(uint32_t)index, 1};
}

/* ---------------------------------------------------------------------------------------------- a trial */

static trial trial_begin(const char *name, const mesh *meshes, size_t mesh_count,
                         const host_device_settings *settings) {
  const running_variant reference = running_variant_reference();
  running_variant variant = reference;
  variant.method = "auto"; /* the device's */
  variant.worker_count = 2;
  host_device_configure(settings);
  trial t = {.meshes = meshes, .mesh_count = mesh_count, .seed = 9, .name = name};
  assert_true(mesh_count <= MESHES_MOST);
  t.judge = runner_scene(&reference, meshes, mesh_count, NULL);
  t.scene = runner_scene(&variant, meshes, mesh_count, NULL);
  for (size_t i = 0; i < mesh_count; i++) {
    const size_t numbers = 3 * meshes[i].vertex_count;
    t.positions[i] = malloc((numbers + 1) * sizeof(double));
    t.floats[i] = malloc((numbers + 1) * sizeof(float));
    assert_true(t.positions[i] != NULL && t.floats[i] != NULL);
    memcpy(t.positions[i], meshes[i].positions, numbers * sizeof(double));
  }
  return t;
}

static void trial_end(trial *t) {
  graze_scene_destroy(t->judge);
  graze_scene_destroy(t->scene);
  for (size_t i = 0; i < t->mesh_count; i++) {
    free(t->positions[i]);
    free(t->floats[i]);
  }
  assert_int_equal(host_device_count().open_devices, 0);
  assert_int_equal(host_device_count().bytes, 0);
}

/* Cells stay convex by being scaled alone. */
static void move_mesh(trial *t, size_t index, motion how) {
  const mesh *m = &t->meshes[index];
  double *positions = t->positions[index];
  const bool cells = m->kind == MESH_POLYHEDRA;
  for (size_t i = 0; i < 3 * m->vertex_count; i++) {
    const double given = m->positions[i], noise = 1e-3 * (double)sequence_below(&t->seed, 100);
    if (cells || how == BACK) positions[i] = given * (how == HUGE_AND_TINY ? 0x1p20 : how == GENTLE ? 0.5 : 1.0);
    if (cells || how == BACK) continue;
    if (how == GENTLE) positions[i] *= 1.0 + 0.1 * noise;
    if (how == SCRAMBLED) positions[i] = m->positions[sequence_below(&t->seed, 3 * m->vertex_count)];
    if (how == HUGE_AND_TINY) positions[i] = given * (i / 3 % 5 == 0 ? 1e6 : i / 3 % 5 == 1 ? 1e-6 : 1.0 + noise);
    if (how == FLAT) positions[i] = i % 3 == 1 ? 0.25 : given;
    if (how == ONE_POINT) positions[i] = 0.5;
  }
}

static void give(trial *t, size_t index, giving how, int frame) {
  const size_t count = t->meshes[index].vertex_count;
  const bool there = how == BY_DEVICE || how == BY_DEVICE_AS_FLOAT || (how == IN_TURNS && (frame + index) % 3 != 0);
  const bool as_float = how == BY_DEVICE_AS_FLOAT || (how == IN_TURNS && (frame + index) % 3 == 2);
  if (as_float)
    for (size_t i = 0; i < 3 * count; i++) {
      t->floats[index][i] = (float)t->positions[index][i];
      t->positions[index][i] = (double)t->floats[index][i];
    }
  const graze_view view = {t->positions[index], count, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(t->judge, object_at(index), 0, view));
  graze_result result = GRAZE_OK;
  if (!there)
    result = graze_object_set_positions(t->scene, object_at(index), 0, view);
  else if (!t->is_on_device[index] || how == IN_TURNS) /* later it reads what lies there then */
    result = graze_object_set_device_positions(t->scene, object_at(index),
                                               as_float ? (const void *)t->floats[index] : t->positions[index],
                                               as_float ? GRAZE_FORMAT_FLOAT3 : GRAZE_FORMAT_DOUBLE3, NULL);
  if (result != GRAZE_OK) fail_msg("%s: %s", t->name, graze_error_text());
  t->is_on_device[index] = there;
}

static void turn(trial *t, size_t index, int frame) {
  const double c = cos(0.3 * frame), s = sin(0.3 * frame), shift[3] = {0.01 * frame, 0.02, -0.01 * frame};
  const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  assert_ok(pose_object(t->judge, object_at(index), rotation, shift));
  assert_ok(pose_object(t->scene, object_at(index), rotation, shift));
}

static void update_both(trial *t) {
  assert_ok(graze_scene_update(t->judge));
  if (graze_scene_update(t->scene) != GRAZE_OK) fail_msg("%s: %s", t->name, graze_error_text());
}

static void compare(trial *t) {
  for (int kind = 0; kind < 4; kind++) {
    graze_query query = graze_query_default();
    query.scope = kind == 1 ? GRAZE_SCOPE_BETWEEN : GRAZE_SCOPE_BOTH;
    query.candidates_only = kind == 2;
    query.in_box = kind == 3;
    for (int axis = 0; axis < 3 && kind == 3; axis++) {
      query.box_min[axis] = -0.4;
      query.box_max[axis] = 0.3 + 0.1 * axis;
    }
    const pair_answer wanted = runner_find(t->judge, &query), found = runner_find(t->scene, &query);
    runner_compare(&wanted, &found, t->name, "tree, fitted on the device");
    t->pairs += found.count;
    free(wanted.pairs);
    free(found.pairs);
  }
}

/* Every second object moves, from frame to frame others; some are turned too, or alone. */
static void run_frame(trial *t, giving how, motion moves, int frame) {
  for (size_t i = 0; i < t->mesh_count; i++) {
    if (t->meshes[i].vertex_count == 0) continue;
    if ((i + (size_t)frame) % 2 == 0 || t->mesh_count == 1) {
      move_mesh(t, i, moves);
      give(t, i, how, frame);
    }
    if ((i + (size_t)frame) % 3 == 0) turn(t, i, frame);
  }
  update_both(t);
  compare(t);
}

/* ---------------------------------------------------------------------------------------------- motions */

TEST(test_every_kind_deforms) {
  const bool reduced = test_scale() < 1.0; /* one way to give positions a model, in turn */
  size_t pairs = 0, frames = 0;
  for (size_t number = 0; number < model_count(); number++) {
    mesh *meshes;
    size_t mesh_count;
    /* Few primitives are never too small for trees; of many, the last motions are for the grid. */
    const size_t size = number % 2 == 0 ? 40 : test_sanitized(60, test_scaled(160, 80));
    torture_model(model_at(number)->name, size, number, &meshes, &mesh_count);
    if (mesh_count > MESHES_MOST) {
      mesh_list_free(meshes, mesh_count);
      continue;
    }
    for (int how = 0; how < GIVINGS; how++) {
      if (reduced && how != (int)(number % GIVINGS)) continue;
      const host_device_settings settings = {.order = (index_order)((number + (size_t)how) % INDEX_ORDER_COUNT)};
      OWNED_BY(trial_end) trial t = trial_begin(model_at(number)->name, meshes, mesh_count, &settings);
      choose(t.scene, "tree", (graze_tree_builder)(number % 3), (graze_tree_update)((number + (size_t)how) % 3));
      compare(&t);
      static const motion motions[] = {GENTLE, GENTLE, SCRAMBLED, FLAT, BACK, HUGE_AND_TINY, ONE_POINT, BACK, GENTLE};
      for (int frame = 0; frame < (int)(sizeof motions / sizeof motions[0]); frame++) {
        run_frame(&t, (giving)how, motions[frame], frame);
        frames += strcmp(graze_scene_method(t.scene, NULL), "tree") == 0;
      }
      pairs += t.pairs;
    }
    mesh_list_free(meshes, mesh_count);
  }
  assert_true(pairs > (reduced ? 2000u : 10000u));
  assert_true(frames > 6 * model_count() * (reduced ? 1 : GIVINGS));
}

/* Trees do not suit a soup with one triangle far away, which the device finds out by itself. */
TEST(test_what_trees_do_not_suit) {
  OWNED(mesh_set) made = torture_set("soup", 300, 3);
  const host_device_settings settings = {0};
  OWNED_BY(trial_end) trial t = trial_begin("soup", made.meshes, made.count, &settings);
  choose(t.scene, "tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO);
  assert_string_equal(graze_scene_method(t.scene, NULL), "tree");
  t.positions[0][0] = t.positions[0][1] = 1e9;
  give(&t, 0, BY_DEVICE, 0);
  update_both(&t);
  compare(&t);
  assert_string_equal(graze_scene_method(t.scene, NULL), "grid");
}

/* ---------------------------------------------------------------------------------------------- what goes over */

/* In a deforming frame, positions and 64 bytes per body are copied to the device, and no tree. */
TEST(test_trees_stay_there) {
  OWNED(mesh_set) made = torture_set("blobs", test_scaled(3000, 1200), 2);
  const host_device_settings settings = {0};
  OWNED_BY(trial_end) trial t = trial_begin("blobs", made.meshes, made.count, &settings);
  choose(t.scene, "tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO);
  for (int frame = 0; frame < 3; frame++) {
    size_t bytes = 0;
    for (size_t i = 0; i < made.count; i++) {
      move_mesh(&t, i, GENTLE);
      give(&t, i, BY_HOST, frame);
      bytes += made.meshes[i].vertex_count * 3 * sizeof(double) + 1024;
    }
    host_device_configure(&settings); /* counts from here */
    update_both(&t);
    if (frame > 0) assert_true(host_device_count().uploaded_bytes < bytes); /* doubles need another place at first */
    compare(&t);
  }
}

/* ---------------------------------------------------------------------------------------------- taking turns */

static graze_scene *without_device(graze_scene *scene) {
  assert_ok(graze_scene_set_backend(scene, NULL));
  return scene;
}

static void with_device(graze_scene *scene, int number) {
  graze_backend_def def = graze_backend_def_default();
  def.name = "cuda";
  def.devices = &number;
  def.device_count = 1;
  assert_ok(graze_scene_set_backend(scene, &def));
}

/* If only a device has the trees, the next searcher builds them again. */
TEST(test_methods_and_backends_take_turns) {
  OWNED(mesh_set) made = torture_set("blobs", test_sanitized(160, 400), 5);
  for (int how = 0; how < GIVINGS; how++) {
    const host_device_settings settings = {.order = (index_order)(how % INDEX_ORDER_COUNT)};
    OWNED_BY(trial_end) trial t = trial_begin("blobs", made.meshes, made.count, &settings);
    static const char *const methods[] = {"tree", "tree", "grid", "tree", "brute", "tree"};
    for (int frame = 0; frame < 12; frame++) {
      choose(t.scene, methods[frame % 6], (graze_tree_builder)(frame % 3), (graze_tree_update)(frame / 3 % 3));
      if (frame == 7) with_device(without_device(t.scene), 1);
      for (size_t i = 0; i < made.count; i++) t.is_on_device[i] = t.is_on_device[i] && frame != 7; /* they came home */
      run_frame(&t, (giving)how, frame % 4 == 3 ? SCRAMBLED : GENTLE, frame);
      if (frame != 9 || how != BY_HOST) continue;
      without_device(t.scene);
      update_both(&t);
      compare(&t);
      with_device(t.scene, 0);
      update_both(&t);
      compare(&t);
    }
  }
}

/* Primitives of one object come and go while another's tree is the device's. The host makes the trees for a count that
 * it alone can make. */
TEST(test_primitives_come_and_go) {
  OWNED(mesh_set) made = torture_set("blobs", 400, 6);
  const host_device_settings settings = {.order = INDICES_SHUFFLED};
  for (int how = 0; how < 2; how++) {
    OWNED_BY(trial_end) trial t = trial_begin("blobs", made.meshes, made.count, &settings);
    choose(t.scene, "tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO);
    for (int frame = 0; frame < 12; frame++) {
      const size_t index = frame < 6 ? 0 : 1;
      const uint32_t erased = 3 * (uint32_t)frame + 1;
      if (frame % 3 == 2) { /* the other object stays as it is */
        assert_ok(graze_object_remove_primitives(t.judge, object_at(index), &erased, 1));
        assert_ok(graze_object_remove_primitives(t.scene, object_at(index), &erased, 1));
        update_both(&t);
        compare(&t);
      } else {
        run_frame(&t, (giving)how, frame % 3 == 1 ? SCRAMBLED : GENTLE, frame % 3);
      }
      if (how != BY_HOST || frame % 3 != 2) continue;
      graze_query query = graze_query_default();
      query.candidates_only = true;
      const pair_answer wanted = runner_find(t.judge, &query), found = runner_find(t.scene, &query);
      runner_compare(&wanted, &found, t.name, "tree, candidates");
      free(wanted.pairs);
      free(found.pairs);
    }
  }
}

/* The device counts as the processor does: what belongs to objects that may meet. */
TEST(test_searched_is_what_may_meet) {
  OWNED(mesh_set) made = torture_set("blobs", 200, 8);
  const host_device_settings settings = {0};
  OWNED_BY(trial_end) trial t = trial_begin("blobs", made.meshes, made.count, &settings);
  choose(t.scene, "tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO);
  choose(t.judge, "tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO);
  uint64_t searched[2];
  for (int far = 0; far < 2; far++) {
    const double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, shift[3] = {100.0 * far, 0, 0};
    assert_ok(pose_object(t.judge, object_at(0), rotation, shift));
    assert_ok(pose_object(t.scene, object_at(0), rotation, shift));
    update_both(&t);
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    const pair_answer wanted = runner_find(t.judge, &query), found = runner_find(t.scene, &query);
    assert_int_equal(wanted.counters.searched, found.counters.searched);
    searched[far] = found.counters.searched;
    free(wanted.pairs);
    free(found.pairs);
  }
  assert_true(searched[1] < searched[0]);
}

/* Poses are answered from trees that the device alone has. */
TEST(test_poses) {
  OWNED(mesh_set) made = torture_set("blobs", 300, 8);
  const host_device_settings settings = {0};
  OWNED_BY(trial_end) trial t = trial_begin("blobs", made.meshes, made.count, &settings);
  choose(t.scene, "tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO);
  run_frame(&t, BY_DEVICE, GENTLE, 0);
  run_frame(&t, BY_DEVICE, GENTLE, 1);
  graze_pose poses[20];
  uint64_t wanted[20], found[20], met = 0;
  for (int i = 0; i < 20; i++) {
    const double c = cos(0.3 * i), s = sin(0.3 * i), turned[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    memcpy(poses[i].rotation, turned, sizeof turned);
    for (int axis = 0; axis < 3; axis++) poses[i].translation[axis] = 0.05 * i * (axis - 1);
  }
  const graze_id_pair pair = {object_at(0), object_at(1)};
  const graze_batch_def batch = batch_of_pair(&pair, poses, 20);
  assert_ok(batch_counts(t.judge, batch, wanted));
  assert_ok(batch_counts(t.scene, batch, found));
  assert_memory_equal(wanted, found, sizeof wanted);
  for (int i = 0; i < 20; i++) met += found[i];
  assert_true(met > 0);
}

/* ---------------------------------------------------------------------------------------------- failures */

/* Each operation of a frame that fits and orders fails once, or has too little memory; the next frame is right. */
TEST(test_failures) {
  mesh *meshes;
  size_t mesh_count, failed = 0;
  torture_model("blobs", 200, 7, &meshes, &mesh_count);
  for (int how = 0; how < 2; how++)
    for (size_t fail_at = 1;; fail_at++) {
      const host_device_settings well = {0}, ill = {.fail_at = fail_at};
      trial t = trial_begin("blobs", meshes, mesh_count, &well);
      choose(t.scene, "tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO);
      run_frame(&t, (giving)how, GENTLE, 0);
      for (size_t i = 0; i < mesh_count; i++) {
        move_mesh(&t, i, i == 0 ? SCRAMBLED : GENTLE);
        give(&t, i, (giving)how, 1);
      }
      assert_ok(graze_scene_update(t.judge));
      host_device_configure(&ill);
      const graze_result result = graze_scene_update(t.scene);
      host_device_configure(&well);
      if (result != GRAZE_OK) {
        failed++;
        assert_true(graze_error_text()[0] != '\0');
        update_both(&t);
      }
      compare(&t);
      trial_end(&t);
      if (result == GRAZE_OK) break;
    }
  assert_true(failed > 20);
  mesh_list_free(meshes, mesh_count);
}

/* A change of method that fails leaves the old one, whose trees the device may have lost. */
TEST(test_changes_of_method_that_fail) {
  OWNED(mesh_set) made = torture_set("blobs", 200, 9);
  for (size_t fail_at = 1;; fail_at++) {
    const host_device_settings well = {0}, ill = {.fail_at = fail_at};
    trial t = trial_begin("blobs", made.meshes, made.count, &well);
    choose(t.scene, "tree", GRAZE_TREE_BUILDER_SPLITS, GRAZE_TREE_UPDATE_REFIT);
    run_frame(&t, BY_DEVICE, GENTLE, 0);
    graze_method_def method = graze_method_def_default();
    method.name = "tree";
    method.tree_builder = GRAZE_TREE_BUILDER_MORTON;
    host_device_configure(&ill);
    const graze_result result = graze_scene_set_method(t.scene, &method);
    host_device_configure(&well);
    compare(&t);
    run_frame(&t, BY_DEVICE, SCRAMBLED, 1);
    trial_end(&t);
    if (result == GRAZE_OK) break;
  }
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

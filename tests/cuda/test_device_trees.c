/* Tests trees and brute force on an emulated device: every built-in model and torture scene, every query, posed, moving
 * and deforming objects, lists and memory that are too small; batches of poses. The reference is the processor's method
 * "brute". */
#include "base/number_sequence.h"
#include "batch_calls.h"
#include "device_frames.h"
#include "host_operations.h"
#include "mesh_set.h"
#include "models/model.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 4, POSES = 60 };

static const graze_scope scopes[] = {GRAZE_SCOPE_BOTH, GRAZE_SCOPE_BETWEEN, GRAZE_SCOPE_WITHIN};

static void choose(graze_scene *scene, const char *name, graze_tree_builder builder) {
  graze_method_def method = graze_method_def_default();
  method.name = name;
  if (strcmp(name, "tree") == 0) method.tree_builder = builder;
  assert_ok(graze_scene_set_method(scene, &method));
}

static size_t compare_queries(const graze_scene *judge, const graze_scene *scene, bool solids, const char *name,
                              const char *method) {
  size_t pairs = 0;
  for (int scope = 0; scope < 3; scope++)
    for (int kind = 0; kind < DEVICE_FRAME_KINDS; kind++) {
      const graze_query query = device_frame_query(scopes[scope], kind, solids);
      const pair_answer wanted = runner_find(judge, &query), found = runner_find(scene, &query);
      runner_compare(&wanted, &found, name, method);
      pairs += found.count;
      free(wanted.pairs);
      free(found.pairs);
    }
  return pairs;
}

static size_t compare_frames(const char *name, const mesh *meshes, size_t mesh_count, const char *method,
                             graze_tree_builder builder, const host_device_settings *settings, int frames) {
  const running_variant reference = running_variant_reference();
  const bool solids = device_frames_have_solids(meshes, mesh_count);
  host_device_configure(settings);
  graze_scene *judge = runner_scene(&reference, meshes, mesh_count, NULL),
              *scene = device_frames_scene(meshes, mesh_count);
  choose(scene, method, builder);
  size_t pairs = 0;
  for (int frame = 0; frame < frames; frame++) {
    if (frame > 0) device_frame_change(judge, scene, meshes, mesh_count, frame);
    pairs += compare_queries(judge, scene, solids, name, method);
  }
  graze_scene_destroy(judge);
  graze_scene_destroy(scene);
  assert_int_equal(host_device_count().open_devices, 0);
  assert_int_equal(host_device_count().bytes, 0);
  return pairs;
}

TEST(test_models) {
  size_t pairs = 0;
  for (size_t number = 0; number < model_count(); number++) {
    OWNED(mesh_set) made = torture_set(model_at(number)->name, test_scaled(250, 60), number);
    const host_device_settings settings = {.order = (index_order)(number % INDEX_ORDER_COUNT),
                                           .first_capacity = number % 2 == 0 ? 3 : 0};
    const graze_tree_builder builder = (graze_tree_builder)(number % 3);
    pairs += compare_frames(model_at(number)->name, made.meshes, made.count, "tree", builder, &settings, FRAMES);
    pairs += compare_frames(model_at(number)->name, made.meshes, made.count, "brute", builder, &settings, 2);
  }
  assert_true(pairs > test_scaled(20000, 1000));
}

TEST(test_torture_scenes) {
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *torture = torture_scene_at(number);
    if (test_scale() < 1.0 && number % 3 != 0) continue;
    OWNED(mesh_set) made = made_set(torture->make);
    const host_device_settings settings = {.order = (index_order)(number % INDEX_ORDER_COUNT)};
    compare_frames(torture->name, made.meshes, made.count, "tree", GRAZE_TREE_BUILDER_AUTO, &settings, 1);
  }
}

/* A sequence that is kept is not done again for another method: the reference tests every pair of boxes. */
TEST(test_methods_take_turns) {
  OWNED(mesh_set) made = torture_set("blob", 300, 5);
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  OWNED_SCENE *scene = device_frames_scene(made.meshes, made.count);
  const graze_query query = graze_query_default();
  const uint64_t all = (uint64_t)made.meshes[0].triangle_count * (made.meshes[0].triangle_count - 1) / 2;
  for (int round = 0; round < 3; round++) {
    choose(scene, round % 2 == 0 ? "grid" : "brute", GRAZE_TREE_BUILDER_AUTO);
    for (int again = 0; again < 2; again++) {
      OWNED(pair_answer) found = runner_find(scene, &query);
      assert_true((found.counters.box_tests == all) == (round % 2 == 1));
    }
  }
}

/* If the lists of a descent do not fit, the pairs are still found. */
TEST(test_little_memory) {
  OWNED(mesh_set) made = torture_set("blobs", 1500, 5);
  size_t bytes = 0;
  for (size_t most = 0; most < 2; most++) {
    const host_device_settings settings = {.most_bytes = most == 0 ? 0 : bytes - bytes / 8};
    host_device_configure(&settings);
    const running_variant reference = running_variant_reference();
    graze_scene *judge = runner_scene(&reference, made.meshes, made.count, NULL),
                *scene = device_frames_scene(made.meshes, made.count);
    choose(scene, "tree", GRAZE_TREE_BUILDER_AUTO);
    compare_queries(judge, scene, false, "blobs", "tree, little memory");
    bytes = runner_counters(scene).device_bytes;
    graze_scene_destroy(judge);
    graze_scene_destroy(scene);
  }
}

/* ---------------------------------------------------------------------------------------------- poses */

static void fill_poses(graze_pose *poses, uint64_t seed) {
  for (int i = 0; i < POSES; i++) {
    const double angle = 0.01 * (double)sequence_below(&seed, 628), c = cos(angle), s = sin(angle);
    const double turn[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    memcpy(poses[i].rotation, turn, sizeof turn);
    for (int axis = 0; axis < 3; axis++)
      poses[i].translation[axis] = 0.003 * ((double)sequence_below(&seed, 1000) - 500.0);
  }
}

TEST(test_pose_batches) {
  static const char *const models[][2] = {
      {"sphere", "gear"}, {"soup", "panels"}, {"torus", "tet-ball"}, {"cells", "soup"}, {"tet-box", "cells"}};
  graze_pose poses[POSES];
  for (uint64_t number = 0; number < 5; number++) {
    mesh *first, *second;
    size_t first_count, second_count;
    torture_model(models[number][0], 150, number, &first, &first_count);
    torture_model(models[number][1], 120, number + 1, &second, &second_count);
    const mesh meshes[2] = {first[0], second[0]};
    fill_poses(poses, number);
    const host_device_settings settings = {.order = (index_order)(number % INDEX_ORDER_COUNT)};
    host_device_configure(&settings);
    const running_variant reference = running_variant_reference();
    graze_scene *judge = runner_scene(&reference, meshes, 2, NULL), *scene = device_frames_scene(meshes, 2);
    const graze_object still = {0, 1}, moving = {1, 1};
    uint64_t wanted[POSES], found[POSES], met = 0;
    uint8_t hits[POSES];
    const graze_id_pair pair = {still, moving};
    const graze_batch_def batch = batch_of_pair(&pair, poses, POSES);
    for (int variant = 0; variant < 4; variant++) {
      if (variant == 2) choose(scene, "tree", GRAZE_TREE_BUILDER_AUTO);
      if (batch_counts(judge, batch, wanted) != GRAZE_OK || batch_counts(scene, batch, found) != GRAZE_OK ||
          batch_hits(scene, batch, hits) != GRAZE_OK)
        fail_msg("%s", graze_error_text());
      assert_memory_equal(wanted, found, sizeof wanted);
      for (int i = 0; i < POSES; i++) assert_int_equal(hits[i], found[i] > 0);
      for (int i = 0; i < POSES; i++) met += found[i];
    }
    assert_true(met > 0);
    const double kept = poses[40].rotation[0];
    poses[40].rotation[0] = poses[50].rotation[0] = 3.0;
    assert_int_equal(batch_counts(scene, batch, found), GRAZE_NOT_A_ROTATION);
    assert_non_null(strstr(graze_error_text(), "configuration 40: "));
    poses[40].rotation[0] = kept;
    graze_scene_destroy(judge);
    graze_scene_destroy(scene);
    mesh_list_free(first, first_count);
    mesh_list_free(second, second_count);
  }
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

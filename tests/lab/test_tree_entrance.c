/* Tests the method "tree-entrance": it changes the number of tested boxes and never the pairs. Deeply intersecting
 * bodies are entered below their roots, and at the roots again after they separate; neither depends on the number of
 * workers. */
#include "posed_object.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "torture_scenes.h"
#include "tree_scenes.h"

#include "lab/lab_variants.h"
#include "lab/tree_entrance.h"

#include <stdlib.h>

enum { REFERENCE = 0, OFF = 1, ON = 2, SCENES = 3, BODIES_MOST = 4, WORKERS_MOST = 4 };

/* The same bodies in three scenes. */
typedef struct entrance_trial {
  graze_scene *scenes[SCENES];
  graze_object objects[BODIES_MOST];
  graze_query query;
  uint64_t box_tests[SCENES]; /* of the last frame */
  size_t pair_count;
} entrance_trial;

/* Triangles anywhere in a cube, larger or smaller; of the largest most meet most others. */
static mesh make_soup(size_t count, double reach, uint64_t *sequence) {
  mesh soup = torture_mesh(3 * count, count);
  for (size_t i = 0; i < 9 * count; i++)
    soup.positions[i] =
        sequence_signed(sequence) * (i % 9 < 3 ? 1.0 : reach) + (i % 9 < 3 ? 0.0 : soup.positions[i - 3]);
  for (size_t i = 0; i < 3 * count; i++) soup.triangles[i] = (uint32_t)i;
  return soup;
}

static entrance_trial begin_trial(const mesh *bodies, size_t body_count, uint32_t worker_count) {
  entrance_trial trial = {.scenes = {tree_scene_reference()}, .query = graze_query_default()};
  const tree_way way = {worker_count, GRAZE_SIMD_AUTO, GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO};
  const graze_method_def def = graze_method_def_default();
  trial.scenes[OFF] = tree_scene_of(&way);
  trial.scenes[ON] = tree_scene_of(&way);
  assert_ok(lab_tree_entrance.set(trial.scenes[ON], &def));
  for (size_t body = 0; body < body_count; body++)
    for (int i = 0; i < SCENES; i++) trial.objects[body] = runner_add(trial.scenes[i], &bodies[body], false, NULL);
  return trial;
}

static void end_trial(entrance_trial *trial) {
  for (int i = 0; i < SCENES; i++) graze_scene_destroy(trial->scenes[i]);
}

static void pose_body(entrance_trial *trial, size_t body, double angle, double x) {
  double rotation[9];
  rotation_about((const double[3]){1, 2, 3}, angle, rotation);
  for (int i = 0; i < SCENES; i++)
    assert_ok(pose_object(trial->scenes[i], trial->objects[body], rotation, (const double[3]){x, 0.5 * x, 0}));
}

static void run_frame(entrance_trial *trial, const char *name) {
  pair_answer answers[SCENES];
  for (int i = 0; i < SCENES; i++) {
    assert_ok(graze_scene_update(trial->scenes[i]));
    answers[i] = runner_find(trial->scenes[i], &trial->query);
    trial->box_tests[i] = answers[i].counters.box_tests;
  }
  trial->pair_count = answers[REFERENCE].count;
  runner_compare(&answers[REFERENCE], &answers[OFF], name, "off");
  runner_compare(&answers[REFERENCE], &answers[ON], name, "on");
  for (int i = 0; i < SCENES; i++) free(answers[i].pairs);
}

/* From deep in each other to apart and back, in steps and in jumps. */
TEST(test_pairs_are_the_same_wherever_it_begins) {
  const size_t counts[BODIES_MOST] = {150, 40, 7, 1};
  const double places[] = {0, 0.01, 0, 0.3, 0.8, 1.5, 1.7, 1.8, 1.7, 9, 1.6, 0.1, 0.1, 1.7, 0};
  uint64_t sequence = 3;
  mesh bodies[BODIES_MOST];
  for (int i = 0; i < BODIES_MOST; i++) bodies[i] = make_soup(counts[i], 0.8, &sequence);
  for (uint32_t team = 1; team <= WORKERS_MOST; team++)
    for (int scope = GRAZE_SCOPE_BETWEEN; scope <= GRAZE_SCOPE_BOTH; scope++) {
      entrance_trial trial = begin_trial(bodies, BODIES_MOST, team);
      trial.query.scope = (graze_scope)scope;
      for (size_t frame = 0; frame < sizeof places / sizeof places[0]; frame++) {
        const graze_view moved = {bodies[0].positions, 3, 0, GRAZE_FORMAT_DOUBLE3};
        trial.query.candidates_only = frame % 4 == 3;
        pose_body(&trial, 1 + frame % 3, 0.1 * (double)frame, places[frame]);
        for (int i = 0; i < SCENES && frame % 5 == 4; i++)
          assert_ok(graze_object_set_positions(trial.scenes[i], trial.objects[1], 0, moved));
        run_frame(&trial, "soups that move");
        const bool differs = trial.box_tests[ON] != trial.box_tests[OFF];
        if (frame == 2) assert_true(differs);
      }
      end_trial(&trial);
    }
  for (int i = 0; i < BODIES_MOST; i++) mesh_free(&bodies[i]);
}

/* Without notes it begins at the roots. */
static void require_roots(const entrance_trial *trial) {
  assert_int_equal(trial->box_tests[ON], trial->box_tests[OFF]);
}

TEST(test_level_follows_the_bodies) {
  enum { LEVELS = 5 }; /* of 256 leaves */
  const double grazing = 1.75, apart = 9.0;
  uint64_t sequence = 7, deep_tests[WORKERS_MOST + 1] = {0};
  const mesh soup = make_soup(256, 0.3, &sequence);
  const mesh bodies[2] = {soup, soup};
  for (uint32_t team = 1; team <= WORKERS_MOST; team++) {
    entrance_trial trial = begin_trial(bodies, 2, team);
    trial.query.scope = GRAZE_SCOPE_BETWEEN;
    pose_body(&trial, 1, 0.1, 0.01);
    run_frame(&trial, "first frame");
    require_roots(&trial);
    pose_body(&trial, 1, 0.11, 0.01);
    run_frame(&trial, "deep in each other");
    assert_true(trial.box_tests[ON] < trial.box_tests[OFF]);
    deep_tests[team] = trial.box_tests[ON];
    assert_int_equal(deep_tests[team], deep_tests[1]);
    pose_body(&trial, 1, 0.11, grazing);
    run_frame(&trial, "just parted");
    assert_true(trial.pair_count > 0);
    assert_true(trial.box_tests[ON] > trial.box_tests[OFF]);
    for (int i = 0; i < LEVELS; i++) {
      pose_body(&trial, 1, 0.11, grazing);
      run_frame(&trial, "grazing");
    }
    assert_true(trial.box_tests[ON] <= trial.box_tests[OFF]); /* it has gone up */
    pose_body(&trial, 1, 0.11, 0.01);
    run_frame(&trial, "deep again");
    run_frame(&trial, "asked twice");
    pose_body(&trial, 1, 0.11, apart);
    run_frame(&trial, "far apart");
    assert_int_equal(trial.pair_count, 0);
    pose_body(&trial, 1, 0.11, grazing);
    run_frame(&trial, "back");
    require_roots(&trial);
    end_trial(&trial);
  }
  mesh_free((mesh *)(uintptr_t)&soup);
}

/* A search that is left early has not met all there is: it says nothing of the next. */
TEST(test_searches_that_end_early_leave_no_level) {
  uint64_t sequence = 9;
  OWNED(mesh) soup = make_soup(256, 0.3, &sequence);
  const mesh bodies[2] = {soup, soup};
  entrance_trial trial = begin_trial(bodies, 2, 2);
  trial.query.scope = GRAZE_SCOPE_BETWEEN;
  for (int i = 0; i < SCENES; i++) {
    graze_query some = trial.query;
    bool any = false;
    some.stop_after = 1;
    assert_ok(graze_scene_update(trial.scenes[i]));
    OWNED(graze_pairs) pairs = find_pairs(trial.scenes[i], &some);
    assert_ok(graze_scene_any_pair(trial.scenes[i], &trial.query, &any, NULL));
    assert_true(any);
  }
  pose_body(&trial, 1, 0.1, 0.01);
  run_frame(&trial, "after a search that ended early");
  require_roots(&trial);
  end_trial(&trial);
}

/* The entrance level without a search: how many blocks a level has, which level is taken, and what notes hold. */
TEST(test_entrance_levels) {
  for (uint32_t leaves = 1; leaves < 3000; leaves += 1 + leaves / 7) {
    const tree_layout layout = tree_layout_of(leaves);
    for (uint32_t level = 0; level <= layout.top + 2; level++) {
      const uint32_t end = level < layout.top ? layout.first[level + 1] : layout.block_count;
      assert_int_equal(tree_blocks_at(leaves, level), level > layout.top ? 1 : end - layout.first[level]);
    }
  }
  const entrance_trees trees = {300, 64, false}, itself = {300, 300, true}; /* nodes: 300 75 19 5 2 1, and 64 16 4 1 */
  const body_pair bodies = {2, 5};
  search_notes notes = {{0}};
  assert_int_equal(tree_entrance_blocks(&trees, 1), 19 * 4);
  assert_int_equal(tree_entrance_blocks(&itself, 1), 19 * 20 / 2);
  assert_int_equal(tree_entrance_level(&notes, bodies, &trees), 5);
  tree_note_entrance(&notes, 3, bodies, 1);
  assert_int_equal(tree_entrance_level(&notes, bodies, &trees), 1);
  assert_int_equal(tree_entrance_level(&notes, (body_pair){5, 2}, &trees), 5);
  assert_int_equal(tree_entrance_level(&notes, bodies, &(entrance_trees){4000, 4000, false}), 2); /* 63 blocks each */
  assert_int_equal(tree_entrance_level(&notes, bodies, &(entrance_trees){1, 1, false}), 0);
  assert_int_equal(tree_next_entrance(&trees, 5, (uint64_t[TREE_LEVELS]){100, 100, 74, 5, 2, 1}), 2);
  assert_int_equal(tree_next_entrance(&trees, 5, (uint64_t[TREE_LEVELS]){0}), 5);
  assert_int_equal(tree_next_entrance(&trees, 1, (uint64_t[TREE_LEVELS]){50, 60}), 2); /* one up */
  assert_int_equal(tree_next_entrance(&trees, 1, (uint64_t[TREE_LEVELS]){0}), 5);
  assert_int_equal(tree_next_entrance(&itself, 5, (uint64_t[TREE_LEVELS]){0, 0, 189, 15, 3, 1}), 2);
}

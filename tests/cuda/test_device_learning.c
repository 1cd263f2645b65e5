/* Tests clusters from frame to frame on an emulated device: centers follow, are learned again after a jump, and adapt
 * in number. */
#include "cluster_frames.h"
#include "device_frames.h"
#include "host_operations.h"
#include "models/model.h"
#include "posed_object.h"
#include "test_scale.h"

#include <stdio.h>

static void place_all(graze_scene *scene, size_t count, double x) {
  const double straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, shift[3] = {x, 0.5 * x, 0};
  for (uint32_t i = 0; i < count; i++) assert_ok(pose_object(scene, (graze_object){i, 1}, straight, shift));
  assert_ok(graze_scene_update(scene));
}

/* Box tests of a scene whose second body stands at x, by centers that were learned there. */
static uint64_t tests_when_learned(const mesh *both, const graze_method_def *method, double x) {
  OWNED_SCENE *scene = device_frames_scene(both, 2);
  place_all(scene, 1, x);
  choose(scene, method);
  assert_ok(graze_scene_update(scene));
  const graze_query query = graze_query_default();
  const pair_answer found = runner_find(scene, &query);
  free(found.pairs);
  return found.counters.box_tests;
}

/* Centers that the device moves follow a body out of another one, and are learned again after a jump: a search then
 * does no more work than with centers learned there. Only poses are copied to the device meanwhile. */
TEST(test_centers_move_on) {
  enum { STEPS = 40, RESTS = 4 };
  char error[256];
  mesh *meshes;
  size_t mesh_count;
  model_parameters parameters = model_parameters_default();
  parameters.primitives = test_sanitized(400, test_scaled(3000, 800));
  if (!model_make(model_find("blob"), &parameters, &meshes, &mesh_count, error, sizeof error)) fail_msg("%s", error);
  const mesh both[2] = {meshes[0], meshes[0]};
  const graze_method_def method = method_of(16, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  const graze_query query = graze_query_default();
  graze_scene *judge = reference_scene(both, 2);
  for (int jumps = 0; jumps < 2; jumps++) {
    host_device_configure(&(host_device_settings){0});
    OWNED_SCENE *scene = device_frames_scene(both, 2);
    choose(scene, &method);
    size_t uploads = 0, most_uploads = 0;
    graze_counters moved = {0};
    for (int step = 0; step <= STEPS + RESTS; step++) {
      const double x = step < STEPS ? (jumps != 0 ? 0.0 : 3.0 * step / STEPS) : (jumps != 0 ? 40.0 : 3.0);
      place_all(scene, 1, x);
      const size_t now = host_device_count().uploads;
      if (step > 1 && now - uploads > most_uploads) most_uploads = now - uploads;
      uploads = now;
      place_all(judge, 1, x);
      moved = compare_query(judge, scene, &query, "moving blobs");
    }
    const uint64_t learned = tests_when_learned(both, &method, jumps != 0 ? 40.0 : 3.0);
    printf("%s: box tests %llu, by centers learned there %llu\n", jumps != 0 ? "a jump" : "a way",
           (unsigned long long)moved.box_tests, (unsigned long long)learned);
    assert_true(moved.box_tests < 3 * learned / 2);
    if (jumps == 0) assert_true(most_uploads <= 1);
  }
  graze_scene_destroy(judge);
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
  free(meshes);
}

/* Without a given number, it adapts to the cost of searches, in factors of two, and settles. */
TEST(test_number_adapts) {
  char error[256];
  mesh *meshes;
  size_t mesh_count;
  model_parameters parameters = model_parameters_default();
  parameters.primitives = test_scaled(6000, 2000);
  if (!model_make(model_find("tet-pair"), &parameters, &meshes, &mesh_count, error, sizeof error))
    fail_msg("%s", error);
  const graze_method_def method = method_of(0, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  host_device_configure(&(host_device_settings){0});
  graze_scene *scene = device_frames_scene(meshes, mesh_count);
  choose(scene, &method);
  uint64_t counts[12], hash = 0;
  for (int frame = 0; frame < 12; frame++) {
    graze_query query = graze_query_default();
    query.candidates_only = true;
    assert_ok(graze_scene_update(scene));
    OWNED(graze_pairs) pairs = find_pairs(scene, &query);
    counts[frame] = pairs.counters->clusters;
    if (frame == 0) hash = pairs.hash;
    assert_true(pairs.hash == hash);
  }
  printf("clusters from frame to frame: %d, %d, %d ... %d\n", (int)counts[0], (int)counts[1], (int)counts[2],
         (int)counts[11]);
  assert_int_not_equal(counts[0], counts[11]);
  for (int frame = 8; frame < 12; frame++) assert_int_equal(counts[frame], counts[7]);
  graze_scene_destroy(scene);
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
  free(meshes);
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

/* Tests a grid bucket with hundreds of entries on an emulated device: every method finds the pairs of the processor's
 * method "brute", also if measurements of k run between queries of the grid. */
#include "host_operations.h"
#include "method_names.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A soup with this many triangles at the position of the first, each with its own corners; then a blob. */
typedef struct crowd {
  mesh *meshes, *blobs;
  size_t mesh_count, blob_count;
  mesh both[2];
} crowd;

static crowd make_crowd(size_t crowded) {
  crowd made;
  const size_t others = 200;
  torture_model("soup", crowded + others, 3, &made.meshes, &made.mesh_count);
  torture_model("blobs", 150, 3, &made.blobs, &made.blob_count);
  mesh *soup = &made.meshes[0];
  assert_int_equal(soup->vertex_count, 3 * (crowded + others));
  for (size_t i = 3; i < 3 * crowded; i++)
    memcpy(soup->positions + 3 * i, soup->positions + i % 3 * 3, 3 * sizeof(double));
  made.both[0] = made.meshes[0];
  made.both[1] = made.blobs[0];
  return made;
}

static void free_crowd(crowd *made) {
  mesh_list_free(made->meshes, made->mesh_count);
  mesh_list_free(made->blobs, made->blob_count);
}

static running_variant device_variant(const char *method) {
  running_variant variant = running_variant_reference();
  variant.method = method;
  return variant;
}

static pair_answer wanted_of(const crowd *made) {
  const running_variant reference = running_variant_reference();
  OWNED_SCENE *judging = runner_scene(&reference, made->both, 2, NULL);
  const graze_query query = graze_query_default();
  const pair_answer wanted = runner_find(judging, &query);
  return wanted;
}

/* Returns how often the query was run again. */
static uint64_t compare(graze_scene *scene, const pair_answer *wanted, const char *words) {
  const graze_query query = graze_query_default();
  const pair_answer found = runner_find(scene, &query);
  runner_compare(wanted, &found, "crowd", words);
  free(found.pairs);
  return found.counters.reruns;
}

TEST(test_methods) {
  OWNED_BY(free_crowd) crowd made = make_crowd(400);
  const pair_answer wanted = wanted_of(&made);
  for (size_t i = 0; i <= method_name_count(); i++) {
    const char *name = i < method_name_count() ? method_name_at(i) : "clusters 5 x linf";
    const host_device_settings settings = {.order = INDICES_SHUFFLED};
    host_device_configure(&settings);
    const running_variant variant = device_variant(name);
    OWNED_SCENE *scene = runner_scene(&variant, made.both, 2, NULL);
    (void)compare(scene, &wanted, name);
    assert_int_equal(compare(scene, &wanted, name), 0);
  }
  free(wanted.pairs);
}

static void compare_measures(graze_scene *judging, graze_scene *scene, uint32_t index) {
  const graze_object object = {index, 1};
  OWNED(graze_crowding) wanted = {0}, found = {0};
  assert_ok(graze_scene_measure_crowding(judging, object, &wanted));
  assert_ok(graze_scene_measure_crowding(scene, object, &found));
  assert_int_equal(found.count, wanted.count);
  assert_memory_equal(found.k_of, wanted.k_of, wanted.count * sizeof *wanted.k_of);
}

/* Tables of one object lie elsewhere than those of all: neither finds what the other has left behind. */
TEST(test_measures_between) {
  const uint32_t objects[] = {1, 1, 0, 1, 0, 0};
  for (size_t crowded = 100; crowded <= 300; crowded += 200) {
    OWNED_BY(free_crowd) crowd made = make_crowd(crowded);
    const pair_answer wanted = wanted_of(&made);
    const host_device_settings settings = {.order = INDICES_REVERSED};
    host_device_configure(&settings);
    const running_variant variant = device_variant("grid"), on_host = {.method = "grid", .worker_count = 1};
    unsetenv("GRAZE_TEST_BACKEND");
    graze_scene *judging = runner_scene(&on_host, made.both, 2, NULL);
    setenv("GRAZE_TEST_BACKEND", "cuda", 1);
    OWNED_SCENE *scene = runner_scene(&variant, made.both, 2, NULL);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
      compare_measures(judging, scene, objects[i]);
      if (i % 2 == 0) (void)compare(scene, &wanted, "behind a measure");
    }
    graze_scene_destroy(judging);
    free(wanted.pairs);
  }
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

/* Tests bundles of entries on an emulated device: the first query detects a crowded scene of slivers, later queries
 * compare a fraction of the boxes, and all find the pairs of the processor's method "brute", for any query and any
 * order of entries. A scene that is no longer crowded has no bundles. */
#include "host_operations.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct sliver_scene {
  mesh *meshes; /* slivers, and small triangles among them */
  size_t mesh_count;
} sliver_scene;

static sliver_scene make_slivers(void) {
  sliver_scene made;
  torture_scene_named("slivers")->make(&made.meshes, &made.mesh_count);
  return made;
}

static graze_scene *scene_on_device(const sliver_scene *made, index_order order) {
  const host_device_settings settings = {.order = order};
  host_device_configure(&settings);
  running_variant variant = running_variant_reference();
  variant.method = "grid";
  return runner_scene(&variant, made->meshes, made->mesh_count, NULL);
}

static graze_scene *scene_of_reference(const sliver_scene *made) {
  const running_variant reference = running_variant_reference();
  return runner_scene(&reference, made->meshes, made->mesh_count, NULL);
}

/* Returns how many boxes were compared. */
static uint64_t compare(const graze_scene *judging, const graze_scene *scene, const graze_query *query,
                        const char *words) {
  const pair_answer wanted = runner_find(judging, query), found = runner_find(scene, query);
  runner_compare(&wanted, &found, "slivers", words);
  free(wanted.pairs);
  free(found.pairs);
  return found.counters.box_tests;
}

TEST(test_second_query) {
  sliver_scene made = make_slivers();
  graze_scene *judging = scene_of_reference(&made);
  const graze_query query = graze_query_default();
  for (index_order order = INDICES_FORWARD; order < INDEX_ORDER_COUNT; order++) {
    OWNED_SCENE *scene = scene_on_device(&made, order);
    const uint64_t first = compare(judging, scene, &query, "first"), second = compare(judging, scene, &query, "second");
    print_message("%llu boxes, with bundles %llu\n", (unsigned long long)first, (unsigned long long)second);
    /* Shuffled, those of a bundle are far apart. */
    assert_true(order == INDICES_SHUFFLED ? first > second : 2 * first > 3 * second);
    assert_int_equal(compare(judging, scene, &query, "third"), second);
  }
  graze_scene_destroy(judging);
  mesh_list_free(made.meshes, made.mesh_count);
}

TEST(test_questions) {
  sliver_scene made = make_slivers();
  graze_scene *judging = scene_of_reference(&made), *scene = scene_on_device(&made, INDICES_FORWARD);
  graze_query query = graze_query_default();
  const uint64_t first = compare(judging, scene, &query, "everything");
  query.scope = GRAZE_SCOPE_BETWEEN;
  (void)compare(judging, scene, &query, "between");
  query.scope = GRAZE_SCOPE_WITHIN;
  (void)compare(judging, scene, &query, "within");
  query = graze_query_default();
  query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  (void)compare(judging, scene, &query, "with neighbors");
  query = graze_query_default();
  query.candidates_only = true;
  (void)compare(judging, scene, &query, "boxes");
  query = graze_query_default();
  query.about_count = 1;
  query.about_a = (graze_object){1, 1};
  (void)compare(judging, scene, &query, "one object");
  query = graze_query_default(); /* little lies there: no crowd, and nothing is decided by it */
  query.in_box = true;
  for (int axis = 0; axis < 3; axis++) query.box_max[axis] = 0.05;
  (void)compare(judging, scene, &query, "a corner");
  query = graze_query_default();
  assert_true(2 * first > 3 * compare(judging, scene, &query, "everything again"));
  graze_scene_destroy(scene);
  graze_scene_destroy(judging);
  mesh_list_free(made.meshes, made.mesh_count);
}

/* Lists as long as can be, and so in chunks. */
TEST(test_chunks) {
  sliver_scene made = make_slivers();
  graze_scene *judging = scene_of_reference(&made), *scene = scene_on_device(&made, INDICES_FORWARD);
  const graze_query query = graze_query_default();
  const uint64_t first = compare(judging, scene, &query, "at once");
  const host_device_settings settings = {.order = INDICES_FORWARD, .claimed = (size_t)1 << 40};
  host_device_configure(&settings);
  assert_true(2 * first > 3 * compare(judging, scene, &query, "in chunks"));
  graze_scene_destroy(scene);
  graze_scene_destroy(judging);
  mesh_list_free(made.meshes, made.mesh_count);
}

/* An eighth of the slivers where all were: no crowd, though ranges are long enough for bundles. As many boxes are
 * compared as by a scene that never had any. */
TEST(test_leaving) {
  sliver_scene made = make_slivers();
  graze_scene *scene = scene_on_device(&made, INDICES_FORWARD);
  const graze_query query = graze_query_default();
  free(runner_find(scene, &query).pairs);
  for (size_t i = 0; i < made.meshes[0].triangle_count; i++)
    torture_move(&(mesh){.positions = made.meshes[0].positions + 9 * i, .vertex_count = 3}, 4.0 * (double)(i % 8), 0.0,
                 0.0);
  const graze_view spread = {made.meshes[0].positions, made.meshes[0].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  graze_scene *judging = scene_of_reference(&made), *new_scene = scene_on_device(&made, INDICES_FORWARD);
  const uint64_t wanted = compare(judging, new_scene, &query, "spread");
  assert_ok(graze_object_set_positions(scene, (graze_object){0, 1}, 0, spread));
  assert_ok(graze_scene_update(scene));
  assert_true(compare(judging, scene, &query, "spread, with bundles") < wanted);
  assert_int_equal(compare(judging, scene, &query, "spread, without"), wanted);
  graze_scene_destroy(new_scene);
  graze_scene_destroy(scene);
  graze_scene_destroy(judging);
  mesh_list_free(made.meshes, made.mesh_count);
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

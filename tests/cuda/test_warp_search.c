/* Compares the kernel of the search, thread by thread, with its loop: the same pairs, candidates and box comparisons,
 * for every query with its own kernel, with few and many entries per warp. Other tests compare pairs of the loop with
 * the processor's. */
#include "backend_choice.h"
#include "emulated_kernels.h"
#include "host_operations.h"
#include "mesh_set.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* 6,144 entries are many for one multiprocessor. */
static void search_by_warps(const struct grid_view *view) {
  emulated_search(view, 1);
}

/* The second answer, with bundles where the scene is crowded. */
static pair_answer ask(const mesh *meshes, size_t mesh_count, const graze_query *query, bool by_warps) {
  const host_device_settings settings = {.order = INDICES_SHUFFLED, .search = by_warps ? search_by_warps : NULL};
  host_device_configure(&settings);
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  OWNED_SCENE *scene;
  assert_ok(create_on("cuda", 0, def, &scene));
  for (size_t i = 0; i < mesh_count; i++) runner_add(scene, &meshes[i], false, NULL);
  assert_ok(graze_scene_update(scene));
  free(runner_find(scene, query).pairs);
  const pair_answer answer = runner_find(scene, query);
  return answer;
}

static void compare_meshes(const char *model, const mesh *meshes, size_t mesh_count, const graze_query *query,
                           const char *question) {
  OWNED(pair_answer) wanted = ask(meshes, mesh_count, query, false), found = ask(meshes, mesh_count, query, true);
  print_message("%s %s: %zu pairs, %llu candidates of %llu boxes\n", model, question, wanted.count,
                (unsigned long long)wanted.counters.candidates, (unsigned long long)wanted.counters.box_tests);
  runner_compare(&wanted, &found, model, question);
  assert_int_equal(found.counters.candidates, wanted.counters.candidates);
  assert_int_equal(found.counters.box_tests, wanted.counters.box_tests);
  assert_true(wanted.counters.candidates > 0);
}

static void compare(const char *model, uint64_t primitives, const graze_query *query, const char *question) {
  OWNED(mesh_set) made = torture_set(model, primitives, 3);
  compare_meshes(model, made.meshes, made.count, query, question);
}

TEST(triangles) {
  const graze_query query = graze_query_default();
  compare("blobs", 700, &query, "few");
  compare("blobs", 6500, &query, "many");
  compare("soup", 6300, &query, "many");
  compare("draped-cloth", 1000, &query, "few");
  compare("mix", 6500, &query, "many");
}

TEST(tetrahedra) {
  const graze_query query = graze_query_default();
  compare("tet-pair", 300, &query, "few");
  compare("tet-soup", 6300, &query, "many");
}

/* A body and itself, kept apart. */
TEST(two_objects) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  for (int many = 0; many < 2; many++) {
    OWNED(mesh_set) made = torture_set("torus", many == 0 ? 300 : 3200, 3);
    const mesh both[2] = {made.meshes[0], made.meshes[0]};
    compare_meshes("torus", both, 2, &query, many == 0 ? "few, between two" : "many, between two");
  }
}

TEST(other_questions) {
  graze_query query = graze_query_default();
  query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  compare("blobs", 700, &query, "with neighbors");
  query = graze_query_default();
  query.candidates_only = true;
  compare("soup", 1500, &query, "boxes");
  query = graze_query_default();
  compare("spheres", 1000, &query, "spheres");
}

/* Slivers, and with many more small triangles among them. */
TEST(crowds) {
  OWNED(mesh_set) made = made_set(torture_scene_named("slivers")->make);
  graze_query query = graze_query_default();
  compare_meshes("slivers", made.meshes, made.count, &query, "few");
  query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  compare_meshes("slivers", made.meshes, made.count, &query, "few, with neighbors");
  const mesh many[] = {made.meshes[0], made.meshes[1], made.meshes[1], made.meshes[1],
                       made.meshes[0], made.meshes[1], made.meshes[1], made.meshes[1]};
  query = graze_query_default();
  compare_meshes("slivers", many, sizeof many / sizeof many[0], &query, "many");
}

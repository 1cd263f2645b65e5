/* Tests the methods of the lab on scenes: complete ones give the list of the grid, lossy clusters lose planted pairs
 * and list no false ones, and the test without edges lists all intersecting pairs and counts the false ones. */
#include "mesh_set.h"
#include "posed_object.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "testing.h"
#include "torture_scenes.h"
#include "tree_scenes.h"

#include "lab/lab_variants.h"
#include "lab/sat_no_edges.h"
#include "test_scale.h"

#include <stdlib.h>
#include <string.h>

static graze_scene *lab_scene(const bench_variant *variant, uint32_t workers, uint32_t clusters, const mesh *meshes,
                              size_t mesh_count) {
  running_variant running = running_variant_reference();
  graze_method_def def = graze_method_def_default();
  running.method = "grid";
  running.worker_count = workers;
  running.threading = workers > 1 ? GRAZE_THREADING_PTHREADS : GRAZE_THREADING_SERIAL;
  def.simd = GRAZE_SIMD_AUTO;
  def.clusters = clusters;
  graze_scene *scene = runner_scene(&running, meshes, mesh_count, NULL);
  if (variant != NULL) assert_ok(variant->set(scene, &def));
  return scene;
}

/* Scopes, neighbors, candidates, a box, a limit. */
static graze_query query_of(size_t number, bool surfaces) {
  graze_query query = graze_query_default();
  query.scope = number < 3 ? (graze_scope)(number + 1) : GRAZE_SCOPE_BOTH;
  if (number == 3 && surfaces) query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  query.candidates_only = number == 4;
  query.in_box = number == 5;
  for (int axis = 0; axis < 3; axis++) {
    query.box_min[axis] = -0.4;
    query.box_max[axis] = 0.35;
  }
  query.pair_limit = number == 6 ? 100 : 0;
  return query;
}

/* Frame after frame, as methods keep notes. */
static void compare(const bench_variant *variant, uint32_t workers, const char *name, mesh *meshes, size_t mesh_count,
                    bool surfaces) {
  OWNED_SCENE *grid = lab_scene(NULL, 1, 0, meshes, mesh_count);
  OWNED_SCENE *scene = lab_scene(variant, workers, 0, meshes, mesh_count);
  for (size_t number = 0; number < 9; number++) {
    const graze_query query = query_of(number % 7, surfaces);
    const pair_answer wanted = runner_find(grid, &query), found = runner_find(scene, &query);
    runner_compare(&wanted, &found, name, variant->name);
    bool any = false;
    graze_query unlimited = query;
    unlimited.pair_limit = 0;
    assert_ok(graze_scene_any_pair(scene, &unlimited, &any, NULL));
    assert_int_equal(any, wanted.count > 0);
    free(wanted.pairs);
    free(found.pairs);
    const double turned[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1}, shift[3] = {0.02 * (double)number, 0.01, 0};
    assert_ok(pose_object(grid, (graze_object){0, 1}, turned, shift));
    assert_ok(pose_object(scene, (graze_object){0, 1}, turned, shift));
    assert_ok(graze_scene_update(grid));
    assert_ok(graze_scene_update(scene));
  }
}

TEST(complete_methods_give_the_list_of_the_grid) {
  const bench_variant *const complete[] = {&lab_grid_sort, &lab_grid_map, lab_hashes[1],
                                           lab_hashes[2],  lab_hashes[3], &lab_tree_entrance};
  static const char *const models[] = {"blobs", "soup", "folded-cloth", "tet-pair", "mix"};
  for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
    OWNED(mesh_set) made = torture_set(models[m], test_scaled(3000, 600), m);
    for (size_t i = 0; i < sizeof complete / sizeof complete[0]; i++)
      compare(complete[i], 1 + (uint32_t)(i + m) % 3, models[m], made.meshes, made.count,
              strcmp(models[m], "tet-pair") != 0);
  }
}

/* Bodies far apart, and triangles that reach from one to the other, each crossed at its end. */
static mesh planted_scene(size_t small, size_t planted) {
  uint64_t sequence = 17;
  mesh m = torture_mesh(3 * (small + 2 * planted), small + 2 * planted);
  for (size_t i = 0; i < small; i++)
    for (int k = 0; k < 9; k++)
      m.positions[9 * i + k] =
          (k % 3 == 0 ? (i % 2 == 0 ? -1.0 : 1.0) : 0.0) + 0.2 * sequence_signed(&sequence) + 1e-4 * (double)k;
  for (size_t i = 0; i < planted; i++) {
    const double y = sequence_signed(&sequence), z = sequence_signed(&sequence);
    const double reaching[9] = {-2.2, y, z, -1.2, y, z + 1e-4, 0.9, y + 1e-4, z};
    const double crossed[9] = {0.85, y - 0.01, z - 0.01, 0.85, y + 0.01, z - 0.01, 0.85, y, z + 0.02};
    memcpy(m.positions + 9 * (small + 2 * i), reaching, sizeof reaching);
    memcpy(m.positions + 9 * (small + 2 * i + 1), crossed, sizeof crossed);
  }
  for (size_t i = 0; i < 3 * (small + 2 * planted); i++) m.triangles[i] = (uint32_t)i;
  return m;
}

/* Every found pair is correct and listed once. */
static void require_part(const pair_answer *wanted, const pair_answer *found) {
  size_t at = 0;
  for (size_t k = 0; k < wanted->count && at < found->count; k++)
    at += memcmp(&wanted->pairs[k], &found->pairs[at], sizeof(graze_pair)) == 0;
  assert_int_equal(at, found->count);
}

TEST(lossy_clusters_lose_planted_pairs) {
  enum { PLANTED = 60 };
  OWNED(mesh) m = planted_scene(test_sanitized(600, 2000), PLANTED);
  const graze_query query = graze_query_default();
  OWNED_SCENE *grid = lab_scene(NULL, 1, 0, &m, 1);
  const pair_answer wanted = runner_find(grid, &query);
  assert_true(wanted.count >= PLANTED);
  for (size_t i = 0; i < LAB_LOSSY_CLUSTERS; i++)
    for (uint32_t clusters = 1; clusters <= 6; clusters += clusters == 1 ? 1 : 4) {
      uint64_t first = 0;
      for (uint32_t workers = 1; workers <= 3; workers += 2) {
        OWNED_SCENE *scene = lab_scene(lab_lossy_clusters[i], workers, clusters, &m, 1);
        const pair_answer found = runner_find(scene, &query);
        require_part(&wanted, &found);
        if (clusters == 1) assert_true(found.hash == wanted.hash);
        if (clusters > 1) assert_true(found.count + PLANTED / 2 < wanted.count);
        if (workers == 1) first = found.hash;
        assert_true(found.hash == first);
        free(found.pairs);
      }
    }
  free(wanted.pairs);
}

TEST(planes_of_faces_take_in_false_pairs) {
  OWNED(mesh_set) made = torture_set("tet-pair", test_scaled(1500, 600), 1);
  OWNED_SCENE *scene = lab_scene(NULL, 2, 0, made.meshes, made.count);
  const graze_query query = graze_query_default();
  const pair_answer exact = runner_find(scene, &query);
  OWNED(graze_pairs) loose = {0};
  assert_ok(find_without_edges(scene, &query, &loose));
  assert_true(loose.count > exact.count);
  assert_true(loose.hash == graze_pairs_hash(loose.pairs, loose.count));
  const pair_answer found = {.pairs = (graze_pair *)(uintptr_t)loose.pairs, .count = loose.count};
  require_part(&found, &exact);
  free(exact.pairs);
}

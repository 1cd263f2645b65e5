/* Golden hashes of fixed scenes: the same for every compiler, optimization, processor, method and way of running. A
 * changed hash is a changed answer or a changed model. */
#include "scene_runner.h"
#include "testing.h"
#include "torture_scenes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct golden_answer {
  const char *name;
  uint64_t primitives, seed; /* of a built-in model; no primitives: a torture scene */
  graze_neighbors neighbors;
  bool candidates_only;
  size_t pair_count;
  uint64_t hash;
} golden_answer;

static const golden_answer answers[] = {
    {"sphere", 2000, 0, GRAZE_NEIGHBORS_SKIP, false, 0, UINT64_C(0x0000000000000000)},
    {"sphere", 2000, 0, GRAZE_NEIGHBORS_SKIP, true, 240, UINT64_C(0x9b119fbc0e474667)},
    {"knot", 2000, 1, GRAZE_NEIGHBORS_SKIP, true, 431, UINT64_C(0x83229bbd0ff93f35)},
    {"blobs", 3000, 2, GRAZE_NEIGHBORS_SKIP, false, 793, UINT64_C(0x5c28357664a73b21)},
    {"blobs", 30000, 3, GRAZE_NEIGHBORS_BEYOND, false, 3068, UINT64_C(0xd2a242fcd2521f30)},
    {"folded-cloth", 3000, 4, GRAZE_NEIGHBORS_SKIP, false, 5673, UINT64_C(0xf66d1145f390b9c8)},
    {"folded-cloth", 40000, 4, GRAZE_NEIGHBORS_BEYOND, false, 31815, UINT64_C(0x42308588cbbf7bbc)},
    {"draped-cloth", 3000, 17, GRAZE_NEIGHBORS_SKIP, false, 891, UINT64_C(0xe646a58c83d29aea)},
    {"draped-cloth", 40000, 17, GRAZE_NEIGHBORS_BEYOND, false, 6944, UINT64_C(0xcd79595b171bd6ef)},
    {"soup", 3000, 5, GRAZE_NEIGHBORS_SKIP, false, 1323, UINT64_C(0x5f001e5f0246b5b6)},
    {"soup", 50000, 5, GRAZE_NEIGHBORS_SKIP, false, 24655, UINT64_C(0x1198f86eb80eeacc)},
    {"mix", 2500, 6, GRAZE_NEIGHBORS_BEYOND, false, 243, UINT64_C(0xe4f45dae943e0db6)},
    {"needles", 1000, 7, GRAZE_NEIGHBORS_SKIP, false, 2669, UINT64_C(0x2a3f9755ec51bb30)},
    {"chazelle", 1000, 8, GRAZE_NEIGHBORS_SKIP, false, 21824, UINT64_C(0x34cf4a68d9e4a416)},
    {"boxes", 500, 9, GRAZE_NEIGHBORS_BEYOND, false, 9537, UINT64_C(0x7bd856cdba5e6396)},
    {"rods", 2000, 10, GRAZE_NEIGHBORS_SKIP, true, 6742, UINT64_C(0xc07e2ee18895e50b)},
    {"panels", 3000, 11, GRAZE_NEIGHBORS_BEYOND, false, 0, UINT64_C(0x0000000000000000)},
    {"panels", 3000, 11, GRAZE_NEIGHBORS_SKIP, true, 401, UINT64_C(0x44307ee48c4a8d49)},
    {"tet-rod", 5000, 12, GRAZE_NEIGHBORS_SKIP, false, 2245, UINT64_C(0x3fa1bb962000b8a1)},
    {"tet-pair", 5000, 13, GRAZE_NEIGHBORS_SKIP, false, 27331, UINT64_C(0x8461cb1cc76fd81c)},
    {"tet-soup", 3000, 14, GRAZE_NEIGHBORS_SKIP, false, 1463, UINT64_C(0xd426fb4444e9e48f)},
    {"cells", 300, 15, GRAZE_NEIGHBORS_SKIP, false, 0, UINT64_C(0x0000000000000000)},
    {"cell-pair", 400, 16, GRAZE_NEIGHBORS_SKIP, false, 44, UINT64_C(0x2397f583787b8c70)},
    {"spheres", 3000, 18, GRAZE_NEIGHBORS_SKIP, false, 3212, UINT64_C(0xfe13b848ee956f40)},
    {"spheres", 50000, 18, GRAZE_NEIGHBORS_SKIP, false, 54621, UINT64_C(0xd9aab3beb72fc61f)},
    {"sphere-lattice", 3000, 19, GRAZE_NEIGHBORS_SKIP, false, 8160, UINT64_C(0xa02a9142fcb89b3e)},
    {"sphere-lattice", 3000, 19, GRAZE_NEIGHBORS_SKIP, true, 34024, UINT64_C(0x006727474172ead4)},
    {"own copy", 0, 0, GRAZE_NEIGHBORS_SKIP, false, 11752, UINT64_C(0xea52573d47195062)},
    {"copy jittered by one bit of float", 0, 0, GRAZE_NEIGHBORS_SKIP, false, 2243, UINT64_C(0xcee3c83da5840909)},
    {"copy jittered by one bit of double", 0, 0, GRAZE_NEIGHBORS_SKIP, false, 2389, UINT64_C(0xe781b6bfccb0d8ee)},
    {"touching boxes at 1e-30", 0, 0, GRAZE_NEIGHBORS_BEYOND, false, 9484, UINT64_C(0x348c99d78779d6c8)},
    {"touching boxes, subnormal", 0, 0, GRAZE_NEIGHBORS_SKIP, false, 9484, UINT64_C(0x348c99d78779d6c8)},
    {"touching boxes near the largest double", 0, 0, GRAZE_NEIGHBORS_SKIP, false, 9484, UINT64_C(0x348c99d78779d6c8)},
    {"mesh on a lattice", 0, 0, GRAZE_NEIGHBORS_BEYOND, false, 16791, UINT64_C(0x7da274cc8f682f9b)},
    {"sizes from 2^-40 to 1", 0, 0, GRAZE_NEIGHBORS_SKIP, false, 4813, UINT64_C(0x66ba63cd92fb5bdf)},
    {"borders of cells", 0, 0, GRAZE_NEIGHBORS_SKIP, true, 29678, UINT64_C(0x8144f76ff5ccd570)},
    {"needle fans", 0, 0, GRAZE_NEIGHBORS_SKIP, false, 13060, UINT64_C(0x4b98f9bfb7227a4b)},
};

static const torture_scene *find_torture(const char *name) {
  for (size_t i = 0; i < torture_scene_count(); i++)
    if (strcmp(torture_scene_at(i)->name, name) == 0) return torture_scene_at(i);
  return NULL;
}

static void make_meshes(const golden_answer *golden, mesh **meshes_out, size_t *mesh_count_out) {
  if (golden->primitives > 0) {
    torture_model(golden->name, golden->primitives, golden->seed, meshes_out, mesh_count_out);
    return;
  }
  const torture_scene *scene = find_torture(golden->name);
  assert_non_null(scene);
  scene->make(meshes_out, mesh_count_out);
}

static size_t check_answer(const golden_answer *golden, const running_variant *variant) {
  OWNED(mesh_set) made;
  make_meshes(golden, &made.meshes, &made.count);
  graze_query query = graze_query_default();
  query.neighbors = golden->neighbors;
  query.candidates_only = golden->candidates_only;
  OWNED_SCENE *scene = runner_scene(variant, made.meshes, made.count, NULL);
  const pair_answer found = runner_find(scene, &query);
  const bool same = found.count == golden->pair_count && found.hash == golden->hash;
  if (!same)
    print_error("{\"%s\", %" PRIu64 ", %" PRIu64 ", %d, %d, %zu, UINT64_C(0x%016" PRIx64 ")}, by %s\n", golden->name,
                golden->primitives, golden->seed, (int)golden->neighbors, (int)golden->candidates_only, found.count,
                found.hash, variant->method);
  free(found.pairs);
  return same ? 0 : 1;
}

static void check_all(const char *method, uint64_t most_triangles) {
  const running_variant variant = {method, GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_AUTO, NULL, false};
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
    if (answers[i].primitives <= most_triangles) wrong += check_answer(&answers[i], &variant);
  assert_int_equal(wrong, 0);
}

TEST(test_grid_gives_the_golden_hashes) {
  check_all("grid", UINT64_MAX);
}

TEST(test_clusters_give_the_golden_hashes) {
  check_all("clusters", UINT64_MAX);
  check_all("clusters 24 principal linf", 20000);
}

TEST(test_brute_gives_the_golden_hashes) {
  check_all("brute", 3000);
}

/* Written out to the last coordinate: touching in a vertex, along an edge, in a plane, through; and apart by one bit.
 */
TEST(test_literal_scene) {
  static const double positions[] = {
      0,       0,
      0,       8,
      0,       0,
      0,       8,
      0, /* 0: the flat one */
      2,       2,
      0,       2,
      2,       5,
      3,       2,
      5, /* 1: stands on it by a vertex */
      1,       1,
      0,       3,
      1,       0,
      2,       1,
      4, /* 2: stands on it by an edge */
      1,       1,
      0,       2,
      1,       0,
      1,       2,
      0, /* 3: lies in it */
      4,       1,
      -1,      4,
      1,       1,
      4,       2,
      1, /* 4: goes through it */
      2,       3,
      0x1p-52, 2,
      3,       5,
      3,       3,
      5, /* 5: above it by the least that matters */
      8,       0,
      0,       9,
      0,       0,
      9,       1,
      0, /* 6: vertex on vertex */
      4,       4,
      0,       9,
      9,       0,
      9,       8,
      0, /* 7: vertex on edge, in its plane */
      4,       0x1.0000000000001p+2,
      0,       9,
      9,       1,
      9,       8,
      1, /* 8: vertex one bit beyond the edge */
      5,       1,
      0,       5,
      1,       0,
      5,       1,
      0, /* 9: a point in it */
      6,       1,
      -1,      6,
      1,       0,
      6,       1,
      1, /* 10: a segment through it */
  };
  enum { TRIANGLES = sizeof positions / sizeof positions[0] / 9 };
  OWNED(mesh) m = torture_mesh(3 * TRIANGLES, TRIANGLES);
  memcpy(m.positions, positions, sizeof positions);
  for (uint32_t i = 0; i < 3 * TRIANGLES; i++) m.triangles[i] = i;
  const char *const methods[] = {"grid", "brute", "clusters"};
  for (int i = 0; i < 3; i++) {
    running_variant variant = running_variant_reference();
    variant.method = methods[i];
    OWNED_SCENE *scene = runner_scene(&variant, &m, 1, NULL);
    const graze_query query = graze_query_default();
    const pair_answer found = runner_find(scene, &query);
    /* 2 and 3 meet along an edge; 4 to 10 have nothing with each other. */
    static const uint32_t expected[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 6}, {0, 7}, {0, 9}, {0, 10}, {2, 3}};
    assert_int_equal(found.count, sizeof expected / sizeof expected[0]);
    for (size_t k = 0; k < found.count; k++) {
      assert_int_equal(found.pairs[k].primitive_a, expected[k][0]);
      assert_int_equal(found.pairs[k].primitive_b, expected[k][1]);
    }
    free(found.pairs);
  }
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_FULL", "1", 1); /* the hashes are of whole scenes */
  unsetenv("GRAZE_TEST_SCALE");      /* the hashes are those of whole scenes */
  return 0;
}

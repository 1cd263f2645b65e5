/* Hashes of fixed scenes, written down: the same for every compiler, optimisation, processor, method and way of
 * running. A hash that changes is a changed answer, or a changed model. */
#include "scene_runner.h"
#include "torture_scenes.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct golden_answer {
  const char *name;
  uint64_t primitives, seed; /* of a built-in model; no primitives: a torture scene */
  graze_neighbours neighbours;
  bool candidates_only;
  size_t pair_count;
  uint64_t hash;
} golden_answer;

static const golden_answer answers[] = {
    {"sphere", 2000, 0, GRAZE_NEIGHBOURS_SKIP, false, 0, UINT64_C(0xcbf29ce484222325)},
    {"sphere", 2000, 0, GRAZE_NEIGHBOURS_SKIP, true, 240, UINT64_C(0x6922e3e149825ab2)},
    {"knot", 2000, 1, GRAZE_NEIGHBOURS_SKIP, true, 431, UINT64_C(0x668e7da01e4b6edf)},
    {"blobs", 3000, 2, GRAZE_NEIGHBOURS_SKIP, false, 793, UINT64_C(0x9e44c5754a44302c)},
    {"blobs", 30000, 3, GRAZE_NEIGHBOURS_BEYOND, false, 3068, UINT64_C(0x68a9ea5aa7255a9e)},
    {"folded-cloth", 3000, 4, GRAZE_NEIGHBOURS_SKIP, false, 5673, UINT64_C(0x8ff66f15ab2977bb)},
    {"folded-cloth", 40000, 4, GRAZE_NEIGHBOURS_BEYOND, false, 31815, UINT64_C(0xec4139fe4c685f7f)},
    {"draped-cloth", 3000, 17, GRAZE_NEIGHBOURS_SKIP, false, 891, UINT64_C(0xfce0cacea1200dcc)},
    {"draped-cloth", 40000, 17, GRAZE_NEIGHBOURS_BEYOND, false, 6944, UINT64_C(0x3663e80e5c583f49)},
    {"soup", 3000, 5, GRAZE_NEIGHBOURS_SKIP, false, 1323, UINT64_C(0x3a9352b80c6b2b63)},
    {"soup", 50000, 5, GRAZE_NEIGHBOURS_SKIP, false, 24655, UINT64_C(0x2aa50dc9c514c535)},
    {"mix", 2500, 6, GRAZE_NEIGHBOURS_BEYOND, false, 243, UINT64_C(0x757897eb83a5e222)},
    {"needles", 1000, 7, GRAZE_NEIGHBOURS_SKIP, false, 2669, UINT64_C(0xdd9b5812ac68eb92)},
    {"chazelle", 1000, 8, GRAZE_NEIGHBOURS_SKIP, false, 21824, UINT64_C(0xe055b51d2b1a3c34)},
    {"boxes", 500, 9, GRAZE_NEIGHBOURS_BEYOND, false, 9537, UINT64_C(0x6abfecb44e7349ca)},
    {"rods", 2000, 10, GRAZE_NEIGHBOURS_SKIP, true, 6742, UINT64_C(0xbcf82a3a633bdc84)},
    {"panels", 3000, 11, GRAZE_NEIGHBOURS_BEYOND, false, 0, UINT64_C(0xcbf29ce484222325)},
    {"panels", 3000, 11, GRAZE_NEIGHBOURS_SKIP, true, 401, UINT64_C(0x4d7a679988854a66)},
    {"tet-rod", 5000, 12, GRAZE_NEIGHBOURS_SKIP, false, 2245, UINT64_C(0x04fb694ea114c0db)},
    {"tet-pair", 5000, 13, GRAZE_NEIGHBOURS_SKIP, false, 27331, UINT64_C(0xf0d1c1d7dd0b168e)},
    {"tet-soup", 3000, 14, GRAZE_NEIGHBOURS_SKIP, false, 1463, UINT64_C(0x4dc5f9acc88047e0)},
    {"cells", 300, 15, GRAZE_NEIGHBOURS_SKIP, false, 0, UINT64_C(0xcbf29ce484222325)},
    {"cell-pair", 400, 16, GRAZE_NEIGHBOURS_SKIP, false, 44, UINT64_C(0x3e2dc19fdb963a77)},
    {"own copy", 0, 0, GRAZE_NEIGHBOURS_SKIP, false, 11752, UINT64_C(0xf0add1a72908a10f)},
    {"copy jittered by one bit of float", 0, 0, GRAZE_NEIGHBOURS_SKIP, false, 2243, UINT64_C(0x22a2ccc03dc4bba0)},
    {"copy jittered by one bit of double", 0, 0, GRAZE_NEIGHBOURS_SKIP, false, 2389, UINT64_C(0x7873662b0e741dbf)},
    {"touching boxes at 1e-30", 0, 0, GRAZE_NEIGHBOURS_BEYOND, false, 9484, UINT64_C(0x2366b3962ea8b17e)},
    {"touching boxes, subnormal", 0, 0, GRAZE_NEIGHBOURS_SKIP, false, 9484, UINT64_C(0x2366b3962ea8b17e)},
    {"touching boxes near the largest double", 0, 0, GRAZE_NEIGHBOURS_SKIP, false, 9484, UINT64_C(0x2366b3962ea8b17e)},
    {"mesh on a lattice", 0, 0, GRAZE_NEIGHBOURS_BEYOND, false, 16791, UINT64_C(0x4c0a22a0d0b2758e)},
    {"sizes from 2^-40 to 1", 0, 0, GRAZE_NEIGHBOURS_SKIP, false, 4813, UINT64_C(0x38f7a91ba97bcc9a)},
    {"borders of cells", 0, 0, GRAZE_NEIGHBOURS_SKIP, true, 29678, UINT64_C(0x6c9f177bee7c786a)},
    {"needle fans", 0, 0, GRAZE_NEIGHBOURS_SKIP, false, 13060, UINT64_C(0x4c882b9fa9761748)},
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
  mesh *meshes;
  size_t mesh_count;
  make_meshes(golden, &meshes, &mesh_count);
  graze_query query = graze_query_default();
  query.neighbours = golden->neighbours;
  query.candidates_only = golden->candidates_only;
  graze_scene *scene = runner_scene(variant, meshes, mesh_count, NULL);
  const pair_answer found = runner_find(scene, &query);
  const bool same = found.count == golden->pair_count && found.hash == golden->hash;
  if (!same)
    print_error("{\"%s\", %" PRIu64 ", %" PRIu64 ", %d, %d, %zu, UINT64_C(0x%016" PRIx64 ")}, by %s\n", golden->name,
                golden->primitives, golden->seed, (int)golden->neighbours, (int)golden->candidates_only, found.count,
                found.hash, variant->method);
  free(found.pairs);
  graze_scene_destroy(scene);
  mesh_list_free(meshes, mesh_count);
  return same ? 0 : 1;
}

static void check_all(const char *method, uint64_t most_triangles) {
  const running_variant variant = {method, GRAZE_HASH_MORTON, GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_AUTO, NULL,
                                   false,  GRAZE_DEDUP_OWNER};
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
    if (answers[i].primitives <= most_triangles) wrong += check_answer(&answers[i], &variant);
  assert_int_equal(wrong, 0);
}

static void test_grid_gives_the_golden_hashes(void **state) {
  (void)state;
  check_all("grid", UINT64_MAX);
}

static void test_brute_gives_the_golden_hashes(void **state) {
  (void)state;
  check_all("brute", 3000);
}

/* Written out to the last coordinate: touching in a vertex, along an edge, in a plane, through; and apart by one bit.
 */
static void test_literal_scene(void **state) {
  (void)state;
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
  mesh m = torture_mesh(3 * TRIANGLES, TRIANGLES);
  memcpy(m.positions, positions, sizeof positions);
  for (uint32_t i = 0; i < 3 * TRIANGLES; i++) m.triangles[i] = i;
  const char *const methods[] = {"grid", "brute"};
  for (int i = 0; i < 2; i++) {
    running_variant variant = running_variant_reference();
    variant.method = methods[i];
    graze_scene *scene = runner_scene(&variant, &m, 1, NULL);
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
    graze_scene_destroy(scene);
  }
  mesh_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grid_gives_the_golden_hashes),
      cmocka_unit_test(test_brute_gives_the_golden_hashes),
      cmocka_unit_test(test_literal_scene),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

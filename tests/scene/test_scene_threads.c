/* What runs on several threads, small enough for the thread sanitizer: update, both methods, every question, contacts.
 * The answers are those of a lone worker. */
#include "scene_runner.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const running_way ways[] = {
    {"grid", GRAZE_HASH_MORTON, GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false, GRAZE_ONCE_OWNER},
    {"grid", GRAZE_HASH_PRIMES, GRAZE_SIMD_SCALAR, 5, GRAZE_THREADING_PTHREADS, NULL, false, GRAZE_ONCE_OWNER},
    {"grid", GRAZE_HASH_DJB2, GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_OPENMP, NULL, false, GRAZE_ONCE_OWNER},
    {"grid", GRAZE_HASH_MORTON, GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false, GRAZE_ONCE_SORT},
    {"grid", GRAZE_HASH_FNV1A, GRAZE_SIMD_AUTO, 5, GRAZE_THREADING_PTHREADS, NULL, false, GRAZE_ONCE_MAP},
    {"brute", GRAZE_HASH_MORTON, GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false, GRAZE_ONCE_OWNER},
};

static void check_contacts(graze_scene *scene, const pair_answer *pairs) {
  graze_contacts contacts;
  assert_int_equal(graze_scene_make_contacts(scene, pairs->pairs, pairs->count, &contacts), GRAZE_OK);
  assert_int_equal(contacts.count, pairs->count);
}

static void check_way(const running_way *way, const mesh *meshes, size_t mesh_count, const char *name) {
  if (!running_way_available(way)) return;
  const running_way judge = {way->method, GRAZE_HASH_MORTON, GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL,
                             false,       way->once};
  char words[128];
  running_way_words(way, words, sizeof words);
  graze_scene *alone = runner_scene(&judge, meshes, mesh_count, NULL);
  graze_scene *scene = runner_scene(way, meshes, mesh_count, NULL);
  for (int question = 0; question < 3; question++) {
    graze_query query = graze_query_default();
    query.neighbours = question == 1 ? GRAZE_NEIGHBOURS_BEYOND : GRAZE_NEIGHBOURS_SKIP;
    query.pair_limit = question == 2 ? 50 : 0;
    const pair_answer expected = runner_find(alone, &query), found = runner_find(scene, &query);
    runner_compare(&expected, &found, name, words);
    if (question != 1) check_contacts(scene, &found);
    bool any[2];
    graze_pair witness[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    assert_int_equal(graze_scene_any_pair(alone, &query, &any[0], &witness[0]), GRAZE_OK);
    assert_int_equal(graze_scene_any_pair(scene, &query, &any[1], &witness[1]), GRAZE_OK);
    assert_true(any[0] == any[1]);
    assert_memory_equal(&witness[0], &witness[1], sizeof witness[0]);
    free(expected.pairs);
    free(found.pairs);
  }
  graze_scene_destroy(alone);
  graze_scene_destroy(scene);
}

static void test_threads_change_nothing(void **state) {
  (void)state;
  const char *const names[] = {"blobs", "folded-cloth", "mix"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    mesh *meshes;
    size_t mesh_count;
    torture_model(names[i], test_scaled(20000, 9000), i, &meshes, &mesh_count);
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
      if (strcmp(ways[way].method, "brute") == 0 && i > 0) continue; /* quadratic */
      check_way(&ways[way], meshes, mesh_count, names[i]);
    }
    mesh_list_free(meshes, mesh_count);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

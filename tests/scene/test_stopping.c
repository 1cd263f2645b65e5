/* Tests queries that end early: by the caller, at the first pair, after some pairs. The scene remains usable, and the
 * first pair is the same for any number of workers. */
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const running_variant variants[] = {
    {"grid", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
    {"clusters 9", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
    {"brute", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

static const running_variant alone_by_tree = {"tree", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false};

/* Triangles that all lie in the same place. */
static mesh identical_triangles(size_t count) {
  mesh m = torture_mesh(3 * count, count);
  for (size_t i = 0; i < 3 * count; i++) {
    const double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    memcpy(m.positions + 3 * i, corners[i % 3], sizeof corners[0]);
    m.triangles[i] = (uint32_t)i;
  }
  return m;
}

/* ---------------------------------------------------------------------------------------------- the caller stops */

/* Says stop at its question number `at`, counted from 1; never where that is 0. */
typedef struct stopper {
  uint32_t at;
  atomic_uint asked;
  atomic_uint inside; /* threads that are asking: never two */
  atomic_bool overlapped, asked_again;
} stopper;

static bool should_stop(void *context) {
  stopper *s = context;
  if (atomic_fetch_add(&s->inside, 1) > 0) atomic_store(&s->overlapped, true);
  const uint32_t number = atomic_fetch_add(&s->asked, 1) + 1;
  if (s->at != 0 && number > s->at) atomic_store(&s->asked_again, true);
  atomic_fetch_sub(&s->inside, 1);
  return s->at != 0 && number >= s->at;
}

/* Stops at the first, second, ... question, until the query is through before it is stopped. */
static uint32_t stop_everywhere(graze_scene *scene, const graze_query *asked, const pair_answer *expected) {
  for (uint32_t at = 1;; at += 1 + at / 4) {
    stopper s = {.at = at};
    graze_query query = *asked;
    query.should_stop = should_stop;
    query.stop_context = &s;
    graze_pairs pairs = {0};
    const graze_result result = graze_scene_find_pairs(scene, &query, &pairs);
    assert_false(atomic_load(&s.overlapped) || atomic_load(&s.asked_again));
    if (result == GRAZE_OK) {
      assert_true(atomic_load(&s.asked) < at);
      assert_int_equal(pairs.count, expected->count);
      assert_true(pairs.hash == expected->hash);
      graze_pairs_free(&pairs);
      return at;
    }
    assert_int_equal(result, GRAZE_STOPPED);
    assert_string_equal(graze_error_text(), "the caller stopped the query");
    assert_true(pairs.count == 0 && pairs.pairs == NULL);
    graze_pairs_free(&pairs);
    if (at == 1) {
      bool found;
      s = (stopper){.at = 1};
      assert_int_equal(graze_scene_any_pair(scene, &query, &found, NULL), GRAZE_STOPPED);
      assert_false(found);
    }
    const pair_answer again = runner_find(scene, asked);
    runner_compare(expected, &again, "stopped", "again");
    free(again.pairs);
  }
}

TEST(test_the_caller_stops_a_query) {
  OWNED(mesh_set) made = torture_set("blobs", test_scaled(60000, 8000), 1);
  for (size_t i = 0; i + 1 < VARIANT_COUNT; i++) {
    OWNED_SCENE *scene = runner_scene(&variants[i], made.meshes, made.count, NULL);
    graze_query query = graze_query_default();
    query.scope = i == 1 ? GRAZE_SCOPE_BETWEEN : GRAZE_SCOPE_BOTH;
    const pair_answer expected = runner_find(scene, &query);
    assert_true(expected.count > 0);
    assert_true(stop_everywhere(scene, &query, &expected) > 1);
    free(expected.pairs);
  }
}

/* The longest time between two questions, of the processor's time that the one thread has had. */
typedef struct gap_meter {
  double last_ms, longest_ms;
  uint32_t asked;
} gap_meter;

static double thread_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void note_gap(gap_meter *meter) {
  const double now = thread_ms(), gap = now - meter->last_ms;
  meter->longest_ms = gap > meter->longest_ms ? gap : meter->longest_ms;
  meter->last_ms = now;
}

static bool measure_gap(void *context) {
  gap_meter *meter = context;
  note_gap(meter);
  meter->asked++;
  return false;
}

/* The longest wait for a question, as a share of the whole query: what a slow machine makes longer, it makes longer in
 * both. */
static double longest_share(const graze_scene *scene, bool within_cells) {
  const double begin = thread_ms();
  gap_meter meter = {.last_ms = begin};
  graze_query query = graze_query_default();
  query.should_stop = measure_gap;
  query.stop_context = &meter;
  query.candidates_only = within_cells;
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  note_gap(&meter);
  const double all_ms = meter.last_ms - begin;
  print_message("%zu pairs: asked %u times in %.0f ms, at most %.2f ms apart\n", pairs.count, meter.asked, all_ms,
                meter.longest_ms);
  return meter.longest_ms / all_ms;
}

/* A stage that does not ask is as long in every run; what the system does meanwhile, clearing pages or running others,
 * is not. So the best of some runs counts. */
static void check_gaps_of(graze_scene *scene, bool within_cells) {
  enum { RUNS = 6 };
  double share = 1.0;
  for (int run = 0; run < RUNS && share > 0.125; run++) share = longest_share(scene, within_cells);
  assert_true(share <= 0.125);
  graze_scene_destroy(scene);
}

static void check_gaps(const mesh *m, const running_variant *variant, bool within_cells) {
  check_gaps_of(runner_scene(variant, m, 1, NULL), within_cells);
}

/* Build, search, test and order of many pairs. Each takes a good part of some hundred milliseconds, a question some
 * two. */
TEST(test_stop_callback_is_polled_often) {
  if (test_scale() < 1.0) skip(); /* shares of a query that a sanitizer slows down by parts say little */
  OWNED(mesh) crowd = identical_triangles(3000);
  OWNED(mesh_set) made = torture_set("soup", 400000, 1);
  check_gaps(&crowd, &variants[0], true);
  check_gaps(&made.meshes[0], &variants[0], false);
  check_gaps(&crowd, &alone_by_tree, true);
  check_gaps(&made.meshes[0], &alone_by_tree, false);
  running_variant clusters = variants[0];
  clusters.method = "clusters 64";
  check_gaps(&crowd, &clusters, true);
  check_gaps(&made.meshes[0], &clusters, false);
}

/* As many objects as triangles, few of which meet: which of them may is found by trees in the query. */
TEST(test_the_caller_is_asked_often_about_objects) {
  if (test_scale() < 1.0) skip();
  enum { BODIES = 120000 };
  graze_scene *scene = runner_scene(&alone_by_tree, NULL, 0, NULL);
  OWNED(mesh) m = torture_mesh(3, 1);
  memcpy(m.triangles, (const uint32_t[3]){0, 1, 2}, 3 * sizeof(uint32_t));
  for (size_t i = 0; i < BODIES; i++) {
    for (size_t k = 0; k < 9; k++)
      m.positions[k] = (double)((i * 7919 + k % 3 * (i * 104729 % 1013)) % (1000 + 17 * (k % 3))) + (k / 3 == k % 3);
    (void)runner_add(scene, &m, false, NULL);
  }
  assert_ok(graze_scene_update(scene));
  check_gaps_of(scene, false);
}

/* ---------------------------------------------------------------------------------------------- the first pair */

/* 10,000 triangles in one place have 50 million pairs; the first needs a batch of candidates a task and no more. */
TEST(test_any_pair_ends_its_task) {
  OWNED(mesh) m = identical_triangles(10000);
  const running_variant brute = {"brute", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false};
  const running_variant *const tried[] = {&variants[0], &variants[1], &brute, &alone_by_tree};
  for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
    OWNED_SCENE *scene = runner_scene(tried[i], &m, 1, NULL);
    bool found;
    OWNED(graze_pairs) pair = {0};
    assert_ok(graze_scene_any_pair(scene, NULL, &found, &pair));
    assert_true(found);
    assert_in_range(pair.counters->candidates, 1, 512 * 24);
  }
}

static void check_witness(const mesh *meshes, size_t mesh_count, const char *method) {
  const uint32_t worker_counts[] = {1, 2, 3, 16, 4, 4};
  graze_pair first = {0, 0, 0, 0};
  for (size_t i = 0; i < sizeof worker_counts / sizeof worker_counts[0]; i++) {
    running_variant variant = {method, GRAZE_SIMD_AUTO, worker_counts[i], GRAZE_THREADING_PTHREADS, NULL, false};
    if (i == 4) variant.tasks = &host_runs_reversed;
    if (i == 5) variant.tasks = &host_runs_shuffled;
    OWNED_SCENE *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    for (int round = 0; round < (test_scale() < 1.0 ? 1 : 3); round++) {
      OWNED(graze_pairs) witness = {0};
      bool found;
      assert_ok(graze_scene_any_pair(scene, NULL, &found, &witness));
      assert_true(found && witness.count == 1);
      if (i == 0 && round == 0) first = witness.pairs[0];
      assert_memory_equal(&first, witness.pairs, sizeof first);
    }
  }
}

TEST(test_any_pair_names_the_same_pair) {
  const char *const names[] = {"blobs", "folded-cloth", "soup"};
  for (size_t i = 0; i < (test_scale() < 1.0 ? 1 : 3); i++) {
    OWNED(mesh_set) made = torture_set(names[i], test_scaled(12000, 4000), i);
    check_witness(made.meshes, made.count, "grid");
    if (i == 0) check_witness(made.meshes, made.count, "brute");
    check_witness(made.meshes, made.count, "tree");
    check_witness(made.meshes, made.count, "clusters 12");
  }
  OWNED(mesh) crowd = identical_triangles(5000);
  check_witness(&crowd, 1, "grid");
  check_witness(&crowd, 1, "tree");
}

/* ---------------------------------------------------------------------------------------------- some pairs */

static bool list_has(const pair_answer *list, const graze_pair *pair) {
  for (size_t i = 0; i < list->count; i++)
    if (memcmp(&list->pairs[i], pair, sizeof *pair) == 0) return true;
  return false;
}

TEST(test_stop_after_gives_that_many) {
  mesh *meshes;
  size_t mesh_count;
  torture_model("blobs", test_sanitized(3000, 6000), 2, &meshes, &mesh_count);
  for (size_t i = 0; i < VARIANT_COUNT; i++) {
    OWNED_SCENE *scene = runner_scene(&variants[i], meshes, mesh_count, NULL);
    const graze_query everything = graze_query_default();
    const pair_answer all = runner_find(scene, &everything);
    assert_true(all.count > 40);
    const size_t wanted[] = {1, 2, 17, all.count - 1, all.count, all.count + 1, 10 * all.count};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
      graze_query query = graze_query_default();
      query.stop_after = wanted[k];
      const pair_answer some = runner_find(scene, &query);
      assert_int_equal(some.count, wanted[k] < all.count ? wanted[k] : all.count);
      assert_false(some.limit_reached);
      for (size_t pair = 0; pair < some.count; pair++) assert_true(list_has(&all, &some.pairs[pair]));
      free(some.pairs);
    }
    free(all.pairs);
  }
  mesh_list_free(meshes, mesh_count);
  /* The query stops early: only a few batches of 50 million pairs are tested. */
  OWNED(mesh) crowd = identical_triangles(10000);
  OWNED_SCENE *scene = runner_scene(&variants[1], &crowd, 1, NULL);
  graze_query query = graze_query_default();
  query.stop_after = 1000;
  const pair_answer some = runner_find(scene, &query);
  assert_int_equal(some.count, 1000);
  assert_in_range(some.counters.candidates, 1000, 512 * 24);
  free(some.pairs);
}

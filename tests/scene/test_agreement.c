/* Compares every way of running with the list of the reference: methods, hashes, vector widths, workers, task systems,
 * float and double input, and ways to list candidates once, for every query, on every built-in model and on the torture
 * scenes. */
#include "base/number_sequence.h"
#include "method_names.h"
#include "models/model.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each value of every choice appears, each hash with each vector width, and all hashes with the replicated grid. */
static const running_variant variants[] = {
    {"grid", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_128, 1, GRAZE_THREADING_SERIAL, NULL, true},
    {"grid", GRAZE_SIMD_256, 2, GRAZE_THREADING_PTHREADS, NULL, false},
    {"grid", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_AUTO, &host_runs_reversed, true},
    {"grid", GRAZE_SIMD_128, 5, GRAZE_THREADING_PTHREADS, NULL, false},
    {"grid", GRAZE_SIMD_256, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_SCALAR, 2, GRAZE_THREADING_OPENMP, NULL, false},
    {"grid", GRAZE_SIMD_128, 1, GRAZE_THREADING_AUTO, &host_runs_shuffled, false},
    {"grid", GRAZE_SIMD_256, 1, GRAZE_THREADING_SERIAL, NULL, true},
    {"grid", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_128, 2, GRAZE_THREADING_PTHREADS, NULL, true},
    {"grid", GRAZE_SIMD_256, 5, GRAZE_THREADING_OPENMP, NULL, false},
    {"tree", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"tree", GRAZE_SIMD_128, 2, GRAZE_THREADING_PTHREADS, NULL, true},
    {"tree", GRAZE_SIMD_256, 3, GRAZE_THREADING_OPENMP, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_AUTO, &host_runs_shuffled, true},
    {"clusters", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"clusters 7", GRAZE_SIMD_128, 2, GRAZE_THREADING_PTHREADS, NULL, true},
    {"clusters 3 l1", GRAZE_SIMD_256, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"clusters 40 linf", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_AUTO, &host_runs_reversed, true},
    {"clusters 5 z", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_AUTO, &host_runs_shuffled, false},
    {"clusters 1 x", GRAZE_SIMD_128, 4, GRAZE_THREADING_OPENMP, NULL, false},
    {"clusters 90 y", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

/* The variants, then every method of the table with the default options. */
static bool variant_at(size_t number, running_variant *variant_out) {
  if (number < VARIANT_COUNT) {
    *variant_out = variants[number];
    return true;
  }
  const char *name = method_name_at(number - VARIANT_COUNT);
  *variant_out = (running_variant){name, GRAZE_SIMD_AUTO, 0, GRAZE_THREADING_AUTO, NULL, true};
  return name != NULL;
}

/* How the queries differ that are asked of every scene. */
static const struct {
  graze_scope scope;
  graze_neighbors neighbors;
  bool candidates_only;
} questions[] = {
    {GRAZE_SCOPE_BOTH, GRAZE_NEIGHBORS_SKIP, false},   {GRAZE_SCOPE_BETWEEN, GRAZE_NEIGHBORS_SKIP, false},
    {GRAZE_SCOPE_WITHIN, GRAZE_NEIGHBORS_SKIP, false}, {GRAZE_SCOPE_BOTH, GRAZE_NEIGHBORS_BEYOND, false},
    {GRAZE_SCOPE_BOTH, GRAZE_NEIGHBORS_SKIP, true},    {GRAZE_SCOPE_BETWEEN, GRAZE_NEIGHBORS_BEYOND, true},
};
enum { QUESTION_COUNT = sizeof questions / sizeof questions[0] };

/* Solids have no rule for neighbors but to be skipped. */
static graze_query question(size_t number, const mesh *meshes) {
  graze_query query = graze_query_default();
  query.scope = questions[number].scope;
  query.neighbors = meshes[0].kind == MESH_POLYGONS ? questions[number].neighbors : GRAZE_NEIGHBORS_SKIP;
  query.candidates_only = questions[number].candidates_only;
  return query;
}

/* Candidates and neighbors are properties of the scene, however they are found, but where a method has boxes of its
 * own. */
static void compare_counters(const graze_counters *wanted, const graze_counters *found, const running_variant *variant,
                             const char *name, const char *words) {
  if (strcmp(variant->method, "tree") == 0) return;
  if (found->candidates != wanted->candidates || found->neighbors != wanted->neighbors)
    fail_msg("%s, %s: %" PRIu64 " candidates and %" PRIu64 " neighbors instead of %" PRIu64 " and %" PRIu64, name,
             words, found->candidates, found->neighbors, wanted->candidates, wanted->neighbors);
  if (strncmp(variant->method, "clusters", 8) == 0) return; /* primitives at borders may meet in several clusters */
  assert_int_equal(found->duplicates, 0);
}

/* Runs all ways from `first_way` in steps of `way_step`: large scenes run a subset. */
static void compare_variants(const char *name, const mesh *meshes, size_t mesh_count, bool is_float,
                             const object_filter *filters, size_t first_variant, size_t variant_step) {
  const running_variant reference = running_variant_reference();
  graze_scene *judging = runner_scene(&reference, meshes, mesh_count, filters);
  pair_answer wanted[QUESTION_COUNT];
  graze_counters counters[QUESTION_COUNT];
  for (size_t i = 0; i < QUESTION_COUNT; i++) {
    const graze_query query = question(i, meshes);
    wanted[i] = runner_find(judging, &query);
    counters[i] = wanted[i].counters;
  }
  graze_scene_destroy(judging);
  running_variant variant;
  for (size_t number = first_variant; variant_at(number, &variant); number += variant_step) {
    variant.as_float = variant.as_float && is_float;
    if (!running_variant_available(&variant)) continue;
    char words[128];
    running_variant_words(&variant, words, sizeof words);
    OWNED_SCENE *scene = runner_scene(&variant, meshes, mesh_count, filters);
    for (size_t i = 0; i < QUESTION_COUNT; i++) {
      if (test_scale() < 1.0 && (i + number) % 3 != 0) continue; /* each variant runs some; together they run all */
      const graze_query query = question(i, meshes);
      const pair_answer found = runner_find(scene, &query);
      runner_compare(&wanted[i], &found, name, words);
      compare_counters(&counters[i], &found.counters, &variant, name, words);
      free(found.pairs);
    }
  }
  for (size_t i = 0; i < QUESTION_COUNT; i++) free(wanted[i].pairs);
}

/* If most candidates need exact arithmetic in every way, a smaller scene suffices. */
static size_t middle_size(const char *name) {
  return test_scale() < 1.0 || strcmp(name, "boxes-jittered") == 0 ? 100 : 300;
}

static size_t largest_size(const char *name) {
  if (strcmp(name, "boxes-jittered") == 0) return test_scaled(400, 120);
  if (strncmp(name, "boxes", 5) == 0 || strncmp(name, "cell", 4) == 0) return test_scaled(400, 250);
  return strcmp(name, "chazelle") == 0 ? test_scaled(1500, 800) : test_scaled(3500, 1800);
}

/* A model in all ways where it is tiny; in every third where it is small and every sixth where it is not, so that all
 * ways see some of the models. */
TEST(test_models_agree) {
  const size_t steps[] = {test_sanitized(2, 1), 3, 6};
  const size_t size_count = test_scale() < 1.0 ? 2 : 3;
  for (size_t number = 0; number < model_count(); number++)
    for (size_t size = 0; size < size_count; size++) {
      const char *name = model_at(number)->name;
      const size_t sizes[] = {20, middle_size(name), largest_size(name)};
      OWNED(mesh_set) made = torture_set(name, sizes[size], number + size);
      compare_variants(name, made.meshes, made.count, false, NULL, number % steps[size], steps[size]);
      torture_round_to_float(made.meshes, made.count);
      compare_variants(name, made.meshes, made.count, true, NULL, number % 5, 5 * (size > 1 ? 2 : 1));
    }
}

TEST(test_torture_scenes_agree) {
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *scene = torture_scene_at(number);
    OWNED(mesh_set) made = made_set(scene->make);
    const size_t variant_step = test_scale() < 1.0 ? 7 : 4;
    compare_variants(scene->name, made.meshes, made.count, scene->is_float, NULL, number % variant_step, variant_step);
  }
}

/* Which object pairs are asked for, by the documented rule, taken out of the list of a scene without filters. */
static size_t keep_asked(graze_pair *pairs, size_t count, const object_filter *filters) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const object_filter *a = &filters[pairs[i].object_a], *b = &filters[pairs[i].object_b];
    const bool asked = a == b ? a->self : (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
    if (asked) pairs[kept++] = pairs[i];
  }
  return kept;
}

TEST(test_filters_choose_object_pairs) {
  OWNED(mesh_set) made = torture_set("blobs", 1600, 2);
  assert_true(made.count > 4);
  uint64_t sequence = 77;
  const running_variant reference = running_variant_reference();
  graze_scene *plain = runner_scene(&reference, made.meshes, made.count, NULL);
  const graze_query query = graze_query_default();
  const pair_answer all = runner_find(plain, &query);
  graze_scene_destroy(plain);
  size_t different = 0;
  const size_t round_count = test_scaled(12, 4);
  for (size_t round = 0; round < round_count; round++) {
    object_filter filters[64];
    for (size_t i = 0; i < made.count; i++)
      filters[i] = (object_filter){UINT64_C(1) << sequence_below(&sequence, 3), sequence_below(&sequence, 8),
                                   sequence_below(&sequence, 2) == 0};
    if (round == 0)
      for (size_t i = 0; i < made.count; i++) filters[i] = (object_filter){1, ~UINT64_C(0), i % 2 == 0};
    OWNED(pair_answer) expected = {.pairs = malloc((all.count + 1) * sizeof(graze_pair))};
    memcpy(expected.pairs, all.pairs, all.count * sizeof(graze_pair));
    expected.count = keep_asked(expected.pairs, all.count, filters);
    expected.hash = graze_pairs_hash(expected.pairs, expected.count);
    different += expected.count != all.count;
    graze_scene *scene = runner_scene(&reference, made.meshes, made.count, filters);
    const pair_answer wanted = runner_find(scene, &query);
    graze_scene_destroy(scene);
    runner_compare(&expected, &wanted, "filtered blobs", "brute");
    compare_variants("filtered blobs", made.meshes, made.count, false, filters, round % 4, 4);
    free(wanted.pairs);
  }
  assert_true(2 * different > round_count);
  free(all.pairs);
}

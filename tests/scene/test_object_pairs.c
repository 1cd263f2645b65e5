/* Tests lists of touching objects: for every method, number of workers and query, the pairs of objects in the
 * reference's list of pairs, each once and in order; and the guarantees of the list: limits, stops, global numbers,
 * sizes.
 *
 * Runs on a device if GRAZE_TEST_BACKEND selects one; the reference stays on the processor. */
#include "base/number_sequence.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

static const running_variant variants[] = {
    {"tree", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"tree", GRAZE_SIMD_SCALAR, 2, GRAZE_THREADING_PTHREADS, NULL, false},
    {"tree", GRAZE_SIMD_128, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"tree", GRAZE_SIMD_256, 4, GRAZE_THREADING_OPENMP, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_AUTO, &host_runs_shuffled, false},
    {"grid", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"clusters 7", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
    {"auto", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
    {"brute", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0], WANTED_MOST = 4096 };

/* A device knows neither workers nor vector widths, and one of loops is slow: one of each method there. */
static const size_t device_variants[] = {0, 5, 8};
enum { DEVICE_VARIANTS = sizeof device_variants / sizeof device_variants[0] };

static bool is_on_device(void) {
  return getenv("GRAZE_TEST_BACKEND") != NULL;
}

static bool runs(size_t number) {
  bool chosen = !is_on_device();
  for (size_t i = 0; i < DEVICE_VARIANTS; i++) chosen = chosen || number == device_variants[i];
  if (test_looks_for_races() && variants[number].worker_count == 1) return false; /* which races with nothing */
  return chosen && running_variant_available(&variants[number]);
}

/* ---------------------------------------------------------------------------------------------- the oracle */

typedef struct wanted_objects {
  graze_object_pair pairs[WANTED_MOST];
  size_t count;
} wanted_objects;

static int compare_objects(const void *left, const void *right) {
  const graze_object_pair *a = left, *b = right;
  if (a->object_a != b->object_a) return a->object_a < b->object_a ? -1 : 1;
  return (a->object_b > b->object_b) - (a->object_b < b->object_b);
}

/* The objects of a list of pairs, each two once. */
static void reduce(const graze_pair *pairs, size_t count, wanted_objects *wanted) {
  wanted->count = 0;
  for (size_t i = 0; i < count; i++) {
    const graze_object_pair objects = {pairs[i].object_a, pairs[i].object_b};
    bool seen = false;
    for (size_t k = wanted->count; k-- > 0 && !seen;) seen = compare_objects(&wanted->pairs[k], &objects) == 0;
    if (seen) continue;
    assert_true(wanted->count < WANTED_MOST);
    wanted->pairs[wanted->count++] = objects;
  }
  qsort(wanted->pairs, wanted->count, sizeof wanted->pairs[0], compare_objects);
}

static uint64_t hash_of(const graze_object_pair *pairs, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; i++) {
    const graze_pair pair = {pairs[i].object_a, 0, pairs[i].object_b, 0};
    hash += graze_pairs_hash(&pair, 1);
  }
  return hash;
}

static void check_list(const graze_object_pairs *found, const wanted_objects *wanted, const char *name,
                       const char *words) {
  for (size_t i = 0; i < found->count && i < wanted->count; i++)
    if (compare_objects(&found->pairs[i], &wanted->pairs[i]) != 0)
      fail_msg("%s, %s: objects %u and %u instead of %u and %u", name, words, found->pairs[i].object_a,
               found->pairs[i].object_b, wanted->pairs[i].object_a, wanted->pairs[i].object_b);
  if (found->count != wanted->count)
    fail_msg("%s, %s: %zu pairs of objects instead of %zu", name, words, found->count, wanted->count);
  assert_true(found->hash == hash_of(found->pairs, found->count));
  assert_int_equal(found->limit_reached, 0);
  assert_int_equal(found->counters->pairs, found->count);
  assert_int_equal(found->counters->struct_bytes, sizeof(graze_counters));
  assert_true(found->timings->search_ms >= 0.0 && found->timings->order_ms >= 0.0);
}

static void find_objects(const graze_scene *scene, const graze_query *query, graze_object_pairs *found) {
  assert_ok(graze_scene_find_object_pairs(scene, query, found));
}

/* ---------------------------------------------------------------------------------------------- agreement */

enum { QUESTION_COUNT = 9 };

static bool have_only_surfaces(const mesh *meshes, size_t mesh_count) {
  bool surfaces = true;
  for (size_t i = 0; i < mesh_count; i++) surfaces = surfaces && meshes[i].kind == MESH_POLYGONS;
  return surfaces;
}

/* Scopes, neighbors, boxes alone, the other test; what an object, two objects and a box have to do with. */
static graze_query question(size_t number, const mesh *meshes, size_t mesh_count) {
  graze_query query = graze_query_default();
  query.scope = number < 3 ? (graze_scope)(number + 1) : GRAZE_SCOPE_BOTH;
  if (number == 3 && have_only_surfaces(meshes, mesh_count)) query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  query.candidates_only = number == 4;
  if (number == 5) query.test = GRAZE_TEST_GJK;
  if (number == 6 || number == 7) {
    query.about_count = (uint32_t)number - 5;
    query.about_a = (graze_object){(uint32_t)mesh_count - 1, 1};
    query.about_b = (graze_object){0, 1};
  }
  query.in_box = number == 8;
  for (int axis = 0; axis < 3; axis++) {
    query.box_min[axis] = -0.4 + 0.1 * axis;
    query.box_max[axis] = 0.35;
  }
  return query;
}

/* For a single object the other scopes add nothing. */
static bool is_asked(size_t number, size_t mesh_count) {
  return mesh_count > 1 || number == 1 || number == 3;
}

static size_t touching, apart; /* answers of all runs together */

static void compare_variants(const char *name, const mesh *meshes, size_t mesh_count, const object_filter *filters,
                             size_t first, size_t step) {
  static wanted_objects wanted[QUESTION_COUNT];
  if (is_on_device()) { /* a subset of the scenes per run */
    static size_t turn;
    first = device_variants[turn++ % DEVICE_VARIANTS];
    step = VARIANT_COUNT;
  }
  const running_variant reference = running_variant_reference();
  graze_scene *judge = runner_scene(&reference, meshes, mesh_count, filters);
  for (size_t i = 0; i < QUESTION_COUNT; i++) {
    if (!is_asked(i, mesh_count)) continue;
    const graze_query query = question(i, meshes, mesh_count);
    const pair_answer all = runner_find(judge, &query);
    reduce(all.pairs, all.count, &wanted[i]);
    *(wanted[i].count > 0 ? &touching : &apart) += 1;
    free(all.pairs);
  }
  graze_scene_destroy(judge);
  for (size_t number = first; number < VARIANT_COUNT; number += step) {
    if (!runs(number)) continue;
    char words[128];
    running_variant_words(&variants[number], words, sizeof words);
    OWNED_SCENE *scene = runner_scene(&variants[number], meshes, mesh_count, filters);
    OWNED(graze_object_pairs) found = {0};
    for (size_t i = 0; i < QUESTION_COUNT; i++) {
      if (!is_asked(i, mesh_count)) continue;
      const graze_query query = question(i, meshes, mesh_count);
      find_objects(scene, &query, &found);
      check_list(&found, &wanted[i], name, words);
    }
  }
}

TEST(test_torture_scenes_agree) {
  const size_t step = test_scale() < 1.0 ? 7 : 4;
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *scene = torture_scene_at(number);
    if (test_looks_for_races() && number % 2 != 0) continue; /* all ways of running have some */
    OWNED(mesh_set) made = made_set(scene->make);
    if (made.count > 0) compare_variants(scene->name, made.meshes, made.count, NULL, number % step, step);
  }
}

/* Objects of all kinds. */
TEST(test_models_agree) {
  static const char *const names[] = {"blobs", "tet-pair", "cells", "panels", "spheres", "boxes", "torus", "cloth"};
  for (size_t number = 0; number < sizeof names / sizeof names[0]; number++) {
    OWNED(mesh_set) made = torture_set(names[number], test_scaled(500, 200), number);
    compare_variants(names[number], made.meshes, made.count, NULL, number % 2, test_scale() < 1.0 ? 2 : 1);
  }
}

TEST(test_filters_agree) {
  OWNED(mesh_set) made = torture_set("blobs", 1000, 2);
  assert_in_range(made.count, 4, 64);
  uint64_t sequence = 77;
  const size_t round_count = test_scaled(6, 2);
  for (size_t round = 0; round < round_count; round++) {
    object_filter filters[64];
    for (size_t i = 0; i < made.count; i++)
      filters[i] = (object_filter){UINT64_C(1) << sequence_below(&sequence, 3), sequence_below(&sequence, 8),
                                   sequence_below(&sequence, 2) == 0};
    compare_variants("filters", made.meshes, made.count, filters, round % 2, 2);
  }
}

TEST(test_answers_were_of_both_sorts) {
  print_message("%zu lists with objects, %zu without\n", touching, apart);
  assert_true(touching > 50 && apart > 10);
}

/* ---------------------------------------------------------------------------------------------- many bodies */

enum { SWARM = 600, SWARM_FRAMES = 2, SWARM_SANITIZED = 240, SWARM_ON_DEVICE = 120 };

/* Bodies turned by chance in a cube that leaves some of them in touch, so many that a task has boxes of several. */
static void place_swarm(graze_scene *scene, size_t count, uint64_t seed) {
  for (uint32_t i = 0; i < count; i++) {
    const double angle = 0.001 * (double)sequence_below(&seed, 6283), c = cos(angle), s = sin(angle);
    const double turns[3][9] = {
        {c, -s, 0, s, c, 0, 0, 0, 1}, {1, 0, 0, 0, c, -s, 0, s, c}, {c, 0, s, 0, 1, 0, -s, 0, c}};
    double place[3];
    for (int axis = 0; axis < 3; axis++) place[axis] = 0.014 * (double)sequence_below(&seed, 1000);
    const graze_object object = {i, 1};
    assert_ok(pose_object(scene, object, turns[sequence_below(&seed, 3)], place));
  }
  assert_ok(graze_scene_update(scene));
}

TEST(test_swarms_agree) {
  static wanted_objects wanted;
  mesh bodies[SWARM], shapes[3] = {torture_first_mesh("blob", 20, 1), torture_first_mesh("torus", 24, 2),
                                   torture_first_mesh("gear", 60, 3)};
  const bool sanitized = test_is_sanitized();
  const size_t count = is_on_device() ? test_sanitized(90, SWARM_ON_DEVICE) : sanitized ? SWARM_SANITIZED : SWARM;
  for (size_t i = 0; i < count; i++) bodies[i] = shapes[i % 3];
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  const running_variant grid = variants[5];
  graze_scene *judge = runner_scene(&grid, bodies, count, NULL);
  size_t most = 0;
  for (size_t number = 0; number < VARIANT_COUNT; number++) {
    if (strcmp(variants[number].method, "brute") == 0 || !runs(number)) continue;
    char words[128];
    running_variant_words(&variants[number], words, sizeof words);
    OWNED_SCENE *scene = runner_scene(&variants[number], bodies, count, NULL);
    OWNED(graze_object_pairs) found = {0};
    for (uint64_t frame = 0; frame < (is_on_device() || sanitized ? 1 : SWARM_FRAMES); frame++) {
      place_swarm(judge, count, 10 * number + frame);
      place_swarm(scene, count, 10 * number + frame);
      const pair_answer all = runner_find(judge, &query);
      reduce(all.pairs, all.count, &wanted);
      most = wanted.count > most ? wanted.count : most;
      free(all.pairs);
      find_objects(scene, &query, &found);
      check_list(&found, &wanted, "swarm", words);
    }
  }
  graze_scene_destroy(judge);
  for (size_t i = 0; i < 3; i++) mesh_free(&shapes[i]);
  print_message("up to %zu pairs of %zu bodies touch\n", most, count);
  assert_true(most > 20);
}

/* A blob, and in a corner beside it two triangles that cross: the only pair within, and a tree comes to it early or
 * late. */
static mesh blob_and_crossing(uint64_t triangles, double corner) {
  OWNED(mesh) blob = torture_first_mesh("blob", triangles, 1);
  mesh made = torture_mesh(blob.vertex_count + 6, blob.triangle_count + 2);
  memcpy(made.positions, blob.positions, 3 * blob.vertex_count * sizeof *made.positions);
  memcpy(made.triangles, blob.triangles, 3 * blob.triangle_count * sizeof *made.triangles);
  for (size_t i = 0; i < 6; i++) {
    static const double crossing[6][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 1, -1}, {0, 1, 1}, {2, 1, 0}};
    for (size_t axis = 0; axis < 3; axis++)
      made.positions[3 * (blob.vertex_count + i) + axis] = corner + 0.01 * crossing[i][axis];
    made.triangles[3 * blob.triangle_count + i] = (uint32_t)(blob.vertex_count + i);
  }
  return made;
}

/* Large bodies, which several tasks descend: far away, beside each other, and through each other; and by themselves. */
TEST(test_large_bodies_agree) {
  enum { BODIES = 3 };
  static wanted_objects wanted;
  if (is_on_device()) skip(); /* it is about tasks of the processor */
  mesh bodies[BODIES];
  const uint64_t triangles = test_sanitized(5000, 12000);
  bodies[0] = blob_and_crossing(triangles, -1.5);
  bodies[1] = blob_and_crossing(triangles, 1.5);
  bodies[2] = torture_first_mesh("knot", triangles, 1);
  graze_scene *judge = runner_scene(&variants[5], bodies, BODIES, NULL);
  for (size_t number = 0; number < VARIANT_COUNT; number++) {
    if (strcmp(variants[number].method, "tree") != 0 || !runs(number)) continue;
    OWNED_SCENE *scene = runner_scene(&variants[number], bodies, BODIES, NULL);
    OWNED(graze_object_pairs) found = {0};
    for (int step = 0; step < 6; step++) {
      const double turn[9] = {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1}, shift[3] = {3.0 - 0.6 * step, 0.1, 0.0};
      graze_query query = graze_query_default();
      query.scope = (graze_scope)(1 + step % 3);
      assert_ok(pose_object(judge, (graze_object){1, 1}, turn, shift));
      assert_ok(pose_object(scene, (graze_object){1, 1}, turn, shift));
      assert_ok(graze_scene_update(judge));
      assert_ok(graze_scene_update(scene));
      const pair_answer all = runner_find(judge, &query);
      reduce(all.pairs, all.count, &wanted);
      free(all.pairs);
      find_objects(scene, &query, &found);
      check_list(&found, &wanted, "large bodies", variants[number].method);
    }
  }
  graze_scene_destroy(judge);
  for (size_t i = 0; i < BODIES; i++) mesh_free(&bodies[i]);
}

/* ---------------------------------------------------------------------------------------------- limits and stops */

/* Limits give the first ones, and say when there are more; stop_after gives so many of them. */
TEST(test_limits_cut_the_list) {
  OWNED(mesh_set) made = torture_set("blobs", 1600, 2);
  for (size_t number = 0; number < VARIANT_COUNT; number++) {
    if (!runs(number)) continue;
    OWNED_SCENE *scene = runner_scene(&variants[number], made.meshes, made.count, NULL);
    OWNED(graze_object_pairs) all = {0}, some = {0};
    graze_query query = graze_query_default();
    find_objects(scene, &query, &all);
    assert_true(all.count > 5);
    for (size_t keep = 1; keep <= all.count + 1; keep++) {
      if (test_is_sanitized() && keep > 1 && keep < all.count && keep % 5 != 0) continue;
      const size_t wanted = keep < all.count ? keep : all.count;
      query.pair_limit = keep;
      query.stop_after = 0;
      find_objects(scene, &query, &some);
      assert_int_equal(some.count, wanted);
      assert_int_equal(some.limit_reached, keep < all.count);
      assert_memory_equal(some.pairs, all.pairs, wanted * sizeof *all.pairs);
      assert_true(some.hash == hash_of(some.pairs, some.count));
      query.pair_limit = 0;
      query.stop_after = keep;
      find_objects(scene, &query, &some);
      assert_int_equal(some.count, wanted);
      assert_int_equal(some.limit_reached, 0);
      for (size_t i = 0; i < some.count; i++) {
        assert_non_null(bsearch(&some.pairs[i], all.pairs, all.count, sizeof *all.pairs, compare_objects));
        assert_true(i == 0 || compare_objects(&some.pairs[i - 1], &some.pairs[i]) < 0);
      }
    }
  }
}

/* The method tree looks for no more pairs of two objects than one, and for no more objects than are enough. */
TEST(test_trees_end_early) {
  if (is_on_device()) skip();
  OWNED(mesh_set) made = torture_set("blobs", 8000, 2);
  OWNED_SCENE *scene = runner_scene(&variants[0], made.meshes, made.count, NULL);
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  const pair_answer pairs = runner_find(scene, &query);
  OWNED(graze_object_pairs) found = {0};
  find_objects(scene, &query, &found);
  const uint64_t tests = found.counters->box_tests;
  assert_true(found.count > 3 && pairs.count > 20 * found.count);
  assert_true(2 * tests < pairs.counters.box_tests);
  assert_true(2 * found.counters->candidates < pairs.counters.candidates);
  query.stop_after = 1;
  find_objects(scene, &query, &found);
  assert_int_equal(found.count, 1);
  assert_true(2 * found.counters->box_tests < tests);
  free(pairs.pairs);
}

static bool stop_at_question(void *context) {
  return atomic_fetch_sub((atomic_int *)context, 1) <= 1;
}

/* Stopped at its first, second, ... question, until it is through before. */
TEST(test_callers_stop_it) {
  OWNED(mesh_set) made = torture_set("blobs", test_scaled(2000, 500), 2);
  for (size_t number = 0; number < VARIANT_COUNT; number++) {
    if (!runs(number)) continue;
    OWNED_SCENE *scene = runner_scene(&variants[number], made.meshes, made.count, NULL);
    OWNED(graze_object_pairs) found = {0};
    find_objects(scene, NULL, &found);
    const uint64_t hash = found.hash;
    graze_result result = GRAZE_STOPPED;
    int stops = 0;
    for (int at = 1; result == GRAZE_STOPPED; at += 1 + at / 4) {
      atomic_int left;
      atomic_init(&left, at);
      graze_query query = graze_query_default();
      query.should_stop = stop_at_question;
      query.stop_context = &left;
      result = graze_scene_find_object_pairs(scene, &query, &found);
      if (result == GRAZE_OK) break;
      assert_int_equal(result, GRAZE_STOPPED);
      assert_string_equal(graze_error_text(), "the caller stopped the query");
      assert_true(found.count == 0 && found.pairs == NULL);
      stops++;
    }
    assert_ok(result);
    assert_true(found.hash == hash && stops > 0);
  }
}

/* ---------------------------------------------------------------------------------------------- numbers */

/* Triangles through each other in a row, each an object: numbers fall as objects come, and some have the same. */
TEST(test_numbers_are_those_of_pairs) {
  enum { COUNT = 24 };
  static wanted_objects wanted;
  for (size_t number = 0; number < VARIANT_COUNT; number++) {
    if (!runs(number)) continue;
    OWNED_SCENE *scene = runner_scene(&variants[number], NULL, 0, NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
      const double x = 0.4 * i, y = i % 2, z = 1 - y; /* flat and upright ones in turns */
      const double positions[9] = {x, -y, -z, x + 1, -y, -z, x + 0.5, y, z};
      const uint32_t corners[3] = {0, 1, 2};
      graze_mesh_def def = graze_mesh_def_default();
      graze_object_def placed = graze_object_def_default();
      def.positions = double_view(positions, 3);
      def.triangles = index_view(corners, 1);
      placed.global_numbers = i % 5 != 0;
      placed.global_object = 4000000000u - i / 2 * 1000;
      placed.global_primitive = 7 + i % 2;
      graze_object object;
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
    }
    const graze_result updated = graze_scene_update(scene);
    assert_ok(updated);
    OWNED(graze_object_pairs) found = {0};
    OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
    reduce(pairs.pairs, pairs.count, &wanted);
    assert_true(wanted.count > 5 && wanted.count < pairs.count);
    find_objects(scene, NULL, &found);
    check_list(&found, &wanted, "numbers", variants[number].method);
    graze_query query = graze_query_default();
    for (query.stop_after = 1; query.stop_after <= wanted.count; query.stop_after++) {
      find_objects(scene, &query, &found); /* several pairs of objects may be one of the list */
      assert_int_equal(found.count, query.stop_after);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- calls */

TEST(test_odd_calls_have_a_message) {
  graze_scene *scene = runner_scene(&variants[0], NULL, 0, NULL);
  graze_object_pairs found = {0};
  assert_int_equal(graze_scene_find_object_pairs(NULL, NULL, &found), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_find_object_pairs(scene, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_error_text(), "list of object pairs"));
  find_objects(scene, NULL, &found); /* of an empty scene */
  assert_true(found.count == 0 && found.hash == 0 && found.counters != NULL);
  found.struct_bytes = 3;
  assert_int_equal(graze_scene_find_object_pairs(scene, NULL, &found), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_error_text(), "the list of object pairs"));
  found.struct_bytes = 0;
  graze_query query = graze_query_default();
  query.scope = (graze_scope)9;
  assert_int_equal(graze_scene_find_object_pairs(scene, &query, &found), GRAZE_INVALID_ARGUMENT);
  assert_true(found.count == 0 && found.counters == NULL);
  const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const uint32_t indices[3] = {0, 1, 2};
  graze_mesh_def def = graze_mesh_def_default();
  graze_object object;
  def.positions = double_view(corners, 3);
  def.triangles = index_view(indices, 1);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  assert_int_equal(graze_scene_find_object_pairs(scene, NULL, &found), GRAZE_NOT_UPDATED);
  assert_ok(graze_scene_update(scene));
  find_objects(scene, NULL, &found);
  assert_int_equal(found.count, 0);
  graze_scene_destroy(scene);
  graze_object_pairs_free(&found); /* outlives its scene */
  assert_true(found.memory == NULL && found.counters == NULL);
  graze_object_pairs_free(NULL);
}

/* Tests scenes with parts very far from each other, or of very different sizes: the pairs of the grid equal those of
 * the reference, and remote parts do not slow down the rest, measured in box tests, not in time.
 *
 * Workload: soups of 600 triangles or tetrahedra against the reference; soups of 50,000 triangles. Most pairs of long
 * triangles between clusters need wide integers, so there are only 250 of these. Sanitizer builds run fewer of all. */
#include "scene_runner.h"
#include "spread_soup.h"
#include "test_scale.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- scenes */

typedef void (*scene_maker)(soup *s, size_t count, double edge);

static void one_at_1e9(soup *s, size_t count, double edge) {
  soup_add_cube(s, count - 1, 0, 0, 0, 1, edge);
  soup_add(s, 1e9, 1e9, -1e9, 1);
}

static void one_at_the_largest(soup *s, size_t count, double edge) {
  soup_add_cube(s, count - 2, 0, 0, 0, 1, edge);
  soup_add(s, 1.7e308, -1.7e308, 1.7e308, 1);
  soup_add(s, -1.7e308, 1.7e308, 1.7e308, 1);
}

static void one_that_spans(soup *s, size_t count, double edge) {
  soup_add_cube(s, count - 2, 0, 0, 0, 1, edge);
  soup_add(s, 0.5, 0.5, 0.5, 1e9);
  soup_add(s, 0.5, 0.5, 0.5, 1e300);
}

static void stray_vertex(soup *s, size_t count, double edge) {
  soup_add_cube(s, count, 0, 0, 0, 1, edge);
  soup_add_stray_vertex(s, 1e30);
}

static void outliers_spread(soup *s, size_t count, double edge) {
  soup_add_cube(s, count - count / 50, 0, 0, 0, 1, edge);
  for (size_t i = 0; i < count / 50; i++)
    soup_add(s, 1e9 * (soup_random(s) - 0.5), 1e9 * (soup_random(s) - 0.5), 1e9 * (soup_random(s) - 0.5), 1e6);
}

static void outliers_clustered(soup *s, size_t count, double edge) {
  soup_add_cube(s, count - count / 50, 0, 0, 0, 1, edge);
  soup_add_cube(s, count / 50, 1e9, 1e9, 1e9, 1, 3 * edge);
}

static void halves_1e9(soup *s, size_t count, double edge) {
  soup_add_cube(s, count / 2, 0, 0, 0, 1, edge);
  soup_add_cube(s, count - count / 2, 1e9, 0.25, -1e9, 1, edge);
}

/* So far away a unit is less than the last bit: the half is as large as its distance lets it be told. */
static void halves_1e30(soup *s, size_t count, double edge) {
  soup_add_cube(s, count / 2, 0, 0, 0, 1, edge);
  soup_add_cube(s, count - count / 2, 1e30, 1e30, 0, 1e20, edge);
}

static void halves_1e300(soup *s, size_t count, double edge) {
  soup_add_cube(s, count / 2, 0, 0, 0, 1, edge);
  soup_add_cube(s, count - count / 2, 1e300, 1e300, -1e300, 1e290, edge);
}

static void tiny_beside_huge(soup *s, size_t count, double edge) {
  soup_add_cube(s, count / 2, 0, 0, 0, 1e-6, edge);
  soup_add_cube(s, count - count / 2, 1, 1, 1, 1e9, edge);
}

static void tiny_inside_huge(soup *s, size_t count, double edge) {
  soup_add_cube(s, count / 2, 0, 0, 0, 1e-6, edge);
  soup_add_cube(s, count - count / 2, -5e8, -5e8, -5e8, 1e9, edge);
}

static void clusters_on_axes(soup *s, size_t count, double edge) {
  soup_add_cube(s, count / 4, 0, 0, 0, 1, edge);
  soup_add_cube(s, count / 4, 1e12, 0, 0, 1, edge);
  soup_add_cube(s, count / 4, 0, -1e40, 0, 1e6, edge);
  soup_add_cube(s, count / 4, 0, 0, 1e100, 1, edge);
}

static void chain(soup *s, size_t count, double edge) {
  double at = 1.0;
  for (size_t i = 0; i < 50; i++, at *= 1e6) soup_add_cube(s, count / 50, at, at, at, at, 2 * edge);
}

static void subnormal_and_far(soup *s, size_t count, double edge) {
  soup_add_cube(s, count - 1, 0, 0, 0, 1e-310, edge);
  soup_add(s, 1, 1, 1, 1);
}

/* No map can tell apart what is one point. */
static void all_equal(soup *s, size_t count, double edge) {
  (void)edge;
  for (size_t i = 0; i < (count < 200 ? count : 200); i++) soup_add(s, 3, 3, 3, 0);
  soup_add(s, 1e12, 0, 0, 1);
}

static void all_subnormal(soup *s, size_t count, double edge) {
  soup_add_cube(s, count, 0, 0, 0, 64 * DBL_TRUE_MIN, edge);
}

static const struct {
  const char *name;
  scene_maker make;
  bool small_only; /* pairs are many whatever the method does */
} scenes[] = {{"one at 1e9", one_at_1e9, false},
              {"two at the largest doubles", one_at_the_largest, false},
              {"two that span", one_that_spans, false},
              {"a stray vertex", stray_vertex, false},
              {"outliers spread", outliers_spread, false},
              {"outliers clustered", outliers_clustered, false},
              {"halves 1e9 apart", halves_1e9, false},
              {"halves 1e30 apart", halves_1e30, false},
              {"halves 1e300 apart", halves_1e300, false},
              {"tiny beside huge", tiny_beside_huge, false},
              {"tiny inside huge", tiny_inside_huge, false},
              {"clusters on the axes", clusters_on_axes, false},
              {"a chain of clusters", chain, false},
              {"subnormal and far", subnormal_and_far, false},
              {"all equal", all_equal, true},
              {"all subnormal", all_subnormal, true}};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* ---------------------------------------------------------------------------------------------- agreement */

static running_variant grid_variant(graze_simd simd, uint32_t workers) {
  return (running_variant){
      .method = "grid", .simd = simd, .worker_count = workers, .threading = GRAZE_THREADING_PTHREADS};
}

static pair_answer ask(const running_variant *variant, const mesh *meshes, size_t mesh_count,
                       const graze_query *query) {
  OWNED_SCENE *scene = runner_scene(variant, meshes, mesh_count, NULL);
  const pair_answer answer = runner_find(scene, query);
  return answer;
}

static void compare(const char *name, const mesh *meshes, size_t mesh_count, const graze_query *query) {
  const running_variant reference = running_variant_reference();
  OWNED(pair_answer) wanted = ask(&reference, meshes, mesh_count, query);
  static const graze_simd widths[] = {GRAZE_SIMD_SCALAR, GRAZE_SIMD_AUTO};
  const uint32_t ways = getenv("GRAZE_TEST_BACKEND") != NULL ? 1 : 5; /* a device has no widths */
  static const char *const methods[] = {"grid", "grid", "tree", "clusters", "clusters 11"};
  for (uint32_t i = 0; i < ways; i++) {
    running_variant variant = grid_variant(widths[i % 2], 1 + 2 * (i % 2));
    variant.method = methods[i];
    OWNED(pair_answer) found = ask(&variant, meshes, mesh_count, query);
    runner_compare(&wanted, &found, name, variant.method);
  }
}

TEST(agrees_with_the_reference) {
  const size_t count = test_sanitized(100, test_scaled(600, 200));
  for (size_t i = 0; i < SCENES; i++)
    for (size_t corners = 3; corners <= 4; corners++) {
      OWNED_BY(soup_free) soup s = soup_make(count + 1, corners);
      scenes[i].make(&s, count, 0.15);
      graze_query query = graze_query_default();
      query.scope = GRAZE_SCOPE_BOTH;
      compare(scenes[i].name, &s.mesh, 1, &query);
    }
}

/* Elements that share corners, and reach over the borders of segments: a fan of strips from cluster to cluster. */
TEST(agrees_beyond_neighbors) {
  const size_t count = test_sanitized(60, test_scaled(250, 100));
  for (size_t i = 0; i < SCENES; i++) {
    OWNED_BY(soup_free) soup s = soup_make(count + 1, 3);
    scenes[i].make(&s, count, 0.15);
    /* Every fourth triangle takes corners of one that lies elsewhere in the list. */
    for (size_t t = 0; t < s.mesh.triangle_count; t += 4) {
      const size_t other = (t * 7 + 311) % s.mesh.triangle_count;
      s.mesh.triangles[3 * t] = s.mesh.triangles[3 * other + 1];
      if (t % 8 == 0) s.mesh.triangles[3 * t + 1] = s.mesh.triangles[3 * other + 2];
    }
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BOTH;
    compare(scenes[i].name, &s.mesh, 1, &query);
    query.neighbors = GRAZE_NEIGHBORS_BEYOND;
    compare(scenes[i].name, &s.mesh, 1, &query);
  }
}

/* Pairs between objects alone: boxes of objects, and shared space where there are enough primitives. */
TEST(agrees_between_objects) {
  const size_t count = test_scaled(1300, 500);
  for (size_t i = 0; i < SCENES; i++) {
    if (scenes[i].small_only) continue;
    OWNED_BY(soup_free) soup a = soup_make(count + 1, 3), b = soup_make(count + 1, 3);
    b.random = 99;
    scenes[i].make(&a, count, 0.1);
    scenes[i].make(&b, count, 0.1);
    const mesh meshes[2] = {a.mesh, b.mesh};
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    compare(scenes[i].name, meshes, 2, &query);
  }
}

/* ---------------------------------------------------------------------------------------------- effort */

/* A soup alone takes some 40 box tests a triangle; when all were compared with all it would be 25,000, or
 * 4,000 of the fewest. */
static void check_effort(const char *method, uint64_t most_tests_a_triangle, size_t count) {
  for (size_t i = 0; i < SCENES; i++) {
    if (scenes[i].small_only) continue;
    OWNED_BY(soup_free) soup s = soup_make(count + 1, 3);
    scenes[i].make(&s, count, 0.03);
    running_variant variant = grid_variant(GRAZE_SIMD_AUTO, 2);
    variant.method = method;
    OWNED_SCENE *scene = runner_scene(&variant, &s.mesh, 1, NULL);
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BOTH;
    OWNED(pair_answer) answer = runner_find(scene, &query);
    const graze_counters counters = answer.counters;
    if (counters.box_tests > most_tests_a_triangle * (uint64_t)count)
      fail_msg("%s, %s: %llu box tests of %zu triangles", scenes[i].name, method,
               (unsigned long long)counters.box_tests, count);
  }
}

TEST(effort_is_linear) {
  if (test_is_sanitized()) skip(); /* the release build counts it */
  check_effort("grid", 200, test_scaled(50000, 8000));
}

/* Trees test sixteen boxes where they have to look at one; what does not suit them is searched by the grid. */
TEST(effort_of_trees_is_bounded) {
  if (test_is_sanitized()) skip();
  check_effort("tree", 800, test_scaled(20000, 8000));
}

/* ---------------------------------------------------------------------------------------------- k */

/* k does not depend on the method. */
TEST(crowding_sees_the_same) {
  for (size_t i = 0; i < SCENES; i++) {
    OWNED_BY(soup_free) soup s = soup_make(601, 3);
    scenes[i].make(&s, 600, 0.15);
    running_variant variants[2] = {running_variant_reference(), grid_variant(GRAZE_SIMD_AUTO, 2)};
    if (i % 2 == 1) variants[1].method = "clusters 3";
    graze_scene *measured[2];
    graze_crowding crowding[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
      measured[k] = runner_scene(&variants[k], &s.mesh, 1, NULL);
      assert_ok(graze_scene_measure_crowding(measured[k], (graze_object){0, 1}, &crowding[k]));
    }
    assert_int_equal(crowding[0].count, crowding[1].count);
    assert_int_equal(crowding[0].levels, crowding[1].levels);
    for (size_t p = 0; p < crowding[0].count; p++)
      if (crowding[0].k_of[p] != crowding[1].k_of[p])
        fail_msg("%s: k of %zu is %u, and %u by the grid", scenes[i].name, p, crowding[0].k_of[p], crowding[1].k_of[p]);
    for (int k = 0; k < 2; k++) {
      graze_crowding_free(&crowding[k]);
      graze_scene_destroy(measured[k]);
    }
  }
}

/* Nor on a vertex far away that no primitive has. */
TEST(crowding_ignores_stray_vertices) {
  OWNED_BY(soup_free) soup s = soup_make(601, 3);
  soup_add_cube(&s, 600, 5, 5, 5, 1, 0.15);
  const running_variant variant = grid_variant(GRAZE_SIMD_AUTO, 2);
  graze_scene *measured[2];
  graze_crowding crowding[2] = {{0}, {0}};
  for (int k = 0; k < 2; k++) {
    if (k == 1) soup_add_stray_vertex(&s, -1e30);
    measured[k] = runner_scene(&variant, &s.mesh, 1, NULL);
    assert_ok(graze_scene_measure_crowding(measured[k], (graze_object){0, 1}, &crowding[k]));
  }
  assert_true(crowding[0].k > 3);
  assert_int_equal(crowding[0].count, crowding[1].count);
  assert_memory_equal(crowding[0].k_of, crowding[1].k_of, crowding[0].count * sizeof *crowding[0].k_of);
  for (int k = 0; k < 2; k++) {
    graze_crowding_free(&crowding[k]);
    graze_scene_destroy(measured[k]);
  }
}

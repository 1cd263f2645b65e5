/* Tests the published grid of kDet, emulated on the host: its candidates, tested exactly, are the pairs of graze, for
 * all ways and hashes, for tables of a few buckets that link most of their content, and for triangles of all sizes and
 * without area. The oldest version, without pairs, marks the triangles in a pair. */
#include "bench/bench_scene.h"
#include "lab/kdet_stages.h"
#include "scene_calls.h"
#include "testing.h"

#include "graze/triangle.h"
#include "test_scale.h"

#include <stdlib.h>
#include <string.h>

typedef struct soup_of_floats {
  kdet_soup soup;
  float *positions;
} soup_of_floats;

static soup_of_floats soup_of(const bench_shape *shape) {
  soup_of_floats made = {.positions = calloc(3 * shape->vertex_count + 1, sizeof(float))};
  assert_non_null(made.positions);
  for (size_t i = 0; i < 3 * shape->vertex_count; i++) made.positions[i] = (float)shape->positions[i];
  made.soup = (kdet_soup){made.positions, shape->vertex_count, shape->triangles, shape->triangle_count};
  return made;
}

/* Those that graze finds within one object of all triangles. */
static graze_pairs pairs_of(const kdet_soup *soup) {
  OWNED_SCENE *scene = NULL;
  graze_object object;
  const graze_scene_def scene_def = graze_scene_def_default();
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){soup->positions, soup->vertex_count, 0, GRAZE_FORMAT_FLOAT3};
  def.triangles = (graze_view){soup->triangles, soup->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  assert_ok(graze_scene_create(&scene_def, &scene));
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  assert_ok(graze_scene_update(scene));
  const graze_query query = graze_query_default();
  graze_pairs pairs = find_pairs(scene, &query);
  return pairs;
}

static void corners_of(const kdet_soup *soup, uint32_t triangle, double corners[9]) {
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) corners[3 * c + k] = soup->positions[3 * soup->triangles[3 * triangle + c] + k];
}

static void expect_pairs(const kdet_soup *soup, const kdet_outcome *outcome, const graze_pairs *truth) {
  size_t found = 0;
  for (size_t i = 0; i < outcome->candidate_count; i++) {
    const uint32_t a = (uint32_t)(outcome->candidates[i] >> 32), b = (uint32_t)outcome->candidates[i];
    double p[9], q[9];
    assert_true(a < b && (i == 0 || outcome->candidates[i - 1] < outcome->candidates[i]));
    corners_of(soup, a, p);
    corners_of(soup, b, q);
    if (!graze_triangles_intersect(p, q)) continue;
    assert_true(found < truth->count);
    assert_int_equal(a, truth->pairs[found].primitive_a);
    assert_int_equal(b, truth->pairs[found].primitive_b);
    found++;
  }
  assert_int_equal(found, truth->count);
}

static kdet_outcome run(const kdet_soup *soup, kdet_options options) {
  kdet_outcome outcome;
  char error[256] = "";
  options.rounds = 1;
  if (!kdet_grid_run_host(soup, &options, &outcome, error, sizeof error)) fail_msg("%s", error);
  return outcome;
}

static void run_all_ways(const kdet_soup *soup) {
  static const kdet_options ways[] = {
      {.buckets = KDET_BUCKETS_DJB2},
      {.buckets = KDET_BUCKETS_DJB2, .dedup = KDET_MAP},
      {.buckets = KDET_BUCKETS_MORTON, .hash = KDET_MORTON},
      {.buckets = KDET_BUCKETS_MORTON, .hash = KDET_MORTON, .dedup = KDET_MAP},
      {.way = KDET_BRUTE_LOOP},
      {.way = KDET_BRUTE_NO_LOOP, .dedup = KDET_MAP},
  };
  OWNED(graze_pairs) truth = pairs_of(soup);
  uint64_t candidates = 0;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    OWNED(kdet_outcome) outcome = run(soup, ways[i]);
    expect_pairs(soup, &outcome, &truth);
    if (i == 0) candidates = outcome.candidate_count;
    assert_int_equal(outcome.candidate_count, candidates);
    assert_true(outcome.met >= candidates);
    if (ways[i].way == KDET_GRID) assert_true(outcome.stored >= soup->triangle_count);
  }
}

TEST(models_have_their_pairs) {
  static const char *const models[] = {"folded-cloth", "blobs", "soup", "mix", "needles", "chazelle", "rods"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    OWNED(bench_scene) scene;
    char error[256] = "";
    if (!bench_scene_make_model(models[i], test_scale() < 1.0 ? 400 : 1500, &scene, error, sizeof error))
      fail_msg("%s", error);
    soup_of_floats made = soup_of(&scene.shapes[0]);
    run_all_ways(&made.soup);
    free(made.positions);
  }
}

/* Cells that share a bucket, and buckets that are linked: more is met, and no other pairs come out. */
TEST(small_tables_link_their_buckets) {
  OWNED(bench_scene) scene;
  char error[256] = "";
  assert_true(bench_scene_make_model("folded-cloth", 1500, &scene, error, sizeof error));
  soup_of_floats made = soup_of(&scene.shapes[0]);
  graze_pairs truth = pairs_of(&made.soup);
  for (uint32_t buckets = 211; buckets < 2000; buckets *= 2) {
    OWNED(kdet_outcome) outcome = run(&made.soup, (kdet_options){.buckets = buckets});
    expect_pairs(&made.soup, &outcome, &truth);
    if (buckets == 211) assert_true(outcome.linked > 0);
  }
  kdet_outcome outcome;
  const kdet_options few = {.buckets = 3, .rounds = 1};
  assert_false(kdet_grid_run_host(&made.soup, &few, &outcome, error, sizeof error));
  assert_string_equal(error, "the table of the published grid has no empty bucket left");
  graze_pairs_free(&truth);
  free(made.positions);
}

TEST(the_oldest_version_marks_triangles) {
  OWNED(bench_scene) scene;
  char error[256] = "";
  assert_true(bench_scene_make_model("soup", 2000, &scene, error, sizeof error));
  soup_of_floats made = soup_of(&scene.shapes[0]);
  graze_pairs truth = pairs_of(&made.soup);
  bool *const marked = calloc(made.soup.triangle_count, sizeof *marked);
  assert_non_null(marked);
  size_t expected = 0;
  for (size_t i = 0; i < truth.count; i++)
    marked[truth.pairs[i].primitive_a] = marked[truth.pairs[i].primitive_b] = true;
  for (size_t i = 0; i < made.soup.triangle_count; i++) expected += marked[i];
  kdet_outcome outcome = run(&made.soup, (kdet_options){.buckets = KDET_BUCKETS_DJB2, .dedup = KDET_NONE});
  assert_true(expected > 100);
  assert_int_equal(outcome.colliding, expected); /* a random soup: no test is so close that float goes wrong */
  assert_int_equal(outcome.candidate_count, 0);
  kdet_outcome_free(&outcome);
  free(marked);
  graze_pairs_free(&truth);
  free(made.positions);
}

/* Section 4.4 has it that a polygon meets at most eight cells of its level, since these are at least as large as its
 * diameter; by the rule of 4.1 they are at most as large. Beside a triangle of diameter 1, cells have the side 1. */
TEST(a_triangle_meets_more_cells_than_eight) {
  static const float corners[3][3] = {{2.2f, 2.3f, 1.6f}, {2.1f, 0.8f, 2.3f}, {0.9f, 1.4f, 1.2f}};
  enum { STEPS = 60 };
  const float diameter = kdet_diameter(corners[0], corners[1], corners[2]);
  assert_true(diameter > 1.9f && diameter < 2.0f);
  assert_int_equal(kdet_level(diameter, 1.0f), 0);
  bool met[27] = {false};
  size_t count = 0;
  for (int i = 0; i <= STEPS; i++)
    for (int j = 0; i + j <= STEPS; j++) {
      int cell = 0;
      for (int k = 0; k < 3; k++) {
        const float along =
            (float)i * corners[0][k] + (float)j * corners[1][k] + (float)(STEPS - i - j) * corners[2][k];
        cell = 3 * cell + (int)(along / STEPS);
      }
      count += !met[cell];
      met[cell] = true;
    }
  assert_int_equal(count, 10);
}

TEST(nothing_and_points_are_no_trouble) {
  static const float positions[] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 5.0f, 5.0f, 5.0f};
  static const uint32_t triangles[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  run_all_ways(&(kdet_soup){positions, 3, triangles, 3});
  run_all_ways(&(kdet_soup){positions, 3, triangles, 0});
}

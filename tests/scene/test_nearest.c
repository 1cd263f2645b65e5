/* Compares least distances of objects with brute force, for all kinds, poses, methods and threads; checks intervals in
 * rational arithmetic; and tests limits, filters, and errors. */
#include "base/number_sequence.h"
#include "graze/distances.h"
#include "graze/nearest.h"
#include "nearest_oracle.h"
#include "scene/scene_data.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "sphere_scenes.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>

enum { OBJECTS = 4 };

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * ((double)(sequence_next(seed) >> 11) * 0x1p-53);
}

static graze_pose make_pose(uint64_t *seed, double far) {
  double q[4], length = 0.0;
  graze_pose pose;
  for (int k = 0; k < 4; k++) q[k] = between(seed, -1.0, 1.0);
  for (int k = 0; k < 4; k++) length += q[k] * q[k];
  for (int k = 0; k < 4; k++) q[k] /= sqrt(length);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                              2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                              2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(pose.rotation, rotation, sizeof rotation);
  for (int k = 0; k < 3; k++) pose.translation[k] = between(seed, -far, far);
  return pose;
}

static mesh make_balls(uint64_t seed, size_t count) {
  mesh balls = sphere_mesh(count);
  for (size_t i = 0; i < count; i++) {
    for (int axis = 0; axis < 3; axis++) balls.positions[3 * i + (size_t)axis] = between(&seed, -1.0, 1.0);
    balls.radii[i] = between(&seed, 0.0, 0.1);
  }
  return balls;
}

/* Four objects of some size. */
static void make_meshes(const char *const models[OBJECTS], uint64_t size, uint64_t seed, mesh meshes[OBJECTS]) {
  for (int i = 0; i < OBJECTS; i++)
    meshes[i] = strcmp(models[i], "balls") == 0 ? make_balls(seed + (uint64_t)i, size)
                                                : torture_first_mesh(models[i], size, seed + (uint64_t)i);
}

static void pose_all(graze_scene *scene, uint64_t seed, double far) {
  for (uint32_t i = 1; i < OBJECTS; i++) {
    const graze_pose pose = make_pose(&seed, far);
    assert_ok(graze_object_set_pose(scene, (graze_object){i, 1}, &pose));
  }
  assert_ok(graze_scene_update(scene));
}

static double points_apart(const graze_nearest *row) {
  double squared = 0.0;
  for (int axis = 0; axis < 3; axis++) squared += pow(row->point_a[axis] - row->point_b[axis], 2);
  return sqrt(squared);
}

static void check_row(const graze_nearest *row, uint32_t a, uint32_t b, const oracle_nearest *wanted,
                      const char *name) {
  if (row->pair.object_a != a || row->pair.object_b != b || row->pair.primitive_a != wanted->a ||
      row->pair.primitive_b != wanted->b || row->distance != wanted->distance)
    fail_msg("%s: objects %u and %u, primitives %u and %u at %.17g in place of %u, %u, %u, %u at %.17g", name,
             row->pair.object_a, row->pair.object_b, row->pair.primitive_a, row->pair.primitive_b, row->distance, a, b,
             wanted->a, wanted->b, wanted->distance);
  assert_true(row->lower <= row->distance * (1.0 + 1e-12) && row->upper >= row->distance * (1.0 - 1e-11));
  assert_true(row->lower >= row->distance - 1e-9 && row->upper <= row->distance + 1e-9);
  assert_true(row->distance > 0.0 || (row->lower == 0.0 && row->upper == 0.0));
  assert_true(fabs(points_apart(row) - row->distance) < 1e-9);
  assert_true((row->feature_a.vertex_count == 0) == (row->distance == 0.0));
  assert_true((row->feature_b.vertex_count == 0) == (row->distance == 0.0));
  assert_int_equal(row->complete, 1);
}

typedef struct oracle_table {
  oracle_nearest of[OBJECTS][OBJECTS];
} oracle_table;

static bool is_nearer(const oracle_table *table, const uint32_t p[2], const uint32_t q[2]) {
  const oracle_nearest *x = &table->of[p[0]][p[1]], *y = &table->of[q[0]][q[1]];
  if (x->distance != y->distance) return x->distance < y->distance;
  if (p[0] != q[0]) return p[0] < q[0];
  return x->a != y->a ? x->a < y->a : p[1] < q[1];
}

/* The nearest of all pairs, or of those with one object. */
static void nearest_of(const oracle_table *table, uint32_t object_or_all, uint32_t pair_out[2]) {
  bool any = false;
  for (uint32_t a = 0; a < OBJECTS; a++)
    for (uint32_t b = a + 1; b < OBJECTS; b++) {
      const uint32_t pair[2] = {a, b};
      if (object_or_all < OBJECTS && a != object_or_all && b != object_or_all) continue;
      if (!any || is_nearer(table, pair, pair_out)) memcpy(pair_out, pair, sizeof pair);
      any = true;
    }
}

static void check_scopes(const graze_scene *scene, const oracle_table *table, const char *name) {
  graze_nearest_options options = graze_nearest_options_default();
  OWNED(graze_nearest_list) found = find_nearest(scene, NULL);
  assert_int_equal(found.count, OBJECTS * (OBJECTS - 1) / 2);
  assert_int_equal(found.complete, 1);
  for (uint32_t a = 0, row = 0; a < OBJECTS; a++)
    for (uint32_t b = a + 1; b < OBJECTS; b++, row++) {
      const oracle_nearest *wanted = &table->of[a][b];
      bool listed = false;
      for (size_t i = 0; i < found.count; i++)
        if (found.nearests[i].pair.object_a == a && found.nearests[i].pair.object_b == b) {
          check_row(&found.nearests[i], a, b, wanted, name);
          listed = true;
        }
      assert_true(listed);
    }
  uint32_t pair[2];
  options.scope = GRAZE_NEAREST_EACH_OBJECT;
  assert_ok(graze_scene_find_nearest(scene, &options, &found));
  assert_int_equal(found.count, OBJECTS);
  for (uint32_t i = 0; i < OBJECTS; i++) {
    nearest_of(table, i, pair);
    assert_int_equal(found.nearests[i].object, i);
    check_row(&found.nearests[i], pair[0], pair[1], &table->of[pair[0]][pair[1]], name);
  }
  options.scope = GRAZE_NEAREST_OF_ALL;
  assert_ok(graze_scene_find_nearest(scene, &options, &found));
  assert_int_equal(found.count, 1);
  nearest_of(table, OBJECTS, pair);
  check_row(&found.nearests[0], pair[0], pair[1], &table->of[pair[0]][pair[1]], name);
}

/* Bounds at, above and below each distance. */
static void check_bounds(const graze_scene *scene, const oracle_table *table) {
  OWNED(graze_nearest_list) found = {0};
  graze_nearest_options options = graze_nearest_options_default();
  for (uint32_t b = 1; b < OBJECTS; b++) {
    const double distance = table->of[0][b].distance;
    for (int step = -1; step <= 1; step++) {
      options.max_distance = distance == 0.0 ? fmax(step, 0) : distance * (1.0 + 1e-6 * step);
      if (step == 0 && distance > 0.0) continue;
      assert_ok(graze_scene_find_nearest(scene, &options, &found));
      size_t wanted = 0;
      for (uint32_t p = 0; p < OBJECTS; p++)
        for (uint32_t q = p + 1; q < OBJECTS; q++) wanted += table->of[p][q].distance <= options.max_distance;
      assert_int_equal(found.count, wanted);
    }
  }
}

/* A limit leaves true bounds. */
static void check_limits(const graze_scene *scene, const oracle_table *table) {
  OWNED(graze_nearest_list) found = {0};
  graze_nearest_options options = graze_nearest_options_default();
  for (options.visit_limit = 1; options.visit_limit < 100; options.visit_limit *= 3) {
    assert_ok(graze_scene_find_nearest(scene, &options, &found));
    assert_int_equal(found.count, OBJECTS * (OBJECTS - 1) / 2);
    for (size_t i = 0; i < found.count; i++) {
      const graze_nearest *row = &found.nearests[i];
      const double distance = table->of[row->pair.object_a][row->pair.object_b].distance;
      assert_true(row->lower <= distance + 1e-9 && distance <= row->upper + 1e-9 && row->distance >= distance);
      assert_true(row->complete == 0 || row->distance == distance);
    }
  }
}

static const running_variant variants[] = {{"tree", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
                                           {"tree", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
                                           {"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
                                           {"brute", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false}};

static const char *const model_sets[][OBJECTS] = {{"sphere", "gear", "soup", "torus"},
                                                  {"panels", "tet-ball", "balls", "cells"},
                                                  {"balls", "sphere", "panels", "tet-box"},
                                                  {"cells", "cells", "balls", "balls"}};

static oracle_table make_table(const graze_scene *scene) {
  oracle_table table;
  for (uint32_t a = 0; a < OBJECTS; a++)
    for (uint32_t b = a + 1; b < OBJECTS; b++)
      table.of[a][b] = oracle_find_nearest(&scene->sources[a], &scene->sources[b]);
  return table;
}

TEST(test_against_brute_force) {
  static const double far[] = {0.5, 2.5, 40.0, 1e6, 1e12};
  size_t touching = 0;
  for (uint64_t set = 0; set < sizeof model_sets / sizeof model_sets[0]; set++) {
    mesh meshes[OBJECTS];
    make_meshes(model_sets[set], 30, set, meshes);
    for (uint64_t f = 0; f < sizeof far / sizeof far[0]; f++) {
      oracle_table table;
      for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        OWNED_SCENE *scene = runner_scene(&variants[v], meshes, OBJECTS, NULL);
        pose_all(scene, 10 * set + f, far[f]);
        if (v == 0) {
          table = make_table(scene);
          touching += table.of[0][1].distance == 0.0;
        }
        if (f < 3) {
          check_scopes(scene, &table, variants[v].method);
          check_bounds(scene, &table);
          check_limits(scene, &table);
        } else {
          OWNED(graze_nearest_list) found = find_nearest(scene, NULL);
          for (size_t i = 0; i < found.count; i++) {
            const graze_nearest *row = &found.nearests[i];
            const oracle_nearest *wanted = &table.of[row->pair.object_a][row->pair.object_b];
            assert_true(row->distance == wanted->distance && row->pair.primitive_a == wanted->a &&
                        row->pair.primitive_b == wanted->b);
          }
        }
      }
    }
    for (int i = 0; i < OBJECTS; i++) mesh_free(&meshes[i]);
  }
  assert_true(touching > 0);
}

/* Grids of equal triangles have ties everywhere: the lowest pair is found. */
TEST(test_ties) {
  OWNED(mesh) flat = torture_mesh(3 * 64, 64);
  for (size_t i = 0; i < 64; i++) {
    const double x = (double)(i % 8), y = (double)(i / 8);
    const double corners[9] = {x, y, 0.0, x + 0.75, y, 0.0, x, y + 0.75, 0.0};
    memcpy(flat.positions + 9 * i, corners, sizeof corners);
    for (uint32_t k = 0; k < 3; k++) flat.triangles[3 * i + k] = (uint32_t)(3 * i + k);
  }
  const mesh meshes[2] = {flat, flat};
  for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
    OWNED_SCENE *scene = runner_scene(&variants[v], meshes, 2, NULL);
    for (int height = 0; height < 2; height++) {
      graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, (double)height}};
      assert_ok(graze_object_set_pose(scene, (graze_object){1, 1}, &pose));
      assert_ok(graze_scene_update(scene));
      OWNED(graze_nearest_list) found = find_nearest(scene, NULL);
      assert_int_equal(found.count, 1);
      assert_true(found.nearests[0].distance == (double)height);
      assert_int_equal(found.nearests[0].pair.primitive_a, 0);
      assert_int_equal(found.nearests[0].pair.primitive_b, 0);
    }
  }
}

/* Points whose coordinates are permuted are equally far from the origin, but their distances are rounded differently.
 * The least rounded distance is the answer, and of several the first pair. */
TEST(test_rounded_ties) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  uint64_t seed = 3;
  size_t later = 0;
  for (int round = 0; round < 100; round++) {
    mesh meshes[2] = {sphere_mesh(6), torture_mesh(3, 1)};
    const double place[3] = {between(&seed, 1.0, 2.0), between(&seed, 1.0, 2.0), between(&seed, 1.0, 2.0)};
    for (int i = 0; i < 18; i++) meshes[0].positions[i] = place[orders[i / 3][i % 3]];
    for (uint32_t i = 0; i < 3; i++) meshes[1].triangles[i] = i;
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
      OWNED_SCENE *scene = runner_scene(&variants[v], meshes, 2, NULL);
      graze_pair pairs[6];
      for (uint32_t i = 0; i < 6; i++) pairs[i] = (graze_pair){0, i, 1, 0};
      graze_distances distances = {0};
      assert_ok(graze_scene_update(scene));
      assert_ok(graze_scene_make_distances(scene, pairs, 6, &distances));
      OWNED(graze_nearest_list) found = find_nearest(scene, NULL);
      size_t wanted = 0;
      for (size_t i = 1; i < 6; i++)
        if (distances.distances[i].distance < distances.distances[wanted].distance) wanted = i;
      later += wanted > 0;
      assert_int_equal(distances.nearest, wanted);
      assert_int_equal(found.count, 1);
      assert_int_equal(found.nearests[0].pair.primitive_a, wanted);
      assert_true(found.nearests[0].distance == distances.distances[wanted].distance);
      graze_distances_free(&distances);
    }
    for (int i = 0; i < 2; i++) mesh_free(&meshes[i]);
  }
  assert_true(later > 0);
}

/* Points that are apart by the least doubles, and by more than the largest one. */
TEST(test_extreme_normals) {
  const double places[3][2][3] = {{{0, 0, 0}, {0, -0x1p-1074, 0}},
                                  {{0x1p-1074, 0, 0}, {0x1p-1073, 0, 0x1p-1074}},
                                  {{-0x1.8p1023, 0, 0}, {0x1.8p1023, 0, 0}}};
  const double normals[3][3] = {{0, -1, 0}, {sqrt(0.5), 0, sqrt(0.5)}, {1, 0, 0}};
  for (int i = 0; i < 3; i++) {
    mesh meshes[2] = {sphere_mesh(1), sphere_mesh(1)};
    for (int k = 0; k < 2; k++) memcpy(meshes[k].positions, places[i][k], sizeof places[i][k]);
    graze_scene *scene = runner_scene(&variants[0], meshes, 2, NULL);
    assert_ok(graze_scene_update(scene));
    graze_nearest_list found = find_nearest(scene, NULL);
    assert_int_equal(found.count, 1);
    for (int axis = 0; axis < 3; axis++) assert_true(fabs(found.nearests[0].normal[axis] - normals[i][axis]) < 1e-15);
    graze_nearest_list_free(&found);
    graze_scene_destroy(scene);
    for (int k = 0; k < 2; k++) mesh_free(&meshes[k]);
  }
}

/* A sphere inside a larger one is about as far from it everywhere: more pairs of nodes wait than there is room for. */
TEST(test_many_nearly_nearest) {
  mesh meshes[2] = {torture_first_mesh("sphere", 1200, 1), torture_first_mesh("sphere", 1200, 1)};
  uint64_t seed = 7;
  for (size_t i = 0; i < 3 * meshes[1].vertex_count; i++) meshes[1].positions[i] *= 2.0;
  for (int round = 0; round < 2; round++) {
    const graze_pose pose = make_pose(&seed, round == 0 ? 0.0 : 1e-3);
    oracle_nearest wanted = {0};
    for (size_t v = 0; v < 3; v++) {
      OWNED_SCENE *scene = runner_scene(&variants[v], meshes, 2, NULL);
      assert_ok(graze_object_set_pose(scene, (graze_object){1, 1}, &pose));
      assert_ok(graze_scene_update(scene));
      if (v == 0) wanted = oracle_find_nearest(&scene->sources[0], &scene->sources[1]);
      OWNED(graze_nearest_list) found = find_nearest(scene, NULL);
      assert_int_equal(found.count, 1);
      check_row(&found.nearests[0], 0, 1, &wanted, variants[v].method);
    }
  }
  for (int i = 0; i < 2; i++) mesh_free(&meshes[i]);
}

/* Two spheres that overlap, the second with reversed triangles where they have numbers that undo that. */
static graze_scene *overlapping_scene(const mesh *ball, const uint32_t objects[2], const uint32_t *numbers_or_null) {
  const graze_pose pose = {{0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6}, {0.3, 0.9, 0.2}};
  graze_scene *scene = create_scene(NULL);
  for (int i = 0; i < 2; i++) {
    graze_mesh_def def = graze_mesh_def_default();
    graze_object_def placed = graze_object_def_default();
    graze_object object;
    def.positions = (graze_view){ball->positions, ball->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    def.triangles = (graze_view){ball->triangles, ball->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
    placed.global_numbers = true;
    placed.global_object = objects[i];
    if (numbers_or_null != NULL)
      placed.global_primitives = (graze_view){numbers_or_null, ball->triangle_count, 0, GRAZE_FORMAT_UINT32};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
    if (i == 1) assert_ok(graze_object_set_pose(scene, object, &pose));
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

/* For intersecting bodies, the first such pair is found, for any order of objects and any order of triangles. */
TEST(test_first_meeting) {
  static const uint32_t orders[][2] = {{0, 1}, {7, 4}, {0, 1}};
  OWNED(mesh) ball = torture_first_mesh("sphere", 1200, 1);
  OWNED_MEMORY uint32_t *numbers = calloc(ball.triangle_count, sizeof *numbers);
  assert_non_null(numbers);
  oracle_nearest first = {0};
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
    if (i == 2)
      for (size_t k = 0; k < ball.triangle_count; k++) {
        const size_t other = ball.triangle_count - 1 - k;
        numbers[k] = (uint32_t)other;
        for (int c = 0; c < 3 && k < other; c++) {
          const uint32_t corner = ball.triangles[3 * k + (size_t)c];
          ball.triangles[3 * k + (size_t)c] = ball.triangles[3 * other + (size_t)c];
          ball.triangles[3 * other + (size_t)c] = corner;
        }
      }
    OWNED_SCENE *scene = overlapping_scene(&ball, orders[i], i == 2 ? numbers : NULL);
    oracle_nearest wanted = first;
    if (i < 2) wanted = oracle_find_nearest(&scene->sources[i], &scene->sources[1 - i]);
    if (i == 0) first = wanted;
    OWNED(graze_nearest_list) found = find_nearest(scene, NULL);
    assert_int_equal(found.count, 1);
    assert_true(found.nearests[0].distance == 0.0 && wanted.distance == 0.0);
    check_row(&found.nearests[0], orders[i][i % 2], orders[i][1 - i % 2], &wanted, "overlapping spheres");
  }
}

TEST(test_intervals) {
  reach_reference *reference = reach_reference_create();
  size_t checked[2] = {0, 0}; /* without polyhedra, with */
  for (uint64_t set = 0; set < sizeof model_sets / sizeof model_sets[0]; set++) {
    mesh meshes[OBJECTS];
    make_meshes(model_sets[set], 6, set, meshes);
    graze_scene *scene = runner_scene(&variants[0], meshes, OBJECTS, NULL);
    for (uint64_t round = 0; round < 4; round++) {
      pose_all(scene, 100 + 10 * set + round, round % 2 == 0 ? 2.0 : 1000.0);
      graze_nearest_options options = graze_nearest_options_default();
      options.visit_limit = round / 2; /* none, then one */
      OWNED(graze_nearest_list) found = find_nearest(scene, &options);
      for (size_t i = 0; i < found.count; i++) {
        const graze_nearest *row = &found.nearests[i];
        const object_source *a = &scene->sources[row->pair.object_a], *b = &scene->sources[row->pair.object_b];
        const bool has_cells = a->kind == GRAZE_KIND_POLYHEDRON || b->kind == GRAZE_KIND_POLYHEDRON;
        if ((size_t)a->primitive_count * b->primitive_count > (has_cells ? 64 : 300)) continue;
        if (checked[has_cells]++ >= (has_cells ? 5 : 60)) continue;
        if (!oracle_interval_holds(a, b, row->lower, row->upper, reference))
          fail_msg("objects %u and %u are not in [%.17g, %.17g]", row->pair.object_a, row->pair.object_b, row->lower,
                   row->upper);
      }
    }
    graze_scene_destroy(scene);
    for (int i = 0; i < OBJECTS; i++) mesh_free(&meshes[i]);
  }
  assert_true(checked[0] > 10 && checked[1] > 0);
  reach_reference_destroy(reference);
}

/* Two bodies a little farther apart than a clearance that is large compared to their triangles: nearly all grown boxes
 * between them meet, and nearly all are too far apart. */
TEST(test_nearly_within) {
  const running_variant variant = {"tree", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false};
  mesh meshes[2] = {torture_first_mesh("sphere", 5000, 1), torture_first_mesh("sphere", 5000, 1)};
  for (size_t i = 0; i < 3 * meshes[1].vertex_count; i++) meshes[1].positions[i] += 1.5;
  graze_scene *scene = runner_scene(&variant, meshes, 2, NULL);
  graze_object_pairs touching = {0};
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_ok(graze_scene_update(scene));
  graze_nearest_list nearest = find_nearest(scene, NULL);
  for (int i = 0; i < 2; i++) {
    query.clearance = i == 0 ? nearest.nearests[0].lower * (1.0 - 1e-9) : nearest.nearests[0].upper;
    assert_ok(graze_scene_find_object_pairs(scene, &query, &touching));
    assert_int_equal(touching.count, i);
    assert_true(touching.counters->candidates < 1000);
  }
  graze_object_pairs_free(&touching);
  graze_nearest_list_free(&nearest);
  graze_scene_destroy(scene);
  for (int i = 0; i < 2; i++) mesh_free(&meshes[i]);
}

TEST(test_filters) {
  mesh meshes[OBJECTS];
  make_meshes(model_sets[0], 30, 3, meshes);
  static const object_filter filters[OBJECTS] = {{1, 1, true}, {1, 3, true}, {2, 3, true}, {1, 1, true}};
  graze_scene *scene = runner_scene(&variants[1], meshes, OBJECTS, filters);
  assert_ok(graze_scene_exclude(scene, (graze_object){0, 1}, (graze_object){1, 1}, true));
  assert_ok(graze_scene_update(scene));
  graze_nearest_options options = graze_nearest_options_default();
  graze_nearest_list found = find_nearest(scene, NULL);
  assert_int_equal(found.count, 3); /* 0 and 3, 1 and 2, 1 and 3 */
  assert_int_equal(found.nearests[0].pair.object_b, 3);
  options.about_count = 1;
  options.about_a = (graze_object){2, 1};
  assert_ok(graze_scene_find_nearest(scene, &options, &found));
  assert_int_equal(found.count, 1);
  options.about_count = 2;
  options.about_b = (graze_object){0, 1};
  assert_ok(graze_scene_find_nearest(scene, &options, &found));
  assert_int_equal(found.count, 0);
  assert_int_equal(found.complete, 1);
  graze_nearest_list_free(&found);
  graze_scene_destroy(scene);
  for (int i = 0; i < OBJECTS; i++) mesh_free(&meshes[i]);
}

static bool stop_at_once(void *context) {
  (void)context;
  return true;
}

TEST(test_refusals) {
  graze_object a;
  OWNED_SCENE *scene = crossing_scene(&a);
  graze_nearest_list found = {0};
  graze_nearest_options options = graze_nearest_options_default();
  assert_int_equal(graze_scene_find_nearest(NULL, NULL, &found), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_find_nearest(scene, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_ok(graze_scene_find_nearest(scene, NULL, &found));
  assert_int_equal(found.count, 0);
  options.max_distance = NAN;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_INVALID_ARGUMENT);
  options.max_distance = -1.0;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the largest distance is -1: it must not be negative");
  options = graze_nearest_options_default();
  options.scope = (graze_nearest_scope)3;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_INVALID_ARGUMENT);
  options = graze_nearest_options_default();
  options.about_count = 3;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_INVALID_ARGUMENT);
  options.about_count = 1;
  options.about_a = (graze_object){7, 1};
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_NO_SUCH_OBJECT);
  options.about_count = 2;
  options.about_a = options.about_b = a;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_INVALID_ARGUMENT);
  options = graze_nearest_options_default();
  options.should_stop = stop_at_once;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_STOPPED);
  const graze_mesh_def def = crossing_def();
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  assert_int_equal(graze_scene_find_nearest(scene, NULL, &found), GRAZE_NOT_UPDATED);
  graze_nearest_list_free(&found);
  graze_nearest_list_free(NULL);
}

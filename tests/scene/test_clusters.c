/* Tests the method clusters on difficult scenes: sizes that differ by a million, everything in one point or plane, huge
 * primitives, thousands of objects, frames that move, deform and break; the same clusters for any number of workers;
 * and planted pairs, which incomplete assignments of members lose. */
#include "base/number_sequence.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double random_unit(uint64_t *sequence) {
  return (double)(sequence_next(sequence) >> 11) * 0x1p-52 - 1.0;
}

static mesh loose_triangles(size_t count) {
  mesh m = torture_mesh(3 * count, count);
  for (size_t i = 0; i < 3 * count; i++) m.triangles[i] = (uint32_t)i;
  return m;
}

static void place_triangle(mesh *m, size_t triangle, const double center[3], double size, uint64_t *sequence) {
  for (int corner = 0; corner < 3; corner++)
    for (int axis = 0; axis < 3; axis++)
      m->positions[9 * triangle + 3 * corner + axis] = center[axis] + size * random_unit(sequence);
}

static running_variant variant_of(const char *method, uint32_t workers) {
  return (running_variant){
      .method = method, .simd = GRAZE_SIMD_AUTO, .worker_count = workers, .threading = GRAZE_THREADING_PTHREADS};
}

static pair_answer ask(const char *method, uint32_t workers, const mesh *meshes, size_t mesh_count) {
  const running_variant variant = variant_of(method, workers);
  OWNED_SCENE *scene = runner_scene(&variant, meshes, mesh_count, NULL);
  const graze_query query = graze_query_default();
  const pair_answer answer = runner_find(scene, &query);
  return answer;
}

static const char *const complete[] = {"clusters",           "clusters 1 x",    "clusters 2 l1",
                                       "clusters 3 z",       "clusters 8 linf", "clusters 25",
                                       "clusters 64 y linf", "clusters 200 l1", "clusters 1 principal"};
enum { COMPLETE_COUNT = sizeof complete / sizeof complete[0] };

/* All complete ways give the pairs and candidates of the grid, which is compared with the reference elsewhere. */
static void compare_all(const char *name, const mesh *meshes, size_t mesh_count) {
  OWNED(pair_answer) wanted = ask("grid", 2, meshes, mesh_count);
  for (size_t i = 0; i < COMPLETE_COUNT; i++) {
    pair_answer found = ask(complete[i], 1 + (uint32_t)(i % 4), meshes, mesh_count);
    runner_compare(&wanted, &found, name, complete[i]);
    assert_int_equal(found.counters.candidates, wanted.counters.candidates);
    assert_int_equal(found.counters.neighbors, wanted.counters.neighbors);
    free(found.pairs);
  }
}

/* ---------------------------------------------------------------------------------------------- sizes and places */

/* Sizes from 1 to 10^-6, evenly by their logarithm; most are small. */
TEST(test_sizes_of_a_million_to_one) {
  uint64_t sequence = 11;
  OWNED(mesh) m = loose_triangles(test_scaled(6000, 900));
  for (size_t i = 0; i < m.triangle_count; i++) {
    const double size = pow(10.0, -6.0 * (double)sequence_below(&sequence, 1000) / 999.0);
    double center[3];
    for (int axis = 0; axis < 3; axis++) center[axis] = (i % 3 == 0 ? 0.01 : 1.0) * random_unit(&sequence);
    place_triangle(&m, i, center, i % 50 == 0 ? size : 0.05 * size, &sequence);
  }
  compare_all("sizes", &m, 1);
}

TEST(test_all_in_one_place) {
  OWNED(mesh) m = loose_triangles(test_scale() < 1.0 ? 150 : 400);
  for (size_t i = 0; i < m.triangle_count; i++)
    for (int k = 0; k < 9; k++) m.positions[9 * i + k] = k % 4 == 0 ? 1.0 : 0.25;
  compare_all("one place", &m, 1);
  for (size_t i = 0; i < 3 * m.vertex_count; i++) m.positions[i] = 0.5;
  compare_all("one point", &m, 1);
}

TEST(test_all_in_one_plane) {
  uint64_t sequence = 12;
  OWNED(mesh) m = loose_triangles(test_scaled_to(0.125, 4000, 250));
  for (int normal = 0; normal < 4; normal++) {
    for (size_t i = 0; i < m.triangle_count; i++) {
      const double center[3] = {random_unit(&sequence), random_unit(&sequence), random_unit(&sequence)};
      place_triangle(&m, i, center, 0.03, &sequence);
    }
    for (size_t i = 0; i < m.vertex_count; i++) {
      double *p = m.positions + 3 * i;
      if (normal < 3)
        p[normal] = 0.125;
      else
        p[2] = p[0] + p[1];
    }
    compare_all("one plane", &m, 1);
  }
}

/* A triangle as large as the scene beside many small ones, across them or flat under them; and several. */
TEST(test_huge_triangles) {
  uint64_t sequence = 13;
  const size_t small = test_scaled_to(0.1, 20000, 300);
  for (size_t huge = 1; huge <= 64; huge *= 8) {
    OWNED(mesh) m = loose_triangles(small + huge);
    for (size_t i = 0; i < small; i++) {
      const double center[3] = {random_unit(&sequence), random_unit(&sequence), 0.1 * random_unit(&sequence)};
      place_triangle(&m, i, center, 0.004, &sequence);
    }
    for (size_t i = small; i < small + huge; i++) {
      const double center[3] = {0, 0, 0};
      place_triangle(&m, i, center, 1.0, &sequence);
      if (i % 2 == 0)
        for (int corner = 0; corner < 3; corner++) m.positions[9 * i + 3 * corner + 2] = -0.1;
    }
    compare_all("huge", &m, 1);
  }
}

/* One that covers a scene of small ones costs each cluster a look at what lies in it, and no more. */
TEST(test_one_huge_triangle_costs_little) {
  uint64_t sequence = 14, tests[2];
  const size_t small = test_scaled(100000, 10000);
  OWNED(mesh) m = loose_triangles(small + 1);
  for (size_t i = 0; i < small; i++) {
    const double center[3] = {random_unit(&sequence), random_unit(&sequence), 0.1};
    place_triangle(&m, i, center, 0.001, &sequence);
  }
  const double around[9] = {-9, -9, 0, 9, -9, 0.2, 0, 9, 0.1};
  memcpy(m.positions + 9 * small, around, sizeof around);
  for (int with = 0; with < 2; with++) {
    m.triangle_count = small + (size_t)with;
    OWNED(pair_answer) found = ask("clusters 16", 2, &m, 1);
    tests[with] = found.counters.box_tests;
  }
  print_message("%llu box tests without it, %llu with it\n", (unsigned long long)tests[0],
                (unsigned long long)tests[1]);
  assert_true(tests[1] < tests[0] + tests[0] / 4 + 2 * small);
  m.triangle_count = small + 1;
}

TEST(test_few_primitives) {
  uint64_t sequence = 15;
  for (size_t count = 0; count < 6; count++) {
    OWNED(mesh) m = loose_triangles(count);
    const double center[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) place_triangle(&m, i, center, 1.0, &sequence);
    compare_all("few", &m, 1);
  }
}

TEST(test_thousands_of_objects) {
  uint64_t sequence = 16;
  const size_t count = test_scaled(3000, 150);
  mesh *meshes = malloc(count * sizeof *meshes);
  assert_non_null(meshes);
  for (size_t i = 0; i < count; i++) {
    meshes[i] = loose_triangles(4);
    const double center[3] = {random_unit(&sequence), random_unit(&sequence), random_unit(&sequence)};
    for (size_t k = 0; k < 4; k++) place_triangle(&meshes[i], k, center, 0.06, &sequence);
  }
  compare_all("objects", meshes, count);
  for (size_t i = 0; i < count; i++) mesh_free(&meshes[i]);
  free(meshes);
}

/* ---------------------------------------------------------------------------------------------- frames */

enum { FRAMES = 12 };

typedef struct frame_sequence {
  uint64_t hashes[FRAMES], box_tests[FRAMES], duplicates[FRAMES];
} frame_sequence;

/* Objects that turn, a cloth that waves, and every frame some triangles less. */
static frame_sequence run_frames(const running_variant *variant, const mesh *meshes, size_t mesh_count) {
  frame_sequence frames_done;
  OWNED_SCENE *scene = runner_scene(variant, meshes, mesh_count, NULL);
  const size_t vertices = meshes[0].vertex_count;
  OWNED_MEMORY double *moved = malloc(3 * vertices * sizeof *moved);
  assert_non_null(moved);
  for (uint32_t frame = 0; frame < FRAMES; frame++) {
    for (size_t i = 0; i < vertices; i++)
      for (int axis = 0; axis < 3; axis++) {
        const double *p = meshes[0].positions + 3 * i;
        moved[3 * i + axis] = p[axis] + 0.05 * sin(0.3 * frame + 4.0 * p[(axis + 1) % 3]);
      }
    const graze_view all = {moved, vertices, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_set_positions(scene, (graze_object){0, 1}, 0, all));
    const double c = cos(0.1 * frame), s = sin(0.1 * frame), translation[3] = {0.02 * frame, 0, 0};
    const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    for (uint32_t i = 1; i < mesh_count; i++)
      assert_ok(pose_object(scene, (graze_object){i, 1}, rotation, translation));
    uint32_t erased[20];
    for (uint32_t i = 0; i < 20; i++) erased[i] = frame * 20 + i;
    assert_ok(graze_object_remove_primitives(scene, (graze_object){0, 1}, erased, 20));
    assert_ok(graze_scene_update(scene));
    const graze_query query = graze_query_default();
    OWNED(pair_answer) found = runner_find(scene, &query);
    frames_done.hashes[frame] = found.hash;
    frames_done.box_tests[frame] = found.counters.box_tests;
    frames_done.duplicates[frame] = found.counters.duplicates;
  }
  return frames_done;
}

/* The pairs are those of the grid in every frame; clusters learn the same for any number of workers, so that every
 * count is the same; and an adaptive number of them saves tests from frame to frame. */
TEST(test_frames) {
  static const char *const models[] = {"folded-cloth", "blobs", "tet-pair"};
  for (int i = 0; i < 3; i++) {
    OWNED(mesh_set) made = torture_set(models[i], test_sanitized(2000, test_scaled(6000, 3000)), 4);
    const running_variant grid = variant_of("grid", 2);
    const frame_sequence wanted = run_frames(&grid, made.meshes, made.count);
    frame_sequence first;
    for (uint32_t workers = 1; workers <= 6; workers += test_scale() < 1.0 ? 2 : 1) {
      if (workers > 4 && test_looks_for_races()) continue; /* one thread */
      running_variant variant = variant_of("clusters", workers);
      if (workers > 4) variant.tasks = workers == 5 ? &host_runs_reversed : &host_runs_shuffled;
      const frame_sequence found = run_frames(&variant, made.meshes, made.count);
      assert_memory_equal(found.hashes, wanted.hashes, sizeof found.hashes);
      if (workers == 1) first = found;
      assert_memory_equal(&found, &first, sizeof found);
    }
    print_message("%s: %llu box tests in the first frame, %llu in the last\n", models[i],
                  (unsigned long long)first.box_tests[0], (unsigned long long)first.box_tests[FRAMES - 1]);
    if (i == 0) assert_true(first.box_tests[FRAMES - 1] < first.box_tests[0]);
  }
}

/* ---------------------------------------------------------------------------------------------- planted pairs */

/* Two clouds far apart, and between their middles pairs of long triangles that cross close to one cloud: their centers
 * belong to different clusters, clearly. */
static uint64_t in_up_to_four(const graze_counters *counters) {
  return counters->members_1 + counters->members_2 + counters->members_3 + counters->members_4;
}

/* With four clusters and nothing huge, each primitive is a member of one to four. */
TEST(test_members_are_counted) {
  enum { TRIANGLES = 5000 };
  uint64_t sequence = 77;
  OWNED(mesh) m = loose_triangles(TRIANGLES);
  for (size_t i = 0; i < TRIANGLES; i++) {
    const double center[3] = {random_unit(&sequence), random_unit(&sequence), random_unit(&sequence)};
    place_triangle(&m, i, center, i % 10 == 0 ? 0.5 : 0.05, &sequence);
  }
  for (uint32_t workers = 1; workers <= 3; workers++) {
    const pair_answer four = ask("clusters 4", workers, &m, 1), one = ask("clusters 1 x", workers, &m, 1),
                      grid = ask("grid", workers, &m, 1);
    const graze_counters *const c = &four.counters;
    assert_int_equal(c->clusters, 4);
    assert_int_equal(in_up_to_four(c), TRIANGLES);
    assert_int_equal(c->members_1 + 2 * c->members_2 + 3 * c->members_3 + 4 * c->members_4, c->members);
    assert_true(c->members_1 > c->members_2 && c->members_2 > c->members_3 && c->members_4 > 0);
    assert_int_equal(one.counters.members_1, TRIANGLES);
    assert_int_equal(in_up_to_four(&one.counters), TRIANGLES);
    assert_int_equal(in_up_to_four(&grid.counters), 0);
    free(four.pairs);
    free(one.pairs);
    free(grid.pairs);
  }
}

TEST(test_planted_pairs_are_found) {
  enum { PLANTED = 40 };
  const size_t small = test_sanitized(600, 2000);
  uint64_t sequence = 17;
  OWNED(mesh) m = loose_triangles(small + 2 * PLANTED);
  for (size_t i = 0; i < small; i++) {
    const double center[3] = {(i % 2 == 0 ? -1.0 : 1.0) + 0.2 * random_unit(&sequence), random_unit(&sequence),
                              random_unit(&sequence)};
    place_triangle(&m, i, center, 1e-4, &sequence);
  }
  for (size_t i = 0; i < PLANTED; i++) {
    const double y = random_unit(&sequence), z = random_unit(&sequence);
    const double reaching[9] = {-2.2, y, z, -1.2, y, z + 1e-4, 0.9, y + 1e-4, z};
    const double crossed[9] = {0.85, y - 0.01, z - 0.01, 0.85, y + 0.01, z - 0.01, 0.85, y, z + 0.02};
    memcpy(m.positions + 9 * (small + 2 * i), reaching, sizeof reaching);
    memcpy(m.positions + 9 * (small + 2 * i + 1), crossed, sizeof crossed);
  }
  OWNED(pair_answer) wanted = ask("brute", 2, &m, 1);
  assert_true(wanted.count >= PLANTED);
  compare_all("planted", &m, 1);
}

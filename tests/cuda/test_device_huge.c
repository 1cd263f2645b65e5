/* Tests huge primitives among clusters on an emulated device: they are divided, so that a search reads only what is
 * near each of them, and the pairs are those of the processor's method "brute".
 *
 * Without the division, every huge primitive is compared with nearly every other primitive: the bounds on box tests
 * below are at most half of that. */
#include "backend_choice.h"
#include "cluster_frames.h"
#include "cuda/stage_clusters.h"
#include "host_operations.h"
#include "posed_object.h"
#include "test_scale.h"

#include <math.h>
#include <string.h>

static void put_triangle(mesh *m, size_t number, const double center[3], const double size[3], uint64_t *seed) {
  for (int k = 0; k < 9; k++) m->positions[9 * number + k] = center[k % 3] + size[k % 3] * random_unit(seed);
}

/* Around the cube from -1 to 1, level, at a height. */
static void put_level(mesh *m, size_t number, double height) {
  const double corners[9] = {-4, -1.5, height, 4, -1.5, height, 0, 5, height};
  memcpy(m->positions + 9 * number, corners, sizeof corners);
}

static mesh first_triangles(const mesh *m, size_t count) {
  mesh part = *m;
  part.triangle_count = count;
  part.vertex_count = 3 * count;
  return part;
}

static mesh small_triangles(size_t count, size_t room, double size, uint64_t seed) {
  mesh m = loose_triangles(count + room);
  const double sizes[3] = {size, size, size};
  for (size_t i = 0; i < count; i++) {
    const double center[3] = {random_unit(&seed), random_unit(&seed), random_unit(&seed)};
    put_triangle(&m, i, center, sizes, &seed);
  }
  return m;
}

static const host_device_settings plain = {0};

/* ---------------------------------------------------------------------------------------------- what it costs */

/* Below all others, which then need not be compared with them at all. */
TEST(test_under_many_small_ones) {
  const size_t small = test_scaled(20000, 2000);
  const graze_method_def method = method_of(32, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  enum { MOST = 125 };
  host_device_configure(&plain);
  OWNED(mesh) all = small_triangles(small, MOST, 0.01, 3);
  for (size_t i = 0; i < MOST; i++) put_level(&all, small + i, -1.02 - 0.001 * (double)i);
  const mesh without = first_triangles(&all, small);
  const graze_counters few = cluster_counters_of(&without, &method);
  for (size_t huge = 1; huge <= MOST; huge *= 5) {
    const mesh with = first_triangles(&all, small + huge);
    const graze_counters more = cluster_counters_of(&with, &method);
    print_message("%zu under %zu: %llu box tests, without them %llu\n", huge, small, (unsigned long long)more.box_tests,
                  (unsigned long long)few.box_tests);
    assert_int_equal(more.clusters, 32);
    assert_true(more.box_tests < few.box_tests + few.box_tests / 20 + huge * small / 10);
  }
}

/* Level ones at all heights: each is compared with the clusters at its height alone. */
TEST(test_at_all_heights) {
  const size_t small = test_scaled(20000, 2000), huge = small / 100;
  const graze_method_def method = method_of(64, GRAZE_AXIS_X, GRAZE_METRIC_L2);
  host_device_configure(&plain);
  OWNED(mesh) with = small_triangles(small, huge, 0.01, 4);
  for (size_t i = 0; i < huge; i++) put_level(&with, small + i, 2.0 * (double)i / (double)huge - 1.0);
  const mesh without = first_triangles(&with, small);
  const graze_counters few = cluster_counters_of(&without, &method), more = cluster_counters_of(&with, &method);
  print_message("%zu at all heights: %llu box tests, without them %llu\n", huge, (unsigned long long)more.box_tests,
                (unsigned long long)few.box_tests);
  assert_int_equal(more.searched, small + huge);
  assert_true(more.members_1 + more.members_2 + more.members_3 + more.members_4 <= small); /* none of them is huge */
  assert_true(more.members > few.members && more.members < few.members + huge * 65);
  assert_true(more.box_tests < few.box_tests + few.box_tests / 4 + huge * small / 2);
}

/* A cloth, as a soup of its triangles, in waves; then slivers along x, all across it. */
static mesh cloth_with_slivers(size_t side, size_t slivers) {
  const size_t count = 2 * side * side;
  uint64_t seed = 5;
  mesh m = loose_triangles(count + slivers);
  for (size_t i = 0; i < count; i++) {
    for (size_t corner = 0; corner < 3; corner++) {
      const size_t right = i % 2 == 0 ? corner == 1 : corner != 0, up = i % 2 == 0 ? corner == 2 : corner != 1;
      const double x = (double)(i / 2 % side + right) / (double)side * 2.0 - 1.0;
      const double y = (double)(i / 2 / side + up) / (double)side * 2.0 - 1.0;
      double *position = m.positions + 9 * i + 3 * corner;
      position[0] = x;
      position[1] = y;
      position[2] = 0.02 * sin(9.0 * x + 4.0 * y);
    }
  }
  for (size_t i = 0; i < slivers; i++) {
    const double y = random_unit(&seed), z = 0.02 * random_unit(&seed);
    const double corners[9] = {-1.1, y, z, 1.1, y + 1e-4, z, 1.1, y, z + 1e-4};
    memcpy(m.positions + 9 * (count + i), corners, sizeof corners);
  }
  return m;
}

TEST(test_slivers_across_a_cloth) {
  const size_t side = test_sanitized(40, test_scaled(120, 60)), count = 2 * side * side;
  const size_t slivers = count / 28 < 1000 ? count / 28 : 1000;
  const graze_method_def method = method_of(64, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  host_device_configure(&plain);
  OWNED(mesh) with = cloth_with_slivers(side, slivers);
  const mesh without = first_triangles(&with, count);
  const graze_counters few = cluster_counters_of(&without, &method), more = cluster_counters_of(&with, &method);
  print_message("%zu slivers across %zu: %llu box tests, without them %llu\n", slivers, count,
                (unsigned long long)more.box_tests, (unsigned long long)few.box_tests);
  assert_true(more.pairs > 10 * slivers);
  assert_true(more.box_tests < few.box_tests + few.box_tests / 4 + slivers * count / 5);
}

/* Less than a sixteenth of any sizes is huge, and sums of sides do not depend on their order. */
TEST(test_few_are_huge) {
  enum { COUNT = 4096 };
  uint64_t seed = 6;
  uint32_t units[COUNT];
  device_totals totals;
  cluster_view view;
  memset(&view, 0, sizeof view);
  view.pairs.lists.totals = &totals;
  view.centers.count = 2;
  for (int scene = 0; scene < 40; scene++) {
    memset(&totals, 0, sizeof totals);
    totals.entry_count = COUNT;
    for (uint32_t i = 0; i < COUNT; i++) {
      const bool large = sequence_below(&seed, 100) < (uint64_t)scene;
      units[i] = side_units((float)(large ? 2.0 : pow(10.0, -0.5 * scene)));
      assert_true(units[i] > 0);
      totals.tally[TALLY_SIDES][i % TALLY_SLOTS] += units[i];
    }
    const uint64_t limit = huge_limit_of(&view);
    uint32_t huge = 0;
    for (uint32_t i = 0; i < COUNT; i++) huge += units[i] > limit ? 1u : 0u;
    assert_true(16 * huge < COUNT);
    if (scene == 5) assert_true(huge > 0);
  }
  view.centers.count = 1;
  assert_true(huge_limit_of(&view) == UINT64_MAX);
  assert_true((uint64_t)side_units(HUGE_VALF) * 32 < UINT32_MAX && side_units(NAN) == side_units(HUGE_VALF));
  assert_true(side_units(0.0f) == 1 && side_units(1e-30f) == 1 && side_units(3.9f) < side_units(4.0f));
}

/* ---------------------------------------------------------------------------------------------- the same pairs */

static void compare_scene(const char *name, const mesh *meshes, size_t mesh_count, const graze_method_def *method,
                          const host_device_settings *settings, int frames) {
  static const graze_scope scopes[] = {GRAZE_SCOPE_BOTH, GRAZE_SCOPE_BETWEEN, GRAZE_SCOPE_WITHIN};
  host_device_configure(settings);
  graze_scene *judge = reference_scene(meshes, mesh_count), *scene = device_frames_scene(meshes, mesh_count);
  choose(scene, method);
  for (int frame = 0; frame < frames; frame++) {
    if (frame > 0) device_frame_change(judge, scene, meshes, mesh_count, frame);
    for (int kind = 0; kind < 4; kind++) {
      const graze_query query = device_frame_query(scopes[(frame + kind) % 3], kind, false);
      compare_query(judge, scene, &query, name);
    }
  }
  graze_scene_destroy(judge);
  graze_scene_destroy(scene);
  assert_int_equal(host_device_count().bytes, 0);
}

/* Every number of clusters, axis, distance and order of indices, with room enough and without, in turn. */
static void compare_in_turn(const char *name, const mesh *meshes, size_t mesh_count, uint32_t turn, int frames) {
  static const uint32_t numbers[] = {0, 2, 5, 16, 33, 64};
  const graze_method_def method = method_of(numbers[turn % 6], (graze_axis)(turn % 4), (graze_metric)(turn / 2 % 3));
  const host_device_settings settings = {.order = (index_order)(turn % INDEX_ORDER_COUNT),
                                         .first_capacity = turn % 3 == 0 ? 3 : 0};
  compare_scene(name, meshes, mesh_count, &method, &settings, frames);
}

/* Points, slivers, level, upright and tilted ones a million times as large as the others. */
TEST(test_ratios_of_a_million) {
  const size_t count = test_scaled(1200, 400), huge = count / 20;
  for (uint32_t turn = 0; turn < 12; turn++) {
    uint64_t seed = 20 + turn;
    mesh m = small_triangles(count, huge, turn % 2 == 0 ? 1e-6 : 0.02, seed);
    for (size_t i = 0; i < huge; i++) {
      const double center[3] = {0.5 * random_unit(&seed), 0.5 * random_unit(&seed), 0.5 * random_unit(&seed)};
      const double sizes[5][3] = {{2, 2, 0}, {2, 1e-6, 1e-6}, {0, 2, 2}, {2, 2, 2}, {1e-3, 1e-3, 2}};
      put_triangle(&m, (i * 16) % (count + huge), center, sizes[i % 5], &seed); /* among the others */
    }
    compare_in_turn("ratios of a million", &m, 1, turn, 2);
    mesh_free(&m);
  }
}

/* All in one point, all in one plane, and these with huge ones in the plane and through the point. */
TEST(test_one_point_and_one_plane) {
  const size_t count = test_sanitized(150, test_scaled(800, 300));
  for (uint32_t turn = 0; turn < 12; turn++) {
    const size_t huge = turn % 2 == 0 ? 0 : count / 40;
    uint64_t seed = 40 + turn;
    OWNED(mesh) m = small_triangles(count, huge, 0.03, seed);
    const double nowhere[3] = {0, 0, 0}, wide[3] = {3, 3, 3};
    for (size_t i = 0; i < huge; i++) put_triangle(&m, count + i, nowhere, wide, &seed);
    const size_t flat = turn < 6 ? 3 * (count + huge) : 3 * count;
    for (size_t i = 0; i < flat; i++) {
      double *p = m.positions + 3 * i;
      if (turn < 6)
        p[2] = turn % 3 == 0 ? 0.125 : p[0] + p[1];
      else
        p[0] = p[1] = p[2] = 0.5;
    }
    compare_in_turn(turn < 6 ? "one plane" : "one point", &m, 1, turn, 1);
  }
}

/* Objects of huge primitives alone, of small ones alone and of both, that move and deform: the state goes on. */
TEST(test_frames) {
  const size_t count = test_sanitized(150, test_scaled(900, 300)), huge = count / 30;
  for (uint32_t turn = 0; turn < 6; turn++) {
    uint64_t seed = 60 + turn;
    mesh objects[3] = {small_triangles(count, huge, 0.05, seed), loose_triangles(huge),
                       small_triangles(count, 0, 0.05, 9)};
    for (size_t i = 0; i < huge; i++) {
      const double center[3] = {0, random_unit(&seed), random_unit(&seed)};
      const double sizes[3] = {2, 1e-3, 1e-3};
      put_triangle(&objects[0], count + i, center, sizes, &seed);
      put_level(&objects[1], i, random_unit(&seed));
    }
    compare_in_turn("frames", objects, 3, turn, 8);
    for (int i = 0; i < 3; i++) mesh_free(&objects[i]);
  }
}

/* A floor that sinks through small ones and comes to lie under them: what is counted follows it in each frame. */
TEST(test_work_follows_frames) {
  enum { FRAMES = 6 };
  const size_t small = test_scaled(6000, 3000), huge = small / 60;
  const graze_method_def method = method_of(27, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  const graze_query query = graze_query_default();
  mesh objects[2] = {small_triangles(small, 0, 0.02, 7), loose_triangles(huge)};
  for (size_t i = 0; i < huge; i++) put_level(&objects[1], i, 0.001 * (double)i);
  host_device_configure(&plain);
  graze_scene *judge = reference_scene(objects, 2), *scene = device_frames_scene(objects, 2);
  choose(scene, &method);
  uint64_t tests[FRAMES];
  for (int frame = 0; frame < FRAMES; frame++) {
    const double straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, shift[3] = {0, 0, -0.3 * frame};
    for (int which = 0; which < 2; which++) {
      graze_scene *moved = which == 0 ? judge : scene;
      assert_ok(pose_object(moved, (graze_object){1, 1}, straight, shift));
      if (frame % 2 == 1) device_frame_deform(moved, 0, &objects[0], (uint64_t)frame);
      assert_ok(graze_scene_update(moved));
    }
    tests[frame] = compare_query(judge, scene, &query, "a floor that sinks").box_tests;
    print_message("frame %d: %llu box tests\n", frame, (unsigned long long)tests[frame]);
  }
  assert_true(tests[FRAMES - 1] + huge * small / 8 < tests[0]); /* under all others */
  graze_scene_destroy(judge);
  graze_scene_destroy(scene);
  for (int i = 0; i < 2; i++) mesh_free(&objects[i]);
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

/* Tests scenes whose spread changes from frame to frame: parts move far away and return, grow, shrink, become one
 * point. A map of an earlier frame may still be in use (on a device) or be chosen again: the pairs of every frame equal
 * those of the reference, and no frame takes many more box tests than a new scene.
 *
 * Workload: one scene of 400 triangles through about 40 frames, against the reference; 20,000 triangles through pairs
 * of frames that a map does not survive. */
#include "posed_object.h"
#include "scene_runner.h"
#include "spread_soup.h"
#include "test_scale.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- frames */

typedef enum frame_name {
  CUBE,
  ONE_AT_1E9,
  ONE_AT_1E30,
  ONE_AT_1E300,
  ONE_AT_LARGEST,
  CUBE_MOVED,
  CUBE_GROWN,
  CUBE_SHRUNK,
  CUBE_SHRUNK_FAR,
  CLUMP,
  HALVES_1E9,
  HALVES_2E9,
  HALVES_1E300,
  SPREAD_1E9,
  SPREAD_1E300,
  TINY_INSIDE_HUGE,
  SUBNORMAL,
  SUBNORMAL_AND_FAR,
  ONE_POINT,
  FRAME_COUNT
} frame_name;

static const char *const frame_words[FRAME_COUNT] = {"cube",
                                                     "one at 1e9",
                                                     "one at 1e30",
                                                     "one at 1e300",
                                                     "one at the largest double",
                                                     "one at 1e9, cube moved",
                                                     "one at 1e9, cube grown",
                                                     "one at 1e9, cube shrunk",
                                                     "one at 1e9, cube shrunk far",
                                                     "one at 1e9, a clump in the cube",
                                                     "halves 1e9 apart",
                                                     "halves 2e9 apart",
                                                     "halves 1e300 apart",
                                                     "outliers up to 1e9",
                                                     "outliers up to 1e300",
                                                     "tiny inside huge",
                                                     "subnormal",
                                                     "subnormal and far",
                                                     "one point"};

static void one_and_cube(soup *s, size_t count, double edge, double at, double place, double size) {
  soup_add(s, at, at, -at, 1);
  soup_add_cube(s, count - 1, place, place, place, size, edge);
}

static void halves(soup *s, size_t count, double edge, double at, double size) {
  soup_add_cube(s, count / 2, 0, 0, 0, 1, edge);
  soup_add_cube(s, count - count / 2, at, 0.25 * at, -at, size, edge);
}

static void spread(soup *s, size_t count, double edge, double far) {
  soup_add_cube(s, count - count / 10, 0, 0, 0, 1, edge);
  for (size_t i = 0; i < count / 10; i++)
    soup_add(s, far * (soup_random(s) - 0.5), far * (soup_random(s) - 0.5), far * (soup_random(s) - 0.5), 1e-3 * far);
}

static void clump(soup *s, size_t count, double edge) {
  soup_add_cube(s, count / 4, 0.5, 0.5, 0.5, 1e-6, edge);
  one_and_cube(s, count - count / 4, edge, 1e9, 0, 1);
}

/* Always the same number of triangles. */
static void make_frame(soup *s, frame_name frame, size_t count, double edge) {
  soup_clear(s);
  switch (frame) {
  case CUBE:
    soup_add_cube(s, count, 0, 0, 0, 1, edge);
    break;
  case ONE_AT_1E9:
    one_and_cube(s, count, edge, 1e9, 0, 1);
    break;
  case ONE_AT_1E30:
    one_and_cube(s, count, edge, 1e30, 0, 1);
    break;
  case ONE_AT_1E300:
    one_and_cube(s, count, edge, 1e300, 0, 1);
    break;
  case ONE_AT_LARGEST:
    one_and_cube(s, count, edge, DBL_MAX, 0, 1);
    break;
  case CUBE_MOVED:
    one_and_cube(s, count, edge, 1e9, 5, 1);
    break;
  case CUBE_GROWN:
    one_and_cube(s, count, edge, 1e9, -2, 5);
    break;
  case CUBE_SHRUNK:
    one_and_cube(s, count, edge, 1e9, 0.5, 1e-4);
    break;
  case CUBE_SHRUNK_FAR:
    one_and_cube(s, count, edge, 1e9, 0.5, 1e-12);
    break;
  case CLUMP:
    clump(s, count, edge);
    break;
  case HALVES_1E9:
    halves(s, count, edge, 1e9, 1);
    break;
  case HALVES_2E9:
    halves(s, count, edge, 2e9, 1);
    break;
  case HALVES_1E300:
    halves(s, count, edge, 1e300, 1e290);
    break;
  case SPREAD_1E9:
    spread(s, count, edge, 1e9);
    break;
  case SPREAD_1E300:
    spread(s, count, edge, 1e300);
    break;
  case TINY_INSIDE_HUGE:
    soup_add_cube(s, count / 2, 0, 0, 0, 1e-6, edge);
    soup_add_cube(s, count - count / 2, -5e8, -5e8, -5e8, 1e9, edge);
    break;
  case SUBNORMAL:
    soup_add_cube(s, count, 0, 0, 0, 1e-310, edge);
    break;
  case SUBNORMAL_AND_FAR:
    one_and_cube(s, count, edge, 1, 0, 1e-310);
    break;
  case ONE_POINT:
    for (size_t i = 0; i < count; i++) soup_add(s, 3, 3, 3, 0);
    break;
  case FRAME_COUNT:
    break;
  }
}

/* ---------------------------------------------------------------------------------------------- asking */

static const running_variant grid = {
    .method = "grid", .simd = GRAZE_SIMD_AUTO, .worker_count = 2, .threading = GRAZE_THREADING_PTHREADS};

static const graze_object only = {0, 1};

static graze_query query_of_all(void) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BOTH;
  return query;
}

static graze_result move_to(graze_scene *scene, const soup *s) {
  const graze_view all = {s->mesh.positions, s->mesh.vertex_count, 3 * sizeof(double), GRAZE_FORMAT_DOUBLE3};
  return graze_object_set_positions(scene, only, 0, all);
}

static void compare_with_reference(const graze_scene *scene, const soup *s, const char *name) {
  const running_variant reference = running_variant_reference();
  const graze_query query = query_of_all();
  OWNED_SCENE *fresh = runner_scene(&reference, &s->mesh, 1, NULL);
  OWNED(pair_answer) wanted = runner_find(fresh, &query), found = runner_find(scene, &query);
  runner_compare(&wanted, &found, name, "as a later frame");
}

static uint64_t box_tests_of(const graze_scene *scene) {
  const graze_query query = query_of_all();
  OWNED(pair_answer) answer = runner_find(scene, &query);
  return answer.counters.box_tests;
}

static uint64_t box_tests_rebuilt(const soup *s) {
  OWNED_SCENE *fresh = runner_scene(&grid, &s->mesh, 1, NULL);
  const uint64_t tests = box_tests_of(fresh);
  return tests;
}

/* ---------------------------------------------------------------------------------------------- tests */

/* Each frame after three different ones. */
TEST(pairs_do_not_depend_on_the_frames_before) {
  static const size_t strides[] = {1, 7, 16};
  const size_t count = test_scaled(400, 160);
  OWNED_BY(soup_free) soup s = soup_make(count, 3);
  make_frame(&s, CUBE, count, 0.15);
  OWNED_SCENE *scene = runner_scene(&grid, &s.mesh, 1, NULL);
  for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
    for (size_t k = 0; k < FRAME_COUNT; k++) {
      const frame_name frame = (frame_name)(k * strides[i] % FRAME_COUNT);
      make_frame(&s, frame, count, 0.15);
      assert_ok(move_to(scene, &s));
      assert_ok(graze_scene_update(scene));
      compare_with_reference(scene, &s, frame_words[frame]);
    }
}

/* A frame that is refused leaves the next ones as they were. */
TEST(refused_frames_change_nothing) {
  const size_t count = 200;
  static const frame_name frames[] = {ONE_AT_LARGEST, HALVES_1E300, ONE_AT_LARGEST};
  OWNED_BY(soup_free) soup s = soup_make(count, 3);
  make_frame(&s, ONE_AT_1E9, count, 0.15);
  OWNED_SCENE *scene = runner_scene(&grid, &s.mesh, 1, NULL);
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
    make_frame(&s, frames[i], count, 0.15);
    const double right = s.mesh.positions[4];
    s.mesh.positions[4] = NAN;
    assert_int_equal(move_to(scene, &s), GRAZE_NOT_FINITE);
    s.mesh.positions[4] = right;
    assert_ok(move_to(scene, &s));
    /* A pose that carries the far part beyond all doubles. */
    const double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, far[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, none[3] = {0, 0, 0};
    assert_ok(pose_object(scene, only, turn, far));
    assert_int_equal(graze_scene_update(scene), GRAZE_NOT_FINITE);
    assert_ok(pose_object(scene, only, turn, none));
    assert_ok(graze_scene_update(scene));
    compare_with_reference(scene, &s, frame_words[frames[i]]);
  }
}

static void check_effort(const graze_scene *scene, const soup *s, const char *before, const char *now) {
  const uint64_t tests = box_tests_of(scene), rebuilt = box_tests_rebuilt(s), slack = 20 * s->mesh.triangle_count;
  if (tests > 2 * rebuilt + slack)
    fail_msg("%s, after %s: %llu box tests, rebuilt %llu", now, before, (unsigned long long)tests,
             (unsigned long long)rebuilt);
}

/* A map that no longer fits is chosen anew: it would put most of the scene into a few cells. */
TEST(bad_maps_are_not_kept) {
  static const frame_name changes[][2] = {
      {ONE_AT_1E9, CUBE_MOVED},   {ONE_AT_1E9, CUBE_GROWN},        {ONE_AT_1E9, CUBE_SHRUNK},
      {CUBE_SHRUNK, ONE_AT_1E9},  {ONE_AT_1E9, CUBE_SHRUNK_FAR},   {CUBE_SHRUNK_FAR, CUBE_GROWN},
      {ONE_AT_1E9, CLUMP},        {HALVES_1E9, HALVES_2E9},        {HALVES_1E9, ONE_AT_1E300},
      {ONE_AT_1E300, HALVES_1E9}, {SPREAD_1E9, SPREAD_1E300},      {SPREAD_1E300, SPREAD_1E9},
      {ONE_AT_1E9, CUBE},         {HALVES_1E300, TINY_INSIDE_HUGE}};
  const size_t count = test_scaled(20000, 8000);
  OWNED_BY(soup_free) soup s = soup_make(count, 3);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    make_frame(&s, changes[i][0], count, 0.03);
    OWNED_SCENE *scene = runner_scene(&grid, &s.mesh, 1, NULL);
    make_frame(&s, changes[i][1], count, 0.03);
    assert_ok(move_to(scene, &s));
    assert_ok(graze_scene_update(scene));
    check_effort(scene, &s, frame_words[changes[i][0]], frame_words[changes[i][1]]);
  }
}

/* No single step is large. */
TEST(bad_maps_are_not_crept_into) {
  static const double growths[] = {1.2, 0.5};
  const size_t count = test_scaled(20000, 8000);
  OWNED_BY(soup_free) soup s = soup_make(count, 3);
  for (size_t i = 0; i < sizeof growths / sizeof *growths; i++) {
    make_frame(&s, ONE_AT_1E9, count, 0.03);
    OWNED_SCENE *scene = runner_scene(&grid, &s.mesh, 1, NULL);
    for (int frame = 0; frame < 16; frame++) {
      for (size_t k = 9; k < 3 * s.mesh.vertex_count; k++) s.mesh.positions[k] *= growths[i];
      assert_ok(move_to(scene, &s));
      assert_ok(graze_scene_update(scene));
      if (frame % 3 == 0) check_effort(scene, &s, "small steps", growths[i] > 1.0 ? "growing" : "shrinking");
    }
  }
}

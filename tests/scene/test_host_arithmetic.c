/* Tests scenes on a host that flushes subnormals, uses another rounding mode or traps: every answer equals that of
 * default arithmetic bit by bit, with every threading, and the host's mode is restored. The same for calls without a
 * scene.
 *
 * The pairs are chosen so that the exact test gives other answers in those modes without the guard. */
#include "graze/convex.h"
#include "graze/triangle.h"
#include "testing.h"

#include "base/host_arithmetic.h"
#include "geometry/triangle_pair.h"
#include "scene_digest.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLAT_TRIANGLES = 40, HOST_WORKERS = 3 };

/* Triangles on one plane: up to rounding, of ordinary size; exactly, of a size whose products of three are normal
 * numbers with subnormal tails; up to rounding, with subnormal corners. */
static const struct soup_plane {
  double scale;
  bool exact;
} soup_planes[] = {{1.0, false}, {0x1p-299, true}, {0x1p-1040, false}};
enum { SOUPS = sizeof soup_planes / sizeof soup_planes[0] };

/* ---------------------------------------------------------------------------------------------- pairs on the edge */

static double next_number(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 14) * 0x1p-50;
}

static mesh flat_soup(int number) {
  static const double u[3] = {0.7, 0.3, 1.1}, v[3] = {-0.2, 0.9, 0.4};
  static const double exact_u[3] = {1.0, 0.0, 1.0}, exact_v[3] = {0.0, 1.0, 1.0};
  const bool exact = soup_planes[number].exact;
  mesh soup = torture_mesh(3 * FLAT_TRIANGLES, FLAT_TRIANGLES);
  uint64_t seed = 5;
  for (size_t i = 0; i < 3 * FLAT_TRIANGLES; i++) {
    const double s = 1.0 + next_number(&seed), t = 1.0 + next_number(&seed);
    for (int axis = 0; axis < 3; axis++)
      soup.positions[3 * i + axis] =
          (s * (exact ? exact_u : u)[axis] + t * (exact ? exact_v : v)[axis]) * soup_planes[number].scale;
    soup.triangles[i] = (uint32_t)i;
  }
  return soup;
}

static void triangle_at(const mesh *soup, size_t number, double corners_out[9]) {
  memcpy(corners_out, soup->positions + 9 * number, 9 * sizeof *corners_out);
}

/* How many pairs the exact test takes for meeting, with nothing around it. */
static __attribute__((noinline)) size_t count_unguarded(const mesh *soup) {
  size_t count = 0;
  for (size_t i = 0; i < FLAT_TRIANGLES; i++)
    for (size_t j = 0; j < i; j++) {
      double a[9], b[9];
      orientation_tally tally = {0};
      triangle_at(soup, i, a);
      triangle_at(soup, j, b);
      count += triangle_pair_intersects(a, b, &tally);
    }
  return count;
}

/* Traps would end the process. Where results are flushed and inputs are not, signs of this size happen to survive: what
 * is lost in one sum is lost in the other. */
static bool changes_signs(const host_arithmetic *arithmetic) {
  static const char *const others[] = {"trapped", "everything", "only results", "to nearest"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strstr(arithmetic->name, others[i]) != NULL) return false;
  return true;
}

TEST(the_pairs_are_on_the_edge) {
  mesh soups[SOUPS];
  for (int i = 0; i < SOUPS; i++) soups[i] = flat_soup(i);
  for (size_t i = 0; i < HOST_ARITHMETIC_COUNT; i++) {
    if (!changes_signs(&host_arithmetics[i])) continue;
    bool differs = false;
    for (int j = 0; j < SOUPS; j++) {
      const size_t right = count_unguarded(&soups[j]);
      host_arithmetic_choose(&host_arithmetics[i]);
      const size_t found = count_unguarded(&soups[j]);
      host_arithmetic_set(HOST_ARITHMETIC_NORMAL);
      differs = differs || right != found;
    }
    if (!differs) fail_msg("%s changes nothing", host_arithmetics[i].name);
  }
  for (int i = 0; i < SOUPS; i++) mesh_free(&soups[i]);
}

/* ---------------------------------------------------------------------------------------------- a host's threads */

typedef struct host_share {
  graze_task *task;
  void *context;
  const host_arithmetic *arithmetic;
  uint32_t count, worker;
} host_share;

static void *host_thread(void *argument) {
  const host_share *const share = argument;
  host_arithmetic_choose(share->arithmetic);
  for (uint32_t i = share->worker; i < share->count; i += HOST_WORKERS) share->task(share->context, i, share->worker);
  host_arithmetic_set(HOST_ARITHMETIC_NORMAL);
  return NULL;
}

static void host_run(void *context, graze_task *task, void *task_context, uint32_t count) {
  pthread_t threads[HOST_WORKERS];
  host_share shares[HOST_WORKERS];
  for (uint32_t i = 0; i < HOST_WORKERS; i++) {
    shares[i] = (host_share){task, task_context, context, count, i};
    if (pthread_create(&threads[i], NULL, host_thread, &shares[i]) != 0) abort();
  }
  for (uint32_t i = 0; i < HOST_WORKERS; i++) pthread_join(threads[i], NULL);
}

/* ---------------------------------------------------------------------------------------------- scenes */

static uint64_t digest_under(const host_arithmetic *arithmetic, running_variant variant, const mesh *meshes,
                             size_t mesh_count) {
  host_arithmetic given = *arithmetic;
  const graze_task_system tasks = {sizeof tasks, &given, HOST_WORKERS, host_run};
  if (variant.worker_count == 0) variant.tasks = &tasks;
  const uint32_t mine = host_arithmetic_choose(arithmetic);
  const uint64_t digest = scene_digest(&variant, meshes, mesh_count, GRAZE_TEST_SAT, NULL);
  const uint32_t after = host_arithmetic_now();
  host_arithmetic_set(HOST_ARITHMETIC_NORMAL);
  assert_int_equal(after, mine);
  return digest;
}

static void check_scene(const mesh *meshes, size_t mesh_count, const char *name) {
  static const running_variant variants[] = {
      {"grid", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
      {"grid", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
      {"tree", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
      {"brute", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_OPENMP, NULL, false},
      {"clusters 6", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
  };
  const uint64_t expected = scene_digest(&variants[0], meshes, mesh_count, GRAZE_TEST_SAT, NULL);
  for (size_t variant = 0; variant < sizeof variants / sizeof variants[0]; variant++) {
    if (!running_variant_available(&variants[variant])) continue;
    for (size_t i = test_sanitized(variant % 3, 0); i < HOST_ARITHMETIC_COUNT; i += test_sanitized(3, 1))
      if (digest_under(&host_arithmetics[i], variants[variant], meshes, mesh_count) != expected)
        fail_msg("%s, way %zu, %s: another answer", name, variant, host_arithmetics[i].name);
  }
}

TEST(scenes_answer_the_same) {
  for (int i = 0; i < SOUPS; i++) {
    OWNED(mesh) soup = flat_soup(i);
    char name[32];
    snprintf(name, sizeof name, "soup times %g", soup_planes[i].scale);
    check_scene(&soup, 1, name);
  }
  mesh kinds[8];
  const size_t kind_count = digest_kinds(20, kinds, sizeof kinds / sizeof kinds[0]);
  check_scene(kinds, kind_count, "kinds");
  for (size_t i = 0; i < kind_count; i++) mesh_free(&kinds[i]);
}

/* ---------------------------------------------------------------------------------------------- without a scene */

typedef struct pair_numbers {
  double triangle_distance, points[24], convex_distance, depth, normal[3];
  uint32_t common;
  bool meets, cells_meet, penetrates;
} pair_numbers;

/* Everything of triangle.h and convex.h about two triangles, which are cells of three corners too. */
static void ask_all(const double a[9], const double b[9], pair_numbers *numbers_out) {
  memset(numbers_out, 0, sizeof *numbers_out);
  double common[6][3] = {{0}}, nearest[4][3] = {{0}};
  numbers_out->meets = graze_triangles_intersect(a, b);
  numbers_out->common = graze_triangles_intersection(a, b, common);
  numbers_out->triangle_distance = graze_triangles_distance(a, b, nearest[0], nearest[1]);
  numbers_out->cells_meet = graze_convex_intersect(a, 3, b, 3);
  numbers_out->convex_distance = graze_convex_distance(a, 3, b, 3, nearest[2], nearest[3]);
  numbers_out->penetrates = graze_convex_penetration(a, 3, b, 3, numbers_out->normal, &numbers_out->depth);
  memcpy(numbers_out->points, nearest, sizeof nearest);
  for (uint32_t i = 0; i < numbers_out->common && i < 4; i++)
    memcpy(numbers_out->points + 12 + 3 * i, common[i], sizeof common[i]);
}

TEST(calls_without_a_scene) {
  mesh soups[SOUPS];
  for (int i = 0; i < SOUPS; i++) soups[i] = flat_soup(i);
  for (size_t mode = 0; mode < HOST_ARITHMETIC_COUNT; mode++)
    for (size_t i = 0; i < SOUPS * FLAT_TRIANGLES; i++) {
      double a[9], b[9];
      pair_numbers right, found;
      triangle_at(&soups[i % SOUPS], i / SOUPS, a);
      triangle_at(&soups[i % SOUPS], (i / SOUPS + 7) % FLAT_TRIANGLES, b);
      ask_all(a, b, &right);
      const uint32_t mine = host_arithmetic_choose(&host_arithmetics[mode]);
      ask_all(a, b, &found);
      const uint32_t after = host_arithmetic_now();
      host_arithmetic_set(HOST_ARITHMETIC_NORMAL);
      assert_int_equal(after, mine);
      if (memcmp(&right, &found, sizeof right) != 0) fail_msg("%s: pair %zu differs", host_arithmetics[mode].name, i);
    }
  for (int i = 0; i < SOUPS; i++) mesh_free(&soups[i]);
}

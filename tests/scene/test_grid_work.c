/* What the grid looks at to find its pairs: small primitives are lifted to the level of most, but for crowds of them,
 * and a query between objects meets no boxes of one object with each other. The pairs are those of the reference. */
#include "base/number_sequence.h"
#include "scene_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const running_variant one_worker = {.method = "grid", .worker_count = 1, .threading = GRAZE_THREADING_SERIAL};
static const running_variant three_workers = {
    .method = "grid", .hash = GRAZE_HASH_PRIMES, .worker_count = 3, .threading = GRAZE_THREADING_PTHREADS};

/* Triangles of random corners within `size` of their places, which lie in a cube of side `room` at `corner`. */
typedef struct scatter {
  size_t count;
  double size, room, corner;
} scatter;

static double in_unit(uint64_t *sequence) {
  return (double)(sequence_next(sequence) >> 11) * 0x1p-53;
}

static mesh scattered(const scatter *parts, size_t part_count, uint64_t seed) {
  mesh m = {0};
  for (size_t i = 0; i < part_count; i++) m.triangle_count += parts[i].count;
  m.polygon_count = m.triangle_count;
  m.vertex_count = 3 * m.triangle_count;
  m.positions = malloc(3 * m.vertex_count * sizeof *m.positions);
  m.triangles = malloc(m.vertex_count * sizeof *m.triangles);
  assert_true(m.positions != NULL && m.triangles != NULL);
  double *to = m.positions;
  for (size_t i = 0; i < part_count; i++)
    for (size_t j = 0; j < parts[i].count; j++) {
      double place[3];
      for (int axis = 0; axis < 3; axis++) place[axis] = parts[i].corner + parts[i].room * in_unit(&seed);
      for (int k = 0; k < 9; k++) *to++ = place[k % 3] + parts[i].size * in_unit(&seed);
    }
  for (size_t i = 0; i < m.vertex_count; i++) m.triangles[i] = (uint32_t)i;
  return m;
}

/* Asks by the reference and by the grid; the counters of the grid. */
static graze_counters ask(const mesh *meshes, size_t mesh_count, const graze_query *query, const char *name) {
  const running_variant variants[3] = {running_variant_reference(), one_worker, three_workers};
  pair_answer answers[3];
  for (int i = 0; i < 3; i++) {
    graze_scene *scene = runner_scene(&variants[i], meshes, mesh_count, NULL);
    answers[i] = runner_find(scene, query);
    graze_scene_destroy(scene);
    if (i > 0) runner_compare(&answers[0], &answers[i], name, "grid");
  }
  assert_true(answers[0].count > 0);
  assert_int_equal(answers[1].counters.levels, answers[2].counters.levels);
  const graze_counters counters = answers[1].counters;
  for (int i = 0; i < 3; i++) free(answers[i].pairs);
  return counters;
}

static graze_counters ask_within(const scatter *parts, size_t part_count, const char *name) {
  mesh m = scattered(parts, part_count, 1);
  const graze_query query = graze_query_default();
  const graze_counters counters = ask(&m, 1, &query, name);
  mesh_free(&m);
  return counters;
}

/* ---------------------------------------------------------------------------------------------- levels */

/* Of six sizes, each half of the last: as many levels, were it not for the floor. On both sides of the origin. */
static void test_few_small_are_lifted(void **state) {
  (void)state;
  const scatter parts[] = {{3000, 0.05, 1, -0.6}, {200, 0.025, 1, -0.6}, {100, 0.0125, 1, -0.6},
                           {100, 0.006, 1, -0.6}, {100, 0.003, 1, -0.6}, {100, 0.0015, 1, -0.6}};
  assert_true(ask_within(parts, 6, "few small").levels <= 2);
}

/* Many small ones in a place no larger than a cell: lifted, each would be compared with each. */
static void test_crowds_stay(void **state) {
  (void)state;
  const scatter parts[] = {{5000, 0.05, 1, -0.2}, {1500, 0.0005, 0.02, 0.5}};
  const graze_counters counters = ask_within(parts, 2, "a crowd");
  assert_true(counters.box_tests < 200000);
  assert_true(counters.levels >= 3);
}

/* ---------------------------------------------------------------------------------------------- sides */

/* Two thousand triangles in one place, each of which meets each, and few of another object among them; a third object
 * lies there too where there are three. */
static graze_counters ask_between(size_t mesh_count, const graze_query *query, const char *name) {
  const scatter many = {2000, 0.3, 0.1, 0}, few = {20, 0.25, 0.3, 0};
  mesh meshes[3] = {scattered(&many, 1, 2), scattered(&few, 1, 3), scattered(&many, 1, 4)};
  const graze_counters counters = ask(meshes, mesh_count, query, name);
  for (int i = 0; i < 3; i++) mesh_free(&meshes[i]);
  return counters;
}

static void test_two_objects_meet_each_other_alone(void **state) {
  (void)state;
  graze_query query = graze_query_default();
  query.scope = GRAZE_BETWEEN;
  assert_true(ask_between(2, &query, "two objects").box_tests < 200000);
}

static void test_one_object_meets_the_others_alone(void **state) {
  (void)state;
  graze_query query = graze_query_default();
  query.scope = GRAZE_BETWEEN;
  query.about_count = 1;
  query.about_a = (graze_object){1, 1};
  assert_true(ask_between(3, &query, "one against the others").box_tests < 400000);
}

/* Where pairs within the object are asked for too, there are no sides. */
static void test_one_object_with_itself_too(void **state) {
  (void)state;
  graze_query query = graze_query_default();
  query.about_count = 1;
  query.about_a = (graze_object){1, 1};
  ask_between(3, &query, "one against all");
}

/* Levels so low that several cells share a key: too crowded to be lifted, too few for a map of the axes. */
static void test_sides_of_tiny_cells(void **state) {
  (void)state;
  const scatter parts[] = {{100, 0x1p-21, 0x1p-19, 0.5}, {2000, 0.05, 1, -0.4}};
  mesh meshes[2] = {scattered(parts, 2, 5), scattered(parts, 2, 6)};
  graze_query query = graze_query_default();
  query.scope = GRAZE_BETWEEN;
  ask(meshes, 2, &query, "tiny cells");
  for (int i = 0; i < 2; i++) mesh_free(&meshes[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_small_are_lifted),
                                     cmocka_unit_test(test_crowds_stay),
                                     cmocka_unit_test(test_two_objects_meet_each_other_alone),
                                     cmocka_unit_test(test_one_object_meets_the_others_alone),
                                     cmocka_unit_test(test_one_object_with_itself_too),
                                     cmocka_unit_test(test_sides_of_tiny_cells)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

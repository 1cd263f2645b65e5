/* What spheres cost that differ in size by hundreds of powers of two: work that is counted,
 * of three sizes, each twice the last. It grows as they do, where the answer does not grow faster. */
#include "scene_runner.h"
#include "sphere_scenes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 3 };

static const char *const methods[] = {"grid", "clusters", "tree"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static running_variant alone(const char *method) {
  return (running_variant){.method = method, .worker_count = 1, .threading = GRAZE_THREADING_SERIAL};
}

static uint64_t work_of(const graze_counters *counters) {
  return counters->box_tests + counters->candidates + counters->exact_decided + counters->wide_decided;
}

/* No sphere may cost more than `most`, and where one costs more than `little`, a doubling of them may cost three times
 * as much, not four. */
static void check_growth(const uint64_t work[SIZES], size_t fewest, uint64_t little, uint64_t most, const char *name,
                         const char *method) {
  print_message("%s, %s: %llu, %llu, %llu\n", name, method, (unsigned long long)work[0], (unsigned long long)work[1],
                (unsigned long long)work[2]);
  for (size_t i = 0; i < SIZES; i++)
    if (work[i] > most * (fewest << i))
      fail_msg("%s, %s: more than %llu a sphere", name, method, (unsigned long long)most);
  for (size_t i = 1; i < SIZES; i++)
    if (work[i] > little * (fewest << i) && work[i] > 3 * work[i - 1])
      fail_msg("%s, %s: work grows faster than spheres", name, method);
}

/* ---------------------------------------------------------------------------------------------- sizes */

enum { HALVINGS = 900, ROWS_FEWEST = 8 };

/* Rows of spheres of which each is half as large as the one before it, and so near to a plane: `place` radii. Rows are
 * apart by 3. */
static mesh halving_rows(size_t rows, double place) {
  mesh m = sphere_mesh(rows * HALVINGS);
  for (size_t i = 0; i < m.vertex_count; i++) {
    m.radii[i] = ldexp(1.0, -(int)(i % HALVINGS));
    m.positions[3 * i] = place * m.radii[i];
    m.positions[3 * i + 1] = 3.0 * (double)(i / HALVINGS);
  }
  return m;
}

static pair_answer ask_rows(const char *method, size_t rows, double place) {
  mesh m = halving_rows(rows, place);
  const running_variant variant = alone(method);
  graze_scene *scene = runner_scene(&variant, &m, 1, NULL);
  const graze_query query = graze_query_default();
  const pair_answer answer = runner_find(scene, &query);
  graze_scene_destroy(scene);
  mesh_free(&m);
  return answer;
}

/* Spheres of one row may meet as boxes, all of them where the coordinates of most are too small to be told apart;
 * those of two rows do not. None is in a pair, and doubles see it. */
static void test_rows_of_all_sizes(void **state) {
  (void)state;
  for (size_t i = 0; i < METHODS; i++) {
    uint64_t work[SIZES];
    for (size_t size = 0; size < SIZES; size++) {
      const pair_answer answer = ask_rows(methods[i], (size_t)ROWS_FEWEST << size, 4.0);
      assert_int_equal(answer.count, 0);
      assert_int_equal(answer.counters.exact_decided + answer.counters.wide_decided, 0);
      assert_true(answer.counters.candidates <= (uint64_t)HALVINGS / 2 * HALVINGS * ROWS_FEWEST << size);
      work[size] = work_of(&answer.counters);
      free(answer.pairs);
    }
    /* The overlaps of clusters along their one axis depend on how the scene is bent. */
    const uint64_t little = strcmp(methods[i], "clusters") == 0 ? 4 * HALVINGS : HALVINGS / 4;
    check_growth(work, (size_t)ROWS_FEWEST * HALVINGS, little, 4 * HALVINGS, "all sizes", methods[i]);
  }
}

/* The same where each touches the next in one point. */
static void test_touching_rows_of_all_sizes(void **state) {
  (void)state;
  for (size_t i = 0; i < METHODS; i++)
    for (size_t rows = 1; rows <= 9; rows += 4) {
      const pair_answer answer = ask_rows(methods[i], rows, 3.0);
      assert_int_equal(answer.count, rows * (HALVINGS - 1));
      for (size_t k = 0; k < answer.count; k++)
        assert_int_equal(answer.pairs[k].primitive_b, answer.pairs[k].primitive_a + 1);
      free(answer.pairs);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_of_all_sizes),
      cmocka_unit_test(test_touching_rows_of_all_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests how the work of each method grows with the number of primitives: box tests, counted at n and three doublings
 * later.
 *
 * Times depend on the machine; counts do not. Every family has at most about as many pairs as primitives, so a
 * quadratic search grows by a factor of four per doubling. Cells of the grid are powers of two: three doublings of a
 * family that fills space, and two of a surface, give equally full cells. A new family is a row below. */
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 5000, DOUBLINGS = 3 };

/* Twice the primitives may take so many times the work, on average over the doublings. */
static const double most_growth = 2.6;

/* The work and the result of a search. */
typedef struct work {
  double count;
  uint64_t hash;
} work;

typedef struct family {
  const char *name;   /* of a model, for work_of_models */
  const char *second; /* model of a second object of as many primitives; or NULL */
  work (*measure)(const struct family *of, const char *method, uint64_t primitives);
  double most_growth;   /* 0: the usual */
  const char *left_out; /* methods whose work grows faster by their nature: see the reason beside the row */
} family;

/* A look at each primitive, and the box tests beyond those that found a pair. */
static work work_of_answer(const pair_answer *answer) {
  const graze_counters *c = &answer->counters;
  return (work){(double)c->primitives + (double)(c->box_tests > c->pairs ? c->box_tests - c->pairs : 0), answer->hash};
}

static work work_of_models(const family *of, const char *method, uint64_t primitives) {
  const running_variant variant = {.method = method, .worker_count = 1, .threading = GRAZE_THREADING_SERIAL};
  const char *names[2] = {of->name, of->second};
  const size_t name_count = of->second == NULL ? 1 : 2;
  mesh all[16];
  size_t count = 0;
  for (size_t i = 0; i < name_count; i++) {
    OWNED_MEMORY mesh *meshes;
    size_t mesh_count;
    torture_model(names[i], primitives / name_count, 1, &meshes, &mesh_count);
    assert_true(count + mesh_count <= sizeof all / sizeof all[0]);
    memcpy(all + count, meshes, mesh_count * sizeof *meshes);
    count += mesh_count;
  }
  graze_scene *scene = runner_scene(&variant, all, count, NULL);
  const graze_query query = graze_query_default();
  pair_answer answer = runner_find(scene, &query);
  const work done = work_of_answer(&answer);
  free(answer.pairs);
  graze_scene_destroy(scene);
  for (size_t i = 0; i < count; i++) mesh_free(&all[i]);
  return done;
}

/* Clusters sweep along one axis each, and begin with a number of them that no longer grows past 64; it adapts from
 * frame to frame alone. What fills two or three dimensions then grows by more in a first frame. */
static const family families[] = {
    {"bristles", NULL, work_of_models, 0, ""},
    /* Of needles along three axes a block meets all that share an interval of an axis with it, and blocks of n needles
     * are 1 / sqrt(n) wide: n^1.5, for trees too. Along any axis a third of them overlaps all others. */
    {"rebar", NULL, work_of_models, 2.9, "clusters"},
    {"plates", NULL, work_of_models, 0, ""},
    {"thread", NULL, work_of_models, 0, ""},
    {"blob", NULL, work_of_models, 0, "clusters"},
    {"cloth", NULL, work_of_models, 0, "clusters"},
    {"soup", NULL, work_of_models, 0, "clusters"},
    {"mix", NULL, work_of_models, 0, "clusters"},
    /* A triangle of the soup has n^(1/3) bristles near it: n^(4/3). */
    {"soup", "bristles", work_of_models, 0, "clusters"},
    {"thread", "plates", work_of_models, 0, "clusters"},
};

static const char *const methods[] = {"auto", "grid", "tree", "clusters"};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

static double growth_allowed(const family *of) {
  return of->most_growth > 0 ? of->most_growth : most_growth;
}

static bool is_left_out(const family *of, const char *method) {
  return strstr(of->left_out, method) != NULL;
}

/* The growth a doubling. The list of pairs must be that of the methods before, whose hashes are given; 0 for none. */
static double growth_of(const family *of, const char *method, uint64_t hashes[2]) {
  double counts[2];
  for (int i = 0; i < 2; i++) {
    const work done = of->measure(of, method, (uint64_t)FEWEST << (i * DOUBLINGS));
    if (hashes[i] == 0) hashes[i] = done.hash;
    assert_int_equal(hashes[i], done.hash);
    counts[i] = done.count;
  }
  return pow(counts[1] / counts[0], 1.0 / DOUBLINGS);
}

TEST(work_does_not_grow_with_the_square) {
  if (test_scale() < 1.0) skip(); /* sanitizers count the same */
  int failures = 0;
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
    const family *of = &families[i];
    uint64_t hashes[2] = {0};
    for (size_t m = 0; m < METHOD_COUNT; m++) {
      if (is_left_out(of, methods[m])) continue;
      const double growth = growth_of(of, methods[m], hashes);
      if (growth <= growth_allowed(of)) continue;
      print_error("%s %s by %s: %.2f times the work for twice the primitives\n", of->name,
                  of->second != NULL ? of->second : "", methods[m], growth);
      failures++;
    }
  }
  assert_int_equal(failures, 0);
}

/* Tests the work for spheres that crowd in one place, or whose sizes differ by hundreds of powers of two: counted work
 * at three sizes, each twice the last. It grows linearly unless the answer grows faster. */
#include "base/number_sequence.h"
#include "scene_runner.h"
#include "sphere_scenes.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 3, FEWEST = 2000 };

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

/* ---------------------------------------------------------------------------------------------- crowds */

/* Objects of `count` spheres of radius 1 around the origin, each `spread` off it at most. */
static void make_crowds(mesh *meshes, size_t mesh_count, size_t count, double spread) {
  uint64_t seed = 1;
  for (size_t i = 0; i < mesh_count; i++) {
    meshes[i] = sphere_mesh(count);
    for (size_t k = 0; k < 3 * count; k++)
      meshes[i].positions[k] = spread * 0.001 * ((double)sequence_below(&seed, 2001) - 1000.0);
    for (size_t k = 0; k < count; k++) meshes[i].radii[k] = 1.0;
  }
}

/* The objects also touch at another place, where few of their spheres lie and which the grid visits first: what was
 * found there must be known in the crowd. */
static void move_some_away(const mesh *meshes, size_t mesh_count) {
  for (size_t i = 0; i < mesh_count; i++)
    for (size_t k = 0; k < 3 * 100; k++) meshes[i].positions[k] -= 8.0;
}

/* Asks a crowd, and says what it has cost. */
typedef graze_counters crowd_question(const graze_scene *scene, graze_scope scope, size_t mesh_count);

static graze_counters ask_objects(const graze_scene *scene, graze_scope scope, size_t mesh_count) {
  graze_query query = graze_query_default();
  query.scope = scope;
  OWNED(graze_object_pairs) found = find_object_pairs(scene, &query);
  assert_int_equal(found.count, mesh_count * (mesh_count - 1) / 2 + (scope == GRAZE_SCOPE_BOTH ? mesh_count : 0));
  const graze_counters counters = *found.counters;
  return counters;
}

static graze_counters ask_any(const graze_scene *scene, graze_scope scope, size_t mesh_count) {
  (void)mesh_count;
  graze_query query = graze_query_default();
  query.scope = scope;
  OWNED(graze_pairs) pairs = {0};
  bool found;
  assert_ok(graze_scene_any_pair(scene, &query, &found, &pairs));
  assert_true(found);
  const graze_counters counters = *pairs.counters;
  return counters;
}

static graze_counters ask_some(const graze_scene *scene, graze_scope scope, size_t mesh_count) {
  (void)mesh_count;
  graze_query query = graze_query_default();
  query.scope = scope;
  query.stop_after = 10;
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  assert_int_equal(pairs.count, 10);
  const graze_counters counters = *pairs.counters;
  return counters;
}

static void check_crowds(crowd_question *ask, const char *name) {
  enum { MESHES_MOST = 3 };
  static const double spreads[] = {0.0, 0.2};
  for (size_t way = 0; way < METHODS * 8; way++) {
    const char *method = methods[way / 8];
    const size_t mesh_count = way % 2 == 0 ? 2 : MESHES_MOST;
    const graze_scope scope = way / 2 % 2 == 0 ? GRAZE_SCOPE_BOTH : GRAZE_SCOPE_BETWEEN;
    uint64_t work[SIZES];
    for (size_t size = 0; size < SIZES; size++) {
      mesh crowds[MESHES_MOST];
      make_crowds(crowds, mesh_count, (size_t)FEWEST << size, spreads[way / 4 % 2]);
      if (way / 4 % 2 == 1) move_some_away(crowds, mesh_count);
      const running_variant variant = alone(method);
      graze_scene *scene = runner_scene(&variant, crowds, mesh_count, NULL);
      const graze_counters counters = ask(scene, scope, mesh_count);
      work[size] = work_of(&counters);
      graze_scene_destroy(scene);
      for (size_t i = 0; i < mesh_count; i++) mesh_free(&crowds[i]);
    }
    check_growth(work, mesh_count * FEWEST, 128, 256, name, method);
  }
}

/* For objects in one place, one pair of primitives per pair of objects shows that they touch. */
TEST(test_objects_in_one_place) {
  check_crowds(ask_objects, "objects");
}

TEST(test_any_pair_in_one_place) {
  check_crowds(ask_any, "any pair");
}

TEST(test_some_pairs_in_one_place) {
  check_crowds(ask_some, "ten pairs");
}

/* ---------------------------------------------------------------------------------------------- agreement of crowds */

enum { SWARM = 14, SWARM_SPHERES = 400 };

/* Objects whose boxes all meet some others, of which some touch and some do not, large and small, in cells so full that
 * the search uses what it knows of objects. */
static void make_swarm(mesh meshes[SWARM], uint64_t seed) {
  make_crowds(meshes, SWARM, SWARM_SPHERES, 0.02);
  for (size_t i = 0; i < SWARM; i++) {
    const double size = i % 4 == 3 ? 0.25 : 1.0;
    double center[3];
    for (int axis = 0; axis < 3; axis++) center[axis] = 0.0024 * (double)sequence_below(&seed, 1001);
    for (size_t k = 0; k < 3 * SWARM_SPHERES; k++) meshes[i].positions[k] += center[k % 3];
    for (size_t k = 0; k < SWARM_SPHERES; k++) meshes[i].radii[k] *= size;
  }
}

static size_t find_objects(const running_variant *variant, const mesh *meshes, const object_filter *filters,
                           graze_scope scope, graze_object_pair pairs_out[SWARM * SWARM]) {
  OWNED_SCENE *scene = runner_scene(variant, meshes, SWARM, filters);
  graze_query query = graze_query_default();
  query.scope = scope;
  OWNED(graze_object_pairs) found = find_object_pairs(scene, &query);
  const size_t count = found.count;
  assert_true(count <= SWARM * SWARM);
  memcpy(pairs_out, found.pairs, count * sizeof *pairs_out);
  return count;
}

/* One pair of spheres per pair of objects, as in the reference. */
static size_t list_objects(const mesh *meshes, const object_filter *filters, graze_scope scope,
                           graze_object_pair pairs_out[SWARM * SWARM]) {
  const running_variant reference = running_variant_reference();
  OWNED_SCENE *scene = runner_scene(&reference, meshes, SWARM, filters);
  graze_query query = graze_query_default();
  query.scope = scope;
  const pair_answer all = runner_find(scene, &query);
  bool touch[SWARM][SWARM] = {{false}};
  for (size_t i = 0; i < all.count; i++) touch[all.pairs[i].object_a][all.pairs[i].object_b] = true;
  size_t count = 0;
  for (uint32_t a = 0; a < SWARM; a++)
    for (uint32_t b = a; b < SWARM; b++)
      if (touch[a][b]) pairs_out[count++] = (graze_object_pair){a, b};
  free(all.pairs);
  return count;
}

TEST(test_crowds_agree) {
  const running_variant variants[] = {
      {.method = "grid", .worker_count = 1, .threading = GRAZE_THREADING_SERIAL},
      {.method = "grid", .worker_count = 3, .threading = GRAZE_THREADING_PTHREADS},
      {.method = "clusters", .worker_count = 1, .threading = GRAZE_THREADING_SERIAL},
      {.method = "clusters 3", .worker_count = 3, .threading = GRAZE_THREADING_PTHREADS},
      {.method = "tree", .worker_count = 2, .threading = GRAZE_THREADING_PTHREADS},
  };
  size_t touching = 0, asked = 0;
  const uint64_t round_count = test_scaled(8, 2);
  for (uint64_t round = 0; round < round_count; round++) {
    mesh meshes[SWARM];
    make_swarm(meshes, round + 1);
    object_filter filters[SWARM];
    uint64_t seed = round + 7;
    for (size_t i = 0; i < SWARM; i++)
      filters[i] = (object_filter){UINT64_C(1) << sequence_below(&seed, 3), sequence_below(&seed, 8),
                                   sequence_below(&seed, 2) == 0};
    const object_filter *rules = round % 2 == 0 ? NULL : filters;
    const graze_scope scope = (graze_scope)(1 + round / 2 % 3);
    graze_object_pair wanted[SWARM * SWARM], found[SWARM * SWARM];
    const size_t count = list_objects(meshes, rules, scope, wanted);
    touching += count;
    asked += SWARM * (SWARM - 1) / 2;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
      assert_int_equal(find_objects(&variants[i], meshes, rules, scope, found), count);
      assert_memory_equal(found, wanted, count * sizeof *wanted);
    }
    for (size_t i = 0; i < SWARM; i++) mesh_free(&meshes[i]);
  }
  print_message("%zu of %zu pairs of objects touch\n", touching, asked);
  assert_true(touching > asked / 20 && touching < asked * 3 / 4);
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
  OWNED(mesh) m = halving_rows(rows, place);
  const running_variant variant = alone(method);
  OWNED_SCENE *scene = runner_scene(&variant, &m, 1, NULL);
  const graze_query query = graze_query_default();
  const pair_answer answer = runner_find(scene, &query);
  return answer;
}

/* Spheres of one row may meet as boxes, all of them where the coordinates of most are too small to be told apart;
 * those of two rows do not. None is in a pair, and doubles see it. */
TEST(test_rows_of_all_sizes) {
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
TEST(test_touching_rows_of_all_sizes) {
  for (size_t i = 0; i < METHODS; i++)
    for (size_t rows = 1; rows <= 9; rows += 4) {
      const pair_answer answer = ask_rows(methods[i], rows, 3.0);
      assert_int_equal(answer.count, rows * (HALVINGS - 1));
      for (size_t k = 0; k < answer.count; k++)
        assert_int_equal(answer.pairs[k].primitive_b, answer.pairs[k].primitive_a + 1);
      free(answer.pairs);
    }
}

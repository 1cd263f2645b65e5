/* Tests scenes with spheres: every method and query against rational arithmetic and the reference, frames that move,
 * rotate and resize, added and erased spheres, batches of poses, boxes, and k. */
#include "base/number_sequence.h"
#include "batch_calls.h"
#include "geometry/rational_sphere.h"
#include "mesh_set.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "sphere_scenes.h"
#include "test_scale.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"brute", "grid", "tree", "clusters 5", "clusters 1 x", "auto"};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

static running_variant variant_of(size_t number) {
  running_variant variant = running_variant_reference();
  variant.method = methods[number % METHOD_COUNT];
  variant.simd = GRAZE_SIMD_AUTO;
  variant.worker_count = 1 + (uint32_t)(number % 3);
  variant.threading = GRAZE_THREADING_AUTO;
  return variant;
}

/* ---------------------------------------------------------------------------------------------- the definition */

static bool only_spheres(const mesh *meshes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (meshes[i].kind != MESH_SPHERES) return false;
  return true;
}

/* Rational arithmetic on every pair. */
static pair_answer pairs_by_definition(const mesh *meshes, size_t mesh_count) {
  OWNED(rational_sphere) *oracle = rational_sphere_create();
  size_t room = 1024;
  pair_answer answer = {.pairs = malloc(room * sizeof(graze_pair))};
  for (uint32_t m = 0; m < mesh_count; m++)
    for (uint32_t a = 0; a < meshes[m].vertex_count; a++)
      for (uint32_t n = m; n < mesh_count; n++)
        for (uint32_t b = n == m ? a + 1 : 0; b < meshes[n].vertex_count; b++) {
          if (rational_sphere_pair_order(oracle, meshes[m].positions + 3 * (size_t)a, meshes[m].radii[a],
                                         meshes[n].positions + 3 * (size_t)b, meshes[n].radii[b]) > 0)
            continue;
          if (answer.count == room) answer.pairs = realloc(answer.pairs, (room *= 2) * sizeof(graze_pair));
          assert_non_null(answer.pairs);
          answer.pairs[answer.count++] = (graze_pair){m, a, n, b};
        }
  answer.hash = graze_pairs_hash(answer.pairs, answer.count);
  return answer;
}

TEST(test_reference_is_the_definition) {
  if (getenv("GRAZE_TEST_BACKEND") != NULL) skip(); /* the reference is the processor's */
  for (size_t number = 0; number < sphere_scene_count(); number++) {
    OWNED(mesh_set) made = made_set(sphere_scene_at(number)->make);
    if (only_spheres(made.meshes, made.count)) {
      const running_variant reference = running_variant_reference();
      OWNED_SCENE *scene = runner_scene(&reference, made.meshes, made.count, NULL);
      const graze_query query = graze_query_default();
      OWNED(pair_answer) wanted = pairs_by_definition(made.meshes, made.count), found = runner_find(scene, &query);
      runner_compare(&wanted, &found, sphere_scene_at(number)->name, "reference");
      assert_true(wanted.count > 10);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- methods, queries */

enum { QUERY_COUNT = 7 };

static graze_query query_of(size_t number) {
  graze_query query = graze_query_default();
  query.scope = number == 1 ? GRAZE_SCOPE_BETWEEN : number == 2 ? GRAZE_SCOPE_WITHIN : GRAZE_SCOPE_BOTH;
  query.candidates_only = number == 3 || number == 6;
  query.test = number == 5 ? GRAZE_TEST_GJK : GRAZE_TEST_SAT;
  query.in_box = number == 4 || number == 6;
  for (int axis = 0; axis < 3 && query.in_box; axis++) {
    query.box_min[axis] = number == 4 ? -0.25 : -INFINITY;
    query.box_max[axis] = number == 4 ? 0.5 : 1.0 + axis;
  }
  return query;
}

/* Some query about two objects. */
static graze_query query_about(size_t number, size_t mesh_count) {
  graze_query query = query_of(number);
  if (number == 5 && mesh_count > 1) {
    query.about_count = 2;
    query.about_a = (graze_object){0, 1};
    query.about_b = (graze_object){(uint32_t)mesh_count - 1, 1};
  }
  return query;
}

static void compare_methods(const char *name, const mesh *meshes, size_t mesh_count, bool as_float) {
  const running_variant reference = running_variant_reference();
  graze_scene *judging = runner_scene(&reference, meshes, mesh_count, NULL);
  pair_answer wanted[QUERY_COUNT];
  for (size_t number = 0; number < QUERY_COUNT; number++) {
    const graze_query query = query_about(number, mesh_count);
    wanted[number] = runner_find(judging, &query);
  }
  graze_scene_destroy(judging);
  for (size_t i = 1; i < METHOD_COUNT; i++) {
    running_variant variant = variant_of(i);
    variant.as_float = as_float;
    OWNED_SCENE *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    for (size_t number = 0; number < QUERY_COUNT; number++) {
      const graze_query query = query_about(number, mesh_count);
      OWNED(pair_answer) found = runner_find(scene, &query);
      char words[160];
      running_variant_words(&variant, words, sizeof words);
      snprintf(words + strlen(words), sizeof words - strlen(words), ", query %zu", number);
      runner_compare(&wanted[number], &found, name, words);
    }
  }
  for (size_t number = 0; number < QUERY_COUNT; number++) free(wanted[number].pairs);
}

TEST(test_methods_agree) {
  for (size_t number = 0; number < sphere_scene_count(); number++) {
    const sphere_scene *chosen = sphere_scene_at(number);
    OWNED(mesh_set) made = made_set(chosen->make);
    compare_methods(chosen->name, made.meshes, made.count, chosen->has_floats);
  }
}

/* Boxes far from the origin are rounded by more than the spheres are large: all methods see the same. */
TEST(test_boxes_far_away) {
  enum { COUNT = 3000 };
  OWNED(mesh) m = sphere_mesh(COUNT);
  uint64_t numbers = 5;
  for (size_t i = 0; i < COUNT; i++) {
    for (int axis = 0; axis < 3; axis++)
      m.positions[3 * i + axis] = 1e12 + (double)sequence_below(&numbers, 100) * 0x1p-13;
    m.radii[i] = (double)sequence_below(&numbers, 1000) * 1e-7;
  }
  graze_query query = graze_query_default();
  query.candidates_only = true;
  size_t wanted = 0;
  for (size_t i = 0; i < COUNT; i++)
    for (size_t j = i + 1; j < COUNT; j++) {
      bool meet = true;
      for (int axis = 0; axis < 3; axis++) {
        const double *p = m.positions + 3 * i + axis, *q = m.positions + 3 * j + axis;
        /* A radius is less than a unit in the last place: rounded outward it is one, unless it is 0. */
        const double reach = (m.radii[i] > 0.0 ? 0x1p-13 : 0.0) + (m.radii[j] > 0.0 ? 0x1p-13 : 0.0);
        meet = meet && fabs(*p - *q) <= reach;
      }
      wanted += meet;
    }
  for (size_t i = 0; i < METHOD_COUNT; i++) {
    const running_variant variant = variant_of(i);
    OWNED_SCENE *scene = runner_scene(&variant, &m, 1, NULL);
    OWNED(pair_answer) found = runner_find(scene, &query);
    if (found.count != wanted) fail_msg("%s: %zu candidates; wanted %zu", methods[i], found.count, wanted);
  }
}

/* Candidates are the pairs whose boxes meet: every pair is among them, and boxes are no larger than rounding asks. */
TEST(test_candidates_have_boxes_that_meet) {
  OWNED(mesh_set) made = made_set(sphere_scene_at(0)->make);
  const running_variant reference = running_variant_reference();
  graze_scene *scene = runner_scene(&reference, made.meshes, made.count, NULL);
  graze_query query = graze_query_default();
  pair_answer pairs = runner_find(scene, &query);
  query.candidates_only = true;
  pair_answer candidates = runner_find(scene, &query);
  size_t at = 0;
  for (size_t i = 0; i < candidates.count; i++) {
    const graze_pair *c = &candidates.pairs[i];
    at += at < pairs.count && memcmp(c, &pairs.pairs[at], sizeof *c) == 0;
    for (int axis = 0; axis < 3; axis++) {
      const double apart = fabs(made.meshes[c->object_a].positions[3 * (size_t)c->primitive_a + axis] -
                                made.meshes[c->object_b].positions[3 * (size_t)c->primitive_b + axis]);
      assert_true(apart <=
                  (made.meshes[c->object_a].radii[c->primitive_a] + made.meshes[c->object_b].radii[c->primitive_b]) *
                          (1.0 + 1e-12) +
                      1e-14);
    }
  }
  assert_int_equal(at, pairs.count);
  assert_true(candidates.count > pairs.count);
  free(pairs.pairs);
  free(candidates.pairs);
  graze_scene_destroy(scene);
}

/* ---------------------------------------------------------------------------------------------- frames */

/* A turn about an axis of the lattice of directions, orthonormal but for `stretch`. */
static void random_pose(uint64_t *state, double stretch, double rotation_out[9], double translation_out[3]) {
  double q[4], length = 0.0;
  for (int i = 0; i < 4; i++) {
    q[i] = (double)sequence_below(state, 2001) / 1000.0 - 1.0;
    length += q[i] * q[i];
  }
  if (length < 0.01) q[0] = length = 1.0;
  for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  double squares = 0.0;
  for (int i = 0; i < 4; i++) squares += q[i] * q[i];
  if (fabs(squares - 1.0) > 1e-9) { /* the fallback above */
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(rotation_out, identity, sizeof identity);
  } else {
    memcpy(rotation_out, rows, sizeof rows);
  }
  for (int i = 0; i < 9; i++) rotation_out[i] *= 1.0 + stretch;
  for (int axis = 0; axis < 3; axis++) translation_out[axis] = (double)sequence_below(state, 1001) / 1000.0 - 0.5;
}

/* One change of a scene, the same in both. */
typedef struct frame_change {
  int kind; /* 0: a pose, 1: radii, 2: positions, 3: spheres come, 4: spheres go */
  graze_object object;
  double rotation[9], translation[3], numbers[24], radii[8];
  uint32_t first;
} frame_change;

static frame_change random_change(uint64_t *state, const graze_scene *scene, graze_object object) {
  frame_change change = {.kind = (int)sequence_below(state, 5), .object = object};
  graze_object_info info = {0};
  assert_ok(graze_object_get_info(scene, object, &info));
  random_pose(state, sequence_below(state, 2) == 0 ? -4.9e-7 : 4.9e-7, change.rotation, change.translation);
  for (int i = 0; i < 24; i++) change.numbers[i] = (double)sequence_below(state, 2001) / 1000.0 - 1.0;
  for (int i = 0; i < 8; i++) change.radii[i] = ldexp(0.5, -(int)sequence_below(state, 9));
  change.first = (uint32_t)sequence_below(state, info.vertex_count - 8);
  return change;
}

static graze_result apply_change(graze_scene *scene, const frame_change *change) {
  const graze_view places = {change->numbers, 8, 0, GRAZE_FORMAT_DOUBLE3},
                   radii = {change->radii, 8, 0, GRAZE_FORMAT_DOUBLE};
  switch (change->kind) {
  case 0:
    return pose_object(scene, change->object, change->rotation, change->translation);
  case 1:
    return graze_object_set_radii(scene, change->object, change->first, radii);
  case 2:
    return graze_object_set_positions(scene, change->object, change->first, places);
  case 3:
    return graze_object_append_spheres(scene, change->object, places, radii, NULL);
  default:
    return graze_object_remove_primitives(scene, change->object, &change->first, 1);
  }
}

TEST(test_frames_agree) {
  const size_t frames = (size_t)test_scaled(60, 12);
  for (size_t method = 1; method < METHOD_COUNT; method++) {
    OWNED(mesh_set) made;
    sphere_scene_at(method % 2)->make(&made.meshes, &made.count);
    const running_variant reference = running_variant_reference(), variant = variant_of(method);
    graze_scene *judging = runner_scene(&reference, made.meshes, made.count, NULL);
    graze_scene *scene = runner_scene(&variant, made.meshes, made.count, NULL);
    uint64_t numbers = 77 + method;
    for (size_t frame = 0; frame < frames; frame++) {
      const frame_change change = random_change(&numbers, judging, (graze_object){(uint32_t)(frame % 2), 1});
      const graze_result wanted_result = apply_change(judging, &change);
      assert_int_equal(apply_change(scene, &change), wanted_result); /* a sphere may be gone already */
      assert_ok(graze_scene_update(judging));
      assert_ok(graze_scene_update(scene));
      const graze_query query = query_of(frame % QUERY_COUNT);
      OWNED(pair_answer) wanted = runner_find(judging, &query), found = runner_find(scene, &query);
      char words[64];
      snprintf(words, sizeof words, "%s, frame %zu, change %d", methods[method], frame, change.kind);
      runner_compare(&wanted, &found, "spheres that change", words);
    }
    graze_scene_destroy(judging);
    graze_scene_destroy(scene);
  }
}

/* Rigid bodies of spheres that graze each other, in poses as far from orthonormal as is taken: one ball of each decides
 * whether the two meet, so that a leaf that is too small would lose the only pair. */
TEST(test_grazing_balls) {
  uint64_t numbers = 5;
  const running_variant reference = running_variant_reference();
  running_variant tree = variant_of(2);
  size_t met = 0;
  const size_t rounds = (size_t)test_scaled(3000, 300);
  mesh meshes[2] = {sphere_mesh(1), sphere_mesh(1)};
  meshes[0].radii[0] = 3.0;
  meshes[1].radii[0] = 2.0;
  graze_scene *judging = runner_scene(&reference, meshes, 2, NULL), *scene = runner_scene(&tree, meshes, 2, NULL);
  for (size_t round = 0; round < rounds; round++) {
    double rotation[9], ways[3], way[3], length = 0.0;
    random_pose(&numbers, round % 2 == 0 ? 4.9e-7 : -4.9e-7, rotation, ways);
    for (int axis = 0; axis < 3; axis++) length += ways[axis] * ways[axis];
    if (length < 1e-4) continue;
    const double distance = 5.0 * (1.0 + ((double)sequence_below(&numbers, 5) - 2.0) * 1e-15);
    for (int axis = 0; axis < 3; axis++) way[axis] = ways[axis] / sqrt(length) * distance;
    const double origin[3] = {0, 0, 0};
    graze_scene *const both[2] = {judging, scene};
    pair_answer answers[2];
    for (int i = 0; i < 2; i++) {
      assert_ok(pose_object(both[i], (graze_object){0, 1}, rotation, origin));
      assert_ok(pose_object(both[i], (graze_object){1, 1}, rotation, way));
      assert_ok(graze_scene_update(both[i]));
      const graze_query query = graze_query_default();
      answers[i] = runner_find(both[i], &query);
    }
    runner_compare(&answers[0], &answers[1], "grazing balls", "tree");
    met += answers[0].count;
    free(answers[0].pairs);
    free(answers[1].pairs);
  }
  assert_true(met > rounds / 10 && met < rounds - rounds / 10);
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  mesh_free(&meshes[0]);
  mesh_free(&meshes[1]);
}

TEST(test_batches_of_poses) {
  enum { POSES = 60 };
  OWNED(mesh_set) made = made_set(sphere_scene_at(0)->make);
  const running_variant reference = running_variant_reference(), variant = variant_of(2);
  graze_scene *judging = runner_scene(&reference, made.meshes, made.count, NULL);
  graze_scene *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  const graze_object still = {0, 1}, moving = {1, 1};
  graze_pose poses[POSES];
  uint64_t answers[POSES], numbers = 3;
  for (size_t i = 0; i < POSES; i++) {
    random_pose(&numbers, 0.0, poses[i].rotation, poses[i].translation);
    for (int axis = 0; axis < 3; axis++) poses[i].translation[axis] *= 5.0;
  }
  const graze_id_pair pair = {still, moving};
  assert_ok(batch_counts(scene, batch_of_pair(&pair, poses, POSES), answers));
  for (size_t i = 0; i < POSES; i++) {
    assert_ok(graze_object_set_pose(judging, moving, &poses[i]));
    assert_ok(graze_scene_update(judging));
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    OWNED(pair_answer) wanted = runner_find(judging, &query);
    assert_int_equal(answers[i], wanted.count);
  }
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
}

/* ---------------------------------------------------------------------------------------------- k */

TEST(test_crowding) {
  for (size_t number = 0; number < 5; number += 4) {
    OWNED(mesh_set) made = made_set(sphere_scene_at(number)->make);
    const running_variant variant = variant_of(1);
    graze_scene *scene = runner_scene(&variant, made.meshes, made.count, NULL);
    graze_crowding crowding = measure_crowding(scene, (graze_object){0, 1});
    const mesh *m = &made.meshes[0];
    assert_int_equal(crowding.count, m->vertex_count);
    assert_int_equal(crowding.bound_factor, 156);
    uint32_t largest = 0;
    for (size_t i = 0; i < m->vertex_count; i++) {
      uint32_t k = 1;
      for (size_t j = 0; j < m->vertex_count; j++) {
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++)
          square += pow(m->positions[3 * i + axis] - m->positions[3 * j + axis], 2.0);
        k += j != i && m->radii[j] >= m->radii[i] && sqrt(square) <= m->radii[i] + m->radii[j] + m->radii[i] / 2.0;
      }
      assert_int_equal(crowding.k_of[i], k);
      assert_true(crowding.diameter_of[i] == 2.0 * m->radii[i]);
      assert_int_equal(crowding.neighbors_of[i], 0);
      largest = k > largest ? k : largest;
    }
    assert_int_equal(crowding.k, largest);
    assert_true(largest > 3);
    graze_crowding_free(&crowding);
    graze_scene_destroy(scene);
  }
}

/* Scenes with spheres: every method and query against rational arithmetic and the reference, frames that move, turn and
 * resize, spheres in and out, batches of poses, boxes, and what is refused. */
#include "base/number_sequence.h"
#include "geometry/rational_sphere.h"
#include "graze/poses.h"
#include "models/mesh_object.h"
#include "scene_runner.h"
#include "sphere_scenes.h"
#include "test_scale.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const methods[] = {"brute", "grid", "tree", "clusters 5", "clusters 1 x", "auto"};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

static running_variant variant_of(size_t number) {
  running_variant variant = running_variant_reference();
  variant.method = methods[number % METHOD_COUNT];
  variant.simd = GRAZE_SIMD_AUTO;
  variant.worker_count = 1 + (uint32_t)(number % 3);
  variant.threading = GRAZE_THREADING_AUTO;
  variant.dedup = (graze_dedup)(number % 3);
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
  rational_sphere *oracle = rational_sphere_create();
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
  rational_sphere_destroy(oracle);
  return answer;
}

static void test_reference_is_the_definition(void **state) {
  (void)state;
  for (size_t number = 0; number < sphere_scene_count(); number++) {
    mesh *meshes;
    size_t mesh_count;
    sphere_scene_at(number)->make(&meshes, &mesh_count);
    if (only_spheres(meshes, mesh_count)) {
      const running_variant reference = running_variant_reference();
      graze_scene *scene = runner_scene(&reference, meshes, mesh_count, NULL);
      const graze_query query = graze_query_default();
      pair_answer wanted = pairs_by_definition(meshes, mesh_count), found = runner_find(scene, &query);
      runner_compare(&wanted, &found, sphere_scene_at(number)->name, "reference");
      assert_true(wanted.count > 10);
      free(wanted.pairs);
      free(found.pairs);
      graze_scene_destroy(scene);
    }
    mesh_list_free(meshes, mesh_count);
  }
}

/* ---------------------------------------------------------------------------------------------- methods, queries */

enum { QUERY_COUNT = 7 };

static graze_query query_of(size_t number) {
  graze_query query = graze_query_default();
  query.scope = number == 1 ? GRAZE_BETWEEN : number == 2 ? GRAZE_WITHIN : GRAZE_BOTH;
  query.candidates_only = number == 3 || number == 6;
  query.test = number == 5 ? GRAZE_TEST_GJK : number == 2 ? GRAZE_TEST_SAT_NO_EDGES : GRAZE_TEST_SAT;
  query.in_box = number == 4 || number == 6;
  for (int axis = 0; axis < 3 && query.in_box; axis++) {
    query.box_min[axis] = number == 4 ? -0.25 : -INFINITY;
    query.box_max[axis] = number == 4 ? 0.5 : 1.0 + axis;
  }
  return query;
}

static void compare_methods(const char *name, const mesh *meshes, size_t mesh_count, bool as_float) {
  const running_variant reference = running_variant_reference();
  graze_scene *judging = runner_scene(&reference, meshes, mesh_count, NULL);
  for (size_t i = 1; i < METHOD_COUNT; i++) {
    running_variant variant = variant_of(i);
    variant.as_float = as_float;
    graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    for (size_t number = 0; number < QUERY_COUNT; number++) {
      graze_query query = query_of(number);
      if (number == 5 && mesh_count > 1) {
        query.about_count = 2;
        query.about_a = (graze_object){0, 1};
        query.about_b = (graze_object){(uint32_t)mesh_count - 1, 1};
      }
      pair_answer wanted = runner_find(judging, &query), found = runner_find(scene, &query);
      char words[160];
      running_variant_words(&variant, words, sizeof words);
      snprintf(words + strlen(words), sizeof words - strlen(words), ", query %zu", number);
      runner_compare(&wanted, &found, name, words);
      free(wanted.pairs);
      free(found.pairs);
    }
    graze_scene_destroy(scene);
  }
  graze_scene_destroy(judging);
}

static void test_methods_agree(void **state) {
  (void)state;
  for (size_t number = 0; number < sphere_scene_count(); number++) {
    const sphere_scene *chosen = sphere_scene_at(number);
    mesh *meshes;
    size_t mesh_count;
    chosen->make(&meshes, &mesh_count);
    compare_methods(chosen->name, meshes, mesh_count, chosen->has_floats);
    mesh_list_free(meshes, mesh_count);
  }
}

/* Boxes far from the origin are rounded by more than the spheres are large: all methods see the same. */
static void test_boxes_far_away(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  mesh m = sphere_mesh(COUNT);
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
    graze_scene *scene = runner_scene(&variant, &m, 1, NULL);
    pair_answer found = runner_find(scene, &query);
    if (found.count != wanted) fail_msg("%s: %zu candidates; wanted %zu", methods[i], found.count, wanted);
    free(found.pairs);
    graze_scene_destroy(scene);
  }
  mesh_free(&m);
}

/* Candidates are the pairs whose boxes meet: every pair is among them, and boxes are no larger than rounding asks. */
static void test_candidates_have_boxes_that_meet(void **state) {
  (void)state;
  mesh *meshes;
  size_t mesh_count;
  sphere_scene_at(0)->make(&meshes, &mesh_count);
  const running_variant reference = running_variant_reference();
  graze_scene *scene = runner_scene(&reference, meshes, mesh_count, NULL);
  graze_query query = graze_query_default();
  pair_answer pairs = runner_find(scene, &query);
  query.candidates_only = true;
  pair_answer candidates = runner_find(scene, &query);
  size_t at = 0;
  for (size_t i = 0; i < candidates.count; i++) {
    const graze_pair *c = &candidates.pairs[i];
    at += at < pairs.count && memcmp(c, &pairs.pairs[at], sizeof *c) == 0;
    for (int axis = 0; axis < 3; axis++) {
      const double apart = fabs(meshes[c->object_a].positions[3 * (size_t)c->primitive_a + axis] -
                                meshes[c->object_b].positions[3 * (size_t)c->primitive_b + axis]);
      assert_true(apart <= (meshes[c->object_a].radii[c->primitive_a] + meshes[c->object_b].radii[c->primitive_b]) *
                                   (1.0 + 1e-12) +
                               1e-14);
    }
  }
  assert_int_equal(at, pairs.count);
  assert_true(candidates.count > pairs.count);
  free(pairs.pairs);
  free(candidates.pairs);
  graze_scene_destroy(scene);
  mesh_list_free(meshes, mesh_count);
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
  graze_object_info info = graze_object_info_default();
  assert_int_equal(graze_object_get_info(scene, object, &info), GRAZE_OK);
  random_pose(state, sequence_below(state, 2) == 0 ? -4.9e-7 : 4.9e-7, change.rotation, change.translation);
  for (int i = 0; i < 24; i++) change.numbers[i] = (double)sequence_below(state, 2001) / 1000.0 - 1.0;
  for (int i = 0; i < 8; i++) change.radii[i] = ldexp(0.5, -(int)sequence_below(state, 9));
  change.first = (uint32_t)sequence_below(state, info.vertex_count - 8);
  return change;
}

static graze_result apply_change(graze_scene *scene, const frame_change *change) {
  const graze_view places = {change->numbers, 8, 0, GRAZE_DOUBLE3}, radii = {change->radii, 8, 0, GRAZE_DOUBLE};
  switch (change->kind) {
  case 0:
    return graze_object_set_pose(scene, change->object, change->rotation, change->translation);
  case 1:
    return graze_object_set_radii(scene, change->object, change->first, radii);
  case 2:
    return graze_object_set_positions(scene, change->object, change->first, places);
  case 3:
    return graze_object_insert_spheres(scene, change->object, places, radii, NULL);
  default:
    return graze_object_erase(scene, change->object, &change->first, 1);
  }
}

static void test_frames_agree(void **state) {
  (void)state;
  const size_t frames = (size_t)test_scaled(60, 12);
  for (size_t method = 1; method < METHOD_COUNT; method++) {
    mesh *meshes;
    size_t mesh_count;
    sphere_scene_at(method % 2)->make(&meshes, &mesh_count);
    const running_variant reference = running_variant_reference(), variant = variant_of(method);
    graze_scene *judging = runner_scene(&reference, meshes, mesh_count, NULL);
    graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    uint64_t numbers = 77 + method;
    for (size_t frame = 0; frame < frames; frame++) {
      const frame_change change = random_change(&numbers, judging, (graze_object){(uint32_t)(frame % 2), 1});
      const graze_result wanted_result = apply_change(judging, &change);
      assert_int_equal(apply_change(scene, &change), wanted_result); /* a sphere may be gone already */
      assert_int_equal(graze_scene_update(judging), GRAZE_OK);
      assert_int_equal(graze_scene_update(scene), GRAZE_OK);
      const graze_query query = query_of(frame % QUERY_COUNT);
      pair_answer wanted = runner_find(judging, &query), found = runner_find(scene, &query);
      char words[64];
      snprintf(words, sizeof words, "%s, frame %zu, change %d", methods[method], frame, change.kind);
      runner_compare(&wanted, &found, "spheres that change", words);
      free(wanted.pairs);
      free(found.pairs);
    }
    graze_scene_destroy(judging);
    graze_scene_destroy(scene);
    mesh_list_free(meshes, mesh_count);
  }
}

/* Rigid bodies of spheres that graze each other, in poses as far from orthonormal as is taken: one ball of each decides
 * whether the two meet, so that a leaf that is too small would lose the only pair. */
static void test_grazing_balls(void **state) {
  (void)state;
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
      assert_int_equal(graze_object_set_pose(both[i], (graze_object){0, 1}, rotation, origin), GRAZE_OK);
      assert_int_equal(graze_object_set_pose(both[i], (graze_object){1, 1}, rotation, way), GRAZE_OK);
      assert_int_equal(graze_scene_update(both[i]), GRAZE_OK);
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

static void test_batches_of_poses(void **state) {
  (void)state;
  enum { POSES = 60 };
  mesh *meshes;
  size_t mesh_count;
  sphere_scene_at(0)->make(&meshes, &mesh_count);
  const running_variant reference = running_variant_reference(), variant = variant_of(2);
  graze_scene *judging = runner_scene(&reference, meshes, mesh_count, NULL);
  graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
  const graze_object still = {0, 1}, moving = {1, 1};
  double rotations[9 * POSES], translations[3 * POSES];
  uint64_t answers[POSES], numbers = 3;
  for (size_t i = 0; i < POSES; i++) {
    random_pose(&numbers, 0.0, rotations + 9 * i, translations + 3 * i);
    for (int axis = 0; axis < 3; axis++) translations[3 * i + axis] *= 5.0;
  }
  graze_pose_options options = graze_pose_options_default();
  options.count_pairs = true;
  assert_int_equal(graze_scene_test_poses(scene, still, moving, rotations, translations, POSES, &options, answers),
                   GRAZE_OK);
  for (size_t i = 0; i < POSES; i++) {
    assert_int_equal(graze_object_set_pose(judging, moving, rotations + 9 * i, translations + 3 * i), GRAZE_OK);
    assert_int_equal(graze_scene_update(judging), GRAZE_OK);
    graze_query query = graze_query_default();
    query.scope = GRAZE_BETWEEN;
    pair_answer wanted = runner_find(judging, &query);
    assert_int_equal(answers[i], wanted.count);
    free(wanted.pairs);
  }
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  mesh_list_free(meshes, mesh_count);
}

/* ---------------------------------------------------------------------------------------------- contacts */

static const double pi = 3.14159265358979323846;

/* Of two balls at a distance: the integral of the cross sections, by many slices. */
static double volume_by_slices(double r, double s, double distance) {
  enum { SLICES = 200000 };
  double sum = 0.0;
  const double low = fmax(-r, distance - s), high = fmin(r, distance + s), step = (high - low) / SLICES;
  for (int i = 0; i < SLICES; i++) {
    const double x = low + (i + 0.5) * step;
    sum += fmin(r * r - x * x, s * s - (x - distance) * (x - distance));
  }
  return pi * sum * step;
}

static graze_scene *scene_of_pair(double r, double s, double distance) {
  graze_scene *scene;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  for (int i = 0; i < 2; i++) {
    const double centre[3] = {2.0 + i * distance * 2.0 / 3.0, 3.0 + i * distance * 2.0 / 3.0, 5.0 + i * distance / 3.0};
    const double radius = i == 0 ? r : s;
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){centre, 1, 0, GRAZE_DOUBLE3};
    def.radii = (graze_view){&radius, 1, 0, GRAZE_DOUBLE};
    assert_int_equal(graze_scene_add_spheres(scene, &def, NULL), GRAZE_OK);
  }
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  return scene;
}

static void test_contacts_and_wrenches(void **state) {
  (void)state;
  static const double cases[6][3] = {{1, 1, 1}, {2, 1, 2.5}, {2, 1, 1.25}, {3, 1, 1}, {1, 2, 0.5}, {0.5, 4, 4.2}};
  for (int i = 0; i < 6; i++) {
    const double r = cases[i][0], s = cases[i][1], distance = cases[i][2];
    graze_scene *scene = scene_of_pair(r, s, distance);
    const graze_pair pair = {0, 0, 1, 0};
    graze_contacts contacts = {0};
    assert_int_equal(graze_scene_make_contacts(scene, &pair, 1, NULL, &contacts), GRAZE_OK);
    const graze_contact *contact = graze_contacts_at(&contacts, 0);
    const double volume = volume_by_slices(r, s, distance);
    const bool contained = distance <= fabs(r - s);
    const double plane = (distance * distance + r * r - s * s) / (2.0 * distance);
    const double area = contained ? 0.0 : pi * (r * r - plane * plane);
    assert_int_equal(contact->kind, GRAZE_CONTACT_VOLUME);
    assert_int_equal(contact->point_count, 0);
    assert_true(fabs(contact->volume - volume) < 1e-6 * volume);
    assert_true(fabs(contact->area - area) < 1e-12);
    assert_true(fabs(contact->depth - (r + s - distance)) < 1e-12);
    const double way[3] = {2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0};
    for (int axis = 0; axis < 3; axis++) {
      assert_true(fabs(contact->normal[axis] - way[axis]) < 1e-12);
      assert_true(fabs(contact->witness_a[axis] - contact->witness_b[axis] - contact->depth * way[axis]) < 1e-12);
    }
    const double about[3] = {1, -2, 4};
    for (int force = 0; force < 2; force++) {
      graze_wrench_options options = graze_wrench_options_default();
      options.stiffness = 10.0;
      options.force = force == 0 ? GRAZE_FORCE_VOLUME : GRAZE_FORCE_GRADIENT;
      memcpy(options.about, about, sizeof about);
      graze_wrenches wrenches = {0};
      assert_int_equal(graze_scene_sum_wrenches(scene, &pair, 1, &options, &wrenches), GRAZE_OK);
      assert_int_equal(wrenches.count, 1);
      const graze_wrench *wrench = graze_wrenches_at(&wrenches, 0);
      const double strength = 10.0 * (force == 0 ? contact->volume : contact->area);
      double f[3], arm[3];
      for (int axis = 0; axis < 3; axis++) {
        f[axis] = strength * contact->normal[axis];
        arm[axis] = contact->centroid[axis] - about[axis];
        assert_true(fabs(wrench->force[axis] - f[axis]) <= 1e-12 * strength);
        assert_true(fabs(wrench->centroid[axis] - contact->centroid[axis]) < 1e-12);
      }
      assert_true(fabs(wrench->torque[0] - (arm[1] * f[2] - arm[2] * f[1])) <= 1e-11 * strength);
      assert_true(fabs(wrench->torque[2] - (arm[0] * f[1] - arm[1] * f[0])) <= 1e-11 * strength);
      assert_true(wrench->volume == contact->volume);
      graze_wrenches_free(&wrenches);
    }
    graze_contacts_free(&contacts);
    graze_scene_destroy(scene);
  }
}

/* The wrenches of a query are those of its pairs, to the bit, whatever solids they are of.
 */
static void test_wrenches_of_a_query(void **state) {
  (void)state;
  size_t compared = 0;
  for (size_t number = 0; number < sphere_scene_count(); number++) {
    mesh *meshes;
    size_t mesh_count;
    sphere_scene_at(number)->make(&meshes, &mesh_count);
    const running_variant variant = variant_of(1 + number % 2);
    graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    for (int force = 0; force < 2; force++) {
      graze_wrench_options options = graze_wrench_options_default();
      options.force = (graze_force)force;
      options.stiffness = 3.0;
      options.about[1] = 0.5;
      graze_pairs pairs = {0};
      graze_wrenches wanted = {0}, found = {0};
      assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_OK);
      const graze_result result = graze_scene_sum_wrenches(scene, pairs.pairs, pairs.count, &options, &wanted);
      assert_int_equal(graze_scene_find_wrenches(scene, NULL, &options, &found), result);
      assert_int_equal(found.count, wanted.count);
      if (wanted.count > 0) assert_memory_equal(found.wrenches, wanted.wrenches, wanted.count * sizeof(graze_wrench));
      for (size_t i = 0; i < found.count; i++) {
        const graze_wrench *wrench = graze_wrenches_at(&found, i);
        for (int axis = 0; axis < 3; axis++)
          assert_true(isfinite(wrench->force[axis]) && isfinite(wrench->torque[axis]) &&
                      isfinite(wrench->centroid[axis]));
        compared += wrench->volume > 0.0;
      }
      graze_query limited = graze_query_default();
      limited.pair_limit = 1;
      assert_int_equal(graze_scene_find_wrenches(scene, &limited, &options, &found), GRAZE_UNSUPPORTED);
      assert_int_equal(found.count, 0);
      graze_pairs_free(&pairs);
      graze_wrenches_free(&wanted);
      graze_wrenches_free(&found);
    }
    graze_scene_destroy(scene);
    mesh_list_free(meshes, mesh_count);
  }
  assert_true(compared > 8);
}

/* Along a path through touching, lens and containment the force of the gradient never jumps; that by volume turns round
 * where centres coincide. */
static void test_gradient_is_continuous(void **state) {
  (void)state;
  enum { STEPS = 2000 };
  const double r = 1.0, s = 0.4, step = 2.0 * (r + s) / STEPS;
  double last = 0.0;
  for (int i = 0; i <= STEPS; i++) {
    graze_scene *scene = scene_of_pair(r, s, -(r + s) + i * step);
    const graze_pair pair = {0, 0, 1, 0};
    graze_wrench_options options = graze_wrench_options_default();
    options.force = GRAZE_FORCE_GRADIENT;
    graze_wrenches wrenches = {0};
    if (graze_scene_sum_wrenches(scene, &pair, 1, &options, &wrenches) != GRAZE_OK) fail_msg("%s", graze_error_text());
    const double force = wrenches.count == 0 ? 0.0 : graze_wrenches_at(&wrenches, 0)->force[0];
    /* The area of the disc changes by less than 2 pi r a unit of distance, but for where the disc shrinks into the
     * small ball: there by at most 2 pi r s / (r - s). */
    assert_true(fabs(force - last) <= 2.0 * pi * (r + r * s / (r - s)) * step);
    last = force;
    graze_wrenches_free(&wrenches);
    graze_scene_destroy(scene);
  }
}

/* A ball against every other kind, in both orders: b moved by the depth along the normal touches, and a little less
 * does not separate. */
static void test_contacts_with_other_kinds(void **state) {
  (void)state;
  mesh *meshes;
  size_t mesh_count;
  sphere_scene_at(sphere_scene_count() - 1)->make(&meshes, &mesh_count);
  for (int order = 0; order < 2; order++) {
    graze_scene *scene;
    assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
    for (size_t i = 0; i < mesh_count; i++)
      assert_int_equal(mesh_object_add(scene, &meshes[order == 0 ? i : mesh_count - 1 - i], "m", NULL), GRAZE_OK);
    assert_int_equal(graze_scene_update(scene), GRAZE_OK);
    graze_query query = graze_query_default();
    query.scope = GRAZE_BETWEEN;
    graze_pairs pairs = {0};
    assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_OK);
    graze_contacts contacts = {0};
    assert_int_equal(graze_scene_make_contacts(scene, pairs.pairs, pairs.count, NULL, &contacts), GRAZE_OK);
    const uint32_t balls = order == 0 ? (uint32_t)mesh_count - 1 : 0;
    size_t seen = 0;
    for (size_t i = 0; i < pairs.count; i++) {
      const graze_contact *contact = graze_contacts_at(&contacts, i);
      if (contact->pair.object_a != balls && contact->pair.object_b != balls) continue;
      const bool ball_is_b = contact->pair.object_b == balls;
      const uint32_t ball = ball_is_b ? contact->pair.primitive_b : contact->pair.primitive_a;
      const double *centre = meshes[mesh_count - 1].positions + 3 * (size_t)ball;
      const double radius = meshes[mesh_count - 1].radii[ball];
      const double *on_ball = ball_is_b ? contact->witness_b : contact->witness_a;
      double length = 0.0, off = 0.0;
      assert_int_equal(contact->kind, GRAZE_CONTACT_POINT);
      assert_int_equal(contact->point_count, 1);
      for (int axis = 0; axis < 3; axis++) {
        length += contact->normal[axis] * contact->normal[axis];
        off += (on_ball[axis] - centre[axis]) * (on_ball[axis] - centre[axis]);
        assert_true(fabs(contact->witness_a[axis] - contact->witness_b[axis] - contact->depth * contact->normal[axis]) <
                    1e-9);
      }
      assert_true(fabs(length - 1.0) < 1e-9 && fabs(sqrt(off) - radius) < 1e-9 && contact->depth >= 0.0);
      seen++;
    }
    assert_true(seen > 300);
    graze_wrenches wrenches = {0};
    graze_wrench_options options = graze_wrench_options_default();
    assert_int_equal(graze_scene_sum_wrenches(scene, pairs.pairs, pairs.count, &options, &wrenches), GRAZE_OK);
    for (size_t i = 0; i < wrenches.count; i++) /* balls push no other solid */
      assert_true(graze_wrenches_at(&wrenches, i)->object_a != balls &&
                  graze_wrenches_at(&wrenches, i)->object_b != balls);
    options.force = GRAZE_FORCE_GRADIENT;
    const graze_result gradient = graze_scene_sum_wrenches(scene, pairs.pairs, pairs.count, &options, &wrenches);
    assert_int_equal(gradient, GRAZE_UNSUPPORTED);
    graze_wrenches_free(&wrenches);
    graze_contacts_free(&contacts);
    graze_pairs_free(&pairs);
    graze_scene_destroy(scene);
  }
  mesh_list_free(meshes, mesh_count);
}

/* ---------------------------------------------------------------------------------------------- k */

static void test_crowding(void **state) {
  (void)state;
  for (size_t number = 0; number < 5; number += 4) {
    mesh *meshes;
    size_t mesh_count;
    sphere_scene_at(number)->make(&meshes, &mesh_count);
    const running_variant variant = variant_of(1);
    graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    graze_crowding crowding = {0};
    assert_int_equal(graze_scene_measure_crowding(scene, (graze_object){0, 1}, &crowding), GRAZE_OK);
    const mesh *m = &meshes[0];
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
      assert_int_equal(crowding.neighbours_of[i], 0);
      largest = k > largest ? k : largest;
    }
    assert_int_equal(crowding.k, largest);
    assert_true(largest > 3);
    graze_crowding_free(&crowding);
    graze_scene_destroy(scene);
    mesh_list_free(meshes, mesh_count);
  }
}

/* ---------------------------------------------------------------------------------------------- calls */

static graze_scene *scene_of_two(graze_object *object_out) {
  static const float centres[6] = {0, 0, 0, 3, 0, 0}, radii[2] = {1, 1.5f};
  graze_scene *scene;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){centres, 2, 0, GRAZE_FLOAT3};
  def.radii = (graze_view){radii, 2, 0, GRAZE_FLOAT};
  def.name = "two";
  assert_int_equal(graze_scene_add_spheres(scene, &def, object_out), GRAZE_OK);
  return scene;
}

static size_t count_pairs(graze_scene *scene) {
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  graze_pairs pairs = {0};
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_OK);
  const size_t count = pairs.count;
  graze_pairs_free(&pairs);
  return count;
}

static void test_radii_are_set_and_read(void **state) {
  (void)state;
  graze_object object;
  graze_scene *scene = scene_of_two(&object);
  assert_int_equal(count_pairs(scene), 0);
  const double touching = 2.0, nearly = nextafter(2.0, 0.0);
  assert_int_equal(graze_object_set_radii(scene, object, 0, (graze_view){&touching, 1, 0, GRAZE_DOUBLE}), GRAZE_OK);
  assert_int_equal(count_pairs(scene), 1);
  assert_int_equal(graze_object_set_radii(scene, object, 0, (graze_view){&(float){1.5f}, 1, 0, GRAZE_FLOAT}), GRAZE_OK);
  assert_int_equal(count_pairs(scene), 1); /* 1.5 + 1.5 = 3 */
  const double both[2] = {nearly, 1.0};
  assert_int_equal(graze_object_set_radii(scene, object, 0, (graze_view){both, 2, 0, GRAZE_DOUBLE}), GRAZE_OK);
  assert_int_equal(count_pairs(scene), 0); /* a bit of a double too small, which a float would have rounded up */
  double read[2] = {0, 0};
  assert_int_equal(graze_object_get_radii(scene, object, 0, (graze_output_view){read, 2, 0, GRAZE_DOUBLE}), GRAZE_OK);
  assert_memory_equal(read, both, sizeof both);
  float narrow[2] = {0, 0};
  assert_int_equal(graze_object_get_radii(scene, object, 0, (graze_output_view){narrow + 1, 2, -4, GRAZE_FLOAT}),
                   GRAZE_OK);
  assert_true(narrow[1] == 2.0f && narrow[0] == 1.0f);
  double low[3], high[3];
  assert_int_equal(graze_object_get_box(scene, object, low, high), GRAZE_OK);
  assert_true(low[0] == -nearly && high[0] == 4.0 && low[1] == -nearly && high[2] == nearly);
  const double far[6] = {0x1p60, 0x1p60, 0x1p60, 0x1p60, 0x1p60, 0x1p60};
  assert_int_equal(graze_object_set_positions(scene, object, 0, (graze_view){far, 2, 0, GRAZE_DOUBLE3}), GRAZE_OK);
  assert_int_equal(graze_object_get_box(scene, object, low, high), GRAZE_OK);
  assert_true(low[0] == nextafter(0x1p60, 0.0) && high[0] == nextafter(0x1p60, INFINITY)); /* rounded outward */
  graze_scene_destroy(scene);
}

static void test_spheres_come_and_go(void **state) {
  (void)state;
  graze_object object;
  graze_scene *scene = scene_of_two(&object);
  const double centres[6] = {1.5, 0, 0, 9, 9, 9}, radii[2] = {0.25, 0.0};
  uint32_t first = 0;
  assert_int_equal(graze_object_insert_spheres(scene, object, (graze_view){centres, 2, 0, GRAZE_DOUBLE3},
                                               (graze_view){radii, 2, 0, GRAZE_DOUBLE}, &first),
                   GRAZE_OK);
  assert_int_equal(first, 2);
  assert_int_equal(count_pairs(scene), 1); /* with the second: 1.5 = 1.5, and 1.25 of the first */
  assert_int_equal(graze_object_erase(scene, object, &(uint32_t){1}, 1), GRAZE_OK);
  assert_int_equal(count_pairs(scene), 0);
  assert_int_equal(graze_object_insert_spheres(scene, object, (graze_view){centres, 2, 0, GRAZE_DOUBLE3},
                                               (graze_view){radii, 2, 0, GRAZE_DOUBLE}, &first),
                   GRAZE_OK);
  assert_int_equal(first, 4);
  assert_int_equal(count_pairs(scene), 2); /* each new one with its twin, also where both are points */
  graze_object_info info = graze_object_info_default();
  assert_int_equal(graze_object_get_info(scene, object, &info), GRAZE_OK);
  assert_int_equal(info.kind, GRAZE_KIND_SPHERE);
  assert_int_equal(info.primitive_count, 6);
  assert_int_equal(info.live_count, 5);
  assert_string_equal(graze_kind_text(info.kind, 1), "sphere");
  assert_true(graze_kind_is_solid(info.kind));
  graze_scene_destroy(scene);
}

#define assert_refused(call, code, message)                                                                            \
  do {                                                                                                                 \
    assert_int_equal(call, code);                                                                                      \
    assert_string_equal(graze_error_text(), message);                                                                  \
  } while (0)

static void test_refusals(void **state) {
  (void)state;
  graze_object object;
  graze_scene *scene = scene_of_two(&object);
  const double bad[3] = {1.0, -0.5, NAN}, huge = DBL_MAX, centre[3] = {0, 0, 0};
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){centre, 1, 0, GRAZE_DOUBLE3};
  assert_refused(graze_scene_add_spheres(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 1: 1 spheres have 0 radii");
  def.radii = (graze_view){bad + 1, 1, 0, GRAZE_DOUBLE};
  assert_refused(graze_scene_add_spheres(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 1: the radius of sphere 0 is -0.5; 0 or more is needed");
  def.radii.data = bad + 2;
  assert_refused(graze_scene_add_spheres(scene, &def, NULL), GRAZE_NOT_FINITE,
                 "object 1: the radius of sphere 0 is nan");
  def.radii.format = GRAZE_UINT32;
  assert_refused(graze_scene_add_spheres(scene, &def, NULL), GRAZE_INVALID_ARGUMENT,
                 "radii have format 5; GRAZE_FLOAT or GRAZE_DOUBLE is needed");
  assert_refused(graze_object_set_radii(scene, object, 0, (graze_view){bad, 2, 0, GRAZE_DOUBLE}),
                 GRAZE_INVALID_ARGUMENT, "object 0 (two): the radius of sphere 1 is -0.5; 0 or more is needed");
  assert_refused(graze_object_set_radii(scene, object, 1, (graze_view){bad, 2, 0, GRAZE_DOUBLE}),
                 GRAZE_INDEX_OUT_OF_RANGE, "object 0 (two): radii 1 to 3 are set; the object has 2");
  assert_refused(graze_object_append_positions(scene, object, def.positions, NULL), GRAZE_UNSUPPORTED,
                 "object 0 (two): spheres come with their radii; insert them");
  assert_refused(graze_object_insert(scene, object, (graze_view){&(uint32_t){0}, 1, 0, GRAZE_UINT32}, NULL),
                 GRAZE_UNSUPPORTED, "object 0 (two): spheres cannot be inserted; make an object of them");
  assert_refused(graze_object_insert_spheres(scene, object, def.positions, (graze_view){bad, 2, 0, GRAZE_DOUBLE}, NULL),
                 GRAZE_INVALID_ARGUMENT, "object 0 (two): 1 spheres have 2 radii");
  assert_int_equal(graze_object_set_radii(scene, object, 0, (graze_view){&huge, 1, 0, GRAZE_DOUBLE}), GRAZE_OK);
  float narrow;
  assert_refused(graze_object_get_radii(scene, object, 0, (graze_output_view){&narrow, 1, 0, GRAZE_FLOAT}),
                 GRAZE_NOT_FINITE, "object 0 (two): the radius of sphere 0 is 1.79769e+308, which a float cannot hold");
  assert_int_equal(count_pairs(scene), 1);
  const double corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  def = graze_mesh_def_default();
  def.positions = (graze_view){corner, 3, 0, GRAZE_DOUBLE3};
  def.triangles = (graze_view){(const uint32_t[3]){0, 1, 2}, 1, 0, GRAZE_UINT32_3};
  graze_object triangle;
  assert_int_equal(graze_scene_add_triangles(scene, &def, &triangle), GRAZE_OK);
  assert_refused(graze_object_set_radii(scene, triangle, 0, (graze_view){bad, 1, 0, GRAZE_DOUBLE}), GRAZE_UNSUPPORTED,
                 "object 1: triangles have no radii");
  graze_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reference_is_the_definition),
      cmocka_unit_test(test_methods_agree),
      cmocka_unit_test(test_candidates_have_boxes_that_meet),
      cmocka_unit_test(test_boxes_far_away),
      cmocka_unit_test(test_frames_agree),
      cmocka_unit_test(test_grazing_balls),
      cmocka_unit_test(test_batches_of_poses),
      cmocka_unit_test(test_crowding),
      cmocka_unit_test(test_contacts_and_wrenches),
      cmocka_unit_test(test_wrenches_of_a_query),
      cmocka_unit_test(test_gradient_is_continuous),
      cmocka_unit_test(test_contacts_with_other_kinds),
      cmocka_unit_test(test_radii_are_set_and_read),
      cmocka_unit_test(test_spheres_come_and_go),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

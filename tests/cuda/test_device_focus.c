/* Tests queries about objects and in a box on an emulated device: the pairs are those of the processor, for every kind,
 * scope, filter, number of objects and sort of box, including posed, erased and badly spread scenes. The search covers
 * only the relevant region, and another query of the same sort records nothing again. */
#include "backend_choice.h"
#include "base/number_sequence.h"
#include "graze/cuda.h"
#include "host_operations.h"
#include "mesh_set.h"
#include "models/mesh_object.h"
#include "posed_object.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OBJECTS = 4096 };

/* The same scene on the processor and on the device. */
typedef struct twin_scenes {
  graze_scene *scenes[2];
  graze_object objects[MOST_OBJECTS];
  size_t count;
  uint64_t sequence;
} twin_scenes;

static void pose_some(twin_scenes *twins) {
  for (size_t i = 0; i < twins->count; i += 2) {
    const double angle = 0.1 * (double)sequence_below(&twins->sequence, 5), c = cos(angle), s = sin(angle);
    const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    const double translation[3] = {0.01 * (double)sequence_below(&twins->sequence, 4), 0.0, 0.015};
    for (int k = 0; k < 2; k++) assert_ok(pose_object(twins->scenes[k], twins->objects[i], rotation, translation));
  }
}

static void erase_some(twin_scenes *twins, const mesh *meshes) {
  for (size_t i = 0; i < twins->count; i += 3) {
    graze_object_info info = {.struct_bytes = sizeof info};
    assert_ok(graze_object_get_info(twins->scenes[0], twins->objects[i], &info));
    const uint32_t erased[2] = {1, (uint32_t)(info.primitive_count / 2)};
    if (meshes[i].vertex_count == 0 || info.primitive_count < 8) continue;
    for (int k = 0; k < 2; k++)
      assert_ok(graze_object_remove_primitives(twins->scenes[k], twins->objects[i], erased, 2));
  }
}

static void filter_some(twin_scenes *twins) {
  for (size_t i = 0; i < twins->count; i++) {
    const uint64_t category = UINT64_C(1) << i % 3, mask = 1 + sequence_below(&twins->sequence, 7);
    for (int k = 0; k < 2; k++)
      assert_ok(graze_object_set_filter(twins->scenes[k], twins->objects[i], category, mask, i % 3 != 1));
  }
}

static void update_twins(const twin_scenes *twins) {
  for (int k = 0; k < 2; k++) assert_ok(graze_scene_update(twins->scenes[k]));
}

/* Every second way gives pairs numbers of the objects' own. */
static twin_scenes make_twins(const mesh *meshes, size_t count, uint64_t seed) {
  twin_scenes twins = {.count = count, .sequence = seed};
  assert_true(count <= MOST_OBJECTS);
  for (int k = 0; k < 2; k++) {
    assert_ok(create_on(k == 0 ? "cpu" : "cuda", 0, graze_scene_def_default(), &twins.scenes[k]));
    for (size_t i = 0; i < count; i++) {
      graze_object_def placed = graze_object_def_default();
      placed.global_numbers = seed % 2 == 1;
      placed.global_object = (uint32_t)(100000 - 3 * i);
      assert_ok(mesh_object_add_as(twins.scenes[k], &meshes[i], &placed, seed % 3 == 0 ? MESH_AS_FLOAT : MESH_AS_DOUBLE,
                                   &twins.objects[i]));
    }
  }
  return twins;
}

static void free_twins(twin_scenes *twins) {
  for (int k = 0; k < 2; k++) graze_scene_destroy(twins->scenes[k]);
}

/* ---------------------------------------------------------------------------------------------- questions */

/* A coordinate of a vertex of the scene, as it is after the pose. */
static double some_coordinate(twin_scenes *twins, int axis) {
  const size_t at = sequence_below(&twins->sequence, twins->count);
  graze_object_info info = {.struct_bytes = sizeof info};
  assert_ok(graze_object_get_info(twins->scenes[0], twins->objects[at], &info));
  if (info.vertex_count == 0) return 0.0;
  double position[3];
  const size_t vertex = sequence_below(&twins->sequence, info.vertex_count);
  assert_ok(graze_object_get_posed_positions(twins->scenes[0], twins->objects[at], vertex,
                                             (graze_output_view){position, 1, 0, GRAZE_FORMAT_DOUBLE3}));
  return position[axis];
}

/* Faces lie on vertices or a last bit beside them; some are infinite, some boxes are a point, a plane, or lie outside.
 */
static void choose_box(twin_scenes *twins, graze_query *query) {
  query->in_box = true;
  for (int axis = 0; axis < 3; axis++) {
    double ends[2];
    for (int i = 0; i < 2; i++) {
      const double at = some_coordinate(twins, axis);
      const uint64_t kind = sequence_below(&twins->sequence, 8);
      ends[i] = kind == 0   ? nextafter(at, HUGE_VAL)
                : kind == 1 ? nextafter(at, -HUGE_VAL)
                : kind == 2 ? (i == 0 ? -HUGE_VAL : HUGE_VAL)
                : kind == 3 ? 3.0 * at
                            : at;
    }
    if (sequence_below(&twins->sequence, 10) == 0 && !isinf(ends[0])) ends[1] = ends[0];
    query->box_min[axis] = fmin(ends[0], ends[1]);
    query->box_max[axis] = fmax(ends[0], ends[1]);
  }
}

static graze_query choose_question(twin_scenes *twins, uint64_t round) {
  graze_query query = graze_query_default();
  query.scope = (graze_scope)(1 + sequence_below(&twins->sequence, 3));
  query.candidates_only = sequence_below(&twins->sequence, 5) == 0;
  query.about_count = (uint32_t)(round % 3);
  query.about_a = twins->objects[sequence_below(&twins->sequence, twins->count)];
  query.about_b = round % 5 == 0 ? query.about_a : twins->objects[sequence_below(&twins->sequence, twins->count)];
  if (round % 3 == 0 || round % 2 == 0) choose_box(twins, &query);
  return query;
}

static void compare_any(const twin_scenes *twins, const graze_query *query, size_t wanted) {
  bool any;
  OWNED(graze_device_pairs) there = {0};
  assert_ok(graze_scene_any_pair(twins->scenes[1], query, &any, NULL));
  assert_true(any == (wanted > 0));
  assert_ok(graze_scene_find_pairs_on_device(twins->scenes[1], query, &there));
  assert_int_equal(there.count, wanted);
}

/* Returns how many questions had some of the pairs, and not all. */
static size_t compare_questions(twin_scenes *twins, const char *name, uint64_t rounds) {
  size_t parts = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    const graze_query query = choose_question(twins, round);
    graze_query everything = query;
    everything.about_count = 0;
    everything.in_box = false;
    const pair_answer wanted = runner_find(twins->scenes[0], &query), found = runner_find(twins->scenes[1], &query);
    runner_compare(&wanted, &found, name, "a part");
    compare_any(twins, &query, wanted.count);
    const pair_answer all = runner_find(twins->scenes[1], &everything); /* alternates with the other query */
    parts += wanted.count > 0 && wanted.count < all.count;
    assert_true(found.counters.searched <= all.counters.searched);
    free(wanted.pairs);
    free(found.pairs);
    free(all.pairs);
  }
  return parts;
}

static size_t compare_scene(const char *name, const mesh *meshes, size_t count, uint64_t seed, uint64_t rounds) {
  const host_device_settings settings = {.order = (index_order)(seed % INDEX_ORDER_COUNT),
                                         .first_capacity = seed % 4 == 0 ? 16 : 0};
  host_device_configure(&settings);
  OWNED_BY(free_twins) twin_scenes twins = make_twins(meshes, count, seed);
  update_twins(&twins);
  size_t parts = compare_questions(&twins, name, rounds);
  pose_some(&twins);
  erase_some(&twins, meshes);
  update_twins(&twins);
  parts += compare_questions(&twins, name, rounds);
  filter_some(&twins);
  update_twins(&twins);
  parts += compare_questions(&twins, name, rounds);
  return parts;
}

TEST(test_models) {
  const char *const names[] = {"blobs", "mix", "folded-cloth", "tet-soup"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    for (uint64_t seed = 0; seed < 3; seed++) {
      OWNED(mesh_set) made = torture_set(names[i], test_sanitized(250, test_scaled(1200, 500)), i);
      torture_round_to_float(made.meshes, made.count);
      const size_t parts = compare_scene(names[i], made.meshes, made.count, 3 * i + seed, test_scaled(24, 12));
      print_message("%s: %zu questions had a part of the pairs\n", names[i], parts);
      assert_true(parts > 2);
    }
}

/* One object of each kind and two more, in one place; and a triangle far away, so that axes are mapped. */
TEST(test_kinds) {
  static const char *const names[] = {"blob", "panels", "tet-ball", "cells", "torus", "tet-box"};
  enum { OBJECTS = sizeof names / sizeof names[0] };
  for (uint64_t seed = 0; seed < 4; seed++) {
    mesh *made[OBJECTS], objects[OBJECTS + 1];
    size_t counts[OBJECTS];
    for (size_t i = 0; i < OBJECTS; i++) {
      torture_model(names[i], test_sanitized(90, 150), i, &made[i], &counts[i]);
      torture_round_to_float(made[i], counts[i]);
      objects[i] = made[i][0];
    }
    mesh far = torture_mesh(3, 1);
    for (uint32_t i = 0; i < 3; i++) far.triangles[i] = i;
    for (size_t i = 0; i < 9; i++) far.positions[i] = 0x1p60 * (double)(i % 4);
    objects[OBJECTS] = far;
    const size_t parts =
        compare_scene("all kinds", objects, seed < 2 ? OBJECTS : OBJECTS + 1, 100 + seed, test_scaled(60, 10));
    print_message("all kinds: %zu questions had a part of the pairs\n", parts);
    assert_true(parts > 10);
    mesh_free(&far);
    for (size_t i = 0; i < OBJECTS; i++) mesh_list_free(made[i], counts[i]);
  }
}

/* Huge, tiny, far from the origin, on borders of cells. */
TEST(test_torture_scenes) {
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *scene = torture_scene_at(number);
    OWNED(mesh_set) made = made_set(scene->make);
    const host_device_settings settings = {.order = INDICES_SHUFFLED};
    host_device_configure(&settings);
    OWNED_BY(free_twins)
    twin_scenes twins = make_twins(made.meshes, made.count, scene->is_float ? 3 * number : 3 * number + 1);
    update_twins(&twins);
    compare_questions(&twins, scene->name, test_scaled(6, 3));
  }
}

/* An object of more primitives than there are lanes to measure it, and one that is near its last ones alone. */
TEST(test_long_objects) {
  enum { LONG = 10000 };
  mesh meshes[2] = {torture_mesh(3 * LONG, LONG), torture_mesh(3, 1)};
  const double corners[3][3] = {{0, 0, 0}, {1.5, 0, 0}, {0, 1.5, 0.25}};
  for (uint32_t i = 0; i < 3 * LONG; i++) {
    meshes[0].triangles[i] = i;
    for (uint32_t axis = 0; axis < 3; axis++)
      meshes[0].positions[3 * i + axis] = corners[i % 3][axis] + (axis == 0 ? (double)(i / 3) : 0.0);
  }
  for (uint32_t i = 0; i < 3; i++) meshes[1].triangles[i] = i;
  for (uint32_t i = 0; i < 9; i++)
    meshes[1].positions[i] = corners[i / 3][2 - i % 3] + (i % 3 == 0 ? LONG - 3.0 : -0.125);
  twin_scenes twins = make_twins(meshes, 2, 2);
  update_twins(&twins);
  graze_query query = graze_query_default();
  for (uint32_t count = 1; count <= 2; count++) {
    query.about_count = count;
    query.about_a = twins.objects[0];
    query.about_b = twins.objects[1];
    query.scope = GRAZE_SCOPE_BETWEEN;
    const pair_answer wanted = runner_find(twins.scenes[0], &query), found = runner_find(twins.scenes[1], &query);
    runner_compare(&wanted, &found, "a long object", "about it");
    assert_true(wanted.count > 0);
    free(wanted.pairs);
    free(found.pairs);
  }
  free_twins(&twins);
  for (int i = 0; i < 2; i++) mesh_free(&meshes[i]);
}

/* ---------------------------------------------------------------------------------------------- cost */

static uint64_t searched_by(const graze_scene *scene, const graze_query *query) {
  const pair_answer answer = runner_find(scene, query);
  free(answer.pairs);
  return answer.counters.searched;
}

enum { SPHERES = 30 };

/* A row of spheres, each touching the next. */
static graze_scene *row_of_spheres(double *radius_out) {
  mesh *one;
  size_t one_count;
  graze_scene *scene;
  torture_model("sphere", 1000, 0, &one, &one_count);
  double radius = 0.0;
  for (size_t i = 0; i < 3 * one[0].vertex_count; i++) radius = fmax(radius, fabs(one[0].positions[i]));
  assert_ok(create_on("cuda", 0, graze_scene_def_default(), &scene));
  for (int i = 0; i < SPHERES; i++) {
    OWNED(mesh) moved = torture_copy(&one[0]);
    torture_move(&moved, 1.9 * radius * i, 0.0, 0.0);
    runner_add(scene, &moved, false, NULL);
  }
  mesh_list_free(one, one_count);
  assert_ok(graze_scene_update(scene));
  *radius_out = radius;
  return scene;
}

/* A question about one must not look at the others; and questions about other objects, or other boxes, are no others to
 * the device. */
TEST(test_cost_is_that_of_what_is_asked_for) {
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  double radius;
  OWNED_SCENE *scene = row_of_spheres(&radius);
  graze_query query = graze_query_default();
  const uint64_t all = searched_by(scene, &query);
  query.about_count = 1;
  query.about_a = (graze_object){7, 1};
  assert_in_range(searched_by(scene, &query), all / SPHERES, 2 * all / SPHERES);
  const size_t recordings = host_device_count().recordings;
  query.about_count = 2;
  query.about_b = (graze_object){8, 1};
  assert_in_range(searched_by(scene, &query), 1, all / SPHERES);
  query.about_b = (graze_object){9, 1};
  assert_int_equal(searched_by(scene, &query), 0);
  query = graze_query_default();
  query.in_box = true;
  for (int axis = 0; axis < 3; axis++) {
    query.box_min[axis] = -0.1 * radius;
    query.box_max[axis] = 2.0 * radius;
  }
  assert_in_range(searched_by(scene, &query), 1, 2 * all / SPHERES);
  const graze_query everything = graze_query_default();
  assert_int_equal(searched_by(scene, &everything), all);
  query.box_max[0] = 3.0 * radius;
  assert_in_range(searched_by(scene, &query), 1, 3 * all / SPHERES);
  assert_int_equal(host_device_count().recordings, recordings);
}

/* An operation that fails leaves no old question behind. */
TEST(test_failures) {
  const host_device_settings sound = {0};
  host_device_configure(&sound);
  double radius;
  OWNED_SCENE *scene = row_of_spheres(&radius);
  graze_query query = graze_query_default();
  query.about_count = 1;
  for (uint32_t i = 0; i < 12; i++) {
    query.about_a = (graze_object){i, 1};
    const host_device_settings failing = {.fail_at = i + 1};
    OWNED(graze_pairs) pairs = {0};
    host_device_configure(&failing);
    const graze_result result = graze_scene_find_pairs(scene, &query, &pairs);
    assert_true(result == GRAZE_OK || result == GRAZE_DEVICE_FAILED || result == GRAZE_OUT_OF_MEMORY);
    host_device_configure(&sound);
    assert_ok(graze_scene_find_pairs(scene, &query, &pairs));
    assert_true(pairs.count > 0);
    for (size_t k = 0; k < pairs.count; k++) assert_true(pairs.pairs[k].object_a == i || pairs.pairs[k].object_b == i);
  }
}

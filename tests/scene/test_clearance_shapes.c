/* Tests clearances of objects that share shapes, against integers of any size; distances that do not depend on the
 * order of objects; and the smallest clearances, 0 and the smallest double, which give the list of a plain query. */
#include "clearance_scenes.h"
#include "graze/distances.h"
#include "graze/shape.h"
#include "models/mesh_object.h"
#include "models/model.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const running_variant variants[] = {
    {"brute", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_128, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"tree", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"clusters 3", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"auto", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0], COPIES = 2, PLACED = COPIES * LATTICE_KINDS };

/* ---------------------------------------------------------------------------------------------- shapes */

/* A lattice of each kind as a shape, placed several times; the first of each has no pose. */
typedef struct placed_shapes {
  lattice_object objects[LATTICE_KINDS];
  graze_shape *shapes[LATTICE_KINDS];
  graze_pose poses[PLACED];
  reference_piece pieces[PLACED][LATTICE_PRIMITIVES];
  piece_list lists[PLACED];
} placed_shapes;

static placed_shapes *placed_make(double step, uint64_t seed) {
  placed_shapes *made = calloc(1, sizeof *made);
  assert_non_null(made);
  for (int kind = 0; kind < LATTICE_KINDS; kind++) {
    lattice_object_make(&made->objects[kind], kind, step, seed + (uint64_t)kind);
    assert_ok(mesh_object_make_shape(&made->objects[kind].mesh, NULL, &made->shapes[kind]));
  }
  for (int i = 0; i < PLACED; i++) {
    const lattice_object *object = &made->objects[i % LATTICE_KINDS];
    const double quaternion[4] = {1.0, 0.25 * i, -0.5, 0.125}, translation[3] = {step * (i % 3), -step, 0.3 * step};
    made->poses[i] = graze_pose_from_quaternion(quaternion, translation);
    memcpy(made->pieces[i], object->pieces, sizeof made->pieces[i]);
    if (i >= LATTICE_KINDS) pieces_pose(made->pieces[i], object->count, &made->poses[i]);
    made->lists[i] = (piece_list){made->pieces[i], object->count};
  }
  return made;
}

static void placed_free(placed_shapes *made) {
  for (int kind = 0; kind < LATTICE_KINDS; kind++) graze_shape_destroy(made->shapes[kind]);
  free(made);
}

static graze_scene *placed_scene(const running_variant *variant, const placed_shapes *from) {
  graze_scene *scene = runner_scene(variant, NULL, 0, NULL);
  for (int i = 0; i < PLACED; i++) {
    graze_object_def def = graze_object_def_default();
    graze_object object;
    def.pose = i >= LATTICE_KINDS ? &from->poses[i] : NULL;
    assert_ok(graze_scene_add_shape(scene, from->shapes[i % LATTICE_KINDS], &def, &object));
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

TEST(test_shared_shapes) {
  static const double clearances[] = {1.0, 0.5, 1.4142135623730951, 0x1p-30};
  const size_t rounds = test_scaled(8, 3);
  size_t found = 0;
  for (size_t round = 0; round < rounds; round++) {
    const double step = round % 2 == 0 ? 1.0 : 0.1, at = clearances[round % 4] * step;
    placed_shapes *from = placed_make(step, 4000 + 10 * round);
    graze_query query = graze_query_default();
    query.clearance = round % 3 == 0 ? at : nextafter(at, round % 3 == 1 ? 0.0 : HUGE_VAL);
    const pair_answer wanted = reference_within(from->lists, PLACED, query.clearance);
    found += wanted.count;
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
      if (!running_variant_available(&variants[i])) continue;
      OWNED_SCENE *scene = placed_scene(&variants[i], from);
      const pair_answer answer = runner_find(scene, &query);
      runner_compare(&wanted, &answer, "shared shapes", variants[i].method);
      free(answer.pairs);
    }
    free(wanted.pairs);
    placed_free(from);
  }
  assert_true(found > 200 * rounds);
}

/* ---------------------------------------------------------------------------------------------- order */

static void check_swapped(const graze_distance *given, const graze_distance *swapped) {
  assert_memory_equal(&given->distance, &swapped->distance, sizeof given->distance);
  assert_memory_equal(given->point_a, swapped->point_b, sizeof given->point_a);
  assert_memory_equal(given->point_b, swapped->point_a, sizeof given->point_b);
  assert_memory_equal(&given->feature_a, &swapped->feature_b, sizeof given->feature_a);
  assert_memory_equal(&given->feature_b, &swapped->feature_a, sizeof given->feature_b);
}

/* The same objects in the other order: distances are the same to the bit, points and features swapped. */
TEST(test_order_of_objects) {
  size_t apart = 0;
  for (uint64_t seed = 0; seed < test_scaled(12, 6); seed++) {
    OWNED_MEMORY lattice_object *objects = calloc(LATTICE_KINDS, sizeof *objects);
    assert_non_null(objects);
    mesh meshes[2][LATTICE_KINDS];
    for (int i = 0; i < LATTICE_KINDS; i++) {
      lattice_object_make(&objects[i], i, 0.1, 5000 + 10 * seed + (uint64_t)i);
      meshes[0][i] = meshes[1][LATTICE_KINDS - 1 - i] = objects[i].mesh;
    }
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    query.clearance = 0.2;
    graze_scene *scenes[2];
    graze_distances distances[2] = {{0}, {0}};
    OWNED(graze_pairs) pairs = {0};
    for (int i = 0; i < 2; i++) scenes[i] = runner_scene(&variants[1 + seed % 4], meshes[i], LATTICE_KINDS, NULL);
    assert_ok(graze_scene_find_pairs(scenes[0], &query, &pairs));
    OWNED_MEMORY graze_pair *swapped = malloc((pairs.count + 1) * sizeof *swapped);
    assert_non_null(swapped);
    for (size_t i = 0; i < pairs.count; i++) {
      const graze_pair *pair = &pairs.pairs[i];
      swapped[i] = (graze_pair){LATTICE_KINDS - 1 - pair->object_b, pair->primitive_b,
                                LATTICE_KINDS - 1 - pair->object_a, pair->primitive_a};
    }
    assert_ok(graze_scene_make_distances(scenes[0], pairs.pairs, pairs.count, &distances[0]));
    assert_ok(graze_scene_make_distances(scenes[1], swapped, pairs.count, &distances[1]));
    for (size_t i = 0; i < pairs.count; i++) {
      check_swapped(&distances[0].distances[i], &distances[1].distances[i]);
      apart += distances[0].distances[i].distance > 0.0;
    }
    for (int i = 0; i < 2; i++) {
      graze_distances_free(&distances[i]);
      graze_scene_destroy(scenes[i]);
    }
  }
  assert_true(apart > 1000);
}

/* ---------------------------------------------------------------------------------------------- no clearance */

/* On every model: zeros of both signs list what no clearance does, and the smallest double what the reference lists. It
 * is more in one model alone, which has gaps as small. */
static void compare_least(const char *name, const mesh *meshes, size_t mesh_count, size_t first, size_t *more) {
  static const double least[] = {0.0, -0.0, DBL_TRUE_MIN};
  const running_variant reference = running_variant_reference();
  graze_query query = graze_query_default();
  graze_scene *judging = runner_scene(&reference, meshes, mesh_count, NULL);
  const pair_answer plain = runner_find(judging, &query);
  query.clearance = DBL_TRUE_MIN;
  const pair_answer nearly = runner_find(judging, &query);
  graze_scene_destroy(judging);
  *more += nearly.hash != plain.hash;
  for (size_t i = 1 + first % 2; i < VARIANT_COUNT; i += 2) {
    if (!running_variant_available(&variants[i])) continue;
    OWNED_SCENE *scene = runner_scene(&variants[i], meshes, mesh_count, NULL);
    for (size_t k = 0; k < sizeof least / sizeof least[0]; k++) {
      query.clearance = least[k];
      const pair_answer answer = runner_find(scene, &query);
      runner_compare(query.clearance > 0.0 ? &nearly : &plain, &answer, name, variants[i].method);
      free(answer.pairs);
    }
  }
  free(plain.pairs);
  free(nearly.pairs);
}

TEST(test_least_clearances) {
  size_t more = 0;
  for (size_t number = 0; number < model_count(); number++) {
    OWNED(mesh_set) made = torture_set(model_at(number)->name, test_scaled(300, 100), number);
    compare_least(model_at(number)->name, made.meshes, made.count, number, &more);
  }
  assert_true(more <= 1);
}

/* Tests the frame of an emulated device: every built-in model and torture scene, every query, float and double,
 * filters, moving and posed objects, lists that are too short; test_device_failures.c covers failing operations. The
 * reference is the processor's method "brute". The order in which a stage runs its indices must not affect results. */
#include "backend_choice.h"
#include "base/number_sequence.h"
#include "cuda/device_cell.h"
#include "cuda/device_state.h"
#include "cuda/device_update.h"
#include "cuda/stage_vertices.h"
#include "graze/cuda.h"
#include "graze/inside/launches.h"
#include "graze/inspect.h"
#include "host_operations.h"
#include "mesh_set.h"
#include "models/model.h"
#include "posed_object.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  graze_scope scope;
  graze_neighbors neighbors;
  bool candidates_only;
} questions[] = {
    {GRAZE_SCOPE_BOTH, GRAZE_NEIGHBORS_SKIP, false},   {GRAZE_SCOPE_BETWEEN, GRAZE_NEIGHBORS_SKIP, false},
    {GRAZE_SCOPE_WITHIN, GRAZE_NEIGHBORS_SKIP, false}, {GRAZE_SCOPE_BOTH, GRAZE_NEIGHBORS_BEYOND, false},
    {GRAZE_SCOPE_BOTH, GRAZE_NEIGHBORS_SKIP, true},    {GRAZE_SCOPE_BETWEEN, GRAZE_NEIGHBORS_BEYOND, true},
};
enum { QUESTION_COUNT = sizeof questions / sizeof questions[0] };

static graze_query question(size_t number) {
  graze_query query = graze_query_default();
  query.scope = questions[number].scope;
  query.neighbors = questions[number].neighbors;
  query.candidates_only = questions[number].candidates_only;
  return query;
}

static bool has_solids(const mesh *meshes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (meshes[i].kind != MESH_POLYGONS) return true;
  return false;
}

/* Neighbors of solids are only ever skipped. */
static bool question_is_asked(size_t number, bool solids) {
  return !solids || questions[number].neighbors == GRAZE_NEIGHBORS_SKIP ||
         (questions[number].scope & GRAZE_SCOPE_WITHIN) == 0;
}

static running_variant device_variant(bool as_float) {
  running_variant variant = running_variant_reference();
  variant.method = "auto";
  variant.as_float = as_float;
  return variant;
}

static size_t compare_device(const char *name, const mesh *meshes, size_t mesh_count, bool as_float,
                             const object_filter *filters, const host_device_settings *settings) {
  const running_variant reference = running_variant_reference(), variant = device_variant(as_float);
  host_device_configure(settings);
  graze_scene *judging = runner_scene(&reference, meshes, mesh_count, filters);
  graze_scene *scene = runner_scene(&variant, meshes, mesh_count, filters);
  char words[64];
  snprintf(words, sizeof words, "device, order %d, first capacity %zu", (int)settings->order, settings->first_capacity);
  size_t pairs = 0;
  for (size_t i = 0; i < QUESTION_COUNT; i++) {
    if (!question_is_asked(i, has_solids(meshes, mesh_count))) continue;
    const graze_query query = question(i);
    const pair_answer wanted = runner_find(judging, &query), found = runner_find(scene, &query);
    runner_compare(&wanted, &found, name, words);
    assert_int_equal(found.counters.primitives, wanted.counters.primitives);
    assert_int_equal(found.counters.inverted, wanted.counters.inverted);
    assert_int_equal(found.counters.flat, wanted.counters.flat);
    pairs += found.count;
    free(wanted.pairs);
    free(found.pairs);
  }
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  assert_int_equal(host_device_count().open_devices, 0);
  assert_int_equal(host_device_count().bytes, 0);
  return pairs;
}

TEST(test_models) {
  size_t pairs = 0;
  for (size_t number = 0; number < model_count(); number++)
    for (size_t size = 0; size < 2; size++) {
      const size_t sizes[] = {40, test_scaled(1000, 150)};
      OWNED(mesh_set) made = torture_set(model_at(number)->name, sizes[size], number + size);
      const host_device_settings settings = {.order = (index_order)((number + size) % INDEX_ORDER_COUNT),
                                             .first_capacity = size == 0 ? 3 : 0,
                                             .most_groups = size == 1 ? 60 : 0};
      pairs += compare_device(model_at(number)->name, made.meshes, made.count, false, NULL, &settings);
      if (size == 0) {
        torture_round_to_float(made.meshes, made.count);
        pairs += compare_device(model_at(number)->name, made.meshes, made.count, true, NULL, &settings);
      }
    }
  assert_true(pairs > test_scaled(20000, 1000));
}

TEST(test_torture_scenes) {
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *torture = torture_scene_at(number);
    OWNED(mesh_set) made = made_set(torture->make);
    for (index_order order = INDICES_FORWARD; order < INDEX_ORDER_COUNT; order++) {
      if (order == number % INDEX_ORDER_COUNT || (test_scale() < 1.0 && order != (number + 1) % INDEX_ORDER_COUNT))
        continue; /* each with two of the orders */
      const host_device_settings settings = {.order = order};
      compare_device(torture->name, made.meshes, made.count, torture->is_float && order != INDICES_FORWARD, NULL,
                     &settings);
    }
  }
}

/* A chain of triangles along x, each meeting the next, and one far away that the frame reaches to: `place` says where
 * in normalized coordinates the chain lies. */
static void make_chain(size_t place, mesh **meshes_out, size_t *mesh_count_out) {
  enum { TRIANGLES = 400 };
  torture_model("soup", TRIANGLES, 1, meshes_out, mesh_count_out);
  mesh *chain = &(*meshes_out)[0];
  assert_int_equal(chain->vertex_count, 3 * TRIANGLES); /* three of its own each */
  for (size_t i = 0; i < chain->vertex_count; i++) {
    const size_t corner = i % 3, triangle = i / 3;
    double *position = chain->positions + 3 * i;
    position[0] = (double)triangle + (corner == 1 ? 1.75 : 0.0);
    position[1] = (corner == 2 ? 1.5 : 0.0) + 3.0 * (double)(place % 32);
    position[2] = (corner == 0 ? 0.5 : 0.0) + 3.0 * (double)(place / 32);
    if (triangle + 1 < TRIANGLES) continue;
    for (int axis = 0; axis < 3; axis++) position[axis] = corner == 0 ? -1000.0 : corner == 1 ? -1001.0 : -1002.0;
  }
}

/* In a small table the two parts of a line of cells share buckets now and then: no pair may be found in both. */
TEST(test_shared_buckets) {
  for (size_t place = 0; place < test_scaled(100, 50); place++) {
    OWNED(mesh_set) made;
    make_chain(place, &made.meshes, &made.count);
    const host_device_settings settings = {.order = INDICES_FORWARD};
    assert_true(compare_device("chain", made.meshes, made.count, false, NULL, &settings) > 0);
  }
}

/* However many primitives there are: tables of powers of two. */
TEST(test_table_sizes) {
  const size_t counts[] = {1, 512, 513, 100000, UINT32_C(1) << 27, (UINT32_C(1) << 27) + 1, UINT32_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    grid_view view;
    view_grid_sizes(counts[i], &view);
    assert_true(view.bucket_count >= 1024 && (view.bucket_count & (view.bucket_count - 1)) == 0);
    assert_true(view.marked_blocks >= 128 && (view.marked_blocks & (view.marked_blocks - 1)) == 0);
    assert_true(view.bucket_slots > view.bucket_count);
    device_memory none;
    memset(&none, 0, sizeof none);
    uint32_t group_bits;
    const uint32_t group_count = group_count_of(&none, counts[i], &group_bits);
    assert_true(group_count <= (UINT32_C(1) << 21) + 1);
    assert_true((uint64_t)group_count << group_bits >= counts[i]);
    if (counts[i] <= 100000) assert_int_equal(group_count, counts[i]);
  }
}

/* The result of an update: a cube of side 1, and the sides of samples, with these numbers for each size. */
static device_scene sampled_scene(size_t small_count, double small, size_t large_count, double large) {
  device_scene state;
  memset(&state, 0, sizeof state);
  for (int axis = 0; axis < 3; axis++) {
    state.extent.low[0][axis] = ~ordered_bits(0.0);
    state.extent.high[0][axis] = ordered_bits(1.0);
  }
  state.sample_count = small_count + large_count;
  for (size_t i = 0; i < state.sample_count; i++) state.extent.sample_side[i] = i < small_count ? small : large;
  return state;
}

/* A level is a floor where at most three times as many lie below it, whatever lies above; in a map there is none. */
TEST(test_floor) {
  device_scene scene = sampled_scene(150, 0.01, 50, 0.03);
  const uint32_t floor = device_floor_level(&scene, 0);
  assert_int_equal(floor, device_level_of((float)(0.03 * measured_state(&scene.extent).scale), 0));
  scene.kinds.has_batch[BATCH_TETRAHEDRA] = true;
  assert_int_equal(device_floor_level(&scene, 0), floor - 1);
  scene.kinds.has_batch[BATCH_TETRAHEDRA] = false;
  scene.slot_bits = 3;
  assert_int_equal(device_floor_level(&scene, 0), 0);
  scene = sampled_scene(151, 0.01, 50, 0.03);
  assert_int_equal(device_floor_level(&scene, 0), 0);
  scene = sampled_scene(200, 0.01, 0, 0.0);
  assert_int_equal(device_floor_level(&scene, 0), 0);
  scene = sampled_scene(0, 0.0, 0, 0.0);
  assert_int_equal(device_floor_level(&scene, 0), 0);
}

/* A floor stays one until six times as many lie below it, or another one lies above. */
TEST(test_floor_stays) {
  device_scene scene = sampled_scene(30, 0.01, 10, 0.03);
  const uint32_t floor = device_floor_level(&scene, 0);
  scene = sampled_scene(60, 0.01, 10, 0.03);
  assert_int_equal(device_floor_level(&scene, 0), 0);
  assert_int_equal(device_floor_level(&scene, floor), floor);
  scene = sampled_scene(61, 0.01, 10, 0.03);
  assert_int_equal(device_floor_level(&scene, floor), 0);
  scene = sampled_scene(30, 0.03, 30, 0.12);
  assert_int_equal(device_floor_level(&scene, floor), floor + 2);
}

TEST(test_filters) {
  OWNED(mesh_set) made = torture_set("blobs", 600, 2);
  uint64_t sequence = 5;
  for (size_t round = 0; round < 6; round++) {
    object_filter filters[64];
    for (size_t i = 0; i < made.count; i++)
      filters[i] = (object_filter){UINT64_C(1) << sequence_below(&sequence, 3), sequence_below(&sequence, 8),
                                   sequence_below(&sequence, 2) == 0};
    const host_device_settings settings = {.order = (index_order)(round % INDEX_ORDER_COUNT)};
    compare_device("filtered blobs", made.meshes, made.count, false, filters, &settings);
  }
}

/* Two balls of tetrahedra in general position: faces, points on edges and planes through edges leave next to nothing to
 * doubles. */
TEST(test_floats_decide_tetrahedra) {
  OWNED(mesh_set) made = torture_set("tet-pair", test_scaled(4000, 1000), 6);
  const running_variant variant = device_variant(false);
  const host_device_settings settings = {.order = INDICES_SHUFFLED};
  host_device_configure(&settings);
  OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  const graze_query query = graze_query_default();
  const pair_answer found = runner_find(scene, &query);
  const graze_counters counters = found.counters;
  print_message("%zu candidates, %zu left by floats\n", (size_t)counters.candidates,
                (size_t)(counters.candidates - counters.float_decided));
  assert_true(found.count > 100 && counters.candidates > 2 * found.count);
  assert_true(counters.candidates - counters.float_decided < counters.candidates / 200);
  free(found.pairs);
}

/* ---------------------------------------------------------------------------------------------- frame after frame */

static void set_turned(graze_scene *scene, uint32_t index, double angle, const double translation[3]) {
  const double c = cos(angle), s = sin(angle), rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  const graze_object object = {index, 1};
  assert_ok(pose_object(scene, object, rotation, translation));
}

static void shake(mesh *m, uint64_t *sequence) {
  for (size_t i = 0; i < 3 * m->vertex_count; i++)
    m->positions[i] += ((double)sequence_below(sequence, 1000) - 500.0) * 1e-5;
}

static void change_scene(graze_scene *scene, size_t frame, mesh *meshes, const uint64_t *seed) {
  uint64_t sequence = *seed;
  const double shift[3] = {0.01 * (double)frame, -0.02, 0.005 * (double)(frame % 7)};
  set_turned(scene, (uint32_t)(frame % 3), 0.1 * (double)frame, shift);
  if (frame % 4 == 1) {
    const graze_view view = {meshes[1].positions, meshes[1].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_set_positions(scene, (graze_object){1, 1}, 0, view));
  }
  if (frame % 8 == 5) {
    const uint32_t gone[2] = {(uint32_t)sequence_below(&sequence, 10), 10 + (uint32_t)frame};
    assert_ok(graze_object_remove_primitives(scene, (graze_object){0, 1}, gone, 2));
  }
  if (frame % 8 == 7) {
    const uint32_t more[6] = {0, 1, 2, 2, 3, 4};
    uint32_t first;
    assert_ok(graze_object_append_primitives(scene, (graze_object){2, 1},
                                             (graze_view){more, 2, 0, GRAZE_FORMAT_UINT32_3}, &first));
  }
  assert_ok(graze_scene_update(scene));
}

/* Positions, poses, erased and new triangles; where sizes hold, the kept sequences are done again. */
TEST(test_moving_scene) {
  OWNED(mesh_set) made = torture_set("blobs", 500, 4);
  assert_true(made.count >= 3);
  const running_variant reference = running_variant_reference(), variant = device_variant(false);
  const host_device_settings settings = {.order = INDICES_SHUFFLED};
  host_device_configure(&settings);
  OWNED_SCENE *judging = runner_scene(&reference, made.meshes, made.count, NULL);
  OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  const graze_query query = graze_query_default();
  uint64_t sequence = 12;
  size_t frames = 24;
  graze_contacts expected = {0}, contacts = {0};
  assert_int_equal(graze_scene_device_launches(scene), 0);
  for (size_t frame = 0; frame < frames; frame++) {
    if (frame % 4 == 1) shake(&made.meshes[1], &sequence);
    change_scene(judging, frame, made.meshes, &sequence);
    change_scene(scene, frame, made.meshes, &sequence);
    const pair_answer wanted = runner_find(judging, &query), found = runner_find(scene, &query);
    runner_compare(&wanted, &found, "moving blobs", "device");
    assert_ok(graze_scene_make_contacts(judging, wanted.pairs, wanted.count, NULL, &expected));
    assert_ok(graze_scene_make_contacts(scene, found.pairs, found.count, NULL, &contacts));
    assert_int_equal(contacts.point_count, expected.point_count);
    assert_memory_equal(contacts.points, expected.points, expected.point_count * sizeof expected.points[0]);
    free(wanted.pairs);
    free(found.pairs);
  }
  graze_contacts_free(&expected);
  graze_contacts_free(&contacts);
  assert_true(host_device_count().replays > frames / 2);
  /* Four of an update; boxes, sum, rows, search, two tests, sort, unpack and the clearings of a query. */
  const uint64_t launches = graze_scene_device_launches(scene);
  assert_in_range(launches, 12, 24);
  const size_t before = host_device_count().operations, replays_before = host_device_count().replays;
  free(runner_find(scene, &query).pairs);
  assert_int_equal(graze_scene_device_launches(scene), launches);
  assert_int_equal(host_device_count().replays, replays_before + 1);
  assert_true(host_device_count().operations - before < launches); /* a replay is one */
  assert_int_equal(graze_scene_device_launches(judging), 0);
  assert_int_equal(graze_scene_device_launches(NULL), 0);
}

/* Positions and pairs that never leave the device, which here is the host. */
TEST(test_device_positions) {
  OWNED(mesh_set) made = torture_set("blobs", 400, 9);
  const running_variant reference = running_variant_reference(), variant = device_variant(false);
  const host_device_settings settings = {.order = INDICES_REVERSED};
  host_device_configure(&settings);
  OWNED_SCENE *judging = runner_scene(&reference, made.meshes, made.count, NULL);
  OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  const graze_query query = graze_query_default();
  uint64_t sequence = 3;
  graze_device_pairs there = {0};
  for (uint32_t frame = 0; frame < 4; frame++) {
    for (uint32_t i = 0; i < made.count; i++) {
      shake(&made.meshes[i], &sequence);
      const graze_view view = {made.meshes[i].positions, made.meshes[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
      const graze_object object = {i, 1};
      assert_ok(graze_object_set_positions(judging, object, 0, view));
      assert_ok(graze_object_set_device_positions(scene, object, made.meshes[i].positions, GRAZE_FORMAT_DOUBLE3, NULL));
    }
    assert_ok(graze_scene_update(judging));
    assert_ok(graze_scene_update(scene));
    const pair_answer wanted = runner_find(judging, &query);
    assert_ok(graze_scene_find_pairs_on_device(scene, &query, &there));
    assert_int_equal(there.count, wanted.count);
    assert_true(there.hash == wanted.hash);
    assert_memory_equal(there.device_pairs, wanted.pairs, wanted.count * sizeof *wanted.pairs);
    assert_true(wanted.count > 0);
    free(wanted.pairs);
  }
  assert_int_equal(graze_scene_find_pairs_on_device(judging, &query, &there), GRAZE_UNSUPPORTED);
  assert_int_equal(there.count, 0);
  graze_device_pairs_free(&there);
  const graze_object first = {0, 1};
  const graze_view some = {made.meshes[0].positions, 1, 0, GRAZE_FORMAT_DOUBLE3};
  assert_int_equal(graze_object_set_positions(scene, first, 0, some), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_object_set_device_positions(scene, first, NULL, GRAZE_FORMAT_DOUBLE3, NULL),
                   GRAZE_INVALID_ARGUMENT);
  assert_int_equal(
      graze_object_set_device_positions(judging, first, made.meshes[0].positions, GRAZE_FORMAT_DOUBLE3, NULL),
      GRAZE_UNSUPPORTED);
  const double before = made.meshes[0].positions[4];
  made.meshes[0].positions[4] = INFINITY;
  assert_int_equal(graze_scene_update(scene), GRAZE_NOT_FINITE);
  made.meshes[0].positions[4] = before;
  assert_ok(graze_scene_update(scene));
}

/* ---------------------------------------------------------------------------------------------- lists too short */

TEST(test_reruns) {
  OWNED(mesh_set) made = torture_set("blobs", 800, 4);
  const running_variant variant = device_variant(false);
  const host_device_settings settings = {.first_capacity = 2};
  host_device_configure(&settings);
  OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  const graze_query query = graze_query_default();
  const pair_answer first = runner_find(scene, &query);
  assert_true(first.count > 10);
  assert_true(first.counters.reruns >= 1);
  assert_true(first.counters.reruns <= 3);
  const pair_answer second = runner_find(scene, &query);
  assert_int_equal(second.counters.reruns, 0);
  runner_compare(&first, &second, "blobs", "second query");
  bool any;
  graze_pairs pair = {0};
  assert_ok(graze_scene_any_pair(scene, &query, &any, &pair));
  assert_true(any);
  assert_int_equal(pair.count, 1);
  assert_memory_equal(pair.pairs, first.pairs, sizeof *pair.pairs);
  graze_pairs_free(&pair);
  graze_query limited = query;
  limited.pair_limit = 7;
  const pair_answer some = runner_find(scene, &limited);
  assert_int_equal(some.count, 7);
  assert_true(some.limit_reached);
  assert_memory_equal(some.pairs, first.pairs, 7 * sizeof(graze_pair));
  free(first.pairs);
  free(second.pairs);
  free(some.pairs);
}

/* One place too few, and just enough. */
TEST(test_last_place) {
  OWNED(mesh_set) made = torture_set("blobs", 300, 4);
  const running_variant variant = device_variant(false);
  const graze_query query = graze_query_default();
  pair_answer answers[3];
  size_t candidates = 0;
  for (size_t i = 0; i < 3; i++) {
    const host_device_settings settings = {.first_capacity = i == 0 ? 0 : candidates - (i == 1 ? 1 : 0)};
    host_device_configure(&settings);
    OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
    answers[i] = runner_find(scene, &query);
    if (i == 0) candidates = answers[i].counters.candidates;
    assert_int_equal(answers[i].counters.reruns, i == 1 ? 1 : 0);
    assert_int_equal(answers[i].counters.candidates, candidates);
    runner_compare(&answers[0], &answers[i], "blobs", "a place too few or none");
  }
  for (size_t i = 0; i < 3; i++) free(answers[i].pairs);
}

/* ---------------------------------------------------------------------------------------------- kept sequences */

/* In a scene of two kinds an object gives its place to one of a third, with as many vertices and primitives: all arrays
 * and sizes stay, and yet there are other stages to run. */
TEST(test_kinds_that_change_places) {
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const uint32_t ring[4] = {0, 1, 2, 3}, ring_size = 3, triangle[3] = {0, 1, 2}, inside_out[4] = {1, 0, 2, 3};
  OWNED_SCENE *scene;
  assert_ok(create_on("cuda", 0, graze_scene_def_default(), &scene));
  graze_mesh_def mesh_def = graze_mesh_def_default();
  mesh_def.positions = (graze_view){corners, 4, 0, GRAZE_FORMAT_FLOAT3};
  mesh_def.corners = (graze_view){ring, 3, 0, GRAZE_FORMAT_UINT32};
  mesh_def.face_sizes = (graze_view){&ring_size, 1, 0, GRAZE_FORMAT_UINT32};
  mesh_def.triangles = (graze_view){triangle, 1, 0, GRAZE_FORMAT_UINT32_3};
  mesh_def.tetrahedra = (graze_view){inside_out, 1, 0, GRAZE_FORMAT_UINT32_4};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &mesh_def, NULL, NULL));
  for (int i = 0; i < 4; i++) {
    const bool solid = i % 2 != 0;
    graze_object object;
    assert_ok(solid ? graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &mesh_def, NULL, &object)
                    : graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh_def, NULL, &object));
    assert_int_equal(object.index, 1);
    assert_ok(graze_scene_update(scene));
    graze_pairs pairs = find_pairs(scene, NULL);
    assert_int_equal(pairs.count, 1);
    assert_int_equal(pairs.counters->inverted, solid ? 1 : 0);
    graze_pairs_free(&pairs);
    assert_ok(graze_scene_remove_object(scene, object));
  }
}

/* ---------------------------------------------------------------------------------------------- refusals */

TEST(test_refusals) {
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  OWNED_SCENE *scene = NULL;
  assert_int_equal(create_on("cuda", 7, graze_scene_def_default(), &scene), GRAZE_NO_DEVICE);
  assert_string_equal(graze_error_text(), "there is no device number 7");
  assert_null(scene);
  assert_ok(create_on("cuda", 0, graze_scene_def_default(), &scene));
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_int_equal(pairs.count, 0);
  /* A pose that leaves the doubles. */
  const double huge[9] = {1e308, 0, 0, -1e308, 1, 0, 0, 0, 1}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double far[3] = {1.7e308, 0, 0}, here[3] = {0, 0, 1};
  const uint32_t corners[3] = {0, 1, 2};
  graze_mesh_def mesh_def = graze_mesh_def_default();
  mesh_def.positions = (graze_view){huge, 3, 0, GRAZE_FORMAT_DOUBLE3};
  mesh_def.triangles = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh_def, NULL, &object));
  assert_ok(pose_object(scene, object, identity, far));
  assert_int_equal(graze_scene_update(scene), GRAZE_NOT_FINITE);
  assert_non_null(strstr(graze_error_text(), "after the pose"));
  assert_ok(pose_object(scene, object, identity, here));
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  /* Structures on a device are not listed; back on the processor they are. */
  OWNED(graze_structure) structure = {0};
  assert_int_equal(graze_scene_inspect(scene, NULL, NULL, &structure), GRAZE_UNSUPPORTED);
  assert_non_null(strstr(graze_error_text(), "on the backend cuda"));
  assert_true(structure.nodes == NULL && structure.method == NULL);
  assert_ok(graze_scene_set_backend(scene, NULL));
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_inspect(scene, NULL, NULL, &structure));
  assert_non_null(structure.method);
}

/* Two tetrahedra of which the first begins just below a cell and ends just before another, so that its length in
 * cells is rounded up to one more than boxes have. */
TEST(test_rounded_lengths) {
  static const float first[4][3] = {
      {0.1f, 0.1f, -1e-20f}, {1.2f, 0.1f, 0.5f}, {0.1f, 1.2f, 0.5f}, {0.3f, 0.3f, 0x1.fffffep0f}};
  static const float second[4][3] = {{0.2f, 0.2f, 0.25f}, {1.3f, 0.2f, 0.75f}, {0.2f, 1.3f, 0.75f}, {0.4f, 0.4f, 2}};
  static const uint32_t corners[4] = {0, 1, 2, 3};
  OWNED_SCENE *scene;
  assert_ok(create_on("cuda", 0, graze_scene_def_default(), &scene));
  for (int i = 0; i < 2; i++) {
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){i == 0 ? first : second, 4, 0, GRAZE_FORMAT_FLOAT3};
    def.tetrahedra = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_4};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, NULL));
  }
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_int_equal(pairs.count, 1);
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

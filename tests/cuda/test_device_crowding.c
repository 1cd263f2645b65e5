/* Tests the k-free measure on an emulated device: every built-in model and torture scene, real meshes, every kind,
 * float and double, erased primitives, posed objects, filters, lists that are too short, failing operations. Every
 * count, sum and bit of a diameter must equal the processor's, which other tests compare with rational arithmetic. */
#include "backend_choice.h"
#include "base/number_sequence.h"
#include "graze/cuda.h"
#include "host_operations.h"
#include "mesh_io/mesh_file.h"
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

static size_t primitives_compared, counted;

static running_variant device_variant(bool as_float) {
  running_variant variant = running_variant_reference();
  variant.method = "auto";
  variant.as_float = as_float;
  return variant;
}

/* The processor's way: its grid, as large models are too much for its reference. */
static graze_scene *judging_scene(const mesh *meshes, size_t mesh_count, bool as_float) {
  running_variant variant = running_variant_reference();
  variant.as_float = as_float;
  graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
  graze_method_def method = graze_method_def_default();
  method.name = "grid";
  assert_ok(graze_scene_set_method(scene, &method));
  assert_ok(graze_scene_update(scene));
  return scene;
}

static void compare_sums(const graze_crowding *wanted, const graze_crowding *found) {
  assert_int_equal(found->kind, wanted->kind);
  assert_int_equal(found->primitive_count, wanted->primitive_count);
  assert_int_equal(found->k, wanted->k);
  assert_int_equal(found->levels, wanted->levels);
  assert_true(found->mean == wanted->mean && found->deviation == wanted->deviation);
  assert_true(found->neighbor_mean == wanted->neighbor_mean);
  assert_true(found->neighbor_deviation == wanted->neighbor_deviation);
  assert_true(found->smallest == wanted->smallest && found->largest == wanted->largest);
  assert_true(found->height == wanted->height);
}

/* Returns how often the device ran it again. */
static uint64_t compare_object(const graze_scene *judging, const graze_scene *scene, uint32_t index, const char *name) {
  const graze_object object = {index, 1};
  OWNED(graze_crowding) wanted = {0}, found = {0};
  if (graze_scene_measure_crowding(judging, object, &wanted) != GRAZE_OK) fail_msg("%s: %s", name, graze_error_text());
  if (graze_scene_measure_crowding(scene, object, &found) != GRAZE_OK) fail_msg("%s: %s", name, graze_error_text());
  assert_int_equal(found.count, wanted.count);
  for (size_t i = 0; i < wanted.count; i++) {
    if (found.k_of[i] == wanted.k_of[i] && found.neighbors_of[i] == wanted.neighbors_of[i] &&
        memcmp(&found.diameter_of[i], &wanted.diameter_of[i], sizeof(double)) == 0)
      continue;
    fail_msg("%s, object %u, primitive %zu: k %u, neighbors %u, diameter %a; on the device %u, %u, %a", name, index, i,
             wanted.k_of[i], wanted.neighbors_of[i], wanted.diameter_of[i], found.k_of[i], found.neighbors_of[i],
             found.diameter_of[i]);
  }
  compare_sums(&wanted, &found);
  assert_true(found.counters->candidates >= wanted.counters->candidates); /* boxes are rounded outward: cell_box.h */
  assert_int_equal(found.counters->searched, wanted.primitive_count);
  assert_int_equal(found.counters->primitives, wanted.counters->primitives);
  primitives_compared += wanted.count;
  for (size_t i = 0; i < wanted.count; i++) counted += wanted.k_of[i] > 0 ? wanted.k_of[i] - 1 : 0;
  const uint64_t reruns = found.counters->reruns;
  return reruns;
}

static void compare_meshes(const char *name, const mesh *meshes, size_t mesh_count, bool as_float,
                           const host_device_settings *settings) {
  const running_variant variant = device_variant(as_float);
  host_device_configure(settings);
  graze_scene *judging = judging_scene(meshes, mesh_count, as_float);
  graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
  for (uint32_t i = 0; i < mesh_count; i++) compare_object(judging, scene, i, name);
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  assert_int_equal(host_device_count().open_devices, 0);
  assert_int_equal(host_device_count().bytes, 0);
}

TEST(test_models) {
  primitives_compared = counted = 0;
  for (size_t number = 0; number < model_count(); number++)
    for (size_t size = 0; size < 2; size++) {
      const size_t sizes[] = {40, test_scaled(2000, 150)};
      OWNED(mesh_set) made = torture_set(model_at(number)->name, sizes[size], number + size);
      const host_device_settings settings = {.order = (index_order)((number + size) % INDEX_ORDER_COUNT),
                                             .first_capacity = size == 0 ? 3 : 0};
      compare_meshes(model_at(number)->name, made.meshes, made.count, false, &settings);
      if (size == 0) {
        torture_round_to_float(made.meshes, made.count);
        compare_meshes(model_at(number)->name, made.meshes, made.count, true, &settings);
      }
    }
  assert_true(primitives_compared > test_scaled(20000, 1000));
  assert_true(counted > test_scaled(200000, 10000));
}

TEST(test_torture_scenes) {
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *torture = torture_scene_at(number);
    OWNED(mesh_set) made = made_set(torture->make);
    const host_device_settings settings = {.order = (index_order)(number % INDEX_ORDER_COUNT)};
    compare_meshes(torture->name, made.meshes, made.count, torture->is_float && number % 2 == 0, &settings);
  }
}

TEST(test_real_meshes) {
  const char *const files[] = {"meshes/bunny_7k.off",        "meshes/chair_soup.off", "meshes/coplanar_cubes.off",
                               "meshes/thingi_72214.stl.gz", "tets/octopus-low.mesh", "tets/Armadillo2.5K.vtk.gz"};
  const char *folder = getenv("GRAZE_DATA");
  if (folder == NULL) {
    print_message("skipped: GRAZE_DATA names no folder\n");
    skip();
  }
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    OWNED(mesh_set) made = read_set(path, NULL);
    const host_device_settings settings = {.order = INDICES_SHUFFLED};
    compare_meshes(files[i], made.meshes, made.count, false, &settings);
  }
}

/* ---------------------------------------------------------------------------------------------- what a scene does */

enum { MOST_MESHES = 64 };

/* One mesh of every kind, beside each other in one scene: numbers of primitives and vertices do not begin at 0, and
 * elements lie behind those of other kinds. */
static size_t make_mixture(mesh meshes_out[MOST_MESHES]) {
  const char *const names[] = {"blob", "panels", "tet-ball", "cells", "knot", "spheres"};
  size_t count = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    OWNED_MEMORY mesh *meshes;
    size_t mesh_count;
    torture_model(names[i], test_sanitized(80 + 10 * i, 150 + 40 * i), i, &meshes, &mesh_count);
    for (size_t j = 0; j < mesh_count; j++) meshes_out[count++] = meshes[j];
  }
  return count;
}

static void release_mixture(mesh *meshes, size_t count) {
  for (size_t i = 0; i < count; i++) mesh_free(&meshes[i]);
}

static void change_object(graze_scene *scene, uint32_t index, uint32_t round) {
  const graze_object object = {index, 1};
  const double angle = 0.3 * (round + index), c = cos(angle), s = sin(angle);
  const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, translation[3] = {0.5 * index, 1e-3 * round, -2.0};
  assert_ok(pose_object(scene, object, rotation, translation));
  assert_ok(graze_object_set_filter(scene, object, 1, round == 1 ? 0 : ~UINT64_C(0), round != 1));
  const uint32_t gone[2] = {3 * round + index, 3 * round + index + 7};
  assert_ok(graze_object_remove_primitives(scene, object, gone, 2));
}

/* Poses, filters and erased primitives; queries between the measures, which share room with them. */
TEST(test_mixed_scene) {
  mesh meshes[MOST_MESHES];
  const size_t count = make_mixture(meshes);
  const host_device_settings settings = {.order = INDICES_SHUFFLED, .first_capacity = 5};
  const running_variant variant = device_variant(false);
  host_device_configure(&settings);
  graze_scene *judging = judging_scene(meshes, count, false);
  graze_scene *scene = runner_scene(&variant, meshes, count, NULL);
  const graze_query query = graze_query_default();
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < count; i++) compare_object(judging, scene, i, "mixture");
    const pair_answer wanted = runner_find(judging, &query), found = runner_find(scene, &query);
    runner_compare(&wanted, &found, "mixture", "after measures");
    free(wanted.pairs);
    free(found.pairs);
    for (uint32_t i = (uint32_t)count; i-- > 0;) compare_object(judging, scene, i, "mixture after a query");
    for (uint32_t i = 0; i < count; i++) {
      change_object(judging, i, round);
      change_object(scene, i, round);
    }
    assert_ok(graze_scene_update(judging));
    assert_ok(graze_scene_update(scene));
  }
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  release_mixture(meshes, count);
}

/* All primitives of an object gone, or none ever there. */
TEST(test_empty_objects) {
  OWNED(mesh_set) made = torture_set("sphere", 40, 1);
  const host_device_settings settings = {0};
  const running_variant variant = device_variant(false);
  host_device_configure(&settings);
  OWNED_SCENE *judging = judging_scene(made.meshes, made.count, false);
  OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  graze_scene *const both[2] = {judging, scene};
  for (int i = 0; i < 2; i++) {
    const graze_mesh_def def = graze_mesh_def_default();
    graze_object empty;
    assert_ok(graze_scene_add(both[i], GRAZE_KIND_TRIANGLE, &def, NULL, &empty));
    for (uint32_t j = 0; j < made.meshes[0].triangle_count; j++)
      assert_ok(graze_object_remove_primitives(both[i], (graze_object){0, 1}, &j, 1));
    assert_ok(graze_scene_update(both[i]));
  }
  compare_object(judging, scene, 0, "erased sphere");
  compare_object(judging, scene, 1, "nothing");
  graze_crowding crowding = {0};
  assert_int_equal(graze_scene_measure_crowding(scene, (graze_object){9, 1}, &crowding), GRAZE_NO_SUCH_OBJECT);
  graze_crowding_free(&crowding);
}

/* Polygons and polyhedra of no more corners than a triangle or tetrahedron has, one above the other: near, and without
 * a corner in common. */
TEST(test_few_corners) {
  enum { LAYERS = 20 };
  const host_device_settings settings = {.order = INDICES_SHUFFLED};
  host_device_configure(&settings);
  float positions[LAYERS][4][3];
  uint32_t rings[LAYERS][4], faces[LAYERS][4][3], ring_sizes[LAYERS], face_sizes[4 * LAYERS], cell_sizes[LAYERS];
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5f}};
  const uint32_t turns[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  for (uint32_t i = 0; i < LAYERS; i++) {
    ring_sizes[i] = cell_sizes[i] = 4;
    for (uint32_t k = 0; k < 4; k++) {
      rings[i][k] = 4 * i + k;
      face_sizes[4 * i + k] = 3;
      for (int axis = 0; axis < 3; axis++) {
        positions[i][k][axis] = corners[k][axis] + (axis == 2 ? 0.2f * (float)i : 0.0f);
        faces[i][k][axis] = 4 * i + turns[k][axis];
      }
    }
  }
  const char *const backends[2] = {"cpu", "cuda"};
  graze_scene *scenes[2];
  for (int i = 0; i < 2; i++) {
    assert_ok(create_on(backends[i], 0, graze_scene_def_default(), &scenes[i]));
    graze_method_def method = graze_method_def_default();
    method.name = "grid";
    assert_ok(graze_scene_set_method(scenes[i], &method));
    graze_mesh_def mesh_def = graze_mesh_def_default();
    mesh_def.positions = (graze_view){positions, 4 * LAYERS, 0, GRAZE_FORMAT_FLOAT3};
    mesh_def.corners = (graze_view){rings, 4 * LAYERS, 0, GRAZE_FORMAT_UINT32};
    mesh_def.face_sizes = (graze_view){ring_sizes, LAYERS, 0, GRAZE_FORMAT_UINT32};
    assert_ok(graze_scene_add(scenes[i], GRAZE_KIND_POLYGON, &mesh_def, NULL, NULL));
    mesh_def.corners = (graze_view){faces, 12 * LAYERS, 0, GRAZE_FORMAT_UINT32};
    mesh_def.face_sizes = (graze_view){face_sizes, 4 * LAYERS, 0, GRAZE_FORMAT_UINT32};
    mesh_def.cell_sizes = (graze_view){cell_sizes, LAYERS, 0, GRAZE_FORMAT_UINT32};
    assert_ok(graze_scene_add(scenes[i], GRAZE_KIND_POLYHEDRON, &mesh_def, NULL, NULL));
    assert_ok(graze_scene_update(scenes[i]));
  }
  counted = 0;
  compare_object(scenes[0], scenes[1], 0, "quadrilaterals");
  compare_object(scenes[0], scenes[1], 1, "polyhedra of four corners");
  assert_true(counted >= 4 * (LAYERS - 1));
  for (int i = 0; i < 2; i++) graze_scene_destroy(scenes[i]);
}

/* Positions that the host never sees, which here is the device. */
TEST(test_device_positions) {
  OWNED(mesh_set) made = torture_set("blobs", 400, 9);
  const host_device_settings settings = {.order = INDICES_REVERSED};
  const running_variant variant = device_variant(false);
  host_device_configure(&settings);
  OWNED_SCENE *judging = judging_scene(made.meshes, made.count, false);
  OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  uint64_t sequence = 3;
  for (int frame = 0; frame < 3; frame++) {
    for (uint32_t i = 0; i < made.count; i++) {
      for (size_t j = 0; j < 3 * made.meshes[i].vertex_count; j++)
        made.meshes[i].positions[j] += ((double)sequence_below(&sequence, 1000) - 500.0) * 1e-4;
      const graze_view view = {made.meshes[i].positions, made.meshes[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
      const graze_object object = {i, 1};
      assert_ok(graze_object_set_positions(judging, object, 0, view));
      assert_ok(graze_object_set_device_positions(scene, object, made.meshes[i].positions, GRAZE_FORMAT_DOUBLE3, NULL));
    }
    graze_crowding crowding = {0};
    assert_int_equal(graze_scene_measure_crowding(scene, (graze_object){0, 1}, &crowding), GRAZE_NOT_UPDATED);
    graze_crowding_free(&crowding);
    assert_ok(graze_scene_update(judging));
    assert_ok(graze_scene_update(scene));
    for (uint32_t i = 0; i < made.count; i++) compare_object(judging, scene, i, "shaken blobs");
  }
}

/* ---------------------------------------------------------------------------------------------- room and failures */

/* Too little room at first, enough from then on; what is the same is then done again as it was kept. */
TEST(test_reruns) {
  const char *const names[] = {"folded-cloth", "tet-ball", "panels"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    OWNED(mesh_set) made = torture_set(names[i], 500, 4);
    const host_device_settings settings = {.first_capacity = 2};
    const running_variant variant = device_variant(false);
    host_device_configure(&settings);
    OWNED_SCENE *judging = judging_scene(made.meshes, made.count, false);
    OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
    const uint64_t reruns = compare_object(judging, scene, 0, names[i]);
    assert_true(reruns >= 1 && reruns <= 4);
    const size_t replays = host_device_count().replays;
    assert_int_equal(compare_object(judging, scene, 0, names[i]), 0);
    assert_int_equal(host_device_count().replays, replays + 1);
  }
}

static graze_scene *scene_before_failure(const mesh *meshes, size_t count) {
  host_device_settings settings = {.first_capacity = 2};
  host_device_configure(&settings);
  const running_variant variant = device_variant(false);
  return runner_scene(&variant, meshes, count, NULL);
}

/* Every operation of a measure fails in turn: a code, a message, and a scene that answers when asked again. */
TEST(test_failing_operations) {
  mesh meshes[MOST_MESHES];
  const size_t count = make_mixture(meshes);
  graze_scene *judging = judging_scene(meshes, count, false);
  for (uint32_t object = 0; object < count; object++) {
    bool reached = true;
    size_t failures = 0;
    const size_t step = test_sanitized(5, test_scale() < 1.0 ? 3 : 1);
    for (size_t fail_at = 1 + object % step; reached; fail_at += step) {
      graze_scene *scene = scene_before_failure(meshes, count);
      host_device_settings settings = {.first_capacity = 2, .fail_at = fail_at};
      host_device_configure(&settings);
      graze_crowding crowding = {0};
      const graze_result result = graze_scene_measure_crowding(scene, (graze_object){object, 1}, &crowding);
      reached = host_device_count().operations >= fail_at;
      if (result != GRAZE_OK) { /* memory that is short for a moment is no failure: other lists give way */
        failures++;
        assert_true(result == GRAZE_OUT_OF_MEMORY || result == GRAZE_DEVICE_FAILED);
        assert_non_null(strstr(graze_error_text(), "of the device failed"));
        assert_null(crowding.k_of);
      }
      graze_crowding_free(&crowding);
      settings.fail_at = 0;
      host_device_configure(&settings);
      compare_object(judging, scene, object, "after a failure");
      graze_scene_destroy(scene);
      assert_int_equal(host_device_count().bytes, 0);
    }
    assert_true(failures > 24 / step);
  }
  graze_scene_destroy(judging);
  release_mixture(meshes, count);
}

/* Memory that a query and its contacts hold is given up for a measure, and the other way round; where there is too
 * little for a measure, queries go on. */
TEST(test_little_memory) {
  mesh *meshes;
  size_t mesh_count, measured = 0, refused = 0;
  torture_model("blobs", 400, 6, &meshes, &mesh_count);
  graze_scene *judging = judging_scene(meshes, mesh_count, false);
  const running_variant variant = device_variant(false);
  const graze_query query = graze_query_default();
  const pair_answer wanted = runner_find(judging, &query);
  for (size_t extra = 0; extra < 40; extra++) {
    host_device_settings settings = {.first_capacity = extra % 2 == 0 ? 0 : 3};
    host_device_configure(&settings);
    graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    graze_contacts contacts = {0};
    graze_pairs pairs = find_pairs(scene, &query);
    if (extra % 2 == 0) assert_ok(graze_scene_make_contacts(scene, pairs.pairs, pairs.count, NULL, &contacts));
    graze_pairs_free(&pairs);
    graze_contacts_free(&contacts);
    settings.most_bytes = host_device_count().bytes + 1000 * extra;
    host_device_configure(&settings);
    for (uint32_t i = 0; i < mesh_count; i++) {
      graze_crowding crowding = {0};
      const graze_result result = graze_scene_measure_crowding(scene, (graze_object){i, 1}, &crowding);
      assert_true(result == GRAZE_OK || result == GRAZE_OUT_OF_MEMORY);
      assert_true(result == GRAZE_OK || extra % 2 != 0); /* contacts hold more than a measure needs */
      measured += result == GRAZE_OK;
      refused += result != GRAZE_OK;
      graze_crowding_free(&crowding);
      if (result == GRAZE_OK) compare_object(judging, scene, i, "little memory");
      const pair_answer found = runner_find(scene, &query);
      runner_compare(&wanted, &found, "blobs", "after a measure with little memory");
      free(found.pairs);
    }
    graze_scene_destroy(scene);
    assert_int_equal(host_device_count().bytes, 0);
  }
  print_message("%zu measured, %zu refused\n", measured, refused);
  assert_true(measured > 0 && refused > 0);
  free(wanted.pairs);
  graze_scene_destroy(judging);
  mesh_list_free(meshes, mesh_count);
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

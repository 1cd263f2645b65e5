/* Tests clusters on an emulated device: every built-in model and torture scene, every query, posed, moving and
 * deforming objects, numbers of clusters, axes and distances, huge primitives, alternating methods, stopped queries,
 * lists and memory that are too small, failing operations. The reference is the processor's method "brute". */
#include "backend_choice.h"
#include "base/checked_allocator.h"
#include "base/number_sequence.h"
#include "cluster_frames.h"
#include "cuda/stage_clusters.h"
#include "device_frames.h"
#include "graze/cuda.h"
#include "host_operations.h"
#include "mesh_set.h"
#include "models/model.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 4 };

static const graze_scope scopes[] = {GRAZE_SCOPE_BOTH, GRAZE_SCOPE_BETWEEN, GRAZE_SCOPE_WITHIN};

static size_t compare_queries(const graze_scene *judge, const graze_scene *scene, bool solids, const char *name) {
  size_t pairs = 0;
  for (int scope = 0; scope < 3; scope++)
    for (int kind = 0; kind < DEVICE_FRAME_KINDS; kind++) {
      const graze_query query = device_frame_query(scopes[scope], kind, solids);
      pairs += compare_query(judge, scene, &query, name).pairs;
    }
  return pairs;
}

/* ---------------------------------------------------------------------------------------------- frames */

static void check_all_returned(void) {
  assert_int_equal(host_device_count().open_devices, 0);
  assert_int_equal(host_device_count().bytes, 0);
}

static size_t compare_frames(const char *name, const mesh *meshes, size_t mesh_count, const graze_method_def *method,
                             const host_device_settings *settings, int frames) {
  const bool solids = device_frames_have_solids(meshes, mesh_count);
  host_device_configure(settings);
  graze_scene *judge = reference_scene(meshes, mesh_count), *scene = device_frames_scene(meshes, mesh_count);
  choose(scene, method);
  size_t pairs = 0;
  for (int frame = 0; frame < frames; frame++) {
    if (frame > 0) device_frame_change(judge, scene, meshes, mesh_count, frame);
    pairs += compare_queries(judge, scene, solids, name);
  }
  assert_string_equal(graze_scene_method(scene, NULL), "clusters");
  graze_scene_destroy(judge);
  graze_scene_destroy(scene);
  check_all_returned();
  return pairs;
}

TEST(test_models) {
  static const uint32_t numbers[] = {0, 1, 2, 7, 0, 30};
  size_t pairs = 0;
  for (size_t number = 0; number < model_count(); number++) {
    OWNED(mesh_set) made = torture_set(model_at(number)->name, test_scaled(250, 60), number);
    const host_device_settings settings = {.order = (index_order)(number % INDEX_ORDER_COUNT),
                                           .first_capacity = number % 2 == 0 ? 3 : 0};
    const graze_method_def method =
        method_of(numbers[number % 6], (graze_axis)(number % 4), (graze_metric)(number / 2 % 3));
    pairs += compare_frames(model_at(number)->name, made.meshes, made.count, &method, &settings, FRAMES);
  }
  assert_true(pairs > test_scaled(15000, 700));
}

TEST(test_torture_scenes) {
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *torture = torture_scene_at(number);
    if (test_scale() < 1.0 && number % 5 != 0) continue; /* the others: test_device_stages.c */
    OWNED(mesh_set) made = made_set(torture->make);
    const host_device_settings settings = {.order = (index_order)(number % INDEX_ORDER_COUNT)};
    const graze_method_def method =
        method_of(number % 2 == 0 ? 0 : 12, (graze_axis)(number % 4), (graze_metric)(number % 3));
    compare_frames(torture->name, made.meshes, made.count, &method, &settings, 1);
  }
}

/* One object of each kind and two more, in one place. */
TEST(test_kinds) {
  static const char *const names[] = {"blob", "panels", "tet-ball", "cells", "torus", "tet-box"};
  enum { OBJECTS = sizeof names / sizeof names[0] };
  mesh *made[OBJECTS], objects[OBJECTS];
  size_t counts[OBJECTS];
  for (size_t i = 0; i < OBJECTS; i++) {
    torture_model(names[i], test_scaled(100, 40), i, &made[i], &counts[i]);
    objects[i] = made[i][0];
  }
  const host_device_settings settings = {.order = INDICES_SHUFFLED};
  const graze_method_def method = method_of(9, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  assert_true(compare_frames("all kinds", objects, OBJECTS, &method, &settings, FRAMES) > test_scaled(1000, 200));
  for (size_t i = 0; i < OBJECTS; i++) mesh_list_free(made[i], counts[i]);
}

/* ---------------------------------------------------------------------------------------------- parts of answers */

static bool list_has(const pair_answer *list, const graze_pair *pair) {
  for (size_t i = 0; i < list->count; i++)
    if (memcmp(&list->pairs[i], pair, sizeof *pair) == 0) return true;
  return false;
}

static bool always(void *context) {
  ++*(size_t *)context;
  return true;
}

/* The first pairs in order, any so many pairs, one pair, and none because the caller stops. */
TEST(test_short_answers) {
  OWNED(mesh_set) made = torture_set("blobs", 800, 4);
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  OWNED_SCENE *judge = reference_scene(made.meshes, made.count), *scene = device_frames_scene(made.meshes, made.count);
  const graze_method_def method = method_of(6, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L1);
  choose(scene, &method);
  graze_query query = graze_query_default();
  OWNED(pair_answer) all = runner_find(judge, &query);
  assert_true(all.count > 50);
  for (size_t most = 1; most <= 2 * all.count; most *= 3) {
    query.pair_limit = most;
    compare_query(judge, scene, &query, "limit");
    query.pair_limit = 0;
    query.stop_after = most;
    pair_answer some = runner_find(scene, &query);
    assert_int_equal(some.count, most < all.count ? most : all.count);
    for (size_t i = 0; i < some.count; i++) assert_true(list_has(&all, &some.pairs[i]));
    free(some.pairs);
    query.stop_after = 0;
  }
  bool found = false;
  OWNED(graze_pairs) pairs = {0};
  assert_ok(graze_scene_any_pair(scene, &query, &found, &pairs));
  assert_true(found && pairs.count == 1 && list_has(&all, &pairs.pairs[0]));
  size_t asked = 0;
  query.should_stop = always;
  query.stop_context = &asked;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_STOPPED);
  assert_true(asked > 0 && pairs.count == 0);
  query.should_stop = NULL;
  compare_query(judge, scene, &query, "after a stop");
}

/* Sequences that are kept are each method's own, whatever comes between two of its queries: the grid has no members,
 * the reference tests every two boxes, clusters test fewer. */
TEST(test_methods_take_turns) {
  static const char *const turns[] = {"clusters", "grid", "clusters", "brute", "clusters", "tree", "grid", "clusters"};
  OWNED(mesh_set) made = torture_set("blobs", 600, 5);
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  OWNED_SCENE *judge = reference_scene(made.meshes, made.count), *scene = device_frames_scene(made.meshes, made.count);
  for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
    const bool clusters = strcmp(turns[i], "clusters") == 0;
    graze_method_def method = graze_method_def_default();
    method.name = turns[i];
    if (clusters) method.clusters = 5 + (uint32_t)i / 4;
    choose(scene, &method);
    for (int again = 0; again < 3; again++) {
      graze_query query = graze_query_default();
      query.about_count = again == 1 ? 1 : 0;
      query.about_a = (graze_object){1, 1};
      const pair_answer wanted = runner_find(judge, &query), found = runner_find(scene, &query);
      runner_compare(&wanted, &found, "turns", turns[i]);
      const uint64_t entries = found.counters.searched, every = entries * (entries - 1) / 2;
      assert_true((found.counters.members > 0) == clusters);
      assert_int_equal(found.counters.clusters, clusters ? method.clusters : 0);
      assert_true(strcmp(turns[i], "tree") == 0 ||
                  (found.counters.box_tests == every) == (strcmp(turns[i], "brute") == 0));
      free(wanted.pairs);
      free(found.pairs);
    }
  }
}

/* A frame like the last allocates nothing and records nothing. */
TEST(test_steady_frames) {
  OWNED(mesh_set) made = torture_set("blobs", 600, 6);
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  OWNED_SCENE *scene = device_frames_scene(made.meshes, made.count);
  const graze_method_def method = method_of(8, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  choose(scene, &method);
  const graze_query query = graze_query_default();
  host_device_counts before = {0};
  for (int frame = 0; frame < 12; frame++) {
    const double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, shift[3] = {1e-4 * frame, 0, 0};
    assert_ok(pose_object(scene, (graze_object){0, 1}, turn, shift));
    assert_ok(graze_scene_update(scene));
    free(runner_find(scene, &query).pairs);
    if (frame == 5) before = host_device_count();
  }
  assert_int_equal(host_device_count().allocations, before.allocations);
  assert_int_equal(host_device_count().recordings, before.recordings);
}

/* ---------------------------------------------------------------------------------------------- sizes */

/* Sizes from 1 to 10^-6 of a length, logarithmically uniform; the last ones twice the size of the scene. */
static mesh triangles_of_sizes(size_t count, size_t huge, double length) {
  uint64_t seed = 11;
  mesh m = loose_triangles(count);
  for (size_t i = 0; i < count; i++) {
    const double size = i + huge >= count ? 2.0 : length * pow(10.0, -0.06 * (double)sequence_below(&seed, 100));
    double center[3];
    for (int axis = 0; axis < 3; axis++) center[axis] = i + huge >= count ? 0.0 : random_unit(&seed);
    for (int k = 0; k < 9; k++) m.positions[9 * i + k] = center[k % 3] + size * random_unit(&seed);
  }
  return m;
}

TEST(test_sizes) {
  const size_t count = test_scaled(1500, 400);
  for (int variant = 0; variant < 12; variant++) {
    const host_device_settings settings = {.order = (index_order)(variant % INDEX_ORDER_COUNT)};
    mesh m = triangles_of_sizes(count, variant % 2 == 0 ? 0 : 9, variant < 6 ? 0.3 : 0.04);
    const graze_method_def method =
        method_of(variant % 4 == 0 ? 0 : 5, (graze_axis)(variant / 4), (graze_metric)(variant % 3));
    host_device_configure(&settings);
    compare_frames("sizes", &m, 1, &method, &settings, 2);
    mesh_free(&m);
  }
}

/* A primitive whose box is the scene is compared with about every member and no more: it may meet all of them. Those
 * that are long and thin: test_device_huge.c. */
TEST(test_cost_of_huge_triangles) {
  const size_t count = 2000;
  const host_device_settings settings = {0};
  const graze_method_def method = method_of(16, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  host_device_configure(&settings);
  OWNED(mesh) without = triangles_of_sizes(count, 0, 0.02), with = triangles_of_sizes(count, 4, 0.02);
  const graze_counters few = cluster_counters_of(&without, &method), more = cluster_counters_of(&with, &method);
  assert_int_equal(few.clusters, 16);
  assert_true(few.members_1 > count / 2 && few.members_1 + few.members_2 + few.members_3 + few.members_4 <= count);
  assert_true(few.members_1 + 2 * few.members_2 + 3 * few.members_3 + 4 * few.members_4 <= few.members);
  assert_true(few.members >= count && few.members < 2 * count);
  assert_true(more.box_tests <= few.box_tests + 4 * more.members);
}

/* All in one place: as many members as clusters, which then do not pay. */
TEST(test_all_in_one_place) {
  const host_device_settings settings = {0};
  const graze_method_def method = method_of(64, GRAZE_AXIS_X, GRAZE_METRIC_L1);
  OWNED(mesh) m = loose_triangles(200);
  uint64_t seed = 5;
  for (size_t i = 0; i < 3 * m.vertex_count; i++) m.positions[i] = random_unit(&seed);
  host_device_configure(&settings);
  const graze_counters counters = cluster_counters_of(&m, &method);
  assert_int_equal(counters.clusters, 1);
  assert_int_equal(counters.members, 200);
  for (size_t i = 0; i < 3 * m.vertex_count; i++) m.positions[i] = 0.5;
  assert_true(cluster_counters_of(&m, &method).pairs > 0);
}

/* More clusters compare fewer boxes; and a number, an axis and a distance are what was asked for. */
TEST(test_options) {
  const host_device_settings settings = {0};
  OWNED(mesh) m = triangles_of_sizes(3000, 0, 0.02);
  host_device_configure(&settings);
  uint64_t tests = UINT64_MAX;
  for (uint32_t clusters = 1; clusters <= 64; clusters *= 4) {
    const graze_method_def method = method_of(clusters, GRAZE_AXIS_X, GRAZE_METRIC_LINF);
    const graze_counters counters = cluster_counters_of(&m, &method);
    assert_int_equal(counters.clusters, clusters);
    assert_true(counters.box_tests < tests);
    tests = counters.box_tests;
  }
}

/* From method to method, from the device to the processor and back, with primitives that come and go. */
TEST(test_changes) {
  const host_device_settings settings = {0};
  OWNED(mesh) m = triangles_of_sizes(500, 2, 0.1);
  host_device_configure(&settings);
  graze_scene *judge = reference_scene(&m, 1), *scene = device_frames_scene(&m, 1);
  const graze_object object = {0, 1};
  const graze_query query = graze_query_default();
  graze_backend_def device = graze_backend_def_default();
  device.name = "cuda";
  for (int step = 0; step < 12; step++) {
    graze_method_def method = method_of((uint32_t)step % 5, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
    if (step % 4 == 3) method = graze_method_def_default();
    if (step % 3 == 2) choose(scene, &method);
    if (step == 0) choose(scene, &method);
    if (step % 6 == 4) assert_ok(graze_scene_set_backend(scene, step > 6 ? &device : NULL));
    const uint32_t erased[2] = {(uint32_t)step * 40, (uint32_t)step * 40 + 7};
    for (int which = 0; which < 2; which++) {
      graze_scene *changed = which == 0 ? judge : scene;
      assert_ok(graze_object_remove_primitives(changed, object, erased, 2));
      assert_ok(graze_scene_update(changed));
      if (step % 2 == 0) assert_ok(graze_scene_update(changed));
    }
    compare_query(judge, scene, &query, "changes");
  }
  graze_scene_destroy(judge);
  graze_scene_destroy(scene);
  check_all_returned();
}

/* Positions that the device alone has: what is learned from comes from there, without what is erased. */
TEST(test_positions_on_device) {
  const host_device_settings settings = {0};
  const graze_method_def method = method_of(0, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  const graze_query query = graze_query_default();
  const graze_object object = {0, 1};
  OWNED(mesh) m = triangles_of_sizes(500, 0, 0.3);
  host_device_configure(&settings);
  OWNED_SCENE *judge = reference_scene(&m, 1), *scene = device_frames_scene(&m, 1);
  choose(scene, &method);
  const uint32_t erased[] = {0, 17, 400};
  assert_ok(graze_object_remove_primitives(judge, object, erased, 3));
  assert_ok(graze_object_remove_primitives(scene, object, erased, 3));
  assert_ok(graze_object_set_device_positions(scene, object, m.positions, GRAZE_FORMAT_DOUBLE3, NULL));
  for (int frame = 0; frame < 3; frame++) {
    for (size_t i = 0; i < 3 * m.vertex_count; i++) m.positions[i] *= i % 3 == 0 ? 0.5 : 1.25;
    const graze_view view = {m.positions, m.vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_set_positions(judge, object, 0, view));
    assert_ok(graze_scene_update(judge));
    assert_ok(graze_scene_update(scene));
    const graze_counters counters = compare_query(judge, scene, &query, "positions on the device");
    assert_true(counters.clusters > 1);
    assert_true(counters.pairs > 0);
  }
}

/* ---------------------------------------------------------------------------------------------- numbers */

/* Starts in keys keep their order, whatever part of their bits there is room for. */
TEST(test_keys) {
  cluster_view view;
  memset(&view, 0, sizeof view);
  uint64_t seed = 3;
  for (uint32_t bits = 22; bits <= 32; bits++) {
    view.start_bits = bits;
    view.pairs.lists.key_bits = 54 - bits;
    const uint32_t last_entry = (uint32_t)((UINT64_C(1) << view.pairs.lists.key_bits) - 1u);
    for (int i = 0; i < 2000; i++) {
      const float a = (float)random_unit(&seed),
                  b = i % 3 == 0 ? a : a + (float)fabs((i % 3 == 1 ? 1e-6 : 1.0) * random_unit(&seed));
      const uint32_t cluster = (uint32_t)sequence_below(&seed, 1023);
      const uint64_t key = cluster_key(&view, cluster, a, last_entry - (uint32_t)i);
      assert_int_equal(cluster_of_key(&view, key), cluster);
      assert_int_equal(entry_of_key(&view, key), last_entry - (uint32_t)i);
      assert_true(key <= cluster_key(&view, cluster, b, last_entry));
      assert_true(cluster_key(&view, cluster, b, last_entry) < cluster_key(&view, cluster + 1, -HUGE_VALF, 0));
      assert_true(cluster_key(&view, 1023, HUGE_VALF, last_entry) < UINT64_MAX); /* which free places hold */
    }
  }
}

/* More than 32 bits can number stops the stages behind; launches share what can be numbered. */
TEST(test_large_counts) {
  device_totals totals;
  cluster_view view;
  memset(&totals, 0, sizeof totals);
  memset(&view, 0, sizeof view);
  view.pairs.lists.totals = &totals;
  totals.entry_count = 7;
  view.member_capacity = UINT32_MAX - 1;
  view.piece_capacity = UINT64_C(1) << 27;
  for (int i = 0; i < TALLY_SLOTS; i++) totals.tally[TALLY_MEMBERS][i] = (UINT32_MAX - 1) / TALLY_SLOTS;
  assert_true(device_cluster_members(&view) > UINT32_MAX - 2 * TALLY_SLOTS);
  assert_int_equal(device_cluster_entries(&view), 7);
  totals.tally[TALLY_MEMBERS][3] += 2 * TALLY_SLOTS; /* beyond 2^32 */
  assert_int_equal(device_cluster_members(&view), 0);
  assert_int_equal(device_cluster_entries(&view), 0);
  totals.tally[TALLY_PIECES][5] = (UINT64_C(1) << 27) - 1;
  for (uint64_t launch = 0; launch < 6; launch++) {
    view.first_lane = launch * CLUSTER_LANES;
    const uint32_t wanted = launch < 3 ? CLUSTER_LANES : launch == 3 ? CLUSTER_LANES - PIECE_LANES : 0;
    assert_int_equal(device_cluster_lanes(&view), wanted);
  }
  view.first_lane = 0;
  totals.tally[TALLY_PIECES][6] = 2;
  assert_int_equal(device_cluster_lanes(&view), 0);
}

/* Rows without pieces, at the beginning, in the middle and at the end, have none. */
TEST(test_pieces) {
  const uint32_t pieces[] = {0, 0, 2, 1, 0, 0, 3, 0, 1, 0, 0};
  enum { COUNT = sizeof pieces / sizeof pieces[0] };
  uint32_t first_piece[COUNT], members = COUNT, sum = 0, piece = 0;
  cluster_view view;
  memset(&view, 0, sizeof view);
  view.first = &members;
  view.first_piece = first_piece;
  for (uint32_t i = 0; i < COUNT; i++) {
    first_piece[i] = sum;
    sum += pieces[i];
  }
  for (uint32_t i = 0; i < COUNT; i++)
    for (uint32_t k = 0; k < pieces[i]; k++) assert_int_equal(member_of_piece(&view, piece++), i);
}

/* ---------------------------------------------------------------------------------------------- failures */

/* If memberships do not fit, the grid finds the pairs. */
TEST(test_little_memory) {
  OWNED(mesh_set) made = torture_set("blobs", test_sanitized(700, 1500), 5);
  const graze_method_def method = method_of(0, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  const graze_query query = graze_query_default();
  size_t bytes = 0;
  for (size_t parts = 0; parts < 8; parts++) {
    const host_device_settings settings = {.most_bytes = parts == 0 ? 0 : bytes - bytes * parts / 24};
    host_device_configure(&settings);
    OWNED_SCENE *judge = reference_scene(made.meshes, made.count),
                *scene = device_frames_scene(made.meshes, made.count);
    choose(scene, &method);
    const graze_counters counters = compare_query(judge, scene, &query, "little memory");
    if (parts == 0) assert_true(counters.clusters > 1);
    if (parts == 7) assert_int_equal(counters.clusters, 0);
    compare_queries(judge, scene, false, "little memory");
    if (parts == 0) bytes = runner_counters(scene).device_bytes;
  }
}

typedef struct subject {
  mesh *meshes;
  size_t mesh_count;
  graze_scene *judge;
} subject;

static graze_scene *failing_scene(const subject *s, checked_allocator *heap) {
  const graze_allocator allocator = {sizeof allocator, heap, checked_allocate, checked_release};
  const host_device_settings settings = {.first_capacity = 2};
  const graze_method_def method = method_of(0, GRAZE_AXIS_PRINCIPAL, GRAZE_METRIC_L2);
  host_device_configure(&settings);
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  def.allocator = &allocator;
  graze_scene *scene;
  assert_ok(create_on("cuda", 0, def, &scene));
  for (size_t i = 0; i < s->mesh_count; i++) runner_add(scene, &s->meshes[i], false, NULL);
  choose(scene, &method);
  return scene;
}

/* Fails an operation or allocation of an update and a query, then repeats them; returns false if there is none. */
static bool fail_once(const subject *s, bool host, bool stays_lost, size_t fail_at) {
  checked_allocator heap = {.refused = SIZE_MAX};
  graze_scene *scene = failing_scene(s, &heap);
  const graze_query query = graze_query_default();
  graze_pairs pairs = {0};
  host_device_settings settings = {
      .first_capacity = 2, .fail_at = host ? 0 : fail_at, .stays_lost = stays_lost && !host};
  host_device_configure(&settings);
  const size_t before = atomic_load(&heap.allocations);
  if (host) heap.refused = before + fail_at - 1;
  graze_result result = graze_scene_update(scene);
  const bool updated = result == GRAZE_OK;
  if (updated) result = graze_scene_find_pairs(scene, &query, &pairs);
  const bool reached =
      host ? atomic_load(&heap.allocations) >= before + fail_at : host_device_count().operations >= fail_at;
  if (result != GRAZE_OK) {
    assert_true(result == GRAZE_OUT_OF_MEMORY || (!host && result == GRAZE_DEVICE_FAILED));
    assert_non_null(strstr(graze_error_text(), host ? "out of memory" : "of the device failed"));
  }
  graze_pairs_free(&pairs);
  settings.fail_at = 0;
  host_device_configure(&settings);
  heap.refused = SIZE_MAX;
  if (stays_lost && graze_scene_set_backend(scene, NULL) != GRAZE_OK) fail_msg("%s", graze_error_text());
  for (int update = updated && !stays_lost ? 0 : 1; update < 2; update++) {
    if (update == 1 && graze_scene_update(scene) != GRAZE_OK) fail_msg("%s", graze_error_text());
    compare_query(s->judge, scene, &query, "after a failure");
  }
  graze_scene_destroy(scene);
  check_all_returned();
  assert_true(atomic_load(&heap.live) == 0 && atomic_load(&heap.faults) == 0);
  return reached;
}

/* Every operation of the device, then every allocation of the host, fails in turn: a code, a message, and a scene that
 * answers when asked again; or goes on on the processor. */
TEST(test_failures) {
  subject s;
  torture_model("blobs", 60, 1, &s.meshes, &s.mesh_count);
  s.judge = reference_scene(s.meshes, s.mesh_count);
  for (int way = 0; way < 3; way++) {
    size_t fail_at = 1;
    while (fail_once(&s, way == 1, way == 2, fail_at)) fail_at += test_scale() < 1.0 ? 7 : 1;
    assert_true(fail_at > (way == 1 ? 11u : 51u));
  }
  graze_scene_destroy(s.judge);
  mesh_list_free(s.meshes, s.mesh_count);
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

/* Tests one scene on several emulated devices: the pairs equal those of one device bit by bit, for all models and
 * numbers of devices. No device has everything, slow devices get less, and a failure identifies the device. */
#include "backend_devices/device_shares.h"
#include "base/number_sequence.h"
#include "graze/cuda.h"
#include "graze/inside/launches.h"
#include "host_operations.h"
#include "model_set.h"
#include "models/mesh_object.h"
#include "models/model.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* Devices that are there, each several times. */
static const int numbers[] = {0, 1, 0, 2, 2, 1, 0};
static const size_t counts[] = {2, 3, 4, 7};
enum { COUNTS = sizeof counts / sizeof *counts };

#define NO_NUMBER UINT32_MAX

/* On the processor where the count is 0. All work is the calling thread's. */
static graze_result create(const int *devices, size_t count, const graze_allocator *allocator,
                           graze_scene **scene_out) {
  graze_backend_def backend = graze_backend_def_default();
  if (count > 0) backend = (graze_backend_def){sizeof backend, "cuda", devices, count, NULL};
  graze_scene_def def = graze_scene_def_default();
  def.threading = GRAZE_THREADING_SERIAL;
  def.allocator = allocator;
  def.backend = &backend;
  return graze_scene_create(&def, scene_out);
}

static graze_scene *make_scene(size_t count) {
  graze_scene *scene;
  assert_ok(create(numbers, count, NULL, &scene));
  return scene;
}

static device_shares *shares_of(const graze_scene *scene) {
  return scene->backend_state;
}

static void update(graze_scene *scene) {
  assert_ok(graze_scene_update(scene));
}

static void add_model(graze_scene *scene, const model *chosen, uint64_t primitives) {
  const model_parameters parameters = {.primitives = primitives, .seed = 5};
  OWNED(mesh_set) made = model_set(chosen, &parameters);
  for (size_t i = 0; i < made.count; i++) assert_ok(mesh_object_add(scene, &made.meshes[i], NULL, NULL));
}

/* Random triangles in a cube; with a global number, unless that is NO_NUMBER. */
static graze_object add_numbered_soup(graze_scene *scene, size_t triangles, uint64_t seed, const double corner[3],
                                      double size, uint32_t number) {
  OWNED_MEMORY double *positions = malloc(9 * triangles * sizeof *positions);
  OWNED_MEMORY uint32_t *indices = malloc(3 * triangles * sizeof *indices);
  for (size_t i = 0; i < 3 * triangles; i++) {
    indices[i] = (uint32_t)i;
    for (size_t axis = 0; axis < 3; axis++) {
      double *to = &positions[3 * i + axis];
      *to = i % 3 == 0 ? corner[axis] + size * (double)sequence_below(&seed, 1000000) / 1e6
                       : positions[3 * (i - i % 3) + axis] + 0.2 * size * (double)sequence_below(&seed, 1000) / 1e3;
    }
  }
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){positions, 3 * triangles, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){indices, triangles, 0, GRAZE_FORMAT_UINT32_3};
  placed.global_numbers = number != NO_NUMBER;
  placed.global_object = placed.global_numbers ? number : 0;
  placed.global_primitive = placed.global_vertex = placed.global_numbers ? 1000 : 0;
  graze_object added;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &added));
  return added;
}

static graze_object add_soup(graze_scene *scene, size_t triangles, uint64_t seed, const double corner[3], double size) {
  return add_numbered_soup(scene, triangles, seed, corner, size, NO_NUMBER);
}

/* The number of pairs. */
static size_t compare(const graze_scene *wanted, const graze_scene *divided, const graze_query *query,
                      const char *words) {
  OWNED(graze_pairs) a = {0}, b = {0};
  if (graze_scene_find_pairs(wanted, query, &a) != GRAZE_OK) fail_msg("%s: %s", words, graze_error_text());
  if (graze_scene_find_pairs(divided, query, &b) != GRAZE_OK) fail_msg("%s: %s", words, graze_error_text());
  if (a.count != b.count) fail_msg("%s: %zu pairs, not %zu", words, b.count, a.count);
  if (a.count > 0 && memcmp(a.pairs, b.pairs, a.count * sizeof *a.pairs) != 0) fail_msg("%s: the lists differ", words);
  assert_int_equal(a.hash, b.hash);
  assert_int_equal(a.limit_reached, b.limit_reached);
  const size_t count = a.count;
  return count;
}

static size_t uploaded_by_update(graze_scene *scene) {
  host_device_configure(&(host_device_settings){0});
  update(scene);
  return host_device_count().uploaded_bytes;
}

/* ---------------------------------------------------------------------------------------------- answers */

TEST(test_models) {
  size_t pairs = 0;
  for (size_t m = 0; m < model_count(); m++) {
    graze_scene *alone = make_scene(0), *one = make_scene(1), *divided = make_scene(counts[m % COUNTS]);
    graze_scene *scenes[] = {alone, one, divided};
    for (size_t i = 0; i < 3; i++) {
      add_model(scenes[i], model_at(m), test_sanitized(100, 600));
      update(scenes[i]);
    }
    pairs += compare(alone, divided, NULL, model_at(m)->name);
    compare(one, divided, NULL, model_at(m)->name);
    graze_query query = graze_query_default();
    query.candidates_only = true;
    pairs += compare(alone, divided, &query, model_at(m)->name);
    query.candidates_only = false;
    query.clearance = 0.01;
    pairs += compare(alone, divided, &query, model_at(m)->name);
    for (size_t i = 0; i < 3; i++) graze_scene_destroy(scenes[i]);
  }
  assert_true(pairs > 1000);
}

/* A soup of four objects, and one huge triangle through all of space. */
static void add_four(graze_scene *scene, graze_object objects_out[5]) {
  const double corner[3] = {0, 0, 0};
  for (uint64_t i = 0; i < 4; i++) objects_out[i] = add_soup(scene, 300, i, corner, 1.0);
  objects_out[4] = add_soup(scene, 1, 9, corner, 20.0);
}

TEST(test_queries) {
  for (size_t c = 0; c < COUNTS; c++) {
    OWNED_SCENE *alone = make_scene(0), *divided = make_scene(counts[c]);
    graze_object objects[5], same[5];
    add_four(alone, objects);
    add_four(divided, same);
    assert_ok(graze_scene_exclude(alone, objects[2], objects[3], true));
    assert_ok(graze_scene_exclude(divided, same[2], same[3], true));
    update(alone);
    update(divided);
    graze_query query = graze_query_default();
    assert_true(compare(alone, divided, &query, "all") > 100);
    query.pair_limit = 17;
    assert_int_equal(compare(alone, divided, &query, "the first"), 17);
    query = graze_query_default();
    query.about_count = 1;
    query.about_a = objects[1];
    assert_true(compare(alone, divided, &query, "about one") > 50);
    query.about_count = 2;
    query.about_b = objects[2];
    assert_true(compare(alone, divided, &query, "about two") > 20);
    query.about_a = objects[3];
    assert_int_equal(compare(alone, divided, &query, "excluded"), 0);
    query = graze_query_default();
    query.in_box = true;
    for (int axis = 0; axis < 3; axis++) query.box_max[axis] = 0.4;
    assert_true(compare(alone, divided, &query, "in a box") > 5);
    query = graze_query_default();
    query.clearance = 0.02;
    query.clearance_rings = 3;
    assert_true(compare(alone, divided, &query, "rings") > 100);
    bool found = false;
    assert_ok(graze_scene_any_pair(divided, NULL, &found, NULL));
    assert_true(found);
  }
}

/* Everything in one cell, and nothing at all. */
TEST(test_no_space_to_divide) {
  OWNED_SCENE *alone = make_scene(0), *divided = make_scene(3);
  update(divided);
  assert_int_equal(compare(divided, divided, NULL, "nothing"), 0);
  const double corner[3] = {1, 2, 3};
  for (int i = 0; i < 2; i++)
    for (uint64_t k = 0; k < 20; k++) add_soup(i == 0 ? alone : divided, 2, 7, corner, 1e-30);
  update(alone);
  update(divided);
  assert_true(compare(alone, divided, NULL, "one cell") >= 190);
}

/* No device has the whole, and all together hold little more. */
TEST(test_shares_are_parts) {
  for (size_t c = 0; c < COUNTS; c++) {
    OWNED_SCENE *divided = make_scene(counts[c]);
    const double corner[3] = {0, 0, 0};
    const size_t count = test_sanitized(2000, 8000);
    add_soup(divided, count, 1, corner, 1.0);
    update(divided);
    const device_shares *all = shares_of(divided);
    size_t sum = 0;
    for (uint32_t i = 0; i < all->count; i++) {
      assert_true(all->shares[i].slab.held_count < 2 * count / all->count + count / 4);
      sum += all->shares[i].slab.held_count;
    }
    assert_in_range(sum, count, 2 * count);
  }
}

/* Each device takes as long for a primitive, however busy the machine is. */
static uint64_t even_us(void *context, uint32_t share, uint64_t measured_us) {
  const device_shares *all = context;
  (void)measured_us;
  return 1000 * all->shares[share].slab.held_count;
}

/* A query with a clearance of the size of the scene puts all of it on each device, but not forever. */
TEST(test_clearance_shrinks) {
  const double corner[3] = {0, 0, 0};
  OWNED_SCENE *alone = make_scene(0), *divided = make_scene(3);
  const size_t count = test_sanitized(300, 900);
  add_soup(alone, count, 1, corner, 1.0);
  add_soup(divided, count, 1, corner, 1.0);
  update(alone);
  update(divided);
  device_shares *all = shares_of(divided);
  all->work_us = even_us;
  all->work_context = all;
  const size_t first = all->shares[0].slab.held_count;
  graze_query query = graze_query_default();
  for (int frame = 0; frame < 20; frame++) {
    query.clearance = frame == 0 ? 2.0 : 0.01;
    query.candidates_only = frame == 0;
    compare(alone, divided, &query, "a clearance");
    if (frame == 0) assert_int_equal(all->shares[0].slab.held_count, count);
    if (frame == 4) assert_true(all->clearance == 2.0); /* the next query may need it again */
    update(divided);
  }
  assert_true(all->clearance == 0.01);
  assert_in_range(all->shares[0].slab.held_count, 1, first + first / 4);
  const size_t uploaded = uploaded_by_update(divided);
  assert_int_equal(uploaded, 0); /* and it stays so */
  compare(alone, divided, &query, "after shrinking");
}

/* ---------------------------------------------------------------------------------------------- unequal devices */

/* The second device takes three times as long for a primitive. */
static uint64_t unequal_us(void *context, uint32_t share, uint64_t measured_us) {
  const device_shares *all = context;
  (void)measured_us;
  return 3000 * all->shares[share].slab.held_count * (share == 0 ? 1 : 3);
}

/* Three clusters of objects over two unequal devices: the division settles where both take as long. */
TEST(test_three_clusters_on_two_devices) {
  OWNED_SCENE *alone = make_scene(0), *divided = make_scene(2);
  static const double corners[3][3] = {{0, 0, 0}, {5, 1, 0}, {2, 6, 3}};
  for (int i = 0; i < 2; i++)
    for (uint64_t k = 0; k < 12; k++) add_soup(i == 0 ? alone : divided, 100, k, corners[k % 3], 1.0);
  device_shares *all = shares_of(divided);
  all->work_us = unequal_us;
  all->work_context = all;
  update(alone);
  size_t first[2] = {0};
  for (int frame = 0; frame < 12; frame++) {
    update(divided);
    for (int i = 0; frame == 0 && i < 2; i++) first[i] = all->shares[i].slab.held_count;
    assert_true(compare(alone, divided, NULL, "three clusters") > 20);
  }
  const size_t last[2] = {all->shares[0].slab.held_count, all->shares[1].slab.held_count};
  assert_in_range(first[0], 500, 800); /* by number at first */
  assert_in_range(first[1], 500, 800);
  assert_true(last[0] > 2 * last[1]);
  const double longest = (double)(last[0] > 3 * last[1] ? last[0] : 3 * last[1]);
  assert_true(2.0 * longest <= 1.15 * (double)(last[0] + 3 * last[1]));
  assert_in_range(all->balance.divisions, 2, 4); /* and it stays so */
}

/* ---------------------------------------------------------------------------------------------- moving */

static void move_objects(graze_scene *scene, const graze_object objects[5], int frame) {
  for (int i = 0; i < 5; i++) {
    const double quaternion[4] = {1, 0.01 * frame, 0.02 * i, 0}, move[3] = {0.05 * frame * i, 0.02 * frame, 0};
    const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
    assert_ok(graze_object_set_pose(scene, objects[i], &pose));
  }
}

TEST(test_moving_frames) {
  for (size_t c = 0; c < COUNTS; c++) {
    OWNED_SCENE *alone = make_scene(0), *divided = make_scene(counts[c]);
    graze_object objects[5], same[5];
    add_four(alone, objects);
    add_four(divided, same);
    for (int frame = 0; frame < 8; frame++) {
      move_objects(alone, objects, frame);
      move_objects(divided, same, frame);
      if (frame == 4) {
        assert_ok(graze_scene_remove_object(alone, objects[0]));
        assert_ok(graze_scene_remove_object(divided, same[0]));
        const double corner[3] = {0.2, 0.2, 0.2};
        objects[0] = add_soup(alone, 50, 77, corner, 0.5);
        same[0] = add_soup(divided, 50, 77, corner, 0.5);
      }
      update(alone);
      update(divided);
      assert_true(compare(alone, divided, NULL, "frames") > 20);
    }
  }
}

/* Unchanged data is not sent again, even with exclusions. */
TEST(test_only_changes_are_sent) {
  OWNED_SCENE *alone = make_scene(0), *divided = make_scene(3);
  const double corner[3] = {0, 0, 0};
  device_shares *shares = shares_of(divided);
  shares->work_us = even_us;
  shares->work_context = shares;
  graze_object large[2], small[2], other[2];
  for (int i = 0; i < 2; i++) {
    graze_scene *scene = i == 0 ? alone : divided;
    large[i] = add_soup(scene, 3000, 1, corner, 1.0);
    small[i] = add_soup(scene, 300, 2, corner, 0.5);
    other[i] = add_soup(scene, 300, 3, corner, 0.5);
    assert_ok(graze_scene_exclude(scene, small[i], other[i], true));
  }
  const size_t all = uploaded_by_update(divided);
  update(alone);
  assert_true(compare(alone, divided, NULL, "first") > 100);
  assert_int_equal(uploaded_by_update(divided), 0);
  const double quaternion[4] = {1, 0, 0.2, 0}, move[3] = {0.1, 0.2, 0};
  const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
  assert_ok(graze_object_set_pose(alone, large[0], &pose));
  assert_ok(graze_object_set_pose(divided, large[1], &pose));
  assert_true(uploaded_by_update(divided) > all / 4);
  update(alone);
  assert_true(compare(alone, divided, NULL, "the large one has moved") > 100);
  for (int i = 0; i < 6; i++) { /* through the parts, which are to have it no more */
    const double away[3] = {0.3 * (i - 1), 0.2 * (3 - i), 0.4 * (i % 3)};
    const graze_pose passing = graze_pose_from_quaternion(quaternion, away);
    assert_ok(graze_object_set_pose(alone, other[0], &passing));
    assert_ok(graze_object_set_pose(divided, other[1], &passing));
    update(alone);
    update(divided);
    compare(alone, divided, NULL, "the small one passes");
  }
  const graze_pose none = graze_pose_from_quaternion((const double[4]){1, 0, 0, 0}, corner);
  assert_ok(graze_object_set_pose(alone, other[0], &none));
  assert_ok(graze_object_set_pose(divided, other[1], &none));
  update(alone);
  update(divided);
  assert_ok(graze_scene_exclude(alone, small[0], other[0], false));
  assert_ok(graze_scene_exclude(divided, small[1], other[1], false));
  update(alone);
  update(divided);
  graze_query query = graze_query_default();
  query.about_count = 2;
  query.about_a = small[0];
  query.about_b = other[0];
  assert_true(compare(alone, divided, &query, "no exclusion") > 0);
}

/* From the processor to several devices, to others, to one and back. */
TEST(test_changes_of_devices) {
  graze_scene *alone = make_scene(0), *scene = make_scene(0);
  graze_object objects[5], same[5];
  add_four(alone, objects);
  add_four(scene, same);
  update(alone);
  static const size_t ways[] = {3, 7, 1, 2, 0};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    const graze_backend_def def = {sizeof def, ways[i] > 0 ? "cuda" : "cpu", ways[i] > 0 ? numbers : NULL, ways[i],
                                   NULL};
    assert_ok(graze_scene_set_backend(scene, &def));
    assert_int_equal(host_device_count().open_devices, ways[i]);
    update(scene);
    assert_true(compare(alone, scene, NULL, "another backend") > 100);
    assert_ok(graze_scene_set_backend(scene, &def)); /* it is there: no update is due */
    compare(alone, scene, NULL, "the same backend");
  }
  graze_scene_destroy(alone);
  graze_scene_destroy(scene);
  assert_int_equal(host_device_count().bytes, 0);
}

/* ---------------------------------------------------------------------------------------------- failures */

static void expect_text(const char *words) {
  if (strstr(graze_error_text(), words) == NULL) fail_msg("\"%s\" instead of \"%s\"", graze_error_text(), words);
}

TEST(test_refusals) {
  static const int missing[] = {0, 1, 9};
  OWNED_SCENE *scene = NULL;
  assert_int_equal(create(missing, 3, NULL, &scene), GRAZE_NO_DEVICE);
  expect_text("device 9, 3 of 3: there is no device number 9");
  assert_null(scene);
  assert_int_equal(host_device_count().open_devices, 0);
  int many[65] = {0};
  assert_int_equal(create(many, 65, NULL, &scene), GRAZE_UNSUPPORTED);
  expect_text("at most 64 devices, not on 65");
  int stream;
  scene = make_scene(2);
  graze_backend_def def = {sizeof def, "cuda", numbers, 2, &stream};
  assert_int_equal(graze_scene_set_backend(scene, &def), GRAZE_UNSUPPORTED);
  expect_text("a stream belongs to one device");
  const double corner[3] = {0, 0, 0};
  const graze_object object = add_soup(scene, 4, 1, corner, 1.0);
  update(scene);
  graze_device_pairs pairs = {0};
  assert_int_equal(graze_scene_find_pairs_on_device(scene, NULL, &pairs), GRAZE_UNSUPPORTED);
  expect_text("several devices");
  graze_device_pairs_free(&pairs);
  graze_device_contacts contacts = {0};
  assert_int_equal(graze_scene_make_contacts_on_device(scene, NULL, 0, NULL, &contacts), GRAZE_UNSUPPORTED);
  graze_device_contacts_free(&contacts);
  assert_int_equal(graze_object_set_device_positions(scene, object, corner, GRAZE_FORMAT_DOUBLE3, NULL),
                   GRAZE_UNSUPPORTED);
  expect_text("several devices");
  assert_int_equal(graze_scene_device_launches(scene), 0);
}

/* An object without a global number and one with the same number are two objects, but would be one in a share. */
TEST(test_mixed_numbers_are_refused) {
  const double corner[3] = {0, 0, 0};
  OWNED_SCENE *alone = make_scene(0), *divided = make_scene(2);
  graze_scene *scenes[] = {alone, divided};
  graze_object objects[2];
  for (int i = 0; i < 2; i++) {
    add_soup(scenes[i], 20, 1, corner, 1.0);
    objects[i] = add_numbered_soup(scenes[i], 20, 2, corner, 1.0, 0);
  }
  update(alone);
  assert_int_equal(graze_scene_update(divided), GRAZE_UNSUPPORTED);
  expect_text("object 0 and object 1 both have the number 0, but only one as a global number");
  for (int i = 0; i < 2; i++) {
    assert_ok(graze_scene_remove_object(scenes[i], objects[i]));
    add_numbered_soup(scenes[i], 20, 2, corner, 1.0, 7);
    update(scenes[i]);
  }
  assert_true(compare(alone, divided, NULL, "different numbers") > 0);
}

/* Each operation of the devices fails once: the message names the device, and the next frame has all pairs. */
TEST(test_each_operation_fails) {
  graze_scene *alone = make_scene(0);
  graze_object objects[5], same[5];
  add_four(alone, objects);
  update(alone);
  const size_t step = test_sanitized(3, 1);
  size_t failures = 0, named[3] = {0};
  for (size_t fail_at = 1;; fail_at += step) {
    host_device_configure(&(host_device_settings){0});
    graze_scene *divided = make_scene(3);
    add_four(divided, same);
    host_device_configure(&(host_device_settings){.fail_at = fail_at});
    graze_pairs pairs = {0};
    graze_result result = graze_scene_update(divided);
    if (result == GRAZE_OK) result = graze_scene_find_pairs(divided, NULL, &pairs);
    const bool failed = result != GRAZE_OK;
    if (failed) {
      failures++;
      assert_int_equal(pairs.count, 0);
      if (result != GRAZE_OUT_OF_MEMORY) expect_text("of the device failed"); /* else poses had no room there */
      const char *of_text = strstr(graze_error_text(), " of 3: ");
      assert_non_null(of_text);
      named[of_text[-1] - '1']++;
    }
    graze_pairs_free(&pairs);
    host_device_configure(&(host_device_settings){0});
    update(divided);
    compare(alone, divided, NULL, "after a failure");
    graze_scene_destroy(divided);
    if (!failed) break;
  }
  assert_true(failures > 20);
  for (int i = 0; i < 3; i++) assert_true(named[i] > 3);
  graze_scene_destroy(alone);
  assert_int_equal(host_device_count().bytes, 0);
  assert_int_equal(host_device_count().open_devices, 0);
}

typedef struct failing_memory {
  size_t count, refused;
  size_t held;
} failing_memory;

static void *allocate(void *context, size_t bytes, size_t alignment) {
  failing_memory *failing = context;
  if (failing->count++ == failing->refused) return NULL;
  failing->held++;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void give_back(void *context, void *block, size_t bytes) {
  failing_memory *failing = context;
  (void)bytes;
  if (block != NULL) failing->held--;
  free(block);
}

/* Each allocation of a life on two devices fails once: a message, or it was not needed; and all is given back. */
TEST(test_each_allocation_fails) {
  graze_scene *alone = make_scene(0);
  graze_object objects[5], same[5];
  add_four(alone, objects);
  update(alone);
  const size_t step = test_sanitized(11, 1);
  size_t failures = 0;
  bool reached = true;
  for (size_t refused = 0; reached; refused += step) {
    failing_memory failing = {.refused = refused};
    graze_allocator allocator = graze_allocator_default();
    allocator.context = &failing;
    allocator.allocate = allocate;
    allocator.release = give_back;
    graze_scene *divided = NULL;
    graze_result result = create(numbers, 2, &allocator, &divided);
    if (result != GRAZE_OK) {
      failures++;
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      assert_int_equal(failing.held, 0);
      continue;
    }
    const size_t refused_later = failing.refused;
    failing.refused = SIZE_MAX;
    add_four(divided, same);
    if (failing.count <= refused_later) failing.refused = refused_later;
    graze_pairs pairs = {0};
    result = graze_scene_update(divided);
    if (result == GRAZE_OK) result = graze_scene_find_pairs(divided, NULL, &pairs);
    graze_pairs_free(&pairs);
    reached = failing.count > refused;
    if (result != GRAZE_OK) {
      failures++;
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
    }
    failing.refused = SIZE_MAX;
    update(divided);
    compare(alone, divided, NULL, "after a refusal");
    graze_scene_destroy(divided);
    assert_int_equal(failing.held, 0);
  }
  assert_true(failures > 50 / step);
  graze_scene_destroy(alone);
  assert_int_equal(host_device_count().bytes, 0);
}

/* A method that cannot be set on one device is not set on any other. */
TEST(test_method_is_kept_after_a_failure) {
  graze_method_def tree = graze_method_def_default();
  tree.name = "tree";
  size_t failures = 0;
  bool reached = true;
  for (size_t refused = 0; reached; refused++) {
    failing_memory failing = {.refused = SIZE_MAX};
    graze_allocator allocator = graze_allocator_default();
    allocator.context = &failing;
    allocator.allocate = allocate;
    allocator.release = give_back;
    graze_scene *divided = NULL;
    assert_ok(create(numbers, 3, &allocator, &divided));
    graze_object objects[5];
    add_four(divided, objects);
    update(divided);
    failing.refused = failing.count + refused;
    const graze_result result = graze_scene_set_method(divided, &tree);
    reached = failing.count > failing.refused;
    failing.refused = SIZE_MAX;
    failures += result != GRAZE_OK;
    for (uint32_t i = 0; i < 3; i++)
      assert_int_equal(strcmp(graze_scene_method(shares_of(divided)->shares[i].scene, NULL), "tree") == 0,
                       result == GRAZE_OK);
    graze_scene_destroy(divided);
    assert_int_equal(failing.held, 0);
  }
  assert_true(failures > 0);
}

/* A device that fails, made of loops: each operation in turn, once or for good; what the host alone keeps when the
 * device is gone; scenes that go over to the processor and back. The judge is the processor's method "brute". */
#include "graze/cuda.h"
#include "host_operations.h"
#include "scene_runner.h"
#include "torture_scenes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Meshes, and the list of their pairs. */
typedef struct subject {
  mesh *meshes;
  size_t mesh_count;
  pair_answer judged;
} subject;

static subject make_subject(const char *model, size_t primitives) {
  subject made;
  torture_model(model, primitives, 1, &made.meshes, &made.mesh_count);
  torture_round_to_float(made.meshes, made.mesh_count); /* so that positions can be given either way */
  const running_way judge = running_way_judge();
  graze_scene *judging = runner_scene(&judge, made.meshes, made.mesh_count, NULL);
  const graze_query query = graze_query_default();
  made.judged = runner_find(judging, &query);
  assert_true(made.judged.count > 0);
  graze_scene_destroy(judging);
  return made;
}

static void free_subject(subject *s) {
  free(s->judged.pairs);
  mesh_list_free(s->meshes, s->mesh_count);
}

static graze_scene *make_scene(const subject *s, graze_backend backend, const graze_allocator *allocator) {
  graze_scene_def def = graze_scene_def_default();
  def.backend = backend;
  def.worker_count = 1;
  def.allocator = allocator;
  graze_scene *scene;
  assert_int_equal(graze_scene_create(&def, &scene), GRAZE_OK);
  for (size_t i = 0; i < s->mesh_count; i++) runner_add(scene, &s->meshes[i], false, NULL);
  return scene;
}

static void check_answer(const subject *s, graze_scene *scene, const char *words) {
  const graze_query query = graze_query_default();
  const pair_answer found = runner_find(scene, &query);
  runner_compare(&s->judged, &found, "subject", words);
  free(found.pairs);
}

static void configure(size_t fail_at, bool stays_lost) {
  const host_device_settings settings = {.first_capacity = 2, .fail_at = fail_at, .stays_lost = stays_lost};
  host_device_configure(&settings);
}

/* An update and a query while operation `fail_at` fails; true where both went well. */
static bool run_failing(graze_scene *scene, size_t fail_at, bool stays_lost, bool *updated_out) {
  configure(fail_at, stays_lost);
  graze_pairs pairs;
  const graze_query query = graze_query_default();
  graze_result result = graze_scene_update(scene);
  *updated_out = result == GRAZE_OK;
  if (*updated_out) result = graze_scene_find_pairs(scene, &query, &pairs);
  if (result == GRAZE_OK) return true;
  assert_true(result == GRAZE_OUT_OF_MEMORY || result == GRAZE_DEVICE_FAILED);
  assert_non_null(strstr(graze_scene_error_text(scene), "of the device failed"));
  return false;
}

static void check_released(void) {
  assert_int_equal(host_device_count().bytes, 0);
  assert_int_equal(host_device_count().open_devices, 0);
}

/* ---------------------------------------------------------------------------------------------- each operation */

/* Every operation fails once, in turn: a code, a sentence, and a scene that answers when asked again. */
static void test_failures_that_pass(void **state) {
  (void)state;
  subject s = make_subject("blobs", 60);
  bool failed = true;
  size_t failures = 0;
  for (size_t fail_at = 1; failed; fail_at++) {
    configure(0, false);
    graze_scene *scene = make_scene(&s, GRAZE_BACKEND_CUDA, NULL);
    bool updated;
    failed = !run_failing(scene, fail_at, false, &updated);
    failures += failed;
    configure(0, false);
    for (int update = updated ? 0 : 1; update < 2; update++) { /* asked again at once where only the query failed */
      if (update == 1) assert_int_equal(graze_scene_update(scene), GRAZE_OK);
      check_answer(&s, scene, "after a failure");
    }
    graze_scene_destroy(scene);
    check_released();
  }
  assert_true(failures > 40);
  free_subject(&s);
}

/* Every operation is the last that the device hears of: the scene goes on on the processor, and, when there is a device
 * again, goes back. */
static void test_lost_devices(void **state) {
  (void)state;
  const char *const models[] = {"blobs", "tet-soup"};
  for (size_t number = 0; number < sizeof models / sizeof models[0]; number++) {
    subject s = make_subject(models[number], 60);
    bool failed = true;
    size_t failures = 0;
    for (size_t fail_at = 1; failed; fail_at++) {
      configure(0, false);
      graze_scene *scene = make_scene(&s, GRAZE_BACKEND_CUDA, NULL);
      bool updated;
      failed = !run_failing(scene, fail_at, true, &updated);
      failures += failed;
      assert_int_equal(graze_scene_set_backend(scene, GRAZE_BACKEND_CPU, 0), GRAZE_OK);
      check_released();
      assert_int_equal(graze_scene_counters(scene).device_bytes, 0);
      graze_pairs pairs;
      assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_NOT_UPDATED);
      assert_int_equal(graze_scene_update(scene), GRAZE_OK);
      check_answer(&s, scene, "on the processor");
      configure(0, false);
      assert_int_equal(graze_scene_set_backend(scene, GRAZE_BACKEND_CUDA, 0), GRAZE_OK);
      assert_int_equal(graze_scene_update(scene), GRAZE_OK);
      check_answer(&s, scene, "back on a device");
      assert_true(graze_scene_counters(scene).device_bytes > 0);
      graze_scene_destroy(scene);
      check_released();
    }
    assert_true(failures > 40);
    free_subject(&s);
  }
}

/* A lost device and no other call than the end. */
static void test_ending_on_a_lost_device(void **state) {
  (void)state;
  subject s = make_subject("blobs", 60);
  for (size_t fail_at = 1; fail_at < 60; fail_at += 7) {
    configure(0, false);
    graze_scene *scene = make_scene(&s, GRAZE_BACKEND_CUDA, NULL);
    bool updated;
    run_failing(scene, fail_at, true, &updated);
    graze_scene_destroy(scene);
    check_released();
  }
  free_subject(&s);
}

/* ---------------------------------------------------------------------------------------------- there and back */

static void turn(graze_scene *scene, uint32_t index, double angle) {
  const double c = cos(angle), s = sin(angle), rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  const double translation[3] = {0.01, 0.02 * angle, 0};
  assert_int_equal(graze_object_set_pose(scene, (graze_object){index, 0}, rotation, translation), GRAZE_OK);
}

/* What changes on one backend holds on the other. */
static void test_there_and_back(void **state) {
  (void)state;
  subject s = make_subject("blobs", 300);
  configure(0, false);
  graze_scene *judging = make_scene(&s, GRAZE_BACKEND_CPU, NULL), *scene = make_scene(&s, GRAZE_BACKEND_CPU, NULL);
  const graze_query query = graze_query_default();
  for (uint32_t frame = 0; frame < 8; frame++) {
    const graze_backend backend = frame % 3 == 1 ? GRAZE_BACKEND_CPU : GRAZE_BACKEND_CUDA;
    graze_scene *const both[2] = {judging, scene};
    for (int i = 0; i < 2; i++) {
      turn(both[i], frame % 2, 0.1 * frame);
      const uint32_t gone = 2 * frame;
      assert_int_equal(graze_object_erase(both[i], (graze_object){0, 0}, &gone, 1), GRAZE_OK);
      if (i == 1) assert_int_equal(graze_scene_set_backend(scene, backend, 0), GRAZE_OK);
      assert_int_equal(graze_scene_update(both[i]), GRAZE_OK);
    }
    const pair_answer judged = runner_find(judging, &query), found = runner_find(scene, &query);
    runner_compare(&judged, &found, "blobs", backend == GRAZE_BACKEND_CPU ? "on the processor" : "on the device");
    graze_contacts expected, contacts;
    assert_int_equal(graze_scene_make_contacts(judging, judged.pairs, judged.count, &expected), GRAZE_OK);
    assert_int_equal(graze_scene_make_contacts(scene, found.pairs, found.count, &contacts), GRAZE_OK);
    assert_int_equal(contacts.point_count, expected.point_count);
    assert_memory_equal(contacts.points, expected.points, expected.point_count * sizeof expected.points[0]);
    free(judged.pairs);
    free(found.pairs);
  }
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  check_released();
  free_subject(&s);
}

static void test_refusals(void **state) {
  (void)state;
  subject s = make_subject("blobs", 60);
  configure(0, false);
  graze_scene *scene = make_scene(&s, GRAZE_BACKEND_CPU, NULL);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(graze_scene_set_backend(NULL, GRAZE_BACKEND_CPU, 0), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_set_backend(scene, (graze_backend)9, 0), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_scene_error_text(scene), "there is no backend number 9");
  assert_int_equal(graze_scene_set_backend(scene, GRAZE_BACKEND_CUDA, 7), GRAZE_NO_DEVICE);
  assert_string_equal(graze_scene_error_text(scene), "there is no device number 7");
  graze_method_def method = graze_method_def_default();
  method.name = "brute";
  assert_int_equal(graze_scene_set_method(scene, &method), GRAZE_OK);
  assert_int_equal(graze_scene_set_backend(scene, GRAZE_BACKEND_CUDA, 0), GRAZE_UNSUPPORTED);
  assert_non_null(strstr(graze_scene_error_text(scene), "\"grid\" alone, not \"brute\""));
  /* After all that was refused, and where nothing is to change, no update is needed. */
  assert_int_equal(graze_scene_set_backend(scene, GRAZE_BACKEND_CPU, 7), GRAZE_OK);
  check_answer(&s, scene, "after refusals");
  method.name = "grid";
  assert_int_equal(graze_scene_set_method(scene, &method), GRAZE_OK);
  assert_int_equal(graze_scene_set_backend(scene, GRAZE_BACKEND_CUDA, 0), GRAZE_OK);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(graze_scene_set_backend(scene, GRAZE_BACKEND_CUDA, 0), GRAZE_OK);
  assert_int_equal(graze_scene_set_backend(scene, GRAZE_BACKEND_CUDA, -1), GRAZE_NO_DEVICE);
  check_answer(&s, scene, "on the device after a refusal");
  graze_scene_destroy(scene);
  check_released();
  free_subject(&s);
}

/* ---------------------------------------------------------------------------------------------- positions there alone
 */

/* Positions on a device that stand for the meshes' own: every second object's as floats. */
static void *give_device_positions(const subject *s, graze_scene *scene, uint32_t index) {
  const mesh *m = &s->meshes[index];
  const bool is_double = index % 2 == 0;
  void *there = malloc((3 * m->vertex_count + 1) * sizeof(double));
  assert_non_null(there);
  for (size_t i = 0; i < 3 * m->vertex_count; i++)
    if (is_double)
      ((double *)there)[i] = m->positions[i];
    else
      ((float *)there)[i] = (float)m->positions[i];
  assert_int_equal(graze_object_set_device_positions(scene, (graze_object){index, 0}, there,
                                                     is_double ? GRAZE_DOUBLE3 : GRAZE_FLOAT3, NULL),
                   GRAZE_OK);
  return there;
}

typedef struct resident_scene {
  graze_scene *scene;
  void *positions[64];
} resident_scene;

/* The host's own positions are all zero: what is right comes from the device. */
static resident_scene make_resident(const subject *s, const graze_allocator *allocator) {
  resident_scene made = {make_scene(s, GRAZE_BACKEND_CUDA, allocator), {NULL}};
  assert_true(s->mesh_count <= 64);
  for (uint32_t i = 0; i < s->mesh_count; i++) {
    double *zeros = calloc(3 * s->meshes[i].vertex_count + 1, sizeof *zeros);
    assert_non_null(zeros);
    const graze_view view = {zeros, s->meshes[i].vertex_count, 0, GRAZE_DOUBLE3};
    assert_int_equal(graze_object_set_positions(made.scene, (graze_object){i, 0}, 0, view), GRAZE_OK);
    free(zeros);
    made.positions[i] = give_device_positions(s, made.scene, i);
  }
  assert_int_equal(graze_scene_update(made.scene), GRAZE_OK);
  check_answer(s, made.scene, "positions on the device");
  return made;
}

static void free_resident(resident_scene *r) {
  graze_scene_destroy(r->scene);
  check_released();
  for (size_t i = 0; i < 64; i++) free(r->positions[i]);
}

static void test_fetched_positions(void **state) {
  (void)state;
  subject s = make_subject("blobs", 200);
  configure(0, false);
  resident_scene r = make_resident(&s, NULL);
  /* A coordinate that is not finite: nothing is taken over. */
  float *second = r.positions[1];
  const float kept = second[4];
  second[4] = INFINITY;
  assert_int_equal(graze_scene_set_backend(r.scene, GRAZE_BACKEND_CPU, 0), GRAZE_NOT_FINITE);
  assert_string_equal(graze_scene_error_text(r.scene), "object 1: coordinate y of vertex 1 is inf");
  second[4] = kept;
  assert_int_equal(graze_scene_update(r.scene), GRAZE_OK);
  check_answer(&s, r.scene, "still on the device");
  assert_int_equal(graze_scene_set_backend(r.scene, GRAZE_BACKEND_CPU, 0), GRAZE_OK);
  for (size_t i = 0; i < s.mesh_count; i++)
    memset(r.positions[i], 0xff, 3 * s.meshes[i].vertex_count * sizeof(float)); /* no longer looked at */
  assert_int_equal(graze_scene_update(r.scene), GRAZE_OK);
  check_answer(&s, r.scene, "positions fetched");
  free_resident(&r);
  free_subject(&s);
}

/* From one device to another, which cannot read the first one's memory. */
static void test_another_device(void **state) {
  (void)state;
  subject s = make_subject("blobs", 200);
  configure(0, false);
  resident_scene r = make_resident(&s, NULL);
  configure(2, false);
  assert_int_equal(graze_scene_set_backend(r.scene, GRAZE_BACKEND_CUDA, 1), GRAZE_DEVICE_FAILED);
  assert_int_equal(host_device_count().open_devices, 1);
  configure(0, false);
  check_answer(&s, r.scene, "on the first device");
  assert_int_equal(graze_scene_set_backend(r.scene, GRAZE_BACKEND_CUDA, 1), GRAZE_OK);
  assert_int_equal(host_device_count().open_devices, 1);
  memset(r.positions[0], 0xff, 3 * s.meshes[0].vertex_count * sizeof(double));
  assert_int_equal(graze_scene_update(r.scene), GRAZE_OK);
  check_answer(&s, r.scene, "on the second device");
  free_resident(&r);
  free_subject(&s);
}

static void test_unreadable_positions(void **state) {
  (void)state;
  subject s = make_subject("blobs", 200);
  configure(0, false);
  resident_scene r = make_resident(&s, NULL);
  double nowhere;
  const host_device_settings settings = {.unreadable = &nowhere};
  host_device_configure(&settings);
  assert_int_equal(graze_object_set_device_positions(r.scene, (graze_object){1, 0}, &nowhere, GRAZE_DOUBLE3, NULL),
                   GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_scene_error_text(r.scene), "object 1: positions: they are not on the device");
  check_answer(&s, r.scene, "positions as before"); /* no update is needed: nothing has changed */
  configure(1, false);
  assert_int_equal(graze_object_set_device_positions(r.scene, (graze_object){1, 0}, &nowhere, GRAZE_DOUBLE3, NULL),
                   GRAZE_DEVICE_FAILED);
  free_resident(&r);
  free_subject(&s);
}

static void test_positions_of_a_lost_device(void **state) {
  (void)state;
  subject s = make_subject("blobs", 200);
  configure(0, false);
  resident_scene r = make_resident(&s, NULL);
  for (size_t fail_at = 1; fail_at <= 2 * s.mesh_count; fail_at++) {
    configure(fail_at, true);
    assert_int_equal(graze_scene_set_backend(r.scene, GRAZE_BACKEND_CPU, 0), GRAZE_DEVICE_FAILED);
    char words[64];
    snprintf(words, sizeof words, "object %zu: its positions are on the device", (fail_at - 1) / 2);
    assert_memory_equal(graze_scene_error_text(r.scene), words, strlen(words));
    assert_non_null(strstr(graze_scene_error_text(r.scene), "of the device failed; set all of them"));
  }
  configure(0, false);
  check_answer(&s, r.scene, "all on the device still"); /* a refusal changes nothing */
  configure(1, true);
  for (uint32_t i = 0; i < s.mesh_count; i++) {
    const graze_view view = {s.meshes[i].positions, s.meshes[i].vertex_count, 0, GRAZE_DOUBLE3};
    assert_int_equal(graze_object_set_positions(r.scene, (graze_object){i, 0}, 0, view), GRAZE_OK);
  }
  assert_int_equal(graze_scene_set_backend(r.scene, GRAZE_BACKEND_CPU, 0), GRAZE_OK);
  assert_int_equal(graze_scene_update(r.scene), GRAZE_OK);
  check_answer(&s, r.scene, "positions set again");
  free_resident(&r);
  free_subject(&s);
}

/* ---------------------------------------------------------------------------------------------- the host's memory */

static size_t allocations_left = SIZE_MAX;

static void *failing_allocate(void *context, size_t bytes, size_t alignment) {
  (void)context;
  if (allocations_left == 0) return NULL;
  if (allocations_left != SIZE_MAX) allocations_left--;
  void *block = NULL;
  return posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes) == 0 ? block : NULL;
}

static void failing_release(void *context, void *block, size_t bytes) {
  (void)context;
  (void)bytes;
  free(block);
}

static const graze_allocator failing_allocator = {NULL, failing_allocate, failing_release};

/* The host has no memory for the way there, or for the way back: the scene stays where it is, and answers. */
static void test_host_memory(void **state) {
  (void)state;
  subject s = make_subject("blobs", 100);
  configure(0, false);
  resident_scene r = make_resident(&s, &failing_allocator);
  const graze_backend ways[2] = {GRAZE_BACKEND_CPU, GRAZE_BACKEND_CUDA};
  for (int i = 0; i < 2; i++) {
    size_t failures = 0;
    graze_result result = GRAZE_OUT_OF_MEMORY;
    while (result != GRAZE_OK) {
      allocations_left = failures;
      result = graze_scene_set_backend(r.scene, ways[i], 0);
      allocations_left = SIZE_MAX;
      if (result == GRAZE_OK) break;
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      failures++;
      check_answer(&s, r.scene, "after a lack of memory");
    }
    assert_true(failures >= 1);
    assert_int_equal(graze_scene_update(r.scene), GRAZE_OK);
    check_answer(&s, r.scene, "moved at last");
  }
  free_resident(&r);
  free_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_failures_that_pass),
      cmocka_unit_test(test_lost_devices),
      cmocka_unit_test(test_ending_on_a_lost_device),
      cmocka_unit_test(test_there_and_back),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_fetched_positions),
      cmocka_unit_test(test_another_device),
      cmocka_unit_test(test_unreadable_positions),
      cmocka_unit_test(test_positions_of_a_lost_device),
      cmocka_unit_test(test_host_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

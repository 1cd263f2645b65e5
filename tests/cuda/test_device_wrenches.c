/* Compares wrenches of a query on an emulated device with those of the processor, bit by bit: lists that are too short,
 * too little memory, failing operations, and changing stiffnesses and points. */
#include "backend_choice.h"
#include "host_operations.h"
#include "models/model.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "sphere_scenes.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A scene on a device, and the same on the processor. */
typedef struct subject {
  mesh *meshes;
  size_t mesh_count;
  graze_scene *judging, *scene;
} subject;

static graze_contact_options options_of(double stiffness) {
  graze_contact_options options = graze_contact_options_default();
  options.stiffness = stiffness;
  options.about[2] = 0.25 * stiffness;
  return options;
}

static graze_scene *scene_on_device(const subject *s) {
  running_variant variant = running_variant_reference();
  variant.method = "grid";
  return runner_scene(&variant, s->meshes, s->mesh_count, NULL);
}

static void make_subject(subject *s) {
  const running_variant reference = running_variant_reference();
  s->judging = runner_scene(&reference, s->meshes, s->mesh_count, NULL);
  assert_ok(move_to(s->judging, "cpu", 0));
  assert_ok(graze_scene_update(s->judging));
  s->scene = scene_on_device(s);
  assert_ok(move_to(s->scene, "cuda", 0));
  assert_ok(graze_scene_update(s->scene));
}

static subject subject_of_spheres(size_t number) {
  subject s;
  sphere_scene_at(number)->make(&s.meshes, &s.mesh_count);
  make_subject(&s);
  return s;
}

static subject subject_of_tetrahedra(void) {
  subject s;
  char error[256];
  model_parameters parameters = model_parameters_default();
  parameters.primitives = (uint64_t)test_scaled(600, 300);
  if (!model_make(model_find("tet-pair"), &parameters, &s.meshes, &s.mesh_count, error, sizeof error))
    fail_msg("%s", error);
  make_subject(&s);
  return s;
}

static void free_subject(subject *s) {
  graze_scene_destroy(s->judging);
  graze_scene_destroy(s->scene);
  for (size_t i = 0; i < s->mesh_count; i++) mesh_free(&s->meshes[i]);
  free(s->meshes);
}

/* Checks that the device finds the processor's wrenches; returns their number. */
static size_t expect_wrenches(const subject *s, double stiffness, const graze_wrenches *found) {
  const graze_contact_options options = options_of(stiffness);
  OWNED(graze_wrenches) wanted = find_wrenches(s->judging, NULL, &options);
  const size_t count = wanted.count;
  assert_int_equal(found->count, count);
  if (count > 0) assert_memory_equal(found->wrenches, wanted.wrenches, count * sizeof(graze_wrench));
  return count;
}

static size_t compare(const subject *s, double stiffness, graze_wrenches *found) {
  const graze_contact_options options = options_of(stiffness);
  assert_ok(graze_scene_find_wrenches(s->scene, NULL, &options, found));
  return expect_wrenches(s, stiffness, found);
}

TEST(test_short_lists) {
  size_t compared = 0;
  for (size_t number = 0; number <= sphere_scene_count(); number++) {
    host_device_configure(
        &(host_device_settings){.order = (index_order)(number % INDEX_ORDER_COUNT), .first_capacity = 1});
    OWNED_BY(free_subject)
    subject s = number < sphere_scene_count() ? subject_of_spheres(number) : subject_of_tetrahedra();
    OWNED(graze_wrenches) found = {0};
    for (int frame = 0; frame < 3; frame++) compared += compare(&s, 1.0 + frame, &found);
  }
  assert_true(compared > 10);
}

/* Sizes whose volumes and moments are beyond the doubles: the centroid is that of the size one, times the scale. */
TEST(test_ends_of_the_range) {
  static const int powers[] = {0, -270, -400, -990, 300, 500};
  graze_wrench first = {0};
  host_device_configure(&(host_device_settings){.order = INDICES_SHUFFLED});
  for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
    OWNED_BY(free_subject) subject s = {0};
    torture_model("tet-pair", 120, 1, &s.meshes, &s.mesh_count);
    for (size_t k = 0; k < s.mesh_count; k++) torture_scale(&s.meshes[k], ldexp(1.0, powers[i]));
    make_subject(&s);
    OWNED(graze_wrenches) found = {0};
    assert_int_equal(compare(&s, 1.0, &found), 1);
    if (i == 0) first = found.wrenches[0];
    for (int axis = 0; axis < 3; axis++)
      assert_true(fabs(ldexp(found.wrenches[0].centroid[axis], -powers[i]) - first.centroid[axis]) < 1e-14);
  }
}

/* Another stiffness, another point and pairs in between record nothing anew. */
TEST(test_kept_sequences) {
  host_device_configure(&(host_device_settings){0});
  OWNED_BY(free_subject) subject s = subject_of_tetrahedra();
  OWNED(graze_wrenches) found = {0};
  OWNED(graze_pairs) pairs = {0};
  size_t recordings = 0;
  for (int frame = 0; frame < 6; frame++) {
    if (frame == 2) recordings = host_device_count().recordings;
    assert_true(compare(&s, 1.0 + frame, &found) > 0);
    assert_ok(graze_scene_find_pairs(s.scene, NULL, &pairs));
  }
  assert_int_equal(host_device_count().recordings, recordings);
}

/* With less and less memory: the same wrenches, in chunks at last, or a message; and the same again with enough. */
TEST(test_little_memory) {
  size_t done = 0, refused = 0;
  host_device_configure(&(host_device_settings){0});
  subject s = subject_of_tetrahedra();
  graze_wrenches found = {0};
  assert_true(compare(&s, 1.0, &found) > 0);
  const size_t plenty = host_device_count().bytes, steps = (size_t)test_scaled(60, 20);
  for (size_t part = 1; part <= steps; part++) {
    host_device_configure(
        &(host_device_settings){.order = (index_order)(part % INDEX_ORDER_COUNT), .most_bytes = plenty / steps * part});
    graze_scene_destroy(s.scene);
    s.scene = scene_on_device(&s);
    const graze_contact_options options = options_of(1.0);
    graze_result result = move_to(s.scene, "cuda", 0);
    if (result == GRAZE_OK) result = graze_scene_update(s.scene);
    if (result == GRAZE_OK) result = graze_scene_find_wrenches(s.scene, NULL, &options, &found);
    if (result == GRAZE_OK) {
      expect_wrenches(&s, 1.0, &found); /* asked again, it would want a quarter more room for pairs than it needs */
      done++;
    } else {
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      refused++;
    }
    host_device_configure(&(host_device_settings){0});
    assert_ok(graze_scene_update(s.scene));
    compare(&s, 2.0, &found);
  }
  assert_true(done > steps / 4 && refused > 0);
  graze_wrenches_free(&found);
  free_subject(&s);
}

/* Each operation of an update and a query fails in turn. */
TEST(test_failures) {
  host_device_configure(&(host_device_settings){0});
  subject s = subject_of_spheres(0);
  const graze_contact_options options = options_of(1.0);
  graze_wrenches found = {0};
  bool failed = true;
  for (size_t number = 1; failed; number++) {
    host_device_configure(&(host_device_settings){.fail_at = number});
    graze_scene_destroy(s.scene);
    s.scene = scene_on_device(&s);
    graze_result result = move_to(s.scene, "cuda", 0);
    if (result == GRAZE_OK) result = graze_scene_update(s.scene);
    if (result == GRAZE_OK) result = graze_scene_find_wrenches(s.scene, NULL, &options, &found);
    failed = result != GRAZE_OK;
    if (failed) assert_int_equal(found.count, 0);
    host_device_configure(&(host_device_settings){0});
    assert_ok(move_to(s.scene, "cuda", 0));
    assert_ok(graze_scene_update(s.scene));
    compare(&s, 1.0, &found);
    graze_wrenches_free(&found);
    assert_true(number < 1000);
  }
  free_subject(&s);
}

/* Tests least distances of configurations on an emulated device: in one chunk or many, poses and answers on the host or
 * on the device, each failing operation, too little memory, and errors. The reference is the processor. */
#include "batch_calls.h"
#include "device_frames.h"
#include "host_operations.h"
#include "torture_scenes.h"

#include <string.h>

enum { PARTS = 4, MOVING = 3, COUNT = 20, PAIRS = 6 };

/* One row for each configuration, or for each pair; the others with any contact, and with padding. */
typedef enum row_form { ONE, EACH, ONE_CONTACT, EACH_CONTACT, ONE_PADDED, EACH_PADDED, FORMS } row_form;

typedef struct robot {
  graze_scene *judge, *scene;
  graze_object moving[MOVING];
  graze_pose poses[COUNT * MOVING];
  graze_nearest rows[FORMS][COUNT * PAIRS];
} robot;

static graze_scene *make_scene(const char *method, bool reference) {
  static const char *const models[PARTS] = {"sphere", "gear", "tet-ball", "panels"};
  running_variant variant = running_variant_reference();
  if (!reference) variant.method = method;
  graze_scene *scene = runner_scene(&variant, NULL, 0, NULL);
  for (int i = 0; i < PARTS; i++) {
    OWNED(mesh) made = torture_first_mesh(models[i], i < 2 ? 400 : 40, 3);
    (void)runner_add(scene, &made, false, NULL);
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

/* Poses and answers on the device where the bits say so: host and device are one here. */
static graze_result ask(const robot *r, const graze_scene *scene, row_form form, int places, graze_nearest *answers) {
  graze_batch_def batch = batch_of(r->moving, MOVING, r->poses, COUNT * MOVING);
  const graze_batch_padding padding = {r->moving[1], 0.25};
  batch.each_pair = form % 2 == EACH;
  batch.any_contact = form / 2 == 1;
  batch.paddings = &padding;
  batch.padding_count = form / 2 == 2;
  batch.poses_on_device = (places & 1) != 0;
  batch.answers_on_device = (places & 2) != 0;
  return batch_nearest(scene, batch, answers);
}

static robot make_robot(const char *method, const host_device_settings *settings) {
  robot made = {0};
  uint64_t seed = 5;
  size_t meeting = 0;
  host_device_configure(settings);
  made.judge = make_scene(NULL, true);
  made.scene = make_scene(method, false);
  for (uint32_t i = 0; i < MOVING; i++) made.moving[i] = (graze_object){MOVING - 1 - i, 1};
  for (int i = 0; i < COUNT * MOVING; i++) {
    double numbers[7];
    for (int k = 0; k < 7; k++) numbers[k] = 0.006 * ((double)sequence_below(&seed, 1000) - 500.5);
    made.poses[i] = graze_pose_from_quaternion(numbers, numbers + 4);
  }
  for (int i = 0; i < FORMS; i++) assert_ok(ask(&made, made.judge, (row_form)i, 0, made.rows[i]));
  for (int i = 0; i < COUNT; i++) meeting += made.rows[ONE][i].distance == 0.0;
  assert_true(meeting > 0 && meeting < COUNT);
  return made;
}

static void free_robot(robot *r) {
  graze_scene_destroy(r->judge);
  graze_scene_destroy(r->scene);
}

static void check_answers(const robot *r, int places) {
  static graze_nearest rows[COUNT * PAIRS];
  for (int i = 0; i < FORMS; i++) {
    const size_t count = (size_t)COUNT * (i % 2 == EACH ? PAIRS : 1);
    memset(rows, 7, sizeof rows);
    assert_ok(ask(r, r->scene, (row_form)i, places, rows));
    assert_memory_equal(rows, r->rows[i], count * sizeof *rows);
  }
}

/* Chunks of one configuration, of two, and of all; indices in all orders. */
TEST(test_chunks_and_places) {
  static const char *const methods[2] = {"tree", "grid"};
  static const size_t capacities[4] = {1, 2 * (PAIRS + 1), 7 * (PAIRS + 1), 0};
  for (int i = 0; i < 8; i++) {
    const host_device_settings settings = {.first_capacity = capacities[i % 4],
                                           .order = (index_order)(i % INDEX_ORDER_COUNT)};
    OWNED_BY(free_robot) robot r = make_robot(methods[i / 4], &settings);
    for (int places = i % 2; places < 4; places += 2) check_answers(&r, places);
  }
}

TEST(test_failures) {
  for (int trial = 0; trial < 2; trial++) {
    host_device_settings settings = {.first_capacity = 7 * (PAIRS + 1)};
    OWNED_BY(free_robot) robot r = make_robot(trial == 0 ? "tree" : "grid", &settings);
    bool reached = true;
    size_t failures = 0;
    for (size_t fail_at = 1; reached; fail_at++) {
      graze_nearest rows[COUNT];
      settings.fail_at = fail_at;
      host_device_configure(&settings);
      const graze_result result = ask(&r, r.scene, ONE, trial * 3, rows);
      reached = host_device_count().operations >= fail_at;
      failures += result != GRAZE_OK;
      assert_true(result == GRAZE_OK || result == GRAZE_OUT_OF_MEMORY || result == GRAZE_DEVICE_FAILED);
      if (result == GRAZE_OK) assert_memory_equal(rows, r.rows[ONE], sizeof rows);
    }
    assert_true(failures > 15);
    settings.fail_at = 0;
    host_device_configure(&settings);
    check_answers(&r, 0);
  }
}

static bool stop_at_once(void *context) {
  (void)context;
  return true;
}

TEST(test_refusals) {
  host_device_settings settings = {.first_capacity = 3 * (PAIRS + 1)};
  OWNED_BY(free_robot) robot r = make_robot("tree", &settings);
  graze_nearest rows[COUNT + 1];
  for (int places = 0; places < 4; places++) {
    const graze_pose kept = r.poses[MOVING * 7 + 2];
    r.poses[MOVING * 7 + 2].rotation[4] = 3.0;
    r.poses[MOVING * 12].rotation[4] = NAN;
    assert_int_equal(ask(&r, r.scene, ONE, places, rows), GRAZE_NOT_A_ROTATION);
    assert_non_null(strstr(graze_error_text(), "configuration 7: object 0"));
    r.poses[MOVING * 7 + 2] = r.poses[MOVING * 12] = kept;
  }
  settings.unreadable = r.poses;
  host_device_configure(&settings);
  assert_int_equal(ask(&r, r.scene, ONE, 1, rows), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the poses: they are not on the device");
  settings.unreadable = rows;
  host_device_configure(&settings);
  assert_int_equal(ask(&r, r.scene, ONE, 2, rows), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the answers: they are not on the device");
  graze_batch_def batch = batch_of(r.moving, MOVING, r.poses, COUNT * MOVING);
  batch.should_stop = stop_at_once;
  assert_int_equal(batch_nearest(r.scene, batch, rows), GRAZE_STOPPED);
  assert_string_equal(graze_error_text(), "the caller stopped the batch");
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

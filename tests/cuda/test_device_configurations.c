/* Tests configurations on an emulated device: in one chunk or many, poses and answers on the host or on the device,
 * each failing operation, too little memory, and errors. The reference is the processor. */
#include "batch_calls.h"
#include "device_frames.h"
#include "host_operations.h"
#include "torture_scenes.h"

#include <string.h>

enum { PARTS = 4, MOVING = 3, COUNT = 20, PAIRS = 6 };

/* The last three with a clearance, and padding of a moving and of the still object. */
typedef enum answer_form { ANY, COUNTS, EACH_PAIR, NEAR_ANY, NEAR_COUNTS, NEAR_EACH_PAIR, FORMS } answer_form;

typedef struct robot {
  graze_scene *judge, *scene;
  graze_object moving[MOVING];
  graze_pose poses[COUNT * MOVING];
  uint64_t answers[FORMS][COUNT * PAIRS]; /* bytes or numbers */
} robot;

static graze_scene *make_scene(const char *method, bool reference) {
  static const char *const models[PARTS] = {"sphere", "gear", "tet-ball", "soup"};
  running_variant variant = running_variant_reference();
  if (!reference) variant.method = method;
  graze_scene *scene = runner_scene(&variant, NULL, 0, NULL);
  for (int i = 0; i < PARTS; i++) {
    OWNED(mesh) made = torture_first_mesh(models[i], 60, 3);
    (void)runner_add(scene, &made, false, NULL);
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

/* Poses and answers on the device where the bits say so: host and device are one here. */
static graze_result ask(const robot *r, const graze_scene *scene, answer_form form, int places, void *answers) {
  graze_batch_def batch = batch_of(r->moving, MOVING, r->poses, COUNT * MOVING);
  batch.poses_on_device = (places & 1) != 0;
  batch.answers_on_device = (places & 2) != 0;
  batch.each_pair = form % 3 == EACH_PAIR;
  const graze_batch_padding paddings[2] = {{r->moving[1], 0.05}, {{PARTS - 1, 1}, 0.1}};
  if (form >= NEAR_ANY) {
    batch.clearance = 0.1;
    batch.paddings = paddings;
    batch.padding_count = 2;
  }
  return form % 3 == COUNTS ? batch_counts(scene, batch, answers) : batch_hits(scene, batch, answers);
}

/* The last object stays, so that there are all kinds of pairs. */
static robot make_robot(const char *method, const host_device_settings *settings) {
  robot made = {0};
  uint64_t seed = 5;
  host_device_configure(settings);
  made.judge = make_scene(NULL, true);
  made.scene = make_scene(method, false);
  for (uint32_t i = 0; i < MOVING; i++) made.moving[i] = (graze_object){MOVING - 1 - i, 1};
  for (int i = 0; i < COUNT * MOVING; i++) {
    double numbers[7];
    for (int k = 0; k < 7; k++) numbers[k] = 0.002 * ((double)sequence_below(&seed, 1000) - 500.5);
    made.poses[i] = graze_pose_from_quaternion(numbers, numbers + 4);
  }
  for (int i = 0; i < FORMS; i++) assert_ok(ask(&made, made.judge, (answer_form)i, 0, made.answers[i]));
  size_t pairs, met = 0;
  assert_ok(graze_scene_list_batch_pairs(made.judge, made.moving, MOVING, NULL, 0, &pairs));
  assert_int_equal(pairs, PAIRS);
  for (int i = 0; i < COUNT; i++) met += ((const uint8_t *)made.answers[ANY])[i];
  assert_true(met > 0 && met <= COUNT);
  assert_true(memcmp(made.answers[COUNTS], made.answers[NEAR_COUNTS], sizeof made.answers[COUNTS]) != 0);
  return made;
}

static void free_robot(robot *r) {
  graze_scene_destroy(r->judge);
  graze_scene_destroy(r->scene);
}

static void check_answers(const robot *r, int places) {
  static uint64_t answers[COUNT * PAIRS];
  static const size_t bytes[3] = {COUNT, COUNT * sizeof(uint64_t), (size_t)COUNT * PAIRS};
  for (int i = 0; i < FORMS; i++) {
    memset(answers, 7, sizeof answers);
    assert_ok(ask(r, r->scene, (answer_form)i, places, answers));
    assert_memory_equal(answers, r->answers[i], bytes[i % 3]);
  }
}

/* Chunks of one configuration, of two, and of all; indices in all orders. */
TEST(test_chunks_and_places) {
  static const char *const methods[2] = {"tree", "grid"};
  static const size_t capacities[4] = {1, 2 * PAIRS, 7 * PAIRS + 1, 0};
  for (int i = 0; i < 24; i++) {
    const host_device_settings settings = {.first_capacity = capacities[i % 4],
                                           .order = (index_order)(i % INDEX_ORDER_COUNT)};
    OWNED_BY(free_robot) robot r = make_robot(methods[i / 12], &settings);
    for (int places = 0; places < 4; places++) check_answers(&r, places);
  }
}

TEST(test_failures) {
  for (int trial = 0; trial < 4; trial++) {
    host_device_settings settings = {.first_capacity = 2 * PAIRS};
    robot r = make_robot(trial % 2 == 0 ? "tree" : "grid", &settings);
    bool reached = true;
    size_t failures = 0;
    for (size_t fail_at = 1; reached; fail_at++) {
      uint64_t counts[COUNT];
      settings.fail_at = fail_at;
      host_device_configure(&settings);
      const graze_result result = ask(&r, r.scene, COUNTS, trial / 2 * 3, counts);
      reached = host_device_count().operations >= fail_at;
      failures += result != GRAZE_OK;
      assert_true(result == GRAZE_OK || result == GRAZE_OUT_OF_MEMORY || result == GRAZE_DEVICE_FAILED);
      if (result == GRAZE_OK) assert_memory_equal(counts, r.answers[COUNTS], sizeof counts);
    }
    assert_true(failures > 20);
    settings.fail_at = 0;
    host_device_configure(&settings);
    check_answers(&r, 0);
    free_robot(&r);
  }
}

static bool stop_at_once(void *context) {
  (void)context;
  return true;
}

TEST(test_refusals) {
  host_device_settings settings = {.first_capacity = 3 * PAIRS};
  OWNED_BY(free_robot) robot r = make_robot("tree", &settings);
  uint64_t counts[COUNT + 1];
  for (int places = 0; places < 4; places++) {
    const graze_pose kept = r.poses[MOVING * 7 + 2];
    r.poses[MOVING * 7 + 2].rotation[4] = 3.0;
    r.poses[MOVING * 12].rotation[4] = NAN;
    assert_int_equal(ask(&r, r.scene, COUNTS, places, counts), GRAZE_NOT_A_ROTATION);
    assert_non_null(strstr(graze_error_text(), "configuration 7: object 0"));
    r.poses[MOVING * 7 + 2] = r.poses[MOVING * 12] = kept;
  }
  settings.unreadable = r.poses;
  host_device_configure(&settings);
  assert_int_equal(ask(&r, r.scene, COUNTS, 1, counts), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the poses: they are not on the device");
  settings.unreadable = counts;
  host_device_configure(&settings);
  assert_int_equal(ask(&r, r.scene, COUNTS, 2, counts), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the answers: they are not on the device");
  assert_int_equal(ask(&r, r.scene, COUNTS, 2, (void *)((char *)counts + 1)), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the answers: the address is not a multiple of 8 bytes");
  graze_batch_def batch = batch_of(r.moving, MOVING, r.poses, COUNT * MOVING);
  batch.should_stop = stop_at_once;
  assert_int_equal(batch_counts(r.scene, batch, counts), GRAZE_STOPPED);
  assert_string_equal(graze_error_text(), "the caller stopped the batch");
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}

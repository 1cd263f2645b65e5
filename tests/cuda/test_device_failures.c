/* Tests failures of an emulated device: each operation in turn, once or permanently; what the host keeps when the
 * device is lost; scenes that move to the processor and back. The reference is the processor's method "brute". */
#include "backend_choice.h"
#include "graze/cuda.h"
#include "host_operations.h"
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

/* Meshes, and the list of their pairs. */
typedef struct subject {
  mesh *meshes;
  size_t mesh_count;
  pair_answer wanted;
} subject;

static void reference_subject(subject *made) {
  torture_round_to_float(made->meshes, made->mesh_count); /* so that positions can be given either way */
  const running_variant reference = running_variant_reference();
  OWNED_SCENE *judging = runner_scene(&reference, made->meshes, made->mesh_count, NULL);
  const graze_query query = graze_query_default();
  made->wanted = runner_find(judging, &query);
  assert_true(made->wanted.count > 0);
}

static subject make_subject(const char *model, size_t primitives) {
  subject made;
  torture_model(model, primitives, 1, &made.meshes, &made.mesh_count);
  reference_subject(&made);
  return made;
}

/* Slanted triangles one above the other, all of whose boxes meet, and a level one across them all. */
static subject make_pile(size_t triangles) {
  subject made;
  torture_model("soup", triangles, 1, &made.meshes, &made.mesh_count);
  mesh *m = &made.meshes[0];
  assert_int_equal(made.mesh_count, 1);
  assert_int_equal(m->vertex_count, 3 * triangles); /* three of its own each */
  for (size_t i = 0; i < m->vertex_count; i++) {
    double *position = m->positions + 3 * i;
    const size_t corner = i % 3;
    const bool level = i / 3 + 1 == triangles;
    position[0] = corner == 0 ? 0.0 : 1.0;
    position[1] = corner == 2 ? 1.0 : 0.0;
    position[2] = level ? 0.5 : (double)corner * 0.5 + (double)(i / 3) * 0x1p-14;
  }
  reference_subject(&made);
  assert_int_equal(made.wanted.count, triangles - 1);
  return made;
}

static void free_subject(subject *s) {
  free(s->wanted.pairs);
  mesh_list_free(s->meshes, s->mesh_count);
}

static graze_scene *make_scene(const subject *s, const char *backend, const graze_allocator *allocator) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  def.allocator = allocator;
  graze_scene *scene;
  assert_ok(create_on(backend, 0, def, &scene));
  for (size_t i = 0; i < s->mesh_count; i++) runner_add(scene, &s->meshes[i], false, NULL);
  return scene;
}

/* Returns what the query counted. */
static graze_counters check_answer(const subject *s, const graze_scene *scene, const char *words) {
  const graze_query query = graze_query_default();
  const pair_answer found = runner_find(scene, &query);
  runner_compare(&s->wanted, &found, "subject", words);
  free(found.pairs);
  return found.counters;
}

static uint64_t device_bytes(const graze_scene *scene) {
  graze_counters counters = {0};
  assert_ok(graze_scene_get_counters(scene, &counters));
  return counters.device_bytes;
}

static void configure(size_t fail_at, bool stays_lost) {
  const host_device_settings settings = {.first_capacity = 2, .fail_at = fail_at, .stays_lost = stays_lost};
  host_device_configure(&settings);
}

/* An update and a query while operation `fail_at` fails; true where both went well. */
static bool run_failing(graze_scene *scene, size_t fail_at, bool stays_lost, bool *updated_out) {
  configure(fail_at, stays_lost);
  graze_pairs pairs = {0};
  const graze_query query = graze_query_default();
  graze_result result = graze_scene_update(scene);
  *updated_out = result == GRAZE_OK;
  if (*updated_out) result = graze_scene_find_pairs(scene, &query, &pairs);
  graze_pairs_free(&pairs);
  if (result == GRAZE_OK) return true;
  assert_true(result == GRAZE_OUT_OF_MEMORY || result == GRAZE_DEVICE_FAILED);
  assert_non_null(strstr(graze_error_text(), "of the device failed"));
  return false;
}

static void check_released(void) {
  assert_int_equal(host_device_count().bytes, 0);
  assert_int_equal(host_device_count().open_devices, 0);
}

/* ---------------------------------------------------------------------------------------------- each operation */

/* Every operation fails once, in turn: a code, a message, and a scene that answers when asked again. */
TEST(test_failures_that_pass) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 60);
  bool reached = true;
  size_t failures = 0, survived = 0;
  for (size_t fail_at = 1; reached; fail_at++) {
    configure(0, false);
    graze_scene *scene = make_scene(&s, "cuda", NULL);
    bool updated;
    const bool well = run_failing(scene, fail_at, false, &updated);
    reached = host_device_count().operations >= fail_at;
    failures += !well;
    survived += well && reached; /* memory was short for a moment: done in chunks */
    configure(0, false);
    for (int update = updated ? 0 : 1; update < 2; update++) { /* asked again at once where only the query failed */
      if (update == 1) assert_ok(graze_scene_update(scene));
      check_answer(&s, scene, "after a failure");
    }
    graze_scene_destroy(scene);
    check_released();
  }
  assert_true(failures > 40);
  assert_true(survived > 0);
}

/* Every operation is the last that the device hears of: the scene goes on on the processor, and, when there is a device
 * again, goes back. */
TEST(test_lost_devices) {
  const char *const models[] = {"blobs", "tet-soup"};
  for (size_t number = 0; number < sizeof models / sizeof models[0]; number++) {
    OWNED_BY(free_subject) subject s = make_subject(models[number], 60);
    bool failed = true;
    size_t failures = 0;
    for (size_t fail_at = 1; failed; fail_at++) {
      configure(0, false);
      graze_scene *scene = make_scene(&s, "cuda", NULL);
      bool updated;
      failed = !run_failing(scene, fail_at, true, &updated);
      failures += failed;
      assert_ok(move_to(scene, "cpu", 0));
      check_released();
      assert_int_equal(device_bytes(scene), 0);
      graze_pairs pairs = {0};
      assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_NOT_UPDATED);
      graze_pairs_free(&pairs);
      assert_ok(graze_scene_update(scene));
      check_answer(&s, scene, "on the processor");
      configure(0, false);
      assert_ok(move_to(scene, "cuda", 0));
      assert_ok(graze_scene_update(scene));
      check_answer(&s, scene, "back on a device");
      assert_true(device_bytes(scene) > 0);
      graze_scene_destroy(scene);
      check_released();
    }
    assert_true(failures > 40);
  }
}

/* A lost device and no other call than the end. */
TEST(test_ending_on_a_lost_device) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 60);
  for (size_t fail_at = 1; fail_at < 60; fail_at += 7) {
    configure(0, false);
    graze_scene *scene = make_scene(&s, "cuda", NULL);
    bool updated;
    run_failing(scene, fail_at, true, &updated);
    graze_scene_destroy(scene);
    check_released();
  }
}

/* ---------------------------------------------------------------------------------------------- little memory */

/* Counters of a query in chunks are those of one run, but for what says how it was run. */
static void check_counters(const graze_counters *expected, const graze_counters *found) {
#define CHECK_COUNTER(name, words)                                                                                     \
  if (strcmp(#name, "reruns") != 0 && strstr(#name, "bytes") == NULL) assert_int_equal(expected->name, found->name);
  GRAZE_COUNTER_LIST(CHECK_COUNTER)
#undef CHECK_COUNTER
}

static void limit_memory(size_t most_bytes, index_order order) {
  const host_device_settings settings = {.order = order, .most_bytes = most_bytes};
  host_device_configure(&settings);
}

/* One frame within a limit: the list and the counters, or a message with numbers; then without it. True: the list. */
static bool run_limited(const subject *s, size_t most_bytes, const graze_counters *expected, uint64_t *reruns_out) {
  limit_memory(most_bytes, (index_order)(most_bytes % INDEX_ORDER_COUNT));
  graze_scene *scene = make_scene(s, "cuda", NULL);
  graze_pairs pairs = {0};
  graze_result result = graze_scene_update(scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(scene, NULL, &pairs);
  if (result == GRAZE_OK) {
    assert_int_equal(pairs.count, s->wanted.count);
    assert_true(pairs.hash == s->wanted.hash);
    check_counters(expected, pairs.counters);
    *reruns_out = pairs.counters->reruns;
    check_answer(s, scene, "a second frame within the limit");
  } else {
    size_t asked = 0, left = 0;
    assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
    assert_int_equal(sscanf(graze_error_text(), "out of memory: %zu bytes were asked for, %zu are free", &asked, &left),
                     2);
    assert_true(asked > left && left <= most_bytes);
  }
  graze_pairs_free(&pairs);
  limit_memory(0, INDICES_FORWARD);
  assert_ok(graze_scene_update(scene));
  const graze_counters again = check_answer(s, scene, "when there is memory again");
  check_counters(expected, &again);
  assert_true(again.reruns <= expected->reruns); /* room that is known to be too short is not tried again */
  graze_scene_destroy(scene);
  check_released();
  return result == GRAZE_OK;
}

/* Limits from plenty down to next to nothing, in parts of what is held where there is none. Returns how many queries
 * took chunks. */
static size_t run_all_limits(const char *name, const subject *s, size_t steps) {
  limit_memory(0, INDICES_FORWARD);
  graze_scene *scene = make_scene(s, "cuda", NULL);
  assert_ok(graze_scene_update(scene));
  const graze_counters plenty = check_answer(s, scene, "with plenty");
  graze_scene_destroy(scene);
  size_t right = 0, refused = 0, chunked = 0, least = 0;
  uint64_t most_runs = 0;
  for (size_t part = steps + steps / 10; part > steps / 40; part--) {
    uint64_t reruns = 0;
    const size_t limit = (size_t)plenty.device_bytes / steps * part;
    const bool done = run_limited(s, limit, &plenty, &reruns);
    right += done;
    refused += !done;
    chunked += done && reruns > plenty.reruns;
    least = done ? limit : least;
    most_runs = reruns > most_runs ? reruns : most_runs;
    assert_true(done || part <= steps); /* what is held in the end is enough from the beginning */
  }
  print_message("%s: right %zu times, in chunks %zu, down to %zu of %zu bytes, at most %zu runs more; refused %zu\n",
                name, right, chunked, least, (size_t)plenty.device_bytes, (size_t)most_runs, refused);
  assert_true(refused >= 1);
  return chunked;
}

TEST(test_little_memory) {
  const char *const models[] = {"blobs", "soup", "tet-soup", "cell-pair", "boxes", "chazelle"};
  size_t chunked = 0;
  for (size_t number = 0; number < sizeof models / sizeof models[0]; number++) {
    OWNED_BY(free_subject) subject s = make_subject(models[number], test_sanitized(300, 600));
    chunked += run_all_limits(models[number], &s, test_sanitized(16, test_scaled(50, 20)));
  }
  assert_true(chunked >= 10);
}

/* One row alone has more candidates than the shortest lists hold. */
TEST(test_long_rows) {
  OWNED_BY(free_subject) subject s = make_pile(test_sanitized(300, 400));
  assert_true(run_all_limits("pile", &s, test_sanitized(20, test_scaled(120, 50))) >= 10);
}

/* More candidates than can be numbered, as a run says of itself: they are found some rows at a time, and what is held
 * stays small. */
TEST(test_candidates_without_numbers) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 300);
  limit_memory(0, INDICES_FORWARD);
  graze_scene *scene = make_scene(&s, "cuda", NULL);
  assert_ok(graze_scene_update(scene));
  const graze_counters before = check_answer(&s, scene, "before");
  for (int round = 0; round < 2; round++) {
    const host_device_settings settings = {.claimed = (size_t)UINT32_MAX + 1000, .most_bytes = 64 << 20};
    host_device_configure(&settings);
    const graze_counters found = check_answer(&s, scene, "more candidates than numbers");
    check_counters(&before, &found);
    assert_int_equal(found.reruns, before.reruns + 1);
    assert_true(found.device_bytes <= before.device_bytes);
  }
  const graze_counters after = check_answer(&s, scene, "after");
  assert_int_equal(after.device_bytes, before.device_bytes);
  graze_scene_destroy(scene);
  check_released();
}

/* Room for lists, far more than is needed, and then an object more than fits beside it: lists give way to the scene and
 * to its grid. */
TEST(test_lists_give_way) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 300);
  graze_scene *whole = make_scene(&s, "cuda", NULL);
  assert_ok(graze_scene_update(whole));
  check_answer(&s, whole, "all objects from the beginning");
  const size_t most_growth = device_bytes(whole);
  graze_scene_destroy(whole);
  for (size_t extra = 0; extra < most_growth; extra += most_growth / 40) {
    host_device_settings settings = {.first_capacity = 50000};
    host_device_configure(&settings);
    graze_scene *scene;
    assert_ok(create_on("cuda", 0, graze_scene_def_default(), &scene));
    for (size_t i = 0; i < s.mesh_count; i++) {
      runner_add(scene, &s.meshes[i], false, NULL);
      if (i != s.mesh_count / 2) continue;
      assert_ok(graze_scene_update(scene));
      graze_pairs pairs = find_pairs(scene, NULL);
      settings.most_bytes = pairs.counters->device_bytes + extra;
      graze_pairs_free(&pairs);
      host_device_configure(&settings);
    }
    assert_ok(graze_scene_update(scene));
    check_answer(&s, scene, "more objects than there was room for beside the lists");
    graze_scene_destroy(scene);
    check_released();
  }
}

/* ---------------------------------------------------------------------------------------------- there and back */

static void turn(graze_scene *scene, uint32_t index, double angle) {
  const double c = cos(angle), s = sin(angle), rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  const double translation[3] = {0.01, 0.02 * angle, 0};
  assert_ok(pose_object(scene, (graze_object){index, 1}, rotation, translation));
}

/* Changes on one backend apply to the other. */
TEST(test_there_and_back) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 300);
  configure(0, false);
  graze_scene *judging = make_scene(&s, "cpu", NULL), *scene = make_scene(&s, "cpu", NULL);
  const graze_query query = graze_query_default();
  graze_contacts expected = {0}, contacts = {0};
  for (uint32_t frame = 0; frame < 8; frame++) {
    const char *const backend = frame % 3 == 1 ? "cpu" : "cuda";
    graze_scene *const both[2] = {judging, scene};
    for (int i = 0; i < 2; i++) {
      turn(both[i], frame % 2, 0.1 * frame);
      const uint32_t gone = 2 * frame;
      assert_ok(graze_object_remove_primitives(both[i], (graze_object){0, 1}, &gone, 1));
      if (i == 1) assert_ok(move_to(scene, backend, 0));
      assert_ok(graze_scene_update(both[i]));
    }
    const pair_answer wanted = runner_find(judging, &query), found = runner_find(scene, &query);
    runner_compare(&wanted, &found, "blobs", backend);
    assert_ok(graze_scene_make_contacts(judging, wanted.pairs, wanted.count, NULL, &expected));
    assert_ok(graze_scene_make_contacts(scene, found.pairs, found.count, NULL, &contacts));
    assert_int_equal(contacts.point_count, expected.point_count);
    assert_memory_equal(contacts.points, expected.points, expected.point_count * sizeof expected.points[0]);
    free(wanted.pairs);
    free(found.pairs);
  }
  graze_contacts_free(&expected);
  graze_contacts_free(&contacts);
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  check_released();
}

TEST(test_refusals) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 60);
  configure(0, false);
  graze_scene *scene = make_scene(&s, "cpu", NULL);
  assert_ok(graze_scene_update(scene));
  assert_int_equal(move_to(NULL, "cpu", 0), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(move_to(scene, "abacus", 0), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "there is no backend \"abacus\"; the backends are cpu, cuda");
  assert_int_equal(move_to(scene, "cuda", 7), GRAZE_NO_DEVICE);
  assert_string_equal(graze_error_text(), "there is no device number 7");
  /* After all that was refused, and where nothing is to change, no update is needed. */
  assert_ok(move_to(scene, "cpu", 0));
  check_answer(&s, scene, "after refusals");
  assert_ok(move_to(scene, "cuda", 0));
  assert_ok(graze_scene_update(scene));
  assert_ok(move_to(scene, "cuda", 0));
  assert_int_equal(move_to(scene, "cuda", -1), GRAZE_NO_DEVICE);
  check_answer(&s, scene, "on the device after a refusal");
  graze_scene_destroy(scene);
  check_released();
}

/* ---------------------------------------------------------------------------------------------- positions there alone
 */

/* Positions on a device that replace those of the meshes: every second object's as floats. */
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
  assert_ok(graze_object_set_device_positions(scene, (graze_object){index, 1}, there,
                                              is_double ? GRAZE_FORMAT_DOUBLE3 : GRAZE_FORMAT_FLOAT3, NULL));
  return there;
}

typedef struct resident_scene {
  graze_scene *scene;
  void *positions[64];
} resident_scene;

/* The host's own positions are all zero: what is right comes from the device. */
static resident_scene make_resident(const subject *s, const graze_allocator *allocator) {
  resident_scene made = {make_scene(s, "cuda", allocator), {NULL}};
  assert_true(s->mesh_count <= 64);
  for (uint32_t i = 0; i < s->mesh_count; i++) {
    double *zeros = calloc(3 * s->meshes[i].vertex_count + 1, sizeof *zeros);
    assert_non_null(zeros);
    const graze_view view = {zeros, s->meshes[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_set_positions(made.scene, (graze_object){i, 1}, 0, view));
    free(zeros);
    made.positions[i] = give_device_positions(s, made.scene, i);
  }
  assert_ok(graze_scene_update(made.scene));
  check_answer(s, made.scene, "positions on the device");
  return made;
}

static void free_resident(resident_scene *r) {
  graze_scene_destroy(r->scene);
  check_released();
  for (size_t i = 0; i < 64; i++) free(r->positions[i]);
}

TEST(test_fetched_positions) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 200);
  configure(0, false);
  OWNED_BY(free_resident) resident_scene r = make_resident(&s, NULL);
  /* A coordinate that is not finite: nothing is taken over. */
  float *second = r.positions[1];
  const float kept = second[4];
  second[4] = INFINITY;
  assert_int_equal(move_to(r.scene, "cpu", 0), GRAZE_NOT_FINITE);
  assert_string_equal(graze_error_text(), "object 1: coordinate y of vertex 1 is inf");
  second[4] = kept;
  assert_ok(graze_scene_update(r.scene));
  check_answer(&s, r.scene, "still on the device");
  assert_ok(move_to(r.scene, "cpu", 0));
  for (size_t i = 0; i < s.mesh_count; i++)
    memset(r.positions[i], 0xff, 3 * s.meshes[i].vertex_count * sizeof(float)); /* no longer read */
  assert_ok(graze_scene_update(r.scene));
  check_answer(&s, r.scene, "positions fetched");
}

/* From one device to another, which cannot read the first one's memory. */
TEST(test_another_device) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 200);
  configure(0, false);
  OWNED_BY(free_resident) resident_scene r = make_resident(&s, NULL);
  configure(2, false);
  assert_int_equal(move_to(r.scene, "cuda", 1), GRAZE_DEVICE_FAILED);
  assert_int_equal(host_device_count().open_devices, 1);
  configure(0, false);
  check_answer(&s, r.scene, "on the first device");
  assert_ok(move_to(r.scene, "cuda", 1));
  assert_int_equal(host_device_count().open_devices, 1);
  memset(r.positions[0], 0xff, 3 * s.meshes[0].vertex_count * sizeof(double));
  assert_ok(graze_scene_update(r.scene));
  check_answer(&s, r.scene, "on the second device");
}

TEST(test_unreadable_positions) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 200);
  configure(0, false);
  OWNED_BY(free_resident) resident_scene r = make_resident(&s, NULL);
  double nowhere;
  const host_device_settings settings = {.unreadable = &nowhere};
  host_device_configure(&settings);
  assert_int_equal(
      graze_object_set_device_positions(r.scene, (graze_object){1, 1}, &nowhere, GRAZE_FORMAT_DOUBLE3, NULL),
      GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "object 1: positions: they are not on the device");
  check_answer(&s, r.scene, "positions as before"); /* no update is needed: nothing has changed */
  configure(1, false);
  assert_int_equal(
      graze_object_set_device_positions(r.scene, (graze_object){1, 1}, &nowhere, GRAZE_FORMAT_DOUBLE3, NULL),
      GRAZE_DEVICE_FAILED);
  /* Between two numbers: the device would be lost at the first load. */
  configure(0, false);
  const char *const there = r.positions[0];
  assert_int_equal(
      graze_object_set_device_positions(r.scene, (graze_object){0, 1}, there + 4, GRAZE_FORMAT_DOUBLE3, NULL),
      GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "object 0: positions: the address is not a multiple of 8 bytes");
  assert_int_equal(
      graze_object_set_device_positions(r.scene, (graze_object){0, 1}, there + 2, GRAZE_FORMAT_FLOAT3, NULL),
      GRAZE_INVALID_ARGUMENT);
  const graze_pair *const pairs = (const graze_pair *)(const void *)(there + 2);
  graze_device_contacts contacts = {0};
  assert_int_equal(graze_scene_make_contacts_on_device(r.scene, pairs, 1, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "pairs: the address is not a multiple of 4 bytes");
  graze_device_contacts_free(&contacts);
  assert_int_equal(host_device_count().operations, 0);
  check_answer(&s, r.scene, "positions as before");
}

TEST(test_positions_of_a_lost_device) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 200);
  configure(0, false);
  OWNED_BY(free_resident) resident_scene r = make_resident(&s, NULL);
  for (size_t fail_at = 1; fail_at <= 2 * s.mesh_count; fail_at++) {
    configure(fail_at, true);
    assert_int_equal(move_to(r.scene, "cpu", 0), GRAZE_DEVICE_FAILED);
    char words[64];
    snprintf(words, sizeof words, "object %zu: its positions are on the device", (fail_at - 1) / 2);
    assert_memory_equal(graze_error_text(), words, strlen(words));
    assert_non_null(strstr(graze_error_text(), "of the device failed; set all of them"));
  }
  configure(0, false);
  check_answer(&s, r.scene, "all on the device still"); /* a refusal changes nothing */
  configure(1, true);
  for (uint32_t i = 0; i < s.mesh_count; i++) {
    const graze_view view = {s.meshes[i].positions, s.meshes[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_set_positions(r.scene, (graze_object){i, 1}, 0, view));
  }
  assert_ok(move_to(r.scene, "cpu", 0));
  assert_ok(graze_scene_update(r.scene));
  check_answer(&s, r.scene, "positions set again");
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

static const graze_allocator failing_allocator = {sizeof(graze_allocator), NULL, failing_allocate, failing_release};

/* The host has no memory for the way there, or for the way back: the scene stays where it is, and answers. */
TEST(test_host_memory) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 100);
  configure(0, false);
  OWNED_BY(free_resident) resident_scene r = make_resident(&s, &failing_allocator);
  const char *const variants[2] = {"cpu", "cuda"};
  for (int i = 0; i < 2; i++) {
    size_t failures = 0;
    graze_result result = GRAZE_OUT_OF_MEMORY;
    while (result != GRAZE_OK) {
      allocations_left = failures;
      result = move_to(r.scene, variants[i], 0);
      allocations_left = SIZE_MAX;
      if (result == GRAZE_OK) break;
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      failures++;
      check_answer(&s, r.scene, "after a lack of memory");
    }
    assert_true(failures >= 1);
    assert_ok(graze_scene_update(r.scene));
    check_answer(&s, r.scene, "moved at last");
  }
}

/* An object more than the frame has room for in its tables, and the host has no memory for them: each allocation of the
 * update fails in turn. */
TEST(test_host_memory_of_updates) {
  OWNED_BY(free_subject) subject s = make_subject("blobs", 100);
  size_t failures = 0;
  for (graze_result result = GRAZE_OUT_OF_MEMORY; result != GRAZE_OK; failures++) {
    configure(0, false);
    const subject first = {s.meshes, s.mesh_count - 1, s.wanted};
    graze_scene *scene = make_scene(&first, "cuda", &failing_allocator);
    assert_ok(graze_scene_update(scene));
    graze_pairs pairs = find_pairs(scene, NULL);
    graze_pairs_free(&pairs);
    runner_add(scene, &s.meshes[s.mesh_count - 1], false, NULL);
    allocations_left = failures;
    result = graze_scene_update(scene);
    allocations_left = SIZE_MAX;
    if (result != GRAZE_OK) assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
    if (result != GRAZE_OK) assert_ok(graze_scene_update(scene));
    check_answer(&s, scene, "when the host has memory again");
    graze_scene_destroy(scene);
    check_released();
  }
  assert_true(failures >= 8);
}

/* What callers' lists may rely on where a scene is on a device, emulated on the host. Covered: lists that alternate,
 * that outlive their scene or change devices, several threads, stopping, options that a device lacks, and frames that
 * allocate nothing. The reference is the processor's method "brute". */
#include "backend_choice.h"
#include "base/checked_allocator.h"
#include "contact_bits.h"
#include "graze/cuda.h"
#include "graze/inside/launches.h"
#include "host_operations.h"
#include "posed_object.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
  mesh *meshes;
  size_t mesh_count;
  pair_answer wanted;
  graze_scene *scene; /* on a device, updated */
} subject;

static subject make_subject(const char *model, size_t primitives, const host_device_settings *settings,
                            const graze_allocator *allocator) {
  subject made;
  torture_model(model, primitives, 5, &made.meshes, &made.mesh_count);
  const running_variant reference = running_variant_reference();
  graze_scene *judging = runner_scene(&reference, made.meshes, made.mesh_count, NULL);
  const graze_query query = graze_query_default();
  made.wanted = runner_find(judging, &query);
  assert_true(made.wanted.count > 10);
  graze_scene_destroy(judging);
  host_device_configure(settings);
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  def.allocator = allocator;
  assert_ok(create_on("cuda", 0, def, &made.scene));
  for (size_t i = 0; i < made.mesh_count; i++) runner_add(made.scene, &made.meshes[i], false, NULL);
  assert_ok(graze_scene_update(made.scene));
  return made;
}

static void free_subject(subject *s) {
  graze_scene_destroy(s->scene);
  free(s->wanted.pairs);
  mesh_list_free(s->meshes, s->mesh_count);
  assert_int_equal(host_device_count().bytes, 0);
  assert_int_equal(host_device_count().open_devices, 0);
  assert_int_equal(host_device_count().lists, 0);
}

static bool is_wanted(const subject *s, const graze_pair *pairs, size_t count) {
  return count == s->wanted.count && memcmp(pairs, s->wanted.pairs, count * sizeof *pairs) == 0;
}

/* ---------------------------------------------------------------------------------------------- lists */

/* The sequence of a query does not depend on the list: it is recorded once. */
TEST(test_lists_take_turns) {
  const host_device_settings settings = {.order = INDICES_SHUFFLED};
  OWNED_BY(free_subject) subject s = make_subject("blobs", 500, &settings, NULL);
  graze_device_pairs there[3] = {{0}, {0}, {0}};
  graze_pairs here[2] = {{0}, {0}};
  assert_ok(graze_scene_find_pairs(s.scene, NULL, &here[0]));
  assert_ok(graze_scene_find_pairs(s.scene, NULL, &here[0])); /* with the room that is enough */
  const size_t recordings = host_device_count().recordings, replays = host_device_count().replays;
  const uint64_t launches = graze_scene_device_launches(s.scene);
  assert_true(launches > 0);
  for (size_t i = 0; i < 12; i++) {
    graze_device_pairs *list = &there[i % 3];
    assert_ok(graze_scene_find_pairs_on_device(s.scene, NULL, list));
    assert_true(is_wanted(&s, list->device_pairs, list->count));
    assert_ok(graze_scene_find_pairs(s.scene, NULL, &here[i % 2]));
    assert_true(is_wanted(&s, here[i % 2].pairs, here[i % 2].count));
    assert_int_equal(graze_scene_device_launches(s.scene), launches);
  }
  assert_int_equal(host_device_count().recordings, recordings);
  assert_int_equal(host_device_count().replays, replays + 24);
  for (size_t i = 0; i < 3; i++) {
    assert_true(is_wanted(&s, there[i].device_pairs, there[i].count)); /* and each kept its own */
    graze_device_pairs_free(&there[i]);
    assert_null(there[i].device_pairs);
  }
  for (size_t i = 0; i < 2; i++) graze_pairs_free(&here[i]);
}

/* Contacts as they were made, when the scene that made them is gone. */
TEST(test_lists_outlive_scenes) {
  const host_device_settings settings = {0};
  checked_allocator heap = {.refused = SIZE_MAX};
  const graze_allocator allocator = {sizeof allocator, &heap, checked_allocate, checked_release};
  subject s = make_subject("blobs", 300, &settings, &allocator);
  graze_device_pairs pairs = {0};
  graze_device_contacts contacts = {0};
  assert_ok(graze_scene_find_pairs_on_device(s.scene, NULL, &pairs));
  assert_ok(graze_scene_make_contacts_on_device(s.scene, pairs.device_pairs, pairs.count, NULL, &contacts));
  graze_contacts expected = make_contacts(s.scene, s.wanted.pairs, s.wanted.count, NULL);
  graze_scene_destroy(s.scene);
  s.scene = NULL;
  assert_int_equal(host_device_count().bytes, 0);
  assert_int_equal(host_device_count().lists, 3);
  assert_true(is_wanted(&s, pairs.device_pairs, pairs.count));
  assert_true(pairs.counters->pairs == s.wanted.count && pairs.timings != NULL);
  assert_int_equal(contacts.point_count, expected.point_count);
  for (size_t i = 0; i < contacts.count; i++)
    assert_true(same_contact(&contacts.device_contacts[i], &expected.contacts[i]));
  assert_memory_equal(contacts.device_points, expected.points, expected.point_count * sizeof expected.points[0]);
  graze_device_pairs_free(&pairs);
  graze_device_contacts_free(&contacts);
  graze_contacts_free(&expected);
  graze_device_pairs_free(NULL);
  graze_device_contacts_free(NULL);
  assert_true(atomic_load(&heap.live) == 0 && atomic_load(&heap.faults) == 0);
  free_subject(&s);
}

/* A list that was filled by one device, then by another, then emptied: all of its blocks move. */
TEST(test_lists_change_devices) {
  const host_device_settings settings = {0};
  OWNED_BY(free_subject) subject s = make_subject("blobs", 300, &settings, NULL);
  graze_device_pairs pairs = {0};
  OWNED(graze_device_contacts) contacts = {0};
  for (int device = 0; device < 4; device++) {
    assert_ok(move_to(s.scene, "cuda", device % 2));
    assert_ok(graze_scene_update(s.scene));
    assert_ok(graze_scene_find_pairs_on_device(s.scene, NULL, &pairs));
    assert_true(is_wanted(&s, pairs.device_pairs, pairs.count));
    const size_t count = device == 2 ? 0 : pairs.count;
    assert_ok(graze_scene_make_contacts_on_device(s.scene, pairs.device_pairs, count, NULL, &contacts));
    assert_int_equal(contacts.count, count);
  }
  graze_device_pairs_free(&pairs);
}

/* ---------------------------------------------------------------------------------------------- threads */

typedef struct asking_thread {
  const subject *subject;
  size_t number, rounds, wrong;
} asking_thread;

static bool ask_once(const subject *s, size_t kind, graze_pairs *pairs, graze_device_pairs *there,
                     graze_contacts *contacts, graze_crowding *crowding) {
  graze_counters counters = {0};
  bool found = false;
  switch (kind) {
  case 0:
    return graze_scene_find_pairs(s->scene, NULL, pairs) == GRAZE_OK && is_wanted(s, pairs->pairs, pairs->count);
  case 1:
    return graze_scene_find_pairs_on_device(s->scene, NULL, there) == GRAZE_OK &&
           is_wanted(s, there->device_pairs, there->count);
  case 2:
    return graze_scene_make_contacts(s->scene, s->wanted.pairs, s->wanted.count, NULL, contacts) == GRAZE_OK &&
           contacts->count == s->wanted.count;
  case 3:
    return graze_scene_measure_crowding(s->scene, (graze_object){0, 1}, crowding) == GRAZE_OK && crowding->k > 0;
  case 4:
    return graze_scene_any_pair(s->scene, NULL, &found, NULL) == GRAZE_OK && found;
  default:
    return graze_scene_get_counters(s->scene, &counters) == GRAZE_OK && counters.device_bytes > 0;
  }
}

static void *ask_often(void *context) {
  asking_thread *thread = context;
  graze_pairs pairs = {0};
  graze_device_pairs there = {0};
  OWNED(graze_contacts) contacts = {0};
  OWNED(graze_crowding) crowding = {0};
  for (size_t i = 0; i < thread->rounds; i++) {
    const bool right = ask_once(thread->subject, (thread->number + i) % 6, &pairs, &there, &contacts, &crowding);
    thread->wrong += !right;
    (void)graze_scene_device_launches(thread->subject->scene);
  }
  graze_pairs_free(&pairs);
  graze_device_pairs_free(&there);
  return NULL;
}

/* Calls of several threads on one scene are serialised, and each gets its own answer. */
TEST(test_threads) {
  enum { THREADS = 4 };
  const host_device_settings settings = {.first_capacity = 3}; /* so that buffers grow while others wait */
  OWNED_BY(free_subject) subject s = make_subject("blobs", 200, &settings, NULL);
  const size_t overlaps = host_device_count().overlaps;
  asking_thread threads[THREADS];
  pthread_t handles[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    threads[i] = (asking_thread){.subject = &s, .number = i, .rounds = test_scaled(60, 18)};
    assert_int_equal(pthread_create(&handles[i], NULL, ask_often, &threads[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(handles[i], NULL), 0);
    assert_int_equal(threads[i].wrong, 0);
  }
  assert_int_equal(host_device_count().overlaps, overlaps);
}

/* ---------------------------------------------------------------------------------------------- stopping */

typedef struct stop_after_calls {
  size_t calls, yes_at;
} stop_after_calls;

static bool stop_then(void *context) {
  stop_after_calls *stop = context;
  return ++stop->calls >= stop->yes_at;
}

/* One query that is stopped at some question; true where it came to that. */
static bool stop_at(const subject *s, bool on_device, size_t yes_at, graze_pairs *pairs, graze_device_pairs *there) {
  stop_after_calls stop = {0, yes_at};
  graze_query query = graze_query_default();
  query.should_stop = stop_then;
  query.stop_context = &stop;
  const graze_result result = on_device ? graze_scene_find_pairs_on_device(s->scene, &query, there)
                                        : graze_scene_find_pairs(s->scene, &query, pairs);
  const size_t count = on_device ? there->count : pairs->count;
  if (result == GRAZE_OK) {
    assert_true(is_wanted(s, on_device ? there->device_pairs : pairs->pairs, count));
    return false;
  }
  assert_int_equal(result, GRAZE_STOPPED);
  assert_string_equal(graze_error_text(), "the caller stopped the query");
  assert_int_equal(stop.calls, yes_at);
  assert_int_equal(count, 0);
  assert_true(on_device ? there->device_pairs == NULL : pairs->pairs == NULL);
  return true;
}

/* Short lists, so that a query is run again; or little memory, so that it takes chunks. */
static subject make_stoppable(bool chunks) {
  host_device_settings settings = {.first_capacity = chunks ? 0 : 2};
  subject s = make_subject("blobs", 600, &settings, NULL);
  settings.most_bytes = chunks ? host_device_count().bytes + 100000 : 0;
  settings.download_ms = 5;
  host_device_configure(&settings);
  return s;
}

/* Before the first launch, between those of a query that is run again, and between chunks: the earlier, the less was
 * done. A query that was stopped is asked again, and answered. */
TEST(test_stopping) {
  for (int variant = 0; variant < 4; variant++) {
    const bool chunks = variant / 2 != 0, on_device = variant % 2 != 0;
    OWNED(graze_pairs) pairs = {0};
    graze_device_pairs there = {0};
    size_t before = 0;
    for (size_t yes_at = 1; yes_at <= 4; yes_at++) {
      OWNED_BY(free_subject) subject s = make_stoppable(chunks);
      const bool stopped = stop_at(&s, on_device, yes_at < 4 ? yes_at : SIZE_MAX, &pairs, &there);
      const size_t operations = host_device_count().operations;
      assert_int_equal(stopped, yes_at < 4);
      assert_true(yes_at == 1 ? operations == 0 : operations > before);
      before = operations;
      assert_false(stop_at(&s, on_device, SIZE_MAX, &pairs, &there));
      graze_device_pairs_free(&there);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- steady frames */

enum { WARM_FRAMES = 12, STEADY_FRAMES = 100, CONTACTS_A_FRAME = 50 };

typedef struct frame_lists {
  graze_pairs pairs, first;
  graze_device_pairs there;
  graze_contacts contacts;
  graze_device_contacts left;
  graze_wrenches wrenches;
  graze_crowding crowding;
} frame_lists;

static void free_frame_lists(frame_lists *lists) {
  graze_pairs_free(&lists->pairs);
  graze_pairs_free(&lists->first);
  graze_device_pairs_free(&lists->there);
  graze_contacts_free(&lists->contacts);
  graze_device_contacts_free(&lists->left);
  graze_wrenches_free(&lists->wrenches);
  graze_crowding_free(&lists->crowding);
}

/* To and fro, so that frames are alike and no two the same. */
static void move_objects(const subject *s, int frame) {
  const double angle = 0.01 * sin(0.7 * frame), c = cos(angle), sine = sin(angle);
  const double rotation[9] = {c, -sine, 0, sine, c, 0, 0, 0, 1}, translation[3] = {0.001 * angle, 0, 0};
  for (uint32_t i = 0; i < s->mesh_count; i++) {
    const graze_view positions = {s->meshes[i].positions, s->meshes[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_set_positions(s->scene, (graze_object){i, 1}, 0, positions));
    if (i % 2 == 0) assert_ok(pose_object(s->scene, (graze_object){i, 1}, rotation, translation));
  }
  assert_ok(graze_scene_update(s->scene));
}

static void run_frame(const subject *s, int frame, frame_lists *lists) {
  bool found;
  const graze_scene *scene = s->scene;
  move_objects(s, frame);
  assert_ok(graze_scene_find_pairs(scene, NULL, &lists->pairs));
  assert_true(lists->pairs.count > CONTACTS_A_FRAME);
  assert_ok(graze_scene_any_pair(scene, NULL, &found, &lists->first));
  assert_ok(graze_scene_find_pairs_on_device(scene, NULL, &lists->there));
  const graze_pair *pairs = lists->pairs.pairs, *there = lists->there.device_pairs;
  assert_ok(graze_scene_make_contacts(scene, pairs, CONTACTS_A_FRAME, NULL, &lists->contacts));
  assert_ok(graze_scene_make_contacts_on_device(scene, there, CONTACTS_A_FRAME, NULL, &lists->left));
  assert_ok(graze_scene_make_wrenches(scene, pairs, CONTACTS_A_FRAME, NULL, &lists->wrenches));
  if (frame % 10 == 0) assert_ok(graze_scene_measure_crowding(scene, (graze_object){0, 1}, &lists->crowding));
}

static void run_steady(const char *model, size_t primitives) {
  checked_allocator heap = {.refused = SIZE_MAX};
  const graze_allocator allocator = {sizeof allocator, &heap, checked_allocate, checked_release};
  const host_device_settings settings = {0};
  subject s = make_subject(model, primitives, &settings, &allocator);
  frame_lists lists = {0};
  for (int frame = 0; frame < WARM_FRAMES; frame++) run_frame(&s, frame, &lists);
  const size_t warm = atomic_load(&heap.allocations), warm_there = host_device_count().allocations;
  for (int frame = WARM_FRAMES; frame < WARM_FRAMES + STEADY_FRAMES; frame++) run_frame(&s, frame, &lists);
  const size_t steady = atomic_load(&heap.allocations) - warm, there = host_device_count().allocations - warm_there;
  print_message("%s: %zu allocations on the host and %zu on the device in %d frames\n", model, steady, there,
                STEADY_FRAMES);
  assert_int_equal(steady, 0);
  assert_int_equal(there, 0);
  free_frame_lists(&lists);
  free_subject(&s);
  assert_true(atomic_load(&heap.live) == 0 && atomic_load(&heap.faults) == 0);
}

TEST(test_steady_frames) {
  run_steady("blobs", test_scaled(2000, 800));
  run_steady("tet-pair", test_scaled(600, 300));
}

/* What a scene of closed meshes holds there after a query, a triangle; tables are powers of two, so that the number of
 * triangles decides how full they are. */
static double bytes_a_triangle(size_t triangles) {
  mesh *meshes;
  size_t mesh_count, count = 0;
  torture_model("blobs", triangles, 1, &meshes, &mesh_count);
  const host_device_settings plenty = {0};
  host_device_configure(&plenty);
  graze_scene *scene;
  assert_ok(create_on("cuda", 0, graze_scene_def_default(), &scene));
  for (size_t i = 0; i < mesh_count; i++) {
    for (size_t k = 0; k < 3 * meshes[i].vertex_count; k++) meshes[i].positions[k] = (float)meshes[i].positions[k];
    runner_add(scene, &meshes[i], true, NULL);
    count += meshes[i].triangle_count;
  }
  assert_ok(graze_scene_update(scene));
  graze_pairs pairs = find_pairs(scene, NULL);
  const double bytes = (double)pairs.counters->device_bytes / (double)count;
  print_message("%zu triangles, %zu pairs: %.1f bytes each\n", count, pairs.count, bytes);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  mesh_list_free(meshes, mesh_count);
  return bytes;
}

TEST(test_bytes_a_triangle) {
  if (test_scale() < 1.0) skip(); /* what lists have at least is much for few triangles */
  const size_t most[] = {66000, 100000, 130000, 140000};
  for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) assert_true(bytes_a_triangle(most[i]) <= 124.0);
}

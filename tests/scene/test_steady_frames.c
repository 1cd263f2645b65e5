/* Tests that steady frames allocate nothing: a hundred frames with new positions and poses, an update, every query,
 * contacts and wrenches, after a few warm-up frames. Also tests what a trim releases.
 *
 * Sizes: a few thousand primitives, so that the pool's slack covers variations by timing, which are about one chunk of
 * pairs per worker. */
#include "base/checked_allocator.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>

enum { WARM_FRAMES = 12, STEADY_FRAMES = 100, OBJECTS_LIMIT = 8 };

/* The data that is set in each frame; zero: all. */
typedef enum scene_motion { POSITIONS_AND_POSES, POSES_ALONE, POSITIONS_ALONE } scene_motion;

typedef struct moving_scene {
  const char *method; /* NULL: the default one */
  scene_motion motion;
  checked_allocator allocator;
  memory unused;
  graze_scene *scene;
  mesh *meshes;
  size_t mesh_count;
  graze_object objects[OBJECTS_LIMIT];
  graze_pairs any, pairs, some; /* of the frame before: used again */
  graze_object_pairs touching;
  graze_wrenches wrenches, found;
  graze_contacts contacts;
  graze_crowding crowding;
} moving_scene;

static graze_view positions_of(const mesh *m) {
  return (graze_view){m->positions, m->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
}

static void begin(moving_scene *moving, const char *model, uint64_t primitives, uint32_t worker_count,
                  const graze_task_system *tasks) {
  checked_init(&moving->allocator, &moving->unused, SIZE_MAX);
  torture_model(model, primitives, 3, &moving->meshes, &moving->mesh_count);
  assert_true(moving->mesh_count <= OBJECTS_LIMIT);
  const graze_allocator allocator = {sizeof allocator, &moving->allocator, checked_allocate, checked_release};
  graze_scene_def def = graze_scene_def_default();
  def.allocator = &allocator;
  def.worker_count = worker_count;
  def.tasks = tasks;
  assert_ok(graze_scene_create(&def, &moving->scene));
  graze_method_def method = graze_method_def_default();
  if (moving->method != NULL) method.name = moving->method;
  assert_ok(graze_scene_set_method(moving->scene, &method));
  for (size_t i = 0; i < moving->mesh_count; i++)
    moving->objects[i] = runner_add(moving->scene, &moving->meshes[i], false, NULL);
}

static void end(moving_scene *moving) {
  graze_pairs_free(&moving->any);
  graze_pairs_free(&moving->pairs);
  graze_pairs_free(&moving->some);
  graze_object_pairs_free(&moving->touching);
  graze_wrenches_free(&moving->wrenches);
  graze_wrenches_free(&moving->found);
  graze_contacts_free(&moving->contacts);
  graze_crowding_free(&moving->crowding);
  graze_scene_destroy(moving->scene);
  assert_int_equal(atomic_load(&moving->allocator.live), 0);
  assert_int_equal(atomic_load(&moving->allocator.faults), 0);
  for (size_t i = 0; i < moving->mesh_count; i++) mesh_free(&moving->meshes[i]);
  free(moving->meshes);
}

/* To and fro, so that frames are alike and no two the same. */
static void move(moving_scene *moving, int frame) {
  const double angle = 0.01 * sin(0.7 * frame), c = cos(angle), s = sin(angle);
  const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, translation[3] = {0.001 * angle, 0, 0};
  for (size_t i = 0; i < moving->mesh_count; i++) {
    const graze_view positions = positions_of(&moving->meshes[i]);
    if (moving->motion != POSES_ALONE)
      assert_ok(graze_object_set_positions(moving->scene, moving->objects[i], 0, positions));
    if (i % 2 == 0 && moving->motion != POSITIONS_ALONE)
      assert_ok(pose_object(moving->scene, moving->objects[i], rotation, translation));
  }
  assert_ok(graze_scene_update(moving->scene));
}

/* Contacts and wrenches of a hundred pairs, which take longer than all queries. */
static void ask(moving_scene *moving) {
  graze_scene *scene = moving->scene;
  bool found;
  assert_ok(graze_scene_any_pair(scene, NULL, &found, &moving->any));
  assert_ok(graze_scene_find_pairs(scene, NULL, &moving->pairs));
  assert_true(found && moving->pairs.count > 100);
  assert_ok(graze_scene_find_object_pairs(scene, NULL, &moving->touching));
  assert_true(moving->touching.count > 0);
  graze_query query = graze_query_default();
  query.pair_limit = 100;
  graze_pairs *const some = &moving->some;
  assert_ok(graze_scene_find_pairs(scene, &query, some));
  assert_ok(graze_scene_make_wrenches(scene, some->pairs, some->count, NULL, &moving->wrenches));
  assert_ok(graze_scene_make_contacts(scene, some->pairs, some->count, NULL, &moving->contacts));
}

/* For some frames only: it takes longer than all other questions. */
static void push(moving_scene *moving) {
  assert_ok(graze_scene_find_wrenches(moving->scene, NULL, NULL, &moving->found));
}

/* For some frames only: it takes as long as ten queries. */
static void measure(moving_scene *moving) {
  assert_ok(graze_scene_measure_crowding(moving->scene, moving->objects[0], &moving->crowding));
}

static void run_frames_as(const char *method, scene_motion motion, const char *model, uint64_t primitives,
                          uint32_t worker_count, const graze_task_system *tasks) {
  moving_scene moving = {.method = method, .motion = motion};
  if (worker_count == 1 && test_looks_for_races()) return;
  begin(&moving, model, primitives, worker_count, tasks);
  for (int frame = 0; frame < WARM_FRAMES; frame++) {
    move(&moving, frame);
    ask(&moving);
    if (frame % 25 == 0) measure(&moving);
    if (frame < WARM_FRAMES || frame % 10 == 0) push(&moving);
  }
  const size_t warm = atomic_load(&moving.allocator.allocations);
  const int end_frame = WARM_FRAMES + (test_scale() < 1.0 ? 15 : STEADY_FRAMES);
  for (int frame = WARM_FRAMES; frame < end_frame; frame++) {
    move(&moving, frame);
    ask(&moving);
    if (frame % 25 == 0) measure(&moving);
    if (frame < WARM_FRAMES || frame % 10 == 0) push(&moving);
  }
  const size_t steady = atomic_load(&moving.allocator.allocations) - warm;
  print_message("%s, %u workers: %zu allocations in %d frames, %zu in the %d that follow\n", model, worker_count, warm,
                WARM_FRAMES, steady, end_frame - WARM_FRAMES);
  assert_int_equal(steady, 0);
  end(&moving);
}

static void run_frames(const char *model, uint64_t primitives, uint32_t worker_count, const graze_task_system *tasks) {
  run_frames_as(NULL, POSITIONS_AND_POSES, model, primitives, worker_count, tasks);
}

/* Few under sanitizers, and more where races are looked for. */
static uint64_t scaled(uint64_t primitives) {
  return test_scale() == 1.0 ? primitives : primitives / (test_looks_for_races() ? 4 : 8);
}

/* With one worker nothing depends on timing, and fewer frames suffice. */
static uint64_t scaled_alone(uint64_t primitives) {
  return test_scale() < 1.0 ? primitives / 8 : test_scaled(primitives, primitives / 4);
}

TEST(test_alone) {
  run_frames("blobs", scaled_alone(8000), 1, NULL);
  run_frames("tet-pair", scaled_alone(1500), 1, NULL);
}

TEST(test_three_workers) {
  run_frames("blobs", scaled(8000), 3, NULL);
  run_frames("tet-pair", scaled(1500), 3, NULL);
}

/* Their number adapts in the first frames, and with it what is kept. */
TEST(test_clusters) {
  run_frames_as("clusters", POSITIONS_AND_POSES, "blobs", scaled_alone(8000), 1, NULL);
  run_frames_as("clusters", POSITIONS_AND_POSES, "blobs", scaled(8000), 3, NULL);
  run_frames_as("clusters", POSITIONS_AND_POSES, "tet-pair", scaled_alone(1500), 1, NULL);
}

/* Trees that stay, that are refitted, and both; by several workers where only poses change, in an order that is the
 * same every time: how much memory bodies, and the lists of workers, need at once depends on who takes which task. */
TEST(test_trees) {
  for (int motion = POSITIONS_AND_POSES; motion <= POSITIONS_ALONE; motion++) {
    run_frames_as("tree", (scene_motion)motion, "blobs", scaled_alone(8000), 1, NULL);
    run_frames_as("tree", (scene_motion)motion, "tet-pair", scaled_alone(1500), 1, NULL);
  }
  run_frames_as("tree", POSES_ALONE, "blobs", scaled(4000), 1, &host_runs_reversed);
}

/* ---------------------------------------------------------------------------------------------- trim */

static uint64_t hash_now(moving_scene *moving) {
  assert_ok(graze_scene_find_pairs(moving->scene, NULL, &moving->pairs));
  return moving->pairs.hash;
}

/* One query keeps nothing, some keep scratch, a trim gives it back; the caller's list is its own, and answers stay what
 * they were. */
TEST(test_trim) {
  OWNED_BY(end) moving_scene moving = {.mesh_count = 0};
  begin(&moving, "blobs", 4000, 1, NULL);
  move(&moving, 0);
  const uint64_t updated = runner_counters(moving.scene).scene_bytes;
  const uint64_t hash = hash_now(&moving);
  const graze_counters dedup = runner_counters(moving.scene);
  assert_true(dedup.scene_bytes < updated + 4096);
  const graze_pair first = moving.pairs.pairs[0];
  for (int i = 0; i < 4; i++) assert_true(hash_now(&moving) == hash);
  const graze_counters often = runner_counters(moving.scene);
  assert_true(often.scene_bytes > dedup.scene_bytes);
  assert_true(often.peak_bytes * 20 <= dedup.peak_bytes * 21);
  assert_true(often.scene_bytes <= often.peak_bytes);
  graze_scene_trim(moving.scene);
  assert_true(runner_counters(moving.scene).scene_bytes <= updated);
  assert_memory_equal(&moving.pairs.pairs[0], &first, sizeof first);
  assert_true(hash_now(&moving) == hash);
  graze_scene_trim(moving.scene);
  graze_scene_trim(moving.scene);
  assert_true(hash_now(&moving) == hash);
  graze_scene_trim(NULL);
}

/* Tests copies between host and device by all workers, emulated on the host with blocks of a few hundred bytes.
 * Positions, pairs, contacts, points and counts of k equal those of single copies, whether the device copies
 * immediately or as late as possible, and after any failed operation. */
#include "backend_choice.h"
#include "contact_bits.h"
#include "host_operations.h"
#include "scene_runner.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdio.h>
#include <stdlib.h>

enum { SMALL_BLOCK = 500 }; /* bytes: no multiple of what is copied */

static graze_scene *make_scene(const mesh *meshes, size_t mesh_count, uint32_t worker_count) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = worker_count;
  graze_scene *scene;
  assert_ok(create_on("cuda", 0, def, &scene));
  for (size_t i = 0; i < mesh_count; i++) runner_add(scene, &meshes[i], false, NULL);
  return scene;
}

/* The results of a scene in a frame. */
typedef struct frame {
  graze_pairs pairs;
  graze_contacts contacts;
  graze_crowding crowding;
} frame;

static frame run_frame(graze_scene *scene) {
  frame made = {0};
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, NULL, &made.pairs));
  assert_ok(graze_scene_make_contacts(scene, made.pairs.pairs, made.pairs.count, NULL, &made.contacts));
  assert_ok(graze_scene_measure_crowding(scene, (graze_object){0, 1}, &made.crowding));
  return made;
}

static void free_frame(frame *f) {
  graze_crowding_free(&f->crowding);
  graze_contacts_free(&f->contacts);
  graze_pairs_free(&f->pairs);
}

static void compare_frames(const frame *wanted, const frame *found) {
  assert_true(wanted->pairs.count * sizeof(graze_pair) > 4 * SMALL_BLOCK);
  assert_int_equal(found->pairs.count, wanted->pairs.count);
  assert_memory_equal(found->pairs.pairs, wanted->pairs.pairs, wanted->pairs.count * sizeof(graze_pair));
  assert_int_equal(found->contacts.count, wanted->contacts.count);
  for (size_t i = 0; i < wanted->contacts.count; i++)
    assert_true(same_contact(&found->contacts.contacts[i], &wanted->contacts.contacts[i]));
  assert_int_equal(found->contacts.point_count, wanted->contacts.point_count);
  assert_memory_equal(found->contacts.points, wanted->contacts.points,
                      wanted->contacts.point_count * sizeof *wanted->contacts.points);
  assert_int_equal(found->crowding.count, wanted->crowding.count);
  assert_memory_equal(found->crowding.k_of, wanted->crowding.k_of, wanted->crowding.count * sizeof(uint32_t));
}

static void configure(index_order order, size_t bulk_block, size_t fail_at) {
  const host_device_settings settings = {.order = order, .bulk_block = bulk_block, .fail_at = fail_at};
  host_device_configure(&settings);
}

/* New positions of the first object. */
static void move_on(graze_scene *scene, mesh *m) {
  torture_move(m, 0.01, 0.02, -0.015);
  const graze_view positions = {m->positions, m->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(scene, (graze_object){0, 1}, 0, positions));
}

TEST(test_frames) {
  const size_t blocks[] = {SMALL_BLOCK, 64, 4096, 100000};
  for (size_t block = 0; block < sizeof blocks / sizeof blocks[0]; block++)
    for (index_order order = INDICES_FORWARD; order < INDEX_ORDER_COUNT; order++) {
      mesh *meshes, *same;
      size_t mesh_count;
      torture_model("soup", 1600, 3, &meshes, &mesh_count);
      torture_model("soup", 1600, 3, &same, &mesh_count);
      configure(order, 0, 0);
      graze_scene *judging = make_scene(meshes, mesh_count, 1);
      configure(order, blocks[block], 0);
      graze_scene *scene = make_scene(same, mesh_count, 3);
      for (int i = 0; i < 3; i++) {
        frame wanted = run_frame(judging), found = run_frame(scene);
        compare_frames(&wanted, &found);
        free_frame(&wanted);
        free_frame(&found);
        move_on(judging, &meshes[0]);
        move_on(scene, &same[0]);
      }
      graze_scene_destroy(scene);
      graze_scene_destroy(judging);
      mesh_list_free(meshes, mesh_count);
      mesh_list_free(same, mesh_count);
    }
}

/* Fails each operation of an update and a query in turn: the failure is reported, and the next frame is complete. */
TEST(test_failures) {
  mesh *meshes;
  size_t mesh_count, failures = 0;
  torture_model("soup", 500, 3, &meshes, &mesh_count);
  configure(INDICES_REVERSED, 0, 0);
  graze_scene *judging = make_scene(meshes, mesh_count, 1);
  frame wanted = run_frame(judging);
  graze_scene_destroy(judging);
  bool reached = true;
  for (size_t fail_at = 1; reached; fail_at++) {
    configure(INDICES_REVERSED, SMALL_BLOCK, 0);
    graze_scene *scene = make_scene(meshes, mesh_count, 2);
    configure(INDICES_REVERSED, SMALL_BLOCK, fail_at);
    graze_pairs pairs = {0};
    graze_result result = graze_scene_update(scene);
    if (result == GRAZE_OK) result = graze_scene_find_pairs(scene, NULL, &pairs);
    assert_true(result == GRAZE_OK || result == GRAZE_OUT_OF_MEMORY || result == GRAZE_DEVICE_FAILED);
    failures += result != GRAZE_OK;
    reached = host_device_count().operations >= fail_at;
    graze_pairs_free(&pairs);
    configure(INDICES_REVERSED, SMALL_BLOCK, 0);
    frame found = run_frame(scene);
    compare_frames(&wanted, &found);
    free_frame(&found);
    graze_scene_destroy(scene);
    assert_int_equal(host_device_count().bytes, 0);
  }
  assert_true(failures > 60);
  free_frame(&wanted);
  mesh_list_free(meshes, mesh_count);
}

/* Tests the parts of `graze play`: names of frames, the hash of a run, and scenes that show frame after frame. */
#include "frame_name.h"
#include "frame_scene.h"
#include "play_outcome.h"
#include "play_run.h"
#include "scene_calls.h"
#include "testing.h"

#include "mesh_io/mesh_file.h"

#include <stdlib.h>
#include <string.h>

TEST(natural_order_goes_by_numbers) {
  static const char *const names[] = {"a",
                                      "a1.ply",
                                      "a01.ply",
                                      "a2.ply",
                                      "a2b.ply",
                                      "a10.ply",
                                      "a100000000000000000000001.ply",
                                      "a100000000000000000000002.ply",
                                      "ab",
                                      "b/1/x",
                                      "b/2/a",
                                      "b/10/a"};
  const size_t count = sizeof names / sizeof names[0];
  for (size_t i = 0; i < count; ++i) {
    assert_int_equal(natural_order(names[i], names[i]), 0);
    for (size_t k = i + 1; k < count; ++k) {
      /* Leading zeros: any order, but an order. */
      if (i == 1 && k == 2) continue;
      assert_true(natural_order(names[i], names[k]) < 0 && natural_order(names[k], names[i]) > 0);
    }
  }
  assert_int_not_equal(natural_order("a1.ply", "a01.ply"), 0);
}

TEST(numbers_of_frames_are_found) {
  static const struct {
    const char *path;
    bool found;
    uint64_t value;
  } cases[] = {{"cloth_ball92.ply", true, 92},
               {"12/frame_0007.obj.gz", true, 7},
               {"f3/none.obj", false, 0},
               {"a1b22c.mesh", true, 22},
               {"shell.7", true, 7},
               {"", false, 0},
               {"99999999999999999999.ply", false, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    frame_number number = {0};
    assert_int_equal(frame_number_find(cases[i].path, &number), cases[i].found);
    if (cases[i].found) assert_true(number.value == cases[i].value);
  }
}

/* Written out, so that another program can make the same hash. */
TEST(the_hash_of_a_run_is_as_documented) {
  uint64_t x = UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  x ^= x >> 31;
  assert_true(run_hash_append(0, 0) == x);
  assert_true(run_hash_append(0, 5) == x + 5);
  assert_true(run_hash_append(run_hash_append(0, 1), 2) != run_hash_append(run_hash_append(0, 2), 1));
  assert_true(run_hash_append(run_hash_append(0, 0), 7) != run_hash_append(0, 7));
}

static void make_triangles(object_list *objects, const double *heights, size_t count) {
  mesh *made = calloc(1, sizeof *made);
  object_entry *entry = calloc(1, sizeof *entry);
  assert_true(made != NULL && entry != NULL);
  made->vertex_count = 3 * count;
  made->triangle_count = made->polygon_count = count;
  made->positions = calloc(9 * count, sizeof(double));
  made->triangles = calloc(3 * count, sizeof(uint32_t));
  assert_true(made->positions != NULL && made->triangles != NULL);
  for (size_t i = 0; i < count; ++i) {
    const double corners[9] = {0, 0, heights[i], 1, 0, -heights[i], 0, 1, 2 * heights[i]};
    memcpy(made->positions + 9 * i, corners, sizeof corners);
    for (size_t k = 0; k < 3; ++k) made->triangles[3 * i + k] = (uint32_t)(3 * i + k);
  }
  *entry = (object_entry){.file = "made", .primitive_count = count, .vertex_count = 3 * count};
  *objects = (object_list){.entries = entry, .meshes = made, .count = 1, .capacity = 1};
}

static size_t pairs_of(frame_scene *shown, const object_list *before, const object_list *now) {
  assert_ok(frame_scene_show(shown, before, now));
  assert_ok(graze_scene_update(shown->scene));
  OWNED(graze_pairs) pairs = find_pairs(shown->scene, NULL);
  const size_t count = pairs.count;
  return count;
}

TEST(objects_that_only_move_are_kept) {
  frame_scene shown = {0};
  object_list frames[4];
  make_triangles(&frames[0], (const double[]){0.0, 0.5}, 2);
  make_triangles(&frames[1], (const double[]){0.0, 0.0}, 2);
  make_triangles(&frames[2], (const double[]){0.0, 0.1, 0.2}, 3);
  make_triangles(&frames[3], (const double[]){0.0, 0.1, 0.2}, 3);
  /* The same numbers of everything, other indices: not the same object. */
  frames[3].meshes[0].triangles[8] = 2;
  assert_ok(graze_scene_create(NULL, &shown.scene));
  const size_t first = pairs_of(&shown, NULL, &frames[0]);
  assert_int_equal(shown.kept, 0);
  assert_int_equal(pairs_of(&shown, &frames[0], &frames[1]), 1);
  assert_int_equal(shown.kept, 1);
  (void)pairs_of(&shown, &frames[1], &frames[2]);
  assert_int_equal(shown.kept, 1);
  (void)pairs_of(&shown, &frames[2], &frames[3]);
  assert_int_equal(shown.kept, 1);
  assert_int_equal(pairs_of(&shown, &frames[3], &frames[0]), first);
  frame_scene_clear(&shown);
  assert_int_equal(graze_scene_object_count(shown.scene), 0);
  assert_int_equal(pairs_of(&shown, &frames[0], &frames[0]), first);
  frame_scene_release(&shown);
  for (size_t i = 0; i < 4; ++i) object_list_release(&frames[i]);
}

/* As after regions of the first frame that did not fit into memory. */
TEST(page_without_frames_is_not_written) {
  play_run run = {0};
  assert_false(play_page_write(&run, stdout));
}

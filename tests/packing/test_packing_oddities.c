/* Tests that a packing reports unusual properties of its mesh: self-crossings, shells, cavities, inward orientation. */
#include "graze/packing.h"
#include "graze/triangle.h"
#include "scene_calls.h"
#include "small_bodies.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* Packs a few spheres and returns the reported numbers. */
static graze_packing told_about(graze_view positions, graze_view triangles) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = positions;
  def.triangles = triangles;
  graze_packing_options options = graze_packing_options_default();
  options.count = 5;
  OWNED(graze_packing) packing = {0};
  assert_ok(graze_pack_spheres(&def, &options, &packing));
  assert_int_equal(packing.certified, 1);
  const graze_packing told = packing;
  return told;
}

static graze_packing told_about_body(const small_body *body) {
  return told_about(small_body_positions(body), small_body_triangles(body));
}

static void corners_of(const small_body *body, size_t triangle, double corners_out[9]) {
  for (size_t i = 0; i < 9; i++) corners_out[i] = body->positions[body->triangles[triangle][i / 3]][i % 3];
}

/* Boxes share no vertex: what meets is counted by looking at every pair. */
static uint64_t crossings_by_loops(const small_body *body, uint32_t first_out[2]) {
  uint64_t count = 0;
  for (size_t i = 0; i < body->triangle_count; i++) {
    for (size_t j = i + 1; j < body->triangle_count; j++) {
      double a[9], b[9];
      corners_of(body, i, a);
      corners_of(body, j, b);
      if (i / 12 == j / 12 || !graze_triangles_intersect(a, b)) continue;
      if (count++ > 0) continue;
      first_out[0] = (uint32_t)i;
      first_out[1] = (uint32_t)j;
    }
  }
  return count;
}

TEST(crossings_are_counted) {
  small_body body;
  for (int turned = 0; turned < 2; turned++) {
    memset(&body, 0, sizeof body);
    small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){1, 1, 1}, turned == 1);
    small_body_add_box(&body, (double[]){0.5, 0.25, 0.25}, (double[]){2, 0.75, 0.75}, turned == 1);
    small_body_add_box(&body, (double[]){1.75, -1, 0.3}, (double[]){1.85, 3, 0.4}, turned == 1);
    uint32_t first[2] = {0, 0};
    const uint64_t known = crossings_by_loops(&body, first);
    const graze_packing packing = told_about_body(&body);
    assert_true(known > 10);
    assert_int_equal(packing.self_crossing_count, known);
    assert_int_equal(packing.self_crossing_more, 0);
    assert_int_equal(packing.self_crossing_first[0], first[0]);
    assert_int_equal(packing.self_crossing_first[1], first[1]);
    assert_int_equal(packing.shell_count, 3);
    assert_int_equal(packing.cavity_count, 0);
    assert_int_equal(packing.inverted, turned);
  }
}

static size_t pairs_within(const small_body *body, graze_neighbors neighbors) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = small_body_positions(body);
  def.triangles = small_body_triangles(body);
  graze_object object;
  graze_query query = graze_query_default();
  query.neighbors = neighbors;
  OWNED_SCENE *scene = create_scene(NULL);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  const size_t count = pairs.count;
  return count;
}

/* Vertices that are not shared by number, as in STL files, are by place: neighbors are no crossing. A box one
 * of whose corners goes through its own side has neighbors that cross. */
TEST(neighbors_do_not_cross) {
  small_body box;
  memset(&box, 0, sizeof box);
  small_body_add_box(&box, (double[]){0, 0, 0}, (double[]){1, 1, 1}, false);
  double corners[12][9];
  uint32_t numbers[12][3];
  for (size_t t = 0; t < 12; t++) {
    corners_of(&box, t, corners[t]);
    for (uint32_t i = 0; i < 3; i++) numbers[t][i] = 3 * (uint32_t)t + i;
  }
  const graze_packing loose = told_about((graze_view){corners, 36, 0, GRAZE_FORMAT_DOUBLE3},
                                         (graze_view){numbers, 12, 0, GRAZE_FORMAT_UINT32_3});
  assert_int_equal(loose.self_crossing_count, 0);
  assert_int_equal(loose.shell_count, 1);
  box.positions[7][0] = -0.5; /* the corner (1, 1, 1) goes through the side x = 0 */
  box.positions[7][1] = box.positions[7][2] = 0.5;
  const graze_packing pierced = told_about_body(&box);
  assert_int_equal(pierced.self_crossing_count, pairs_within(&box, GRAZE_NEIGHBORS_BEYOND));
  assert_true(pierced.self_crossing_count > pairs_within(&box, GRAZE_NEIGHBORS_SKIP));
}

TEST(cavities_are_counted) {
  for (int turned = 0; turned < 2; turned++) {
    small_body body;
    memset(&body, 0, sizeof body);
    small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){4, 2, 2}, turned == 1);
    small_body_add_box(&body, (double[]){0.5, 0.5, 0.5}, (double[]){1, 1, 1}, turned == 0);
    small_body_add_box(&body, (double[]){2.5, 0.5, 0.5}, (double[]){3, 1, 1}, turned == 0);
    small_body_add_box(&body, (double[]){0.7, 0.7, 0.7}, (double[]){0.8, 0.8, 0.8}, turned == 1);
    small_body_add_box(&body, (double[]){1.5, 0.5, 0.5}, (double[]){2, 1, 1}, turned == 0);
    const graze_packing packing = told_about_body(&body);
    assert_int_equal(packing.shell_count, 5);
    assert_int_equal(packing.cavity_count, 3);
    assert_int_equal(packing.inverted, turned);
    assert_int_equal(packing.self_crossing_count, 0);
  }
}

/* For a mesh that crosses itself everywhere, the count stops and reports this. */
enum { CROWD = 40, CROWD_TRIANGLES = 12 * CROWD };
TEST(crowds_are_counted_to_a_limit) {
  static double positions[8 * CROWD][3];
  static uint32_t triangles[CROWD_TRIANGLES][3];
  for (uint32_t i = 0; i < CROWD; i++) {
    const double at[3] = {0.01 * i, 0.013 * i, 0.017 * i};
    small_body box;
    memset(&box, 0, sizeof box);
    small_body_add_box(&box, at, (double[]){at[0] + 1, at[1] + 1, at[2] + 1}, false);
    memcpy(positions[8 * i], box.positions, 8 * sizeof *positions);
    for (uint32_t t = 0; t < 12; t++)
      for (int k = 0; k < 3; k++) triangles[12 * i + t][k] = box.triangles[t][k] + 8 * i;
  }
  const graze_packing packing = told_about((graze_view){positions, 8 * CROWD, 0, GRAZE_FORMAT_DOUBLE3},
                                           (graze_view){triangles, CROWD_TRIANGLES, 0, GRAZE_FORMAT_UINT32_3});
  assert_int_equal(packing.self_crossing_more, 1);
  assert_int_equal(packing.self_crossing_count, 4 * CROWD_TRIANGLES + 1024);
}

/* A zeroed one gets all fields, also when it is used again after graze_packing_free. */
TEST(zeroed_packings_are_filled_whole) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){1, 1, 1}, false);
  small_body_add_box(&body, (double[]){0.5, 0.25, 0.25}, (double[]){2, 0.75, 0.75}, false);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = small_body_positions(&body);
  def.triangles = small_body_triangles(&body);
  graze_packing_options options = graze_packing_options_default();
  options.count = 1;
  graze_packing packing = {0};
  for (int again = 0; again < 2; again++) {
    assert_int_equal(packing.self_crossing_count, 0);
    assert_ok(graze_pack_spheres(&def, &options, &packing));
    assert_true(packing.self_crossing_count > 0 && packing.largest_gap_bound > 0.0);
    graze_packing_free(&packing);
  }
}

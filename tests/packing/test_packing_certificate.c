/* Tests that the certificate detects spheres that overlap, cross the mesh or are outside; touching is allowed. */
#include "api/packing_certificate.h"
#include "packing/closed_mesh.h"
#include "packing/obstacle_tree_build.h"
#include "scene_calls.h"
#include "small_bodies.h"
#include "testing.h"

#include <math.h>
#include <string.h>

/* The certificate of these spheres in a body whose largest coordinate is from 1 to 2, so that it is not scaled. */
static packing_certificate certificate_in(const small_body *body, const graze_sphere *spheres, size_t count) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = small_body_positions(body);
  def.triangles = small_body_triangles(body);
  placed.self = false;
  graze_object cube;
  graze_scene *scene = create_scene(NULL);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &cube));
  memory heap;
  memory_init(&heap, NULL);
  closed_mesh mesh;
  assert_ok(closed_mesh_read(&mesh, &heap, &def.positions, &def.triangles));
  obstacle_tree_memory room;
  obstacle_tree_memory_init(&room);
  obstacle_tree tree;
  const certified_body judged = {mesh.corners, &tree, 1.0};
  assert_true(obstacle_tree_build(&room, &heap, NULL, mesh.corners, (uint32_t)mesh.triangle_count,
                                  OBSTACLE_TRIANGLE_NUMBERS, &tree));
  packing_certificate found;
  assert_ok(packing_certificate_make(scene, cube, &judged, spheres, count, &found));
  obstacle_tree_memory_release(&room, &heap);
  closed_mesh_release(&mesh, &heap);
  graze_scene_destroy(scene);
  assert_int_equal(heap.bytes_now, 0);
  return found;
}

/* In a cube from 0 to 1. */
static packing_certificate certificate_of(const graze_sphere *spheres, size_t count) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){1, 1, 1}, false);
  return certificate_in(&body, spheres, count);
}

/* One overlap, one crossing or one center outside is enough. */
TEST(faults_are_refused) {
  const packing_certificate faults[] = {{.overlaps = 1}, {.crossings = 1}, {.outside = 1}};
  assert_ok(packing_certificate_require(&(packing_certificate){.overlaps = 0}));
  for (size_t i = 0; i < 3; i++) assert_int_equal(packing_certificate_require(&faults[i]), GRAZE_NOT_CERTIFIED);
  assert_string_equal(graze_error_text(), "the spheres fail their certificate: overlaps 0, crossings 0, outside 1");
}

static void assert_found(const graze_sphere *spheres, size_t count, uint64_t overlaps, bool crosses, uint64_t outside) {
  const packing_certificate found = certificate_of(spheres, count);
  assert_int_equal(found.overlaps, overlaps);
  assert_int_equal(found.crossings > 0, crosses);
  assert_int_equal(found.outside, outside);
}

TEST(touching_is_allowed) {
  const graze_sphere spheres[] = {{{0.25, 0.25, 0.25}, 0.25}, {{0.75, 0.25, 0.25}, 0.25}, {{0.25, 0.75, 0.25}, 0.25}};
  assert_found(spheres, 3, 0, false, 0);
}

TEST(one_bit_too_much_is_found) {
  const double more = 0.25 + 0x1p-54;
  const graze_sphere overlapping[] = {{{0.375, 0.375, 0.375}, more}, {{0.375, 0.875, 0.375}, 0.125}};
  assert_found(overlapping, 1, 0, false, 0);
  const graze_sphere pair[] = {{{0.375, 0.375, 0.375}, more}, {{0.375, 0.75, 0.375}, 0.125}};
  assert_found(pair, 2, 1, false, 0);
  const graze_sphere crossing[] = {{{0.25, 0.5, 0.5}, more}};
  assert_found(crossing, 1, 0, true, 0);
}

/* Spheres that touch in no direction of an axis, by 2^2 + 3^2 + 6^2 = 7^2 and its like: one unit in the last place of
 * either radius is an overlap, one less is not. */
TEST(skew_touching_is_told_from_overlapping) {
  static const double ways[][4] = {{2, 3, 6, 7}, {1, 4, 8, 9}, {2, 6, 9, 11}, {-3, 4, 12, 13}, {6, -10, 15, 19}};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    graze_sphere pair[2] = {{{0.5, 0.5, 0.25}, 3.0 / 64.0}, {{0.5, 0.5, 0.25}, (ways[i][3] - 3.0) / 64.0}};
    for (int k = 0; k < 3; k++) pair[1].center[k] += ways[i][k] / 64.0;
    assert_found(pair, 2, 0, false, 0);
    for (int grown = 0; grown < 2; grown++) {
      const double touching = pair[grown].radius;
      pair[grown].radius = nextafter(touching, 1.0);
      assert_found(pair, 2, 1, false, 0);
      pair[grown].radius = nextafter(touching, 0.0);
      assert_found(pair, 2, 0, false, 0);
      pair[grown].radius = touching;
    }
  }
}

/* The plane x + 2 y + 2 z = 3/2 is at the distance 1/8 from (3/8, 3/16, 3/16). */
TEST(slanted_sides_are_not_poked_through) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_tetrahedron(&body);
  const double corners[4][3] = {{0, 0, 0}, {1.5, 0, 0}, {0, 0.75, 0}, {0, 0, 0.75}};
  memcpy(body.positions, corners, sizeof corners);
  graze_sphere sphere = {{0.375, 0.1875, 0.1875}, 0.125};
  assert_int_equal(certificate_in(&body, &sphere, 1).crossings, 0);
  sphere.radius = nextafter(0.125, 1.0);
  assert_int_equal(certificate_in(&body, &sphere, 1).crossings, 1);
}

/* Faults planted in a body that is full of spheres that touch: a lattice of four a side. */
TEST(planted_faults_are_found) {
  graze_sphere spheres[64];
  for (int i = 0; i < 64; i++)
    spheres[i] = (graze_sphere){{0.125 + 0.25 * (i % 4), 0.125 + 0.25 * (i / 4 % 4), 0.125 + 0.25 * (i / 16)}, 0.125};
  assert_found(spheres, 64, 0, false, 0);
  for (int i = 0; i < 64; i += 3) {
    const graze_sphere kept = spheres[i];
    spheres[i].radius = nextafter(0.125, 1.0); /* touches three to six others, and sides of the cube where fewer */
    const int at[3] = {i % 4, i / 4 % 4, i / 16};
    uint64_t sides = 0;
    for (int k = 0; k < 3; k++) sides += at[k] == 0 || at[k] == 3;
    assert_found(spheres, 64, 6 - sides, sides > 0, 0);
    spheres[i] = spheres[(i + 21) % 64]; /* twice the same: both touch the same others, and are one in the other */
    assert_found(spheres, 64, 1, false, 0);
    spheres[i] = kept;
  }
}

/* Points within a sphere, on the surface, outside, twice the same. */
TEST(points_hold_nothing) {
  const graze_sphere spheres[] = {
      {{0.5, 0.5, 0.5}, 0.25}, {{0.5, 0.5, 0.625}, 0}, {{0.5, 0.5, 1}, 0}, {{2, 2, 2}, 0}, {{2, 2, 2}, 0}};
  assert_found(spheres, 5, 0, false, 0);
}

TEST(outside_is_found) {
  const graze_sphere spheres[] = {{{0.5, 0.5, 0.5}, 0.25}, {{1.5, 0.5, 0.5}, 0.25}};
  assert_found(spheres, 2, 0, false, 1);
}

/* The certificate finds what is wrong: spheres that overlap, cross the mesh or lie outside; touching is nothing wrong.
 */
#include "packing/packer.h"
#include "scene/packing_certificate.h"
#include "small_bodies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A cube from 0 to 1, and the certificate of these spheres in it. */
static packing_certificate certificate_of(const graze_sphere *spheres, size_t count) {
  static small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){1, 1, 1}, false);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = small_body_positions(&body);
  def.triangles = small_body_triangles(&body);
  def.self = false;
  graze_scene *scene;
  graze_object cube;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  assert_int_equal(graze_scene_add_triangles(scene, &def, &cube), GRAZE_OK);
  memory heap;
  memory_init(&heap, NULL);
  closed_mesh mesh;
  assert_int_equal(closed_mesh_read(&mesh, &heap, &def.positions, &def.triangles), GRAZE_OK);
  packer packed;
  packer_init(&packed);
  packed.mesh = &mesh;
  packed.heap = &heap;
  assert_true(obstacle_tree_build(&packed.mesh_room, &heap, NULL, mesh.corners, (uint32_t)mesh.triangle_count,
                                  OBSTACLE_TRIANGLE_NUMBERS, &packed.space.mesh));
  for (size_t i = 0; i < count; i++) assert_true(array_push(&packed.spheres, &heap, &spheres[i]));
  packed.count = count;
  packing_certificate found;
  assert_int_equal(packing_certificate_make(scene, cube, &packed, spheres, count, &found), GRAZE_OK);
  packer_release(&packed);
  closed_mesh_release(&mesh, &heap);
  graze_scene_destroy(scene);
  assert_int_equal(heap.bytes_now, 0);
  return found;
}

static void assert_found(const graze_sphere *spheres, size_t count, uint64_t overlaps, bool crosses, uint64_t outside) {
  const packing_certificate found = certificate_of(spheres, count);
  assert_int_equal(found.overlaps, overlaps);
  assert_int_equal(found.crossings > 0, crosses);
  assert_int_equal(found.outside, outside);
}

static void touching_is_allowed(void **state) {
  (void)state;
  const graze_sphere spheres[] = {{{0.25, 0.25, 0.25}, 0.25}, {{0.75, 0.25, 0.25}, 0.25}, {{0.25, 0.75, 0.25}, 0.25}};
  assert_found(spheres, 3, 0, false, 0);
}

static void one_bit_too_much_is_found(void **state) {
  (void)state;
  const double more = 0.25 + 0x1p-54;
  const graze_sphere overlapping[] = {{{0.375, 0.375, 0.375}, more}, {{0.375, 0.875, 0.375}, 0.125}};
  assert_found(overlapping, 1, 0, false, 0);
  const graze_sphere pair[] = {{{0.375, 0.375, 0.375}, more}, {{0.375, 0.75, 0.375}, 0.125}};
  assert_found(pair, 2, 1, false, 0);
  const graze_sphere crossing[] = {{{0.25, 0.5, 0.5}, more}};
  assert_found(crossing, 1, 0, true, 0);
}

static void outside_is_found(void **state) {
  (void)state;
  const graze_sphere spheres[] = {{{0.5, 0.5, 0.5}, 0.25}, {{1.5, 0.5, 0.5}, 0.25}};
  assert_found(spheres, 2, 0, false, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(touching_is_allowed),
      cmocka_unit_test(one_bit_too_much_is_found),
      cmocka_unit_test(outside_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

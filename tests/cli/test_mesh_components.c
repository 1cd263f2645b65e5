/* Tests the components of a polygon mesh: all arrays of the parts, including those that only pictures or only scenes
 * read. */
#include "mesh_components.h"
#include "mesh_set.h"
#include "testing.h"

#include <stddef.h>
#include <stdint.h>

static void expect_numbers(const uint32_t *numbers, const uint32_t *expected, size_t count) {
  for (size_t i = 0; i < count; ++i) assert_int_equal(numbers[i], expected[i]);
}

/* A square, a triangle apart from it, a second square on the corner of the first, and a triangle on that one. */
TEST(polygons_are_renumbered) {
  double positions[3 * 11];
  for (int i = 0; i < 11; ++i) {
    positions[3 * i] = i;
    positions[3 * i + 1] = positions[3 * i + 2] = 0.0;
  }
  uint32_t first[] = {0, 4, 7, 11, 14}, corners[] = {0, 1, 2, 3, 8, 9, 10, 3, 4, 5, 6, 6, 7, 3};
  uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 8, 9, 10, 3, 4, 5, 3, 5, 6, 6, 7, 3}, of[] = {0, 0, 1, 2, 2, 3};
  const mesh whole = {.positions = positions,
                      .vertex_count = 11,
                      .polygon_first = first,
                      .corners = corners,
                      .polygon_count = 4,
                      .triangles = triangles,
                      .triangle_polygon = of,
                      .triangle_count = 6};
  OWNED(mesh_set) made;
  assert_true(mesh_components_make(&whole, "m.obj", &made.meshes, &made.count));
  assert_int_equal(made.count, 2);
  const mesh *a = &made.meshes[0], *b = &made.meshes[1];
  assert_string_equal(a->name, "m.obj#0");
  assert_string_equal(b->name, "m.obj#1");
  assert_int_equal(a->vertex_count, 8);
  assert_int_equal(a->polygon_count, 3);
  assert_int_equal(a->triangle_count, 5);
  expect_numbers(a->polygon_first, (const uint32_t[]){0, 4, 8, 11}, 4);
  expect_numbers(a->corners, (const uint32_t[]){0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 3}, 11);
  expect_numbers(a->triangles, (const uint32_t[]){0, 1, 2, 0, 2, 3, 3, 4, 5, 3, 5, 6, 6, 7, 3}, 15);
  expect_numbers(a->triangle_polygon, (const uint32_t[]){0, 0, 1, 1, 2}, 5);
  assert_int_equal(b->vertex_count, 3);
  assert_true(b->polygon_count == 1 && b->triangle_count == 1);
  assert_null(b->polygon_first);
  expect_numbers(b->triangles, (const uint32_t[]){0, 1, 2}, 3);
  for (int i = 0; i < 3; ++i) assert_true(b->positions[3 * i] == 8.0 + i);
}

/* Tests the surface of a mesh in pictures: the boundary of solids, every face of marked elements once, and the marks of
 * polygons on their triangles. Grids of cells are checked by the number of faces on the sides of a cube. */
#include "mesh_surface.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static size_t count_marks(const mesh_surface *surface) {
  size_t count = 0;
  for (size_t i = 0; i < surface->drawn.triangle_count; ++i) count += surface->marks[i];
  return count;
}

static void expect_surface(const mesh *part, const uint8_t *marked, size_t triangles, size_t marks) {
  OWNED_BY(mesh_surface_release) mesh_surface surface;
  assert_true(mesh_surface_make(part, marked, &surface));
  assert_int_equal(surface.drawn.triangle_count, triangles);
  assert_int_equal(count_marks(&surface), marks);
  assert_ptr_equal(surface.drawn.positions, part->positions);
}

TEST(two_tetrahedra_hide_the_face_that_they_share) {
  double positions[15] = {0};
  uint32_t corners[8] = {0, 1, 2, 3, 4, 3, 2, 1};
  const mesh part = {.kind = MESH_TETRAHEDRA,
                     .positions = positions,
                     .vertex_count = 5,
                     .tetrahedra = corners,
                     .tetrahedron_count = 2};
  expect_surface(&part, (const uint8_t[]){0, 0}, 6, 0);
  expect_surface(&part, (const uint8_t[]){1, 0}, 7, 4);
  expect_surface(&part, (const uint8_t[]){0, 1}, 7, 4);
  expect_surface(&part, (const uint8_t[]){1, 1}, 7, 7);
}

TEST(polygons_pass_their_marks_to_their_triangles) {
  uint32_t triangles[12] = {0, 1, 2, 3, 4, 5, 3, 5, 6, 6, 7, 8}, owners[4] = {0, 1, 1, 2};
  uint32_t first[4] = {0, 3, 7, 10}, corners[10] = {0, 1, 2, 3, 4, 5, 6, 6, 7, 8};
  double positions[27] = {0};
  mesh part = {.positions = positions,
               .vertex_count = 9,
               .polygon_first = first,
               .corners = corners,
               .polygon_count = 3,
               .triangles = triangles,
               .triangle_polygon = owners,
               .triangle_count = 4};
  expect_surface(&part, (const uint8_t[]){0, 1, 0}, 4, 2);
  expect_surface(&part, (const uint8_t[]){1, 0, 1}, 4, 2);
  part.polygon_first = part.corners = part.triangle_polygon = NULL;
  part.polygon_count = 4;
  expect_surface(&part, (const uint8_t[]){1, 0, 1, 1}, 4, 3);
}

/* ------------------------------------------------------------------------------------------------ grids of cells */

enum { SIDE = 4, CELLS = SIDE * SIDE * SIDE, POINTS = (SIDE + 1) * (SIDE + 1) * (SIDE + 1) };

static uint32_t point_at(uint32_t x, uint32_t y, uint32_t z) {
  return (z * (SIDE + 1) + y) * (SIDE + 1) + x;
}

/* The corners of a cell: bit 0 of the number is x, bit 1 y, bit 2 z. */
static void cell_corners(uint32_t cell, uint32_t corners[8]) {
  const uint32_t x = cell % SIDE, y = cell / SIDE % SIDE, z = cell / (SIDE * SIDE);
  for (uint32_t k = 0; k < 8; ++k) corners[k] = point_at(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
}

TEST(a_grid_of_cubes_shows_its_six_sides) {
  static const uint8_t rings[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  uint32_t cell_first[CELLS + 1], face_first[6 * CELLS + 1], face_corners[24 * CELLS];
  for (uint32_t cell = 0; cell < CELLS; ++cell) {
    uint32_t corners[8];
    cell_corners(cell, corners);
    for (uint32_t k = 0; k < 24; ++k) {
      /* The faces of odd cells begin at another corner and go round the other way. */
      const uint32_t place = cell % 2 == 0 ? k % 4 : (5 - k % 4) % 4;
      face_corners[24 * cell + k] = corners[rings[k / 4][place]];
    }
  }
  for (uint32_t i = 0; i <= CELLS; ++i) cell_first[i] = 6 * i;
  for (uint32_t i = 0; i <= 6 * CELLS; ++i) face_first[i] = 4 * i;
  const mesh part = {.kind = MESH_POLYHEDRA,
                     .vertex_count = POINTS,
                     .cell_first = cell_first,
                     .face_first = face_first,
                     .face_corners = face_corners,
                     .cell_count = CELLS,
                     .face_count = 6 * CELLS};
  uint8_t marked[CELLS] = {0};
  const size_t sides = (size_t)12 * SIDE * SIDE;
  expect_surface(&part, marked, sides, 0);
  marked[SIDE * SIDE + SIDE + 1] = 1; /* a cell inside shows all of its faces */
  expect_surface(&part, marked, sides + 12, 12);
  marked[SIDE * SIDE + SIDE + 2] = 1; /* its neighbor: their common face counts once */
  expect_surface(&part, marked, sides + 22, 22);
  marked[0] = 1; /* a cell in the corner, three of whose faces are seen anyway */
  expect_surface(&part, marked, sides + 28, 34);
}

/* Six tetrahedra a cube, one for each order of the axes on the way from corner 0 to corner 7 (Kuhn, 1960). */
TEST(a_grid_of_tetrahedra_shows_a_closed_surface) {
  static const uint8_t orders[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  uint32_t tetrahedra[4 * 6 * CELLS];
  for (uint32_t i = 0; i < 6 * CELLS; ++i) {
    uint32_t corners[8];
    cell_corners(i / 6, corners);
    const uint32_t made[4] = {corners[0], corners[orders[i % 6][0]], corners[orders[i % 6][1]], corners[7]};
    for (uint32_t k = 0; k < 4; ++k) tetrahedra[4 * i + k] = made[(k + i) % 4];
  }
  const mesh part = {
      .kind = MESH_TETRAHEDRA, .vertex_count = POINTS, .tetrahedra = tetrahedra, .tetrahedron_count = 6 * CELLS};
  uint8_t marked[6 * CELLS] = {0};
  mesh_surface surface;
  assert_true(mesh_surface_make(&part, marked, &surface));
  assert_int_equal(surface.drawn.triangle_count, 12 * SIDE * SIDE);
  /* Every edge has two triangles; every corner lies on a side of the cube. */
  uint8_t *edges = calloc((size_t)POINTS * POINTS, 1);
  assert_non_null(edges);
  for (size_t i = 0; i < 3 * surface.drawn.triangle_count; ++i) {
    const uint32_t a = surface.drawn.triangles[i], b = surface.drawn.triangles[i % 3 == 2 ? i - 2 : i + 1];
    const uint32_t x = a % (SIDE + 1), y = a / (SIDE + 1) % (SIDE + 1), z = a / ((SIDE + 1) * (SIDE + 1));
    assert_true(x % SIDE == 0 || y % SIDE == 0 || z % SIDE == 0);
    ++edges[(size_t)(a < b ? a : b) * POINTS + (a < b ? b : a)];
  }
  for (size_t i = 0; i < (size_t)POINTS * POINTS; ++i) assert_true(edges[i] == 0 || edges[i] == 2);
  free(edges);
  mesh_surface_release(&surface);
  memset(marked, 1, sizeof marked);
  const size_t faces = (4 * 6 * CELLS + 12 * SIDE * SIDE) / 2; /* every face has two sides, but for the outer ones */
  expect_surface(&part, marked, faces, faces);
}

TEST(spheres_stay_spheres) {
  double centers[6] = {0, 0, 0, 1, 2, 3}, radii[2] = {1, 2};
  const mesh part = {.kind = MESH_SPHERES, .positions = centers, .radii = radii, .vertex_count = 2};
  const uint8_t marked[2] = {0, 1};
  OWNED_BY(mesh_surface_release) mesh_surface surface;
  assert_true(mesh_surface_make(&part, marked, &surface));
  assert_int_equal(surface.drawn.kind, MESH_SPHERES);
  assert_int_equal(surface.drawn.vertex_count, 2);
  assert_ptr_equal(surface.drawn.positions, centers);
  assert_ptr_equal(surface.drawn.radii, radii);
  assert_memory_equal(surface.marks, marked, sizeof marked);
}

TEST(nothing_shows_nothing) {
  const mesh_kind kinds[] = {MESH_POLYGONS, MESH_TETRAHEDRA, MESH_POLYHEDRA, MESH_SPHERES};
  for (size_t i = 0; i < 4; ++i) {
    const mesh part = {.kind = kinds[i]};
    expect_surface(&part, NULL, 0, 0);
  }
}

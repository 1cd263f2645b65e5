/* Tests cells cut by planes: their parts add up to the whole, their surfaces are closed, and shrunk parts do not
 * intersect. */
#include "simulation/convex_cell.h"
#include "simulation/particle_math.h"
#include "simulation/surface_edges.h"
#include "testing.h"

#include "models/seeded_random.h"

#include <stdlib.h>

static double volume_of(const convex_cell *cell, uint32_t levels) {
  OWNED(mesh) made = {0};
  assert_true(convex_cell_mesh(cell, levels, 1.0, &made));
  OWNED_MEMORY surface_edge *edges = NULL;
  size_t edge_count = 0;
  assert_true(surface_edges_make(made.triangles, made.triangle_count, &edges, &edge_count));
  assert_int_equal(2 * edge_count, 3 * made.triangle_count);
  double six = 0.0;
  for (size_t i = 0; i < made.triangle_count; ++i) {
    const uint32_t *t = made.triangles + 3 * i;
    const point3 a = particle_at(made.positions, t[0]), b = particle_at(made.positions, t[1]);
    six += point3_dot(point3_cross(a, b), particle_at(made.positions, t[2]));
  }
  for (size_t i = 0; i < edge_count; ++i) assert_true(edges[i].opposite[1] != SURFACE_EDGE_NONE);
  return six / 6.0;
}

TEST(halves_add_up) {
  random_stream draw = random_stream_make(3, 1);
  for (int round = 0; round < 200; ++round) {
    convex_cell one = {0}, other = {0};
    assert_true(convex_cell_box(&one, 1.0) && convex_cell_box(&other, 1.0));
    double left = 8.0;
    for (int cut = 0; cut < 12; ++cut) {
      const point3 normal = random_direction(&draw);
      const double offset = random_between(&draw, 0.1, 1.2);
      convex_cell_free(&other);
      assert_true(convex_cell_box(&other, 1.0));
      assert_true(convex_cell_cut(&one, normal, offset));
      const double now = volume_of(&one, (uint32_t)(round % 3));
      assert_true(now <= left + 1e-9 && now > 0.0);
      left = now;
      /* The box by both sides of the plane. */
      OWNED_BY(convex_cell_free) convex_cell rest = {0};
      assert_true(convex_cell_box(&rest, 1.0) && convex_cell_cut(&rest, normal, offset));
      assert_true(convex_cell_cut(&other, point3_scale(normal, -1.0), -offset));
      const double sum = volume_of(&rest, 0) + (other.face_count == 0 ? 0.0 : volume_of(&other, 0));
      assert_true(sum > 8.0 - 1e-9 && sum < 8.0 + 1e-9);
    }
    convex_cell_free(&one);
    convex_cell_free(&other);
  }
}

TEST(nothing_is_left_beyond) {
  OWNED_BY(convex_cell_free) convex_cell cell = {0};
  assert_true(convex_cell_box(&cell, 1.0));
  assert_true(convex_cell_cut(&cell, point3_make(1, 0, 0), 2.0));
  assert_int_equal(cell.face_count, 6);
  assert_true(convex_cell_cut(&cell, point3_make(1, 0, 0), -2.0));
  assert_int_equal(cell.face_count, 0);
  assert_true(convex_cell_cut(&cell, point3_make(0, 1, 0), 0.0));
  assert_int_equal(cell.face_count, 0);
}

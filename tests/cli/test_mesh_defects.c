/* Tests surface defects: triangles without area against rational arithmetic, edges and duplicates against explicit
 * counts. */
#include "mesh_defects.h"
#include "testing.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <gmp.h>

enum { ROUNDS = 20000 };

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

/* Whether the cross product of b - a and c - a is zero. */
static bool oracle_has_no_area(const double *p) {
  mpq_t u[3], v[3], left, right;
  mpq_inits(left, right, NULL);
  for (int axis = 0; axis < 3; ++axis) {
    mpq_inits(u[axis], v[axis], NULL);
    mpq_set_d(left, p[axis]);
    mpq_set_d(u[axis], p[3 + axis]);
    mpq_set_d(v[axis], p[6 + axis]);
    mpq_sub(u[axis], u[axis], left);
    mpq_sub(v[axis], v[axis], left);
  }
  bool zero = true;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3;
    mpq_mul(left, u[axis], v[next]);
    mpq_mul(right, u[next], v[axis]);
    zero = zero && mpq_equal(left, right) != 0;
  }
  for (int axis = 0; axis < 3; ++axis) mpq_clears(u[axis], v[axis], NULL);
  mpq_clears(left, right, NULL);
  return zero;
}

static mesh_defects defects_of(double *positions, size_t vertex_count, uint32_t *triangles, size_t triangle_count) {
  const mesh surface = {.positions = positions,
                        .vertex_count = vertex_count,
                        .triangles = triangles,
                        .triangle_count = triangle_count,
                        .polygon_count = triangle_count};
  mesh_defects defects;
  assert_true(mesh_defects_count(&surface, &defects));
  return defects;
}

/* Corners on a line that begins anywhere, some of them moved by the least there is, at all magnitudes. */
TEST(area_is_zero_exactly) {
  uint64_t seed = 7;
  size_t flat_count = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    double p[9];
    const double scale = ldexp(1.0, (int)(next_random(&seed) % 2000) - 1060);
    for (int axis = 0; axis < 3; ++axis) {
      const double from = (double)(next_random(&seed) % 64), step = (double)(next_random(&seed) % 8) - 4.0;
      for (int k = 0; k < 3; ++k) p[3 * k + axis] = scale * (from + step * (double)(next_random(&seed) % 4));
    }
    if (round % 2 == 0) {
      const double t[2] = {(double)(next_random(&seed) % 5), (double)(next_random(&seed) % 5)};
      for (int axis = 0; axis < 3; ++axis) {
        const double step = scale * (double)(next_random(&seed) % 9);
        for (int k = 1; k < 3; ++k) p[3 * k + axis] = p[axis] + t[k - 1] * step;
      }
    }
    if (round % 3 == 0) {
      double *moved = &p[next_random(&seed) % 9];
      *moved = nextafter(*moved, HUGE_VAL);
    }
    uint32_t triangle[3] = {0, 1, 2};
    const bool expected = oracle_has_no_area(p);
    flat_count += expected;
    assert_int_equal(defects_of(p, 3, triangle, 1).zero_area_triangles, expected);
  }
  assert_in_range(flat_count, ROUNDS / 10, ROUNDS - ROUNDS / 10);
}

/* A polygon with a straight corner has an area; one on a line has none. */
TEST(polygons_count_as_a_whole) {
  double positions[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 3, 0, 0};
  uint32_t first[] = {0, 4, 8}, corners[] = {0, 1, 2, 3, 0, 1, 2, 4}, of[] = {0, 0, 1, 1};
  uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 2, 4};
  const mesh surface = {.positions = positions,
                        .vertex_count = 5,
                        .polygon_first = first,
                        .corners = corners,
                        .polygon_count = 2,
                        .triangles = triangles,
                        .triangle_polygon = of,
                        .triangle_count = 4};
  mesh_defects defects;
  assert_true(mesh_defects_count(&surface, &defects));
  assert_int_equal(defects.zero_area_triangles, 1);
}

/* A vertex of more triangles than are sorted by insertion: a closed double fan, and once more as a copy. */
TEST(many_triangles_may_share_a_vertex) {
  enum { RIM = 100 };
  double positions[3 * (RIM + 2)] = {0, 0, 1, 0, 0, -1};
  uint32_t triangles[12 * RIM];
  for (uint32_t i = 0; i < RIM; ++i) {
    positions[6 + 3 * i] = cos(0.0628 * i);
    positions[7 + 3 * i] = sin(0.0628 * i);
    positions[8 + 3 * i] = 0;
    for (uint32_t side = 0; side < 4; ++side) {
      uint32_t *triangle = triangles + 3 * (size_t)(RIM * side + i);
      triangle[0] = side % 2;
      triangle[1] = 2 + (i + side / 2) % RIM;
      triangle[2] = 2 + (i + 1 - side / 2) % RIM;
    }
  }
  const mesh_defects once = defects_of(positions, RIM + 2, triangles, 2 * (size_t)RIM);
  assert_int_equal(once.duplicate_triangles, 0);
  const mesh_defects twice = defects_of(positions, RIM + 2, triangles, 4 * (size_t)RIM);
  assert_int_equal(twice.duplicate_triangles, 2 * RIM);
}

TEST(an_empty_surface_has_none) {
  const mesh_defects defects = defects_of(NULL, 0, NULL, 0);
  assert_int_equal(defects.duplicate_triangles + defects.zero_area_triangles, 0);
}

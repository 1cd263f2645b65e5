/* Tests that the double filter measures a pair like the exact tiers, bit by bit, or not at all. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "geometry/tetrahedron_overlap.h"
#include "geometry/tetrahedron_penetration.h"
#include "geometry/triangle_crossing.h"
#include "pair_generator.h"
#include "test_effort.h"
#include "testing.h"
#include "tetrahedron_generator.h"

#ifdef TEST_IS_SANITIZED
enum { PAIRS_PER_KIND = 300 };
#else
enum { PAIRS_PER_KIND = 20000 };
#endif

static bool same_number(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* The answer; fails where it is not that of the exact tiers. */
static int compare_triangles(const double p[9], const double q[9]) {
  triangle_crossing crossing;
  orientation_tally tally = {0};
  double points[OVERLAP_POINTS][3], normal[3] = {0.0, 0.0, 0.0}, depth = 0.0;
  const int answer = triangle_pair_crossing(p, q, &crossing);
  if (answer == SIGN_UNDECIDED) return answer;
  const uint32_t count = triangle_pair_overlap(p, q, points, &tally);
  assert_int_equal(count > 0, answer == 1);
  assert_int_equal(triangle_pair_penetration(p, q, normal, &depth, &tally), answer == 1);
  if (answer == 0) return answer;
  assert_int_equal(crossing.count, count);
  assert_memory_equal(crossing.points, points, count * sizeof points[0]);
  assert_true(same_number(crossing.least.depth, depth));
  assert_true(same_number(crossing.least.normal.x, normal[0]) && same_number(crossing.least.normal.y, normal[1]) &&
              same_number(crossing.least.normal.z, normal[2]));
  return answer;
}

TEST(test_triangles) {
  for (int kind = 0; kind < PAIR_KIND_COUNT; ++kind) {
    pair_generator generator = {4100 + (uint64_t)kind};
    uint64_t answers[3] = {0, 0, 0};
    const int count = kind == PAIR_EXTREME ? PAIRS_PER_KIND / 50 : PAIRS_PER_KIND;
    for (int i = 0; i < count; ++i) {
      double p[9], q[9];
      pair_generate(&generator, (pair_kind)kind, p, q);
      answers[compare_triangles(p, q)] += 1;
    }
    if (kind == PAIR_GENERAL || kind == PAIR_FLOAT_MESH) {
      assert_true(answers[0] > 0 && answers[1] > 0);
      assert_true(answers[SIGN_UNDECIDED] * 100 < (uint64_t)count);
    }
    if (kind == PAIR_COPLANAR) assert_int_equal(answers[1], 0);
  }
}

static int compare_tetrahedra(const double p[12], const double q[12]) {
  orientation_tally tally = {0};
  shared_volume found, wanted;
  const int answer = tetrahedron_pair_volume_filtered(p, q, &found);
  if (tetrahedron_pair_filtered(p, q) == 1) assert_false(hulls_are_coplanar(p, 4, q, 4, &tally));
  if (answer == SIGN_UNDECIDED) return answer;
  assert_int_equal(tetrahedron_pair_volume(p, q, &wanted), answer == 1);
  assert_true(same_number(found.volume, wanted.volume) && found.unit == wanted.unit);
  if (answer == 1) assert_memory_equal(found.centroid, wanted.centroid, sizeof wanted.centroid);
  return answer;
}

TEST(test_tetrahedra) {
  for (int kind = 0; kind < TETRAHEDRON_KIND_COUNT; ++kind) {
    pair_generator generator = {4200 + (uint64_t)kind};
    uint64_t answers[3] = {0, 0, 0};
    const int count = kind == TETRAHEDRON_EXTREME ? PAIRS_PER_KIND / 50 : PAIRS_PER_KIND / 2;
    for (int i = 0; i < count; ++i) {
      double p[12], q[12];
      tetrahedron_pair_generate(&generator, (tetrahedron_kind)kind, p, q);
      answers[compare_tetrahedra(p, q)] += 1;
    }
    if (kind == TETRAHEDRON_GENERAL || kind == TETRAHEDRON_FLOAT_MESH) {
      assert_true(answers[1] > 0);
      assert_true(answers[SIGN_UNDECIDED] * 100 < (uint64_t)count);
    }
    if (kind == TETRAHEDRON_FLAT) assert_int_equal(answers[1], 0);
  }
}

/* Numbers of 53 bits and different magnitudes, so that differences are not exact. */
static double full_coordinate(pair_generator *generator) {
  const int shift = (int)pair_generator_below(generator, 6);
  return ldexp(ldexp((double)(pair_generator_next(generator) >> 11), -52) - 1.0, -shift);
}

/* Heights that the filter, and those that 106 bits have settled, against all the bits there are. */
TEST(test_values) {
  pair_generator generator = {4300};
  uint64_t by_double = 0, by_two = 0;
  for (int i = 0; i < PAIRS_PER_KIND; ++i) {
    double p[9], d[3], components[ORIENTATION_3D_COMPONENTS], value, bound;
    for (int k = 0; k < 9; ++k) p[k] = full_coordinate(&generator);
    const double u = full_coordinate(&generator), v = full_coordinate(&generator);
    /* A triangle or three corners on a line but for rounding; a fourth in their plane but for that, and moved away from
     * it by next to nothing or a good deal. */
    for (int k = 0; k < 3 && i % 2 == 0; ++k) p[6 + k] = p[k] + v * (p[3 + k] - p[k]);
    const double away = ldexp(full_coordinate(&generator), -(int)pair_generator_below(&generator, 60));
    for (int k = 0; k < 3; ++k) d[k] = p[k] + u * (p[3 + k] - p[k]) + v * (p[6 + k] - p[k]) + away;
    difference_rows rows;
    difference_rows_make(p, p + 3, p + 6, d, &rows);
    const double wanted = expansion_estimate(orientation_3d_components(&rows, components), components);
    const plane_filter plane = plane_filter_make(p, p + 3, p + 6);
    const double height = plane_filter_height(&plane, d, &bound);
    const bool is_double = bound <= 0x1p-44 * fabs(height), known = plane_filter_value(&plane, p, d, &value);
    assert_true(fabs(orientation_3d_value(p, p + 3, p + 6, d) - wanted) <= 0x1p-44 * fabs(wanted));
    if (known) assert_true(same_number(value, orientation_3d_value(p, p + 3, p + 6, d)));
    by_double += is_double;
    by_two += known && !is_double;
  }
  assert_true(by_double > PAIRS_PER_KIND / 100 && by_two > PAIRS_PER_KIND / 20);
}

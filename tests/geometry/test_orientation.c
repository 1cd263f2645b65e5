/* Compares each tier of the orientation signs with the rational reference, and checks that no multiply-add was fused,
 * which all tiers require. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/orientation.h"
#include "pair_generator.h"
#include "rational_oracle.h"
#include "test_effort.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { POINTS_PER_KIND = 1000 };
#else
enum { POINTS_PER_KIND = 15000 };
#endif

typedef struct tier_counts {
  uint64_t filter, integer, double_double, expansion_short, expansion_long, wide, wrong;
} tier_counts;

static void check_3d(rational_oracle *oracle, const double *a, const double *b, const double *c, const double *d,
                     tier_counts *counts) {
  const int expected = rational_oracle_orientation_3d(oracle, a, b, c, d);
  const plane_filter plane = plane_filter_make(a, b, c);
  const int filtered = plane_filter_sign(&plane, d);
  orientation_tally tally = {0};
  counts->filter += filtered != SIGN_UNDECIDED;
  counts->wrong += filtered != SIGN_UNDECIDED && filtered != expected;
  counts->wrong += orientation_3d(a, b, c, d, &tally) != expected;
  counts->wrong += orientation_3d_exact(a, b, c, d, &tally) != expected;
  counts->wrong += orientation_3d_is_plainly_zero(a, b, c, d) && expected != 0;
  counts->wide += 1;
  counts->wrong += orientation_3d_wide(a, b, c, d) != expected;
  if (!expansion_accepts_all(a, 3) || !expansion_accepts_all(b, 3) || !expansion_accepts_all(c, 3) ||
      !expansion_accepts_all(d, 3))
    return;
  difference_rows rows;
  difference_rows_make(a, b, c, d, &rows);
  counts->expansion_short += rows.is_short;
  counts->expansion_long += !rows.is_short;
  counts->wrong += orientation_3d_expansion(&rows) != expected;
  int sign;
  if (orientation_3d_double_double(&rows, &sign)) {
    counts->double_double += 1;
    counts->wrong += sign != expected;
  }
  if (rows.is_short && orientation_3d_small_integer(&rows, &sign)) {
    counts->integer += 1;
    counts->wrong += sign != expected;
  }
}

static void check_2d(rational_oracle *oracle, const double *a, const double *b, const double *c, tier_counts *counts) {
  const int expected = rational_oracle_orientation_2d(oracle, a, b, c);
  orientation_tally tally = {0};
  counts->wrong += orientation_2d(a[0], a[1], b[0], b[1], c[0], c[1], &tally) != expected;
  counts->wrong += orientation_2d_exact(a[0], a[1], b[0], b[1], c[0], c[1], &tally) != expected;
  counts->wrong += orientation_2d_wide(a[0], a[1], b[0], b[1], c[0], c[1]) != expected;
  counts->filter += tally.deepest_tier == TIER_DOUBLE;
  counts->wide += 1;
  if (!expansion_accepts_all(a, 2) || !expansion_accepts_all(b, 2) || !expansion_accepts_all(c, 2)) return;
  const two_term u[2] = {two_difference(b[0], a[0]), two_difference(b[1], a[1])};
  const two_term v[2] = {two_difference(c[0], a[0]), two_difference(c[1], a[1])};
  counts->expansion_long += 1;
  counts->wrong += orientation_2d_expansion(u, v) != expected;
}

TEST(test_tiers_agree_with_the_reference) {
  rational_oracle *oracle = rational_oracle_create();
  tier_counts solid = {0, 0, 0, 0, 0, 0, 0}, flat = solid;
  for (int kind = 0; kind < PAIR_KIND_COUNT; ++kind) {
    pair_generator generator = {77 + (uint64_t)kind};
    const int count = kind == PAIR_EXTREME ? POINTS_PER_KIND / 20 : POINTS_PER_KIND;
    for (int i = 0; i < count; ++i) {
      double p[9], q[9];
      pair_generate(&generator, (pair_kind)kind, p, q);
      check_3d(oracle, p, p + 3, p + 6, q + 3 * (i % 3), &solid);
      check_2d(oracle, p, p + 3, q + 3 * (i % 3), &flat);
    }
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(solid.wrong, 0);
  assert_int_equal(flat.wrong, 0);
  assert_true(solid.filter > POINTS_PER_KIND && solid.expansion_short > POINTS_PER_KIND &&
              solid.expansion_long > POINTS_PER_KIND);
  assert_true(solid.double_double > POINTS_PER_KIND &&
              solid.double_double < solid.expansion_short + solid.expansion_long);
#ifdef __SIZEOF_INT128__
  assert_true(solid.integer > POINTS_PER_KIND);
#endif
}

/* Points as near to a plane, or a line, as rounding allows, at scales where products underflow or overflow in part:
 * there a bound that forgot a term decides wrongly. */
TEST(test_filter_near_its_bound) {
  rational_oracle *oracle = rational_oracle_create();
  pair_generator generator = {4711};
  tier_counts solid = {0, 0, 0, 0, 0, 0, 0}, flat = solid;
  for (int i = 0; i < 8 * POINTS_PER_KIND; ++i) {
    double p[9], d[3], e[2];
    for (int k = 0; k < 9; ++k) p[k] = pair_generator_coordinate(&generator);
    const double u = pair_generator_coordinate(&generator), v = pair_generator_coordinate(&generator);
    const double lift = ldexp(pair_generator_coordinate(&generator), -48 - (int)pair_generator_below(&generator, 8));
    for (int k = 0; k < 3; ++k) d[k] = p[k] + u * (p[3 + k] - p[k]) + v * (p[6 + k] - p[k]) + lift;
    for (int k = 0; k < 2; ++k) e[k] = p[k] + u * (p[3 + k] - p[k]) + (k == 0 ? lift : 0.0);
    static const int scales[8] = {0, 0, -330, -345, -352, -357, 338, 341};
    const int scale = scales[i % 8] + (int)pair_generator_below(&generator, 4);
    for (int k = 0; k < 9; ++k) p[k] = ldexp(p[k], scale);
    for (int k = 0; k < 3; ++k) d[k] = ldexp(d[k], scale);
    for (int k = 0; k < 2; ++k) e[k] = ldexp(e[k], scale);
    check_3d(oracle, p, p + 3, p + 6, d, &solid);
    check_2d(oracle, p, p + 3, e, &flat);
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(solid.wrong, 0);
  assert_int_equal(flat.wrong, 0);
  assert_true(solid.filter > POINTS_PER_KIND / 10 && solid.filter < solid.wide);
}

/* Scales between rows differ by hundreds of binary orders, so that inner products underflow and outer ones do not. */
TEST(test_filter_with_uneven_scales) {
  rational_oracle *oracle = rational_oracle_create();
  pair_generator generator = {4712};
  tier_counts solid = {0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < POINTS_PER_KIND; ++i) {
    double p[9], d[3];
    const int small = -520 - (int)pair_generator_below(&generator, 30),
              large = (int)pair_generator_below(&generator, 900);
    for (int k = 0; k < 3; ++k) {
      p[k] = 0.0;
      p[3 + k] = ldexp(pair_generator_coordinate(&generator), small);
      p[6 + k] = ldexp(pair_generator_coordinate(&generator), small);
      d[k] = ldexp(pair_generator_coordinate(&generator), large);
    }
    check_3d(oracle, p, p + 3, p + 6, d, &solid);
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(solid.wrong, 0);
}

/* Points as above, all of them far out or close in: brought near by a power of two, they need no wide integers. */
TEST(test_far_points_are_brought_near) {
  rational_oracle *oracle = rational_oracle_create();
  pair_generator generator = {4713};
  tier_counts solid = {0, 0, 0, 0, 0, 0, 0}, flat = solid;
  for (int i = 0; i < POINTS_PER_KIND; ++i) {
    double p[12];
    static const int scales[8] = {301, 500, 996, 1020, -301, -500, -800, -960};
    for (int k = 0; k < 9; ++k) p[k] = pair_generator_coordinate(&generator);
    for (int k = 0; k < 3; ++k) p[9 + k] = p[k] + 0.5 * (p[3 + k] - p[k]) + 0.25 * (p[6 + k] - p[k]);
    for (int k = 0; k < 12; ++k) p[k] = ldexp(p[k], scales[i % 8]);
    check_3d(oracle, p, p + 3, p + 6, p + 9, &solid);
    check_2d(oracle, p, p + 3, p + 9, &flat);
    orientation_tally tally = {0};
    (void)orientation_3d_exact(p, p + 3, p + 6, p + 9, &tally);
    (void)orientation_2d_exact(p[0], p[1], p[3], p[4], p[9], p[10], &tally);
    assert_int_equal(tally.deepest_tier, TIER_EXPANSION);
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(solid.wrong, 0);
  assert_int_equal(flat.wrong, 0);
}

/* Underflow to zero and lost bits are detected. */
TEST(test_points_too_far_apart_are_not_scaled) {
  const double far = 0x1p1000, a[3] = {0, 0, 0}, b[3] = {far, 0, 0}, c[3] = {0, far, 0};
  static const double heights[4] = {0x1p-1074, 0x1p-1000, 0x1p-300, 0x1.8p401};
  static const orientation_tier tiers[4] = {TIER_WIDE, TIER_WIDE, TIER_WIDE, TIER_EXPANSION};
  for (int i = 0; i < 4; ++i) {
    const double above[3] = {0.5 * far, 0.25 * far, heights[i]}, below[3] = {0.5 * far, 0.25 * far, -heights[i]};
    orientation_tally tally = {0};
    assert_int_equal(orientation_3d(a, b, c, above, &tally), 1);
    assert_int_equal(orientation_3d(a, b, c, below, &tally), -1);
    assert_int_equal(tally.deepest_tier, tiers[i]);
    assert_int_equal(orientation_2d(-far, -far, far, far, heights[i], -heights[i], &tally), -1);
  }
}

/* Volatile keeps the compiler from folding, so that the machine's own arithmetic is read. */
TEST(test_no_multiply_add_is_fused) {
  volatile double a = 1.0 + 0x1p-30, b = 1.0 + 0x1p-31, c = -(1.0 + 0x1p-30 + 0x1p-31);
  const double x = a, y = b, z = c;
  assert_true(x * y + z == 0.0);
  const two_term product = two_product(x, y);
  assert_true(product.head == 1.0 + 0x1p-30 + 0x1p-31);
  assert_true(product.tail == 0x1p-61);
}

TEST(test_signs_follow_the_convention) {
  const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0}, above[3] = {0, 0, 1}, below[3] = {0, 0, -1};
  orientation_tally tally = {0};
  assert_int_equal(orientation_3d(a, b, c, above, &tally), 1);
  assert_int_equal(orientation_3d(a, b, c, below, &tally), -1);
  assert_int_equal(orientation_2d(0, 0, 1, 0, 0, 1, &tally), 1);
  assert_int_equal(orientation_projected(2, a, b, c, &tally), 1);
  assert_int_equal(orientation_projected(0, a, c, above, &tally), 1);
  assert_int_equal(orientation_projected(1, a, above, b, &tally), 1);
  assert_int_equal(tally.deepest_tier, TIER_DOUBLE);
}

TEST(test_the_tally_names_the_tier) {
  const double a[3] = {0, 0, 0}, b[3] = {1, 1, 2}, c[3] = {3, 1, 4}, d[3] = {4, 2, 6}, e[3] = {0x1p-1000, 0, 0};
  orientation_tally tally = {0};
  assert_int_equal(orientation_3d(a, b, c, d, &tally), 0);
  assert_int_equal(tally.deepest_tier, TIER_EXPANSION);
  assert_int_equal(orientation_3d(e, b, c, d, &tally), 1);
  assert_int_equal(tally.deepest_tier, TIER_WIDE);
  assert_true(points_collinear(a, b, b, &tally));
  assert_false(points_collinear(a, b, c, &tally));
}

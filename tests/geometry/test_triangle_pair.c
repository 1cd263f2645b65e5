/* Compares the exact triangle test with the rational reference: a million pairs of every kind, and all orders of
 * corners and triangles for a part of them. Sanitizer builds test a twentieth, to save time. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/triangle_pair.h"
#include "pair_generator.h"
#include "rational_oracle.h"
#include "test_effort.h"
#include "testing.h"

#include <stdio.h>
#include <string.h>

#ifdef TEST_IS_SANITIZED
enum { PAIRS_PER_SHARE = 50 };
#else
enum { PAIRS_PER_SHARE = 1000 };
#endif
enum { ORDERED_PART = 9 }; /* one pair in so many is tried in all orders, the others in both orders of the triangles */

static const int corner_orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

static void reorder(const double p[9], const int order[3], double p_out[9]) {
  for (int i = 0; i < 3; ++i) memcpy(p_out + 3 * i, p + 3 * order[i], 3 * sizeof *p);
}

static void print_pair(const char *what, const double p[9], const double q[9]) {
  print_error("%s\n", what);
  for (int i = 0; i < 3; ++i) print_error("  p %a %a %a\n", p[3 * i], p[3 * i + 1], p[3 * i + 2]);
  for (int i = 0; i < 3; ++i) print_error("  q %a %a %a\n", q[3 * i], q[3 * i + 1], q[3 * i + 2]);
}

static bool all_orders_say(const double p[9], const double q[9], bool expected) {
  orientation_tally tally = {0};
  for (int i = 0; i < 36; ++i) {
    double a[9], b[9];
    reorder(p, corner_orders[i / 6], a);
    reorder(q, corner_orders[i % 6], b);
    const int filtered = triangle_pair_filtered(a, b);
    if (triangle_pair_intersects(a, b, &tally) != expected || triangle_pair_intersects(b, a, &tally) != expected)
      return false;
    if (filtered != SIGN_UNDECIDED && filtered != expected) return false;
  }
  return true;
}

typedef struct kind_counts {
  uint64_t pairs, intersecting, tier[3];
} kind_counts;

static uint64_t check_kind(rational_oracle *oracle, pair_kind kind, kind_counts *counts) {
  pair_generator generator = {1000 + (uint64_t)kind};
  uint64_t wrong = 0;
  const uint64_t count = (uint64_t)pair_kind_share(kind) * PAIRS_PER_SHARE;
  for (uint64_t i = 0; i < count; ++i) {
    double p[9], q[9];
    pair_generate(&generator, kind, p, q);
    orientation_tally tally = {0}, unused = {0};
    const bool found = triangle_pair_intersects(p, q, &tally);
    const bool expected = rational_oracle_intersects(oracle, p, q);
    const bool is_right =
        found == expected &&
        (i % ORDERED_PART == 0 ? all_orders_say(p, q, expected) : triangle_pair_intersects(q, p, &unused) == expected);
    if (!is_right && wrong++ == 0) print_pair(pair_kind_words(kind), p, q);
    counts->pairs += 1;
    counts->intersecting += expected;
    counts->tier[tally.deepest_tier] += 1;
  }
  return wrong;
}

TEST(test_million_pairs_agree_with_the_reference) {
  rational_oracle *oracle = rational_oracle_create();
  uint64_t wrong = 0, total = 0, tier[3] = {0, 0, 0};
  for (int kind = 0; kind < PAIR_KIND_COUNT; ++kind) {
    kind_counts counts = {0, 0, {0, 0, 0}};
    const uint64_t kind_wrong = check_kind(oracle, (pair_kind)kind, &counts);
    print_message("%-45s %7llu pairs, %7llu intersect; double %7llu, expansion %7llu, wide %6llu; wrong %llu\n",
                  pair_kind_words((pair_kind)kind), (unsigned long long)counts.pairs,
                  (unsigned long long)counts.intersecting, (unsigned long long)counts.tier[TIER_DOUBLE],
                  (unsigned long long)counts.tier[TIER_EXPANSION], (unsigned long long)counts.tier[TIER_WIDE],
                  (unsigned long long)kind_wrong);
    wrong += kind_wrong;
    total += counts.pairs;
    for (int i = 0; i < 3; ++i) tier[i] += counts.tier[i];
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
  assert_true(total >= (uint64_t)1000 * PAIRS_PER_SHARE);
  /* The kinds must go through every tier, or the run proves less than it says. */
  for (int i = 0; i < 3; ++i) assert_true(tier[i] > 0);
}

static void assert_pair(const double p[9], const double q[9], bool expected) {
  if (!all_orders_say(p, q, expected)) print_pair("by hand", p, q);
  assert_true(all_orders_say(p, q, expected));
}

/* Answers that a reader can check by eye; they reference the reference as well. */
TEST(test_pairs_by_hand) {
  const double base[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
  const double above[9] = {0, 0, 1, 4, 0, 1, 0, 4, 1};
  const double pierce[9] = {1, 1, -1, 1, 1, 1, 9, 9, 1};
  const double stand[9] = {1, 1, 0, 1, 1, 5, 2, 1, 5};
  const double beside[9] = {2.5, 2.5, -1, 2.5, 2.5, 1, 9, 9, 1};
  const double inside[9] = {1, 1, 0, 2, 1, 0, 1, 2, 0};
  const double corner[9] = {4, 0, 0, 5, 0, 0, 5, 1, 0};
  const double apart[9] = {3, 3, 0, 4, 3, 0, 3, 4, 0};
  const double point[9] = {2, 2, 0, 2, 2, 0, 2, 2, 0};
  const double near_point[9] = {2, 2.0000000000000004, 0, 2, 2.0000000000000004, 0, 2, 2.0000000000000004, 0};
  const double segment[9] = {1, 1, -1, 1, 1, 3, 1, 1, 1};
  assert_pair(base, base, true);
  assert_pair(base, above, false);
  assert_pair(base, pierce, true);
  assert_pair(base, stand, true);
  assert_pair(base, beside, false);
  assert_pair(base, inside, true);
  assert_pair(base, corner, true);
  assert_pair(base, apart, false);
  assert_pair(base, point, true);
  assert_pair(base, near_point, false);
  assert_pair(base, segment, true);
  assert_pair(point, point, true);
  assert_pair(point, near_point, false);
  assert_pair(segment, stand, true);
}

/* Each corner of the one at each of the other, in all coordinates or in some; zeros of either sign are one number. */
TEST(test_common_corners) {
  const double p[9] = {1, 2, 3, -4, 0.0, 6, 7, 8, -9};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int equal = 0; equal < 8; ++equal) {
        double q[9] = {11, 12, 13, 14, 15, 16, 17, 18, 19};
        for (int axis = 0; axis < 3; ++axis)
          if (equal >> axis & 1) q[3 * j + axis] = p[3 * i + axis] == 0.0 ? -0.0 : p[3 * i + axis];
        if (corners_are_shared(p, q) != (equal == 7) || corners_are_shared(q, p) != (equal == 7))
          fail_msg("corners %d and %d, coordinates %d", i, j, equal);
        /* Equal coordinates of different corners do not make a shared corner. */
        if (equal != 7) {
          for (int axis = 0; axis < 3; ++axis) q[3 * ((j + 1) % 3) + axis] = p[3 * ((i + axis) % 3) + axis];
          assert_false(corners_are_shared(p, q));
        }
      }
}

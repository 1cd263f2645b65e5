/* The exact tests of tetrahedra, and of triangles with tetrahedra, against the rational reference: pairs of every kind,
 * all 1152 orders of corners and tetrahedra for a part of them, sampled orders for the others. A second reference, made
 * of triangle tests and containment, sees the same pairs.
 *
 * A tenth of a million pairs by default; GRAZE_TEST_PAIRS asks for another number. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/tetrahedron_pair.h"
#include "lab/tetrahedron_faces.h"
#include "rational_oracle.h"
#include "test_scale.h"
#include "testing.h"
#include "tetrahedron_generator.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_ORDERS_EVERY = 64, ORDER_COUNT = 24 };

static uint64_t pairs_per_share(void) {
  const char *text = getenv("GRAZE_TEST_PAIRS");
  const uint64_t asked = text != NULL ? strtoull(text, NULL, 10) : 0;
  return asked >= 1000 ? asked / 1000 : test_scaled(100, 5);
}

static void reorder(const double p[12], int order, double p_out[12]) {
  int left[4] = {0, 1, 2, 3};
  for (int i = 0, ways = 6; i < 4; ++i) {
    const int choice = order / ways, corner = left[choice];
    memcpy(p_out + 3 * i, p + 3 * corner, 3 * sizeof *p);
    for (int k = choice; k + 1 < 4; ++k) left[k] = left[k + 1];
    order %= ways;
    ways = i < 2 ? ways / (3 - i) : 1;
  }
}

static void print_pair(const char *what, const double *p, int p_count, const double q[12]) {
  print_error("%s\n", what);
  for (int i = 0; i < p_count; ++i) print_error("  p %a %a %a\n", p[3 * i], p[3 * i + 1], p[3 * i + 2]);
  for (int i = 0; i < 4; ++i) print_error("  q %a %a %a\n", q[3 * i], q[3 * i + 1], q[3 * i + 2]);
}

static bool order_says(const double p[12], const double q[12], int p_order, int q_order, bool expected) {
  orientation_tally tally = {0};
  double a[12], b[12];
  reorder(p, p_order, a);
  reorder(q, q_order, b);
  if (expected &&
      !(tetrahedron_pair_intersects_no_edges(a, b, &tally) && tetrahedron_pair_intersects_no_edges(b, a, &tally)))
    return false;
  const int filtered = tetrahedron_pair_filtered(a, b);
  return tetrahedron_pair_intersects(a, b, &tally) == expected &&
         tetrahedron_pair_intersects(b, a, &tally) == expected && (filtered == SIGN_UNDECIDED || filtered == expected);
}

static bool all_orders_say(const double p[12], const double q[12], bool expected) {
  for (int i = 0; i < ORDER_COUNT * ORDER_COUNT; ++i) {
    if (!order_says(p, q, i / ORDER_COUNT, i % ORDER_COUNT, expected)) return false;
  }
  return true;
}

static bool some_orders_say(pair_generator *generator, const double p[12], const double q[12], bool expected) {
  for (int i = 0; i < 3; ++i) {
    const int p_order = (int)pair_generator_below(generator, ORDER_COUNT);
    if (!order_says(p, q, p_order, (int)pair_generator_below(generator, ORDER_COUNT), expected)) return false;
  }
  return true;
}

/* ------------------------------------------------------------------------------------- the second reference */

/* A point is in a tetrahedron when it is in one of its faces, or on the inner side of all four. */
static bool point_in_tetrahedron(const double *point, const double q[12]) {
  orientation_tally tally = {0};
  const double triangle[9] = {point[0], point[1], point[2], point[0], point[1], point[2], point[0], point[1], point[2]};
  int inner = 0;
  for (int i = 0; i < 4; ++i) {
    double face[9];
    for (int k = 0; k < 9; ++k) face[k] = q[(3 * (i + 1 + k / 3) + k % 3) % 12];
    if (triangle_pair_intersects(triangle, face, &tally)) return true;
    const int side = orientation_3d(face, face + 3, face + 6, point, &tally);
    const int inside = orientation_3d(face, face + 3, face + 6, q + 3 * i, &tally);
    inner += side * inside > 0;
  }
  return inner == 4;
}

/* Two solids meet when their surfaces do, or one is within the other. */
static bool twin_says(const double *p, int p_count, const double q[12]) {
  orientation_tally tally = {0};
  for (int i = 0; i < (p_count == 4 ? 4 : 1); ++i) {
    for (int j = 0; j < 4; ++j) {
      double a[9], b[9];
      for (int k = 0; k < 9; ++k) a[k] = p[(3 * (i + k / 3) + k % 3) % (3 * p_count)];
      for (int k = 0; k < 9; ++k) b[k] = q[(3 * (j + k / 3) + k % 3) % 12];
      if (triangle_pair_intersects(a, b, &tally)) return true;
    }
  }
  return point_in_tetrahedron(p, q) || (p_count == 4 && point_in_tetrahedron(q, p));
}

/* ------------------------------------------------------------------------------------- generated pairs */

typedef struct kind_counts {
  uint64_t pairs, intersecting, parted_by_edges, tier[3];
} kind_counts;

static bool pair_is_right(pair_generator *generator, const double p[12], const double q[12], bool expected,
                          bool in_all_orders, kind_counts *counts) {
  orientation_tally tally = {0}, other = {0};
  const bool found = tetrahedron_pair_intersects(p, q, &tally);
  const bool without_edges = tetrahedron_pair_intersects_no_edges(p, q, &other);
  counts->pairs += 1;
  counts->intersecting += expected;
  counts->parted_by_edges += without_edges && !expected;
  counts->tier[tally.deepest_tier] += 1;
  if (found != expected || (expected && !without_edges) || twin_says(p, 4, q) != expected) return false;
  return in_all_orders ? all_orders_say(p, q, expected) : some_orders_say(generator, p, q, expected);
}

static uint64_t check_kind(rational_oracle *oracle, tetrahedron_kind kind, uint64_t count, kind_counts *counts) {
  pair_generator generator = {5000 + (uint64_t)kind};
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < count; ++i) {
    double p[12], q[12];
    tetrahedron_pair_generate(&generator, kind, p, q);
    const bool expected = rational_oracle_hulls_intersect(oracle, p, 4, q, 4);
    if (!pair_is_right(&generator, p, q, expected, i % ALL_ORDERS_EVERY == 0, counts) && wrong++ == 0)
      print_pair(tetrahedron_kind_words(kind), p, 4, q);
  }
  return wrong;
}

static void print_counts(const char *words, const kind_counts *counts, uint64_t wrong) {
  print_message("%-47s %7llu pairs, %7llu intersect, %6llu by edges; double %7llu, expansion %7llu, wide %6llu; wrong "
                "%llu\n",
                words, (unsigned long long)counts->pairs, (unsigned long long)counts->intersecting,
                (unsigned long long)counts->parted_by_edges, (unsigned long long)counts->tier[TIER_DOUBLE],
                (unsigned long long)counts->tier[TIER_EXPANSION], (unsigned long long)counts->tier[TIER_WIDE],
                (unsigned long long)wrong);
}

TEST(test_pairs_agree_with_the_reference) {
  rational_oracle *oracle = rational_oracle_create();
  uint64_t wrong = 0, total = 0, by_edges = 0, tier[3] = {0, 0, 0};
  const uint64_t per_share = pairs_per_share();
  for (int kind = 0; kind < TETRAHEDRON_KIND_COUNT; ++kind) {
    kind_counts counts = {0, 0, 0, {0, 0, 0}};
    const uint64_t count = tetrahedron_kind_share((tetrahedron_kind)kind) * per_share;
    const uint64_t kind_wrong = check_kind(oracle, (tetrahedron_kind)kind, count, &counts);
    print_counts(tetrahedron_kind_words((tetrahedron_kind)kind), &counts, kind_wrong);
    wrong += kind_wrong;
    total += counts.pairs;
    by_edges += counts.parted_by_edges;
    for (int i = 0; i < 3; ++i) tier[i] += counts.tier[i];
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
  assert_true(total >= 1000 * per_share);
  /* The kinds must go through every tier, and need the planes along edges, or the run proves less than it says. */
  for (int i = 0; i < 3; ++i) assert_true(tier[i] > 0);
  assert_true(by_edges > total / 100);
}

/* ------------------------------------------------------------------------------------- triangles */

static const int triangle_orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

static bool triangle_order_says(const double t[9], const double q[12], int t_order, int q_order, bool expected) {
  orientation_tally tally = {0};
  double a[9], b[12];
  for (int i = 0; i < 3; ++i) memcpy(a + 3 * i, t + 3 * triangle_orders[t_order][i], 3 * sizeof *t);
  reorder(q, q_order, b);
  return triangle_tetrahedron_intersects(a, b, &tally) == expected;
}

static bool triangle_is_right(pair_generator *generator, const double t[9], const double q[12], bool expected,
                              bool in_all_orders) {
  orientation_tally tally = {0};
  if (triangle_tetrahedron_intersects(t, q, &tally) != expected || twin_says(t, 3, q) != expected) return false;
  for (int i = 0; i < (in_all_orders ? 6 * ORDER_COUNT : 3); ++i) {
    const int order = in_all_orders ? i : (int)pair_generator_below(generator, 6 * ORDER_COUNT);
    if (!triangle_order_says(t, q, order / ORDER_COUNT, order % ORDER_COUNT, expected)) return false;
  }
  return true;
}

/* The first three corners of one of the tetrahedra, which were shuffled. */
TEST(test_triangles_agree_with_the_reference) {
  rational_oracle *oracle = rational_oracle_create();
  uint64_t wrong = 0, total = 0, intersecting = 0;
  const uint64_t per_share = pairs_per_share();
  for (int kind = 0; kind < TETRAHEDRON_KIND_COUNT; ++kind) {
    pair_generator generator = {6000 + (uint64_t)kind};
    const uint64_t count = tetrahedron_kind_share((tetrahedron_kind)kind) * per_share;
    for (uint64_t i = 0; i < count; ++i) {
      double p[12], q[12];
      tetrahedron_pair_generate(&generator, (tetrahedron_kind)kind, p, q);
      const double *t = i % 2 == 0 ? p : q, *solid = i % 2 == 0 ? q : p;
      const bool expected = rational_oracle_hulls_intersect(oracle, t, 3, solid, 4);
      const bool is_right = triangle_is_right(&generator, t, solid, expected, i % ALL_ORDERS_EVERY == 0);
      if (!is_right && wrong++ == 0) print_pair(tetrahedron_kind_words((tetrahedron_kind)kind), t, 3, solid);
      total += 1;
      intersecting += expected;
    }
  }
  print_message("%llu pairs of a triangle and a tetrahedron, %llu intersect\n", (unsigned long long)total,
                (unsigned long long)intersecting);
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
  assert_true(intersecting > total / 10 && intersecting < total);
}

/* ------------------------------------------------------------------------------------- by hand */

static void assert_pair(const double p[12], const double q[12], bool expected) {
  if (!all_orders_say(p, q, expected)) print_pair("by hand", p, 4, q);
  assert_true(all_orders_say(p, q, expected));
  assert_true(twin_says(p, 4, q) == expected);
}

/* Answers that a reader can check by eye; they reference the reference as well. */
TEST(test_pairs_by_hand) {
  const double base[12] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4};
  const double inside[12] = {1, 1, 1, 0.5, 1, 1, 1, 0.5, 1, 1, 1, 0.5};
  const double above[12] = {0, 0, 5, 4, 0, 5, 0, 4, 5, 0, 0, 9};
  const double on_top[12] = {0, 0, 4, 4, 0, 5, 0, 4, 5, 0, 0, 9};
  const double on_slope[12] = {2, 1, 1, 9, 9, 9, 9, 8, 9, 9, 9, 8};
  const double off_slope[12] = {2, 1, 1.0000000000000002, 9, 9, 9, 9, 8, 9, 9, 9, 8};
  const double on_floor[12] = {1, 1, 0, 9, 1, 0, 1, 9, 0, 1, 1, -4};
  const double across_edge[12] = {2, -1, -1, 2, 1, -1, 2, -1, 1, 3, -2, -2};
  const double touch_edge[12] = {2, 1, -1, 2, -1, 1, 3, -2, -2, 1, -2, -2};
  const double miss_edge[12] = {2, 0.875, -1, 2, -1, 0.875, 3, -2, -2, 1, -2, -2};
  const double flat[12] = {1, 1, 1, 9, 1, 1, 9, 9, 1, 1, 9, 1};
  const double flat_apart[12] = {2, 2, 1, 9, 2, 1, 9, 9, 1, 2, 9, 1};
  const double segment[12] = {-1, -1, -1, 1, 1, 1, 0, 0, 0, 0.5, 0.5, 0.5};
  const double point[12] = {1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2};
  const double point_off[12] = {1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2};
  assert_pair(base, base, true);
  assert_pair(base, inside, true);
  assert_pair(base, above, false);
  assert_pair(base, on_top, true);
  assert_pair(base, on_slope, true);
  assert_pair(base, off_slope, false);
  assert_pair(base, on_floor, true);
  assert_pair(base, across_edge, true);
  assert_pair(base, touch_edge, true);
  assert_pair(base, miss_edge, false);
  assert_pair(base, flat, true);
  assert_pair(base, flat_apart, false);
  assert_pair(flat, flat_apart, true);
  assert_pair(base, segment, true);
  assert_pair(base, point, true);
  assert_pair(base, point_off, false);
  assert_pair(point, point, true);
  assert_pair(point, point_off, false);
  assert_pair(segment, point, false);
}

TEST(test_volume_signs) {
  orientation_tally tally = {0};
  const double base[12] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4};
  const double turned[12] = {4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4};
  const double flat[12] = {1, 1, 1, 9, 1, 1, 9, 9, 1, 1, 9, 1};
  assert_int_equal(tetrahedron_volume_sign(base, &tally), 1);
  assert_int_equal(tetrahedron_volume_sign(turned, &tally), -1);
  assert_int_equal(tetrahedron_volume_sign(flat, &tally), 0);
}

/* Compares distances with exact ones, and least separating translations with the reference: a slightly shorter one does
 * not separate the pair, a slightly longer one does. The axes that the float filter skips change none of them. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "geometry/bits.h"
#include "geometry/triangle_distance.h"
#include "geometry/triangle_penetration.h"
#include "pair_generator.h"
#include "rational_distance.h"
#include "rational_oracle.h"
#include "test_effort.h"
#include "test_scale.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { PAIRS_PER_KIND = 10, NEEDLES_LEAST = 400, PARTED_PAIRS = 500, COMPARED_PER_KIND = 200 };
#else
enum { PAIRS_PER_KIND = 120, NEEDLES_LEAST = 1200, PARTED_PAIRS = 20000, COMPARED_PER_KIND = 4000 };
#endif

/* The size of a pair: its extent, not its distance from the origin, plus what a subnormal unit is worth. */
static double pair_extent(const double p[9], const double q[9]) {
  double largest = 0.0;
  for (int i = 0; i < 9; ++i) {
    largest = fmax(largest, fabs(p[i] - p[i % 3]));
    largest = fmax(largest, fabs(q[i] - p[i % 3]));
  }
  return largest + 0x1p-1014;
}

TEST(test_distances_are_exact) {
  double worst = 0.0, worst_points = 0.0;
  for (int kind = 0; kind < PAIR_EXTREME; ++kind) {
    pair_generator generator = {3000 + (uint64_t)kind};
    for (int i = 0; i < PAIRS_PER_KIND; ++i) {
      double p[9], q[9], on_p[3], on_q[3];
      pair_generate(&generator, (pair_kind)kind, p, q);
      orientation_tally tally = {0};
      const double found = triangle_pair_distance(p, q, on_p, on_q, &tally);
      const double expected = rational_distance(p, 3, q, 3), extent = pair_extent(p, q);
      /* The points lie where their coordinates can: to the last bit of the largest coordinate. */
      const double place = fmax(extent, fmax(largest_magnitude(p, 9), largest_magnitude(q, 9)));
      worst = fmax(worst, fabs(found - expected) / extent);
      worst_points = fmax(worst_points, rational_distance(on_p, 1, p, 3) / place);
      worst_points = fmax(worst_points, rational_distance(on_q, 1, q, 3) / place);
      worst_points = fmax(worst_points, fabs(rational_distance(on_p, 1, on_q, 1) - expected) / place);
    }
  }
  print_message("largest error of a distance: %g, of a nearest point: %g\n", worst, worst_points);
  assert_true(worst <= 1e-12);
  assert_true(worst_points <= 1e-12);
}

/* A corner over the inside of a needle, or an edge over a nearly parallel edge, at distances down to 1e-12: one
 * division by a small cross product is not enough there. */
TEST(test_distances_over_needles) {
  pair_generator generator = {3050};
  const int needle_count = (int)test_scaled(40 * PAIRS_PER_KIND, NEEDLES_LEAST);
  double worst = 0.0;
  for (int i = 0; i < needle_count; ++i) {
    double p[9], q[9], on_p[3], on_q[3];
    pair_generate(&generator, PAIR_NEEDLE, p, q);
    const double thinness = ldexp(1.0, -(int)pair_generator_below(&generator, 40));
    const double height = ldexp(1.0, -(int)pair_generator_below(&generator, 40));
    const double u = 0.1 + 0.1 * pair_generator_coordinate(&generator);
    for (int axis = 0; axis < 3; ++axis) {
      const double middle = 0.5 * (p[axis] + p[3 + axis]), thin = thinness * pair_generator_coordinate(&generator);
      p[6 + axis] = middle + thin;
      q[axis] = middle + u * (p[3 + axis] - p[axis]) + 0.25 * thin + height * pair_generator_coordinate(&generator);
      if (i % 2 == 0) q[3 + axis] = q[axis] - u * (p[3 + axis] - p[axis]) + thin;
    }
    orientation_tally tally = {0};
    const double found = triangle_pair_distance(p, q, on_p, on_q, &tally);
    worst = fmax(worst, fabs(found - rational_distance(p, 3, q, 3)) / pair_extent(p, q));
  }
  print_message("largest error of a distance over a needle: %g\n", worst);
  assert_true(worst <= 1e-13);
}

TEST(test_zero_exactly_when_they_meet) {
  rational_oracle *oracle = rational_oracle_create();
  uint64_t wrong = 0;
  for (int kind = 0; kind < PAIR_KIND_COUNT; ++kind) {
    pair_generator generator = {3100 + (uint64_t)kind};
    const int count = kind == PAIR_EXTREME ? COMPARED_PER_KIND / 50 : COMPARED_PER_KIND;
    for (int i = 0; i < count; ++i) {
      double p[9], q[9], on_p[3], on_q[3], normal[3] = {0, 0, 0}, depth = -1.0;
      pair_generate(&generator, (pair_kind)kind, p, q);
      orientation_tally tally = {0};
      const bool meets = rational_oracle_intersects(oracle, p, q);
      const double distance = triangle_pair_distance(p, q, on_p, on_q, &tally);
      wrong += (distance == 0.0) != meets || !(distance >= 0.0);
      wrong += triangle_pair_penetration(p, q, normal, &depth, &tally) != meets;
      wrong += meets && !(depth >= 0.0 && fabs(vector3_length(vector3_load(normal)) - 1.0) < 1e-12);
    }
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
}

static void move(const double q[9], const double direction[3], double length, double moved_out[9]) {
  for (int i = 0; i < 9; ++i) moved_out[i] = q[i] + direction[i % 3] * length;
}

/* No direction is shorter: a random one, and the six of the axes, leave the pair meeting. */
static uint64_t count_shorter_ways(pair_generator *generator, rational_oracle *oracle, const double p[9],
                                   const double q[9], double depth) {
  uint64_t shorter = 0;
  for (int i = 0; i < 10; ++i) {
    vector3 way = vector3_make(0, 0, 0);
    while (!(vector3_length(way) > 0.1)) {
      way.x = pair_generator_coordinate(generator);
      way.y = pair_generator_coordinate(generator);
      way.z = pair_generator_coordinate(generator);
    }
    double direction[3], moved[9];
    vector3_store(vector3_scale(way, 1.0 / vector3_length(way)), direction);
    move(q, direction, depth * (1 - 1e-6), moved);
    shorter += !rational_oracle_intersects(oracle, p, moved);
  }
  return shorter;
}

TEST(test_depths_separate_the_pair) {
  rational_oracle *oracle = rational_oracle_create();
  pair_generator generator = {3200};
  uint64_t wrong = 0, parted = 0;
  for (int i = 0; i < PARTED_PAIRS; ++i) {
    static const pair_kind kinds[4] = {PAIR_GENERAL, PAIR_FLOAT_MESH, PAIR_WIDE_LATTICE, PAIR_SEGMENT};
    double p[9], q[9], moved[9], normal[3], depth;
    pair_generate(&generator, kinds[i % 4], p, q);
    orientation_tally tally = {0};
    if (!triangle_pair_penetration(p, q, normal, &depth, &tally) || depth < 1e-3 * pair_extent(p, q)) continue;
    move(q, normal, depth * (1 + 1e-9), moved);
    wrong += rational_oracle_intersects(oracle, p, moved);
    move(q, normal, depth * (1 - 1e-6), moved);
    wrong += !rational_oracle_intersects(oracle, p, moved);
    if (i % 16 < 4) wrong += count_shorter_ways(&generator, oracle, p, q, depth) > 0;
    parted += 1;
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
  assert_true(parted > PARTED_PAIRS / 20);
}

/* A flat pair needs no way at all, along a normal of both. */
TEST(test_flat_pairs_have_no_depth) {
  pair_generator generator = {3300};
  uint64_t wrong = 0, meeting = 0;
  for (int i = 0; i < PARTED_PAIRS; ++i) {
    double p[9], q[9], normal[3], depth;
    pair_generate(&generator, i % 4 == 0 ? PAIR_BOTH_DEGENERATE : PAIR_COPLANAR, p, q);
    orientation_tally tally = {0};
    if (!triangle_pair_penetration(p, q, normal, &depth, &tally)) continue;
    meeting += 1;
    wrong += depth != 0.0;
    for (int k = 0; k < 9; k += 3) {
      const vector3 unit = vector3_load(normal), origin = vector3_load(p);
      const double p_height = vector3_dot(unit, vector3_subtract(vector3_load(p + k), origin));
      const double q_height = vector3_dot(unit, vector3_subtract(vector3_load(q + k), origin));
      wrong += fabs(p_height) > 1e-11 * pair_extent(p, q) || fabs(q_height) > 1e-11 * pair_extent(p, q);
    }
  }
  assert_int_equal(wrong, 0);
  assert_true(meeting > PARTED_PAIRS / 10);
}

TEST(test_distances_by_hand) {
  orientation_tally tally = {0};
  double on_p[3], on_q[3];
  const double p[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0}, above[9] = {1, 1, 2, 1, 1, 9, 2, 1, 9};
  const double beside[9] = {7, 0, 4, 9, 0, 4, 9, 1, 4}, far[9] = {1e308, 0, 0, 1e308, 1, 0, 1e308, 0, 1};
  assert_true(triangle_pair_distance(p, above, on_p, on_q, &tally) == 2.0);
  assert_true(on_p[0] == 1 && on_p[1] == 1 && on_p[2] == 0 && on_q[0] == 1 && on_q[1] == 1 && on_q[2] == 2);
  assert_true(triangle_pair_distance(p, beside, on_p, on_q, &tally) == 5.0);
  assert_true(fabs(triangle_pair_distance(p, far, on_p, on_q, &tally) / 1e308 - 1.0) < 1e-15);
  double tiny_p[9], tiny_q[9];
  for (int i = 0; i < 9; ++i) {
    tiny_p[i] = p[i] * 0x1p-1074;
    tiny_q[i] = above[i] * 0x1p-1074;
  }
  assert_true(triangle_pair_distance(tiny_p, tiny_q, on_p, on_q, &tally) == 0x1p-1073);
}

/* The least of all axes, each measured. */
static penetration search_all_axes(const local_pair *local) {
  vector3 p_edges[3], q_edges[3];
  penetration least = {.depth = HUGE_VAL, .normal = {0.0, 0.0, 1.0}};
  triangle_edges(local->p, p_edges);
  triangle_edges(local->q, q_edges);
  penetration_offer(&least, local, vector3_cross(p_edges[0], p_edges[1]));
  penetration_offer(&least, local, vector3_cross(q_edges[0], q_edges[1]));
  for (int i = 0; i < 9; ++i) penetration_offer(&least, local, vector3_cross(p_edges[i / 3], q_edges[i % 3]));
  return least;
}

/* Not by a bit, whether pairs meet or not; and few are left. */
TEST(test_axes_passed_over) {
  const size_t per_kind = test_scaled(100000, 1000);
  uint64_t wrong = 0, axes = 0, pairs = 0;
  for (int kind = 0; kind < PAIR_KIND_COUNT; ++kind) {
    pair_generator generator = {7700 + (uint64_t)kind};
    for (size_t i = 0; i < per_kind; ++i) {
      double p[9], q[9];
      pair_generate(&generator, (pair_kind)kind, p, q);
      const local_pair local = local_pair_make(p, q);
      const penetration all = search_all_axes(&local), found = penetration_find(p, q, false);
      if (all.depth < HUGE_VAL) {
        const double depth = all.depth > 0.0 ? all.depth * local.size * local.inverse : 0.0;
        wrong += memcmp(&depth, &found.depth, sizeof depth) != 0;
        wrong += memcmp(&all.normal, &found.normal, sizeof all.normal) != 0;
      }
      if (kind != PAIR_GENERAL) continue;
      axes += count_bits(triangle_axes_select(&local));
      pairs++;
    }
  }
  print_message("%.3f axes are left of a pair\n", (double)axes / (double)pairs);
  assert_int_equal(wrong, 0);
  assert_true(10 * axes < 11 * pairs);
}

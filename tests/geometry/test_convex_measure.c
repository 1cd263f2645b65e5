/* Tests distances of convex cells between exact bounds, and depths against all directions that can be minimal, both
 * against the reference and at every scale. */
#include <stddef.h>
#include <stdint.h>

#include <gmp.h>

#include "cell_generator.h"
#include "geometry/convex_measure.h"
#include "hull_reference.h"
#include "rational_distance.h"
#include "test_effort.h"
#include "test_scale.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { DISTANCES = 1000, DEPTHS = 500, SCALED_PAIRS = 500 };
#else
enum { DISTANCES = 20000, DEPTHS = 10000, SCALED_PAIRS = 10000 };
#endif

/* The size of a pair: its extent, not its distance from the origin, plus what a subnormal unit is worth. */
static double pair_extent(const cell_pair *pair) {
  double largest = 0.0;
  for (uint32_t i = 0; i < 3 * pair->p_count; ++i) largest = fmax(largest, fabs(pair->p[i] - pair->p[i % 3]));
  for (uint32_t i = 0; i < 3 * pair->q_count; ++i) largest = fmax(largest, fabs(pair->q[i] - pair->p[i % 3]));
  return largest + 0x1p-1014;
}

static double square_root(mpq_t value) {
  mpf_t root;
  mpf_init2(root, 256);
  mpf_set_q(root, value);
  mpf_sqrt(root, root);
  const double result = mpf_get_d(root);
  mpf_clear(root);
  return result;
}

/* An upper bound of the distance: that of the points with these weights, normalised exactly. */
static double exact_upper_bound(const cell_pair *pair, const gjk_result *found) {
  mpq_t sum, squared, gap, term, weight;
  mpq_inits(sum, squared, gap, term, weight, NULL);
  for (uint32_t i = 0; i < found->corner_count; ++i) {
    mpq_set_d(weight, found->weight[i]);
    mpq_add(sum, sum, weight);
  }
  for (uint32_t axis = 0; axis < 3; ++axis) {
    mpq_set_si(gap, 0, 1);
    for (uint32_t i = 0; i < found->corner_count; ++i) {
      mpq_set_d(weight, found->weight[i]);
      mpq_set_d(term, pair->p[3 * found->p_corner[i] + axis]);
      mpq_mul(term, term, weight);
      mpq_add(gap, gap, term);
      mpq_set_d(term, pair->q[3 * found->q_corner[i] + axis]);
      mpq_mul(term, term, weight);
      mpq_sub(gap, gap, term);
    }
    mpq_div(gap, gap, sum);
    mpq_mul(gap, gap, gap);
    mpq_add(squared, squared, gap);
  }
  const double result = square_root(squared);
  mpq_clears(sum, squared, gap, term, weight, NULL);
  return result;
}

/* The least or the greatest of direction . corner. */
static void exact_reach(const double *direction, const double *corners, uint32_t count, int sign, mpq_t reach_out) {
  mpq_t sum, term, factor;
  mpq_inits(sum, term, factor, NULL);
  for (uint32_t i = 0; i < count; ++i) {
    mpq_set_si(sum, 0, 1);
    for (uint32_t axis = 0; axis < 3; ++axis) {
      mpq_set_d(term, corners[3 * i + axis]);
      mpq_set_d(factor, direction[axis]);
      mpq_mul(term, term, factor);
      mpq_add(sum, sum, term);
    }
    if (i == 0 || mpq_cmp(sum, reach_out) * sign > 0) mpq_set(reach_out, sum);
  }
  mpq_clears(sum, term, factor, NULL);
}

/* Not above the true distance: the gap between the cells along the direction found. */
static double exact_lower_bound(const cell_pair *pair, const gjk_result *found) {
  mpq_t p_least, q_greatest, squared, factor;
  mpq_inits(p_least, q_greatest, squared, factor, NULL);
  exact_reach(found->direction, pair->p, pair->p_count, -1, p_least);
  exact_reach(found->direction, pair->q, pair->q_count, 1, q_greatest);
  mpq_sub(p_least, p_least, q_greatest);
  for (int axis = 0; axis < 3; ++axis) {
    mpq_set_d(factor, found->direction[axis]);
    mpq_mul(factor, factor, factor);
    mpq_add(squared, squared, factor);
  }
  const double result = mpq_sgn(p_least) > 0 ? mpq_get_d(p_least) / square_root(squared) : 0.0;
  mpq_clears(p_least, q_greatest, squared, factor, NULL);
  return result;
}

TEST(test_distances_lie_between_exact_bounds) {
  double worst = 0.0;
  uint32_t most_steps = 0;
  for (int kind = 0; kind < CELL_KIND_COUNT; ++kind) {
    pair_generator generator = {7500 + (uint64_t)kind};
    for (size_t i = 0; i < test_scaled(DISTANCES / CELL_KIND_COUNT, 10); ++i) {
      cell_pair pair;
      gjk_result found;
      cell_pair_generate(&generator, (cell_kind)kind, &pair);
      gjk_distance(pair.p, pair.p_count, pair.q, pair.q_count, &found);
      const double extent = pair_extent(&pair), lower = exact_lower_bound(&pair, &found);
      const double upper = exact_upper_bound(&pair, &found);
      worst = fmax(worst, fabs(found.distance - upper) / extent);
      worst = fmax(worst, fabs(found.distance - lower) / extent);
      most_steps = found.step_count > most_steps ? found.step_count : most_steps;
    }
  }
  print_message("largest error of a distance: %g, most steps: %u\n", worst, most_steps);
  assert_true(worst <= 1e-13);
  assert_true(most_steps < GJK_STEP_LIMIT);
}

/* Needles of any thinness, of several corners each, at any small distance across each other or nearly parallel. */
static void make_near_needles(pair_generator *generator, cell_pair *pair) {
  const double thinness = ldexp(1.0, -(int)pair_generator_below(generator, 40));
  const double height = ldexp(1.0, -(int)pair_generator_below(generator, 50));
  const double turn = ldexp(1.0, -(int)pair_generator_below(generator, 50));
  double random[9];
  for (int i = 0; i < 9; ++i) random[i] = pair_generator_coordinate(generator);
  const vector3 first = vector3_load(random), shift = vector3_load(random + 6);
  const vector3 way[2] = {first, vector3_add(first, vector3_scale(vector3_load(random + 3), turn))};
  pair->p_count = 2 + pair_generator_below(generator, 5);
  pair->q_count = 2 + pair_generator_below(generator, 5);
  for (uint32_t i = 0; i < pair->p_count + pair->q_count; ++i) {
    const bool in_q = i >= pair->p_count;
    double *point = in_q ? pair->q + 3 * (i - pair->p_count) : pair->p + 3 * i;
    const vector3 along = vector3_scale(way[in_q], pair_generator_coordinate(generator));
    vector3_store(vector3_add(along, vector3_scale(shift, in_q ? height : 0.0)), point);
    for (int axis = 0; axis < 3; ++axis) point[axis] += thinness * pair_generator_coordinate(generator);
  }
}

TEST(test_distances_of_needles) {
  pair_generator generator = {7550};
  double worst = 0.0;
  for (size_t i = 0; i < test_scaled(DISTANCES, 100); ++i) {
    cell_pair pair;
    gjk_result found;
    make_near_needles(&generator, &pair);
    gjk_distance(pair.p, pair.p_count, pair.q, pair.q_count, &found);
    const double extent = pair_extent(&pair);
    worst = fmax(worst, fabs(found.distance - exact_lower_bound(&pair, &found)) / extent);
    worst = fmax(worst, fabs(found.distance - exact_upper_bound(&pair, &found)) / extent);
  }
  print_message("largest error of a distance of needles: %g\n", worst);
  assert_true(worst <= 1e-12);
}

TEST(test_triangle_distances) {
  double worst = 0.0;
  for (int kind = 0; kind < PAIR_EXTREME; ++kind) {
    pair_generator generator = {7600 + (uint64_t)kind};
    for (size_t i = 0; i < test_scaled(DISTANCES / 500, 4); ++i) {
      cell_pair pair = {.p_count = 3, .q_count = 3};
      double on_p[3], on_q[3];
      pair_generate(&generator, (pair_kind)kind, pair.p, pair.q);
      orientation_tally tally = {0};
      const double found = convex_pair_distance(pair.p, 3, pair.q, 3, on_p, on_q, &tally), extent = pair_extent(&pair);
      const double place = fmax(extent, fmax(largest_magnitude(pair.p, 9), largest_magnitude(pair.q, 9)));
      worst = fmax(worst, fabs(found - rational_distance(pair.p, 3, pair.q, 3)) / extent);
      worst = fmax(worst, rational_distance(on_p, 1, pair.p, 3) / place);
      worst = fmax(worst, rational_distance(on_q, 1, pair.q, 3) / place);
    }
  }
  print_message("largest error with triangles: %g\n", worst);
  assert_true(worst <= 1e-13);
}

/* Corners of 10^-11 to 10^10 in one pair: the farthest corner leads nowhere, and GJK once stopped 0.024 too far. */
TEST(test_farthest_by_rounding_alone) {
  const double p[9] = {2055562.3828418106, -393223.70641886804,  6.2284326831835874e-08,
                       286.8391603170337,  -0.17304225697861003, 5.2079085043228848e-06,
                       0.0037912790465249, 1.9245692829557104,   0.0};
  const double q[9] = {-2.91038304567337e-11, 0.025143359201321595,    3.9826257664080345,
                       0.0010796014689588365, 1.1174797530019011e-12,  -2.2267160567119415e-09,
                       -14.510656379632561,   -8.2835743349840355e-07, -11075382836.513199};
  gjk_result found;
  gjk_distance(p, 3, q, 3, &found);
  assert_true(fabs(found.distance - rational_distance(p, 3, q, 3)) <= 1e-5);
}

static void scale(cell_pair *pair, double factor) {
  for (uint32_t i = 0; i < 3 * pair->p_count; ++i) pair->p[i] *= factor;
  for (uint32_t i = 0; i < 3 * pair->q_count; ++i) pair->q[i] *= factor;
}

/* Powers of two change nothing but the scale, to the bit; other factors round the input, by 2^-53 of what it is. */
TEST(test_scale_changes_nothing) {
  static const double decimal[4] = {1e-6, 1e6, 1e-100, 1e100};
  pair_generator generator = {7700};
  uint64_t wrong = 0;
  for (size_t i = 0; i < test_scaled(SCALED_PAIRS, 20); ++i) {
    cell_pair pair, scaled;
    gjk_result plain, other;
    double normal[3], other_normal[3], depth, other_depth;
    cell_pair_generate(&generator, (cell_kind)(i % CELL_SCALED_EXACT), &pair);
    gjk_distance(pair.p, pair.p_count, pair.q, pair.q_count, &plain);
    epa_penetration(pair.p, pair.p_count, pair.q, pair.q_count, normal, &depth);
    const double factor = ldexp(1.0, (int)pair_generator_below(&generator, 1600) - 800);
    scaled = pair;
    scale(&scaled, factor);
    gjk_distance(scaled.p, scaled.p_count, scaled.q, scaled.q_count, &other);
    epa_penetration(scaled.p, scaled.p_count, scaled.q, scaled.q_count, other_normal, &other_depth);
    wrong += other.distance != plain.distance * factor || other_depth != depth * factor;
    for (int axis = 0; axis < 3; ++axis) {
      wrong += other.on_p[axis] != plain.on_p[axis] * factor || other.on_q[axis] != plain.on_q[axis] * factor;
      wrong += other_normal[axis] != normal[axis];
    }
    scaled = pair;
    scale(&scaled, decimal[i % 4]);
    gjk_distance(scaled.p, scaled.p_count, scaled.q, scaled.q_count, &other);
    const double extent = fmax(pair_extent(&pair), fmax(largest_magnitude(pair.p, 3 * (int)pair.p_count),
                                                        largest_magnitude(pair.q, 3 * (int)pair.q_count)));
    wrong += fabs(other.distance / decimal[i % 4] - plain.distance) > 1e-12 * extent;
  }
  assert_int_equal(wrong, 0);
}

static uint32_t make_edges(const double *corners, uint32_t count, uint32_t first, vector3 *edges_out) {
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j < i; ++j)
      edges_out[first++] = vector3_subtract(vector3_load(corners + 3 * i), vector3_load(corners + 3 * j));
  }
  return first;
}

static double reach_along(const cell_pair *pair, vector3 unit) {
  double p_most = -HUGE_VAL, q_least = HUGE_VAL;
  for (uint32_t i = 0; i < pair->p_count; ++i) p_most = fmax(p_most, vector3_dot(unit, vector3_load(pair->p + 3 * i)));
  for (uint32_t i = 0; i < pair->q_count; ++i)
    q_least = fmin(q_least, vector3_dot(unit, vector3_load(pair->q + 3 * i)));
  return p_most - q_least;
}

/* Every face of the difference set is parallel to two ways between corners of one cell or of both. So the least reach
 * over all cross products of such ways is the depth: for tetrahedra these are 8 face normals and 36 of edge pairs. */
static double depth_by_all_axes(const cell_pair *pair) {
  static vector3 edges[2 * CELL_CORNERS * CELL_CORNERS];
  uint32_t count = make_edges(pair->p, pair->p_count, 0, edges);
  count = make_edges(pair->q, pair->q_count, count, edges);
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      const vector3 axis = vector3_cross(edges[i], edges[j]);
      const double length = vector3_length(axis);
      if (!(length > 1e-9 * vector3_length(edges[i]) * vector3_length(edges[j]))) continue;
      const vector3 unit = vector3_scale(axis, 1.0 / length);
      least = fmin(least, fmin(reach_along(pair, unit), reach_along(pair, vector3_scale(unit, -1.0))));
    }
  }
  return least;
}

TEST(test_depths_are_the_least) {
  static const cell_kind kinds[6] = {CELL_TINY_LATTICE, CELL_SMALL_SETS, CELL_BOXES,
                                     CELL_GENERAL,      CELL_NESTED,     CELL_PRISMS};
  pair_generator generator = {7800};
  double worst = 0.0;
  uint64_t compared = 0;
  for (size_t i = 0; i < test_scaled(DEPTHS / 2, 50); ++i) {
    cell_pair pair;
    double normal[3], depth;
    cell_pair_generate(&generator, kinds[i % 6], &pair);
    if (pair.p_count > 8) pair.p_count = 4 + (uint32_t)i % 5;
    if (pair.q_count > 8) pair.q_count = 4 + (uint32_t)i % 5;
    orientation_tally tally = {0};
    if (!convex_pair_penetration(pair.p, pair.p_count, pair.q, pair.q_count, normal, &depth, &tally) || depth == 0.0)
      continue;
    worst = fmax(worst, fabs(depth - depth_by_all_axes(&pair)) / pair_extent(&pair));
    compared += 1;
  }
  print_message("largest error of %lu depths: %g\n", (unsigned long)compared, worst);
  assert_true(worst <= 1e-12);
  assert_true(compared > test_scaled(DEPTHS / 2, 50) / 20);
}

static void move(const cell_pair *pair, const double *direction, double length, double *moved_out) {
  for (uint32_t i = 0; i < 3 * pair->q_count; ++i) moved_out[i] = pair->q[i] + direction[i % 3] * length;
}

TEST(test_depths_separate_the_pair) {
  hull_reference *reference = hull_reference_create();
  uint64_t wrong = 0, parted = 0, touching = 0;
  pair_generator generator = {7900};
  for (size_t i = 0; i < test_scaled(DEPTHS, 50); ++i) {
    cell_pair pair;
    double normal[3] = {0, 0, 0}, depth = -1.0, moved[3 * CELL_CORNERS];
    /* Far from the origin the moved corners cannot be written down. */
    const cell_kind kind = (cell_kind)(i % CELL_SCALED_EXACT);
    cell_pair_generate(&generator, kind == CELL_FAR ? CELL_GENERAL : kind, &pair);
    orientation_tally tally = {0};
    const bool meets = hull_reference_intersects(reference, pair.p, pair.p_count, pair.q, pair.q_count);
    wrong += convex_pair_penetration(pair.p, pair.p_count, pair.q, pair.q_count, normal, &depth, &tally) != meets;
    if (!meets) continue;
    const double extent = pair_extent(&pair);
    wrong += !(depth >= 0.0 && fabs(vector3_length(vector3_load(normal)) - 1.0) < 1e-12);
    move(&pair, normal, depth * (1 + 1e-9) + 1e-12 * extent, moved);
    wrong += hull_reference_intersects(reference, pair.p, pair.p_count, moved, pair.q_count);
    touching += depth == 0.0;
    if (depth < 1e-3 * extent) continue;
    move(&pair, normal, depth * (1 - 1e-6), moved);
    wrong += !hull_reference_intersects(reference, pair.p, pair.p_count, moved, pair.q_count);
    parted += 1;
  }
  hull_reference_destroy(reference);
  print_message("%lu parted, %lu touching\n", (unsigned long)parted, (unsigned long)touching);
  assert_int_equal(wrong, 0);
  assert_true(parted > test_scaled(DEPTHS, 50) / 20 && touching > test_scaled(DEPTHS, 50) / 100);
}

TEST(test_zero_exactly_when_they_meet) {
  hull_reference *reference = hull_reference_create();
  uint64_t wrong = 0;
  for (int kind = 0; kind < CELL_KIND_COUNT; ++kind) {
    pair_generator generator = {8000 + (uint64_t)kind};
    for (size_t i = 0; i < test_scaled(DISTANCES / 20, 10); ++i) {
      cell_pair pair;
      double on_p[3], on_q[3];
      cell_pair_generate(&generator, (cell_kind)kind, &pair);
      orientation_tally tally = {0};
      const double distance = convex_pair_distance(pair.p, pair.p_count, pair.q, pair.q_count, on_p, on_q, &tally);
      wrong += (distance == 0.0) != hull_reference_intersects(reference, pair.p, pair.p_count, pair.q, pair.q_count);
      wrong += !(distance >= 0.0);
    }
  }
  hull_reference_destroy(reference);
  assert_int_equal(wrong, 0);
}

enum { ROUND_CORNERS = 1000 };

/* Points on the unit sphere around (x, 0, 0). */
static void make_ball(pair_generator *generator, double x, double *points_out) {
  for (uint32_t i = 0; i < ROUND_CORNERS; ++i) {
    vector3 way = vector3_make(0.0, 0.0, 0.0);
    while (!(vector3_length(way) > 0.1 && vector3_length(way) < 1.0)) {
      way.x = pair_generator_coordinate(generator);
      way.y = pair_generator_coordinate(generator);
      way.z = pair_generator_coordinate(generator);
    }
    vector3_store(vector3_scale(way, 1.0 / vector3_length(way)), points_out + 3 * i);
    points_out[3 * i] += x;
  }
}

/* More corners than the polytope of EPA has room for: what it finds must part the balls all the same, and be about as
 * short as the balls are deep. GJK and the exact test have no such limit. */
TEST(test_round_cells) {
  static double p[3 * ROUND_CORNERS], q[3 * ROUND_CORNERS];
  pair_generator generator = {8100};
  uint32_t most_steps = 0;
  for (int i = 0; i < 20; ++i) {
    const double gap = i < 10 ? 0.5 : -0.19 * (i - 9);
    double normal[3] = {0, 0, 0}, depth = 0.0;
    gjk_result found;
    orientation_tally tally = {0};
    make_ball(&generator, 0.0, p);
    make_ball(&generator, 2.0 + gap, q);
    gjk_distance(p, ROUND_CORNERS, q, ROUND_CORNERS, &found);
    most_steps = found.step_count > most_steps ? found.step_count : most_steps;
    assert_true(convex_pair_intersects(p, ROUND_CORNERS, q, ROUND_CORNERS, &tally) == (gap < 0.0));
    assert_true(hull_separation_find(p, ROUND_CORNERS, q, ROUND_CORNERS, &tally).meets == (gap < 0.0));
    if (gap > 0.0) assert_true(found.distance > gap && found.distance < gap + 0.1);
    if (gap > 0.0) continue;
    assert_true(convex_pair_penetration(p, ROUND_CORNERS, q, ROUND_CORNERS, normal, &depth, &tally));
    assert_true(depth > -gap - 0.1 && depth < -gap + 0.01);
    for (uint32_t k = 0; k < 3 * ROUND_CORNERS; ++k) q[k] += normal[k % 3] * depth * (1.0 + 1e-9);
    assert_false(convex_pair_intersects(p, ROUND_CORNERS, q, ROUND_CORNERS, &tally));
  }
  print_message("most steps with balls: %u\n", most_steps);
  assert_true(most_steps < GJK_STEP_LIMIT);
}

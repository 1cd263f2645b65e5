/* Compares clearances with the exact reference: at the distance, one bit beside it, and far from it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "geometry/clearance_pair.h"
#include "geometry/convex_measure.h"
#include "geometry/sphere_pair.h"
#include "near_generator.h"
#include "reach_reference.h"
#include "test_effort.h"
#include "test_scale.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { PAIRS = 20000, PAIRS_LEAST = 100, LARGE_PAIRS = 200, LARGE_LEAST = 40 };
#else
enum { PAIRS = 1000000, PAIRS_LEAST = 1000, LARGE_PAIRS = 8000, LARGE_LEAST = 40 };
#endif

enum { REACHES = 9 };

/* Three numbers that are not negative, whose sum is close to a reach or equal to it. */
typedef struct reach_parts {
  double part[3];
} reach_parts;

typedef struct outcome {
  uint64_t wrong, total, order[3], tier[3];
} outcome;

static void outcome_print(const outcome *result, const char *words) {
  print_message("%s: %lu, closer %lu, at the reach %lu, farther %lu; by doubles %lu, exact %lu, wide %lu\n", words,
                (unsigned long)result->total, (unsigned long)result->order[0], (unsigned long)result->order[1],
                (unsigned long)result->order[2], (unsigned long)result->tier[0], (unsigned long)result->tier[1],
                (unsigned long)result->tier[2]);
}

/* The distance up to rounding; a reach must be finite. */
static double rough_distance(const cell_pair *pair) {
  orientation_tally tally = {0};
  double on_p[3], on_q[3];
  const double distance = convex_pair_distance(pair->p, pair->p_count, pair->q, pair->q_count, on_p, on_q, &tally);
  return distance < HUGE_VAL ? distance : DBL_MAX;
}

static double reach_near(double distance, uint32_t number, pair_generator *generator) {
  switch (number) {
  case 0:
    return distance;
  case 1:
    return nextafter(distance, HUGE_VAL);
  case 2:
    return nextafter(distance, 0.0);
  case 3:
    return nextafter(nextafter(distance, HUGE_VAL), HUGE_VAL);
  case 4:
    return nextafter(nextafter(distance, 0.0), 0.0);
  case 5:
    return 0.0;
  case 6:
    return distance * ldexp(1.0, (int)pair_generator_below(generator, 5) - 2);
  case 7:
    return distance * (1.0 + ldexp(pair_generator_coordinate(generator), -45));
  default:
    return ldexp(1.0, (int)pair_generator_below(generator, 2098) - 1074);
  }
}

static reach_parts reach_split(double reach, pair_generator *generator) {
  reach_parts parts = {{0.0, 0.0, 0.0}};
  const uint32_t place = pair_generator_below(generator, 3), other = (place + 1) % 3;
  parts.part[place] = within_doubles(reach);
  switch (pair_generator_below(generator, 4)) {
  case 0:
    parts.part[other] = 0.25 * parts.part[place];
    parts.part[place] *= 0.75;
    break;
  case 1:
    parts.part[other] = fabs(pair_generator_coordinate(generator)) * parts.part[place];
    parts.part[place] -= parts.part[other];
    break;
  case 2:
    parts.part[other] = ldexp(1.0, -(int)pair_generator_below(generator, 1075));
    if (!(parts.part[other] < 0x1p-40 * reach)) parts.part[other] = 0.0;
    break;
  default:
    break;
  }
  return parts;
}

/* A guess that is good for nothing proves nothing wrong. */
static bool poor_guess_is_wrong(const clearance_problem *problem, bool expected, pair_generator *generator) {
  near_guess guess;
  guess.factor = 1.0;
  guess.simplex.count = 1 + pair_generator_below(generator, 4);
  for (uint32_t i = 0; i < guess.simplex.count; ++i) {
    guess.simplex.a[i] = pair_generator_below(generator, problem->a_count);
    guess.simplex.b[i] = pair_generator_below(generator, problem->b_count);
    guess.weight[i] = fabs(pair_generator_coordinate(generator));
  }
  near_guess_direct(&guess, vector3_make(pair_generator_coordinate(generator), pair_generator_coordinate(generator),
                                         pair_generator_coordinate(generator)));
  guess.lower = near_guess_lower(&guess, problem->a, problem->a_count, problem->b, problem->b_count);
  const reach_bounds reach = reach_bounds_make(problem->reach[0], problem->reach[1], problem->reach[2], guess.factor);
  const int sign = near_guess_sign(&guess, &reach, problem->a, problem->b);
  return sign != SIGN_UNDECIDED && (sign < 0) != expected;
}

static void compare(const cell_pair *pair, const reach_parts *parts, int order, bool alone, pair_generator *generator,
                    outcome *result) {
  const double *r = parts->part;
  orientation_tally tally = {0}, unused = {0};
  const bool expected = order <= 0;
  const bool found = hulls_within(pair->p, pair->p_count, r[0], pair->q, pair->q_count, r[1], r[2], &tally);
  bool wrong = found != expected;
  wrong |= hulls_within(pair->q, pair->q_count, r[1], pair->p, pair->p_count, r[0], r[2], &unused) != expected;
  if (pair->p_count == 3 && pair->q_count == 3 && r[0] == 0.0 && r[1] == 0.0)
    wrong |= triangles_within(pair->p, pair->q, r[2], &unused) != expected;
  if (pair->p_count == 1 && pair->q_count > 0 && r[2] == 0.0 && r[1] == 0.0)
    wrong |= sphere_convex_intersects(pair->p, r[0], pair->q, pair->q_count, &unused) != expected;
  const clearance_problem problem =
      clearance_problem_make(pair->p, pair->p_count, r[0], pair->q, pair->q_count, r[1], r[2]);
  if (alone) {
    corner_simplex start = {1, {pair_generator_below(generator, pair->p_count), 0, 0, 0}, {0, 0, 0, 0}};
    wrong |= hulls_within_exact(&problem, &start, &unused) != expected;
  }
  wrong |= poor_guess_is_wrong(&problem, expected, generator);
  result->wrong += wrong;
  result->total += 1;
  result->order[order + 1] += 1;
  result->tier[tally.deepest_tier] += 1;
}

TEST(test_against_reference) {
  reach_reference *reference = reach_reference_create();
  outcome result = {0};
  for (int kind = 0; kind < NEAR_KIND_COUNT; ++kind) {
    pair_generator generator = {21000 + (uint64_t)kind};
    const size_t count = test_scaled_to(0.03, (size_t)near_kind_share((near_kind)kind) * PAIRS / 1000, PAIRS_LEAST);
    const outcome before = result;
    for (size_t i = 0; i < count; ++i) {
      cell_pair pair;
      near_pair_generate(&generator, (near_kind)kind, &pair);
      const double distance = rough_distance(&pair);
      reach_reference_set(reference, pair.p, pair.p_count, pair.q, pair.q_count);
      for (uint32_t number = 0; number < REACHES; ++number) {
        const reach_parts parts = reach_split(reach_near(distance, number, &generator), &generator);
        const int order = reach_reference_order(reference, parts.part[0], parts.part[1], parts.part[2]);
        compare(&pair, &parts, order, i % 8 == 0, &generator, &result);
      }
    }
    if (result.wrong != before.wrong) print_message("wrong at: %s\n", near_kind_words((near_kind)kind));
  }
  outcome_print(&result, "clearances");
  reach_reference_destroy(reference);
  assert_int_equal(result.wrong, 0);
  assert_true(result.order[0] > 0 && result.order[1] > result.total / 50 && result.order[2] > 0);
  assert_true(result.tier[0] > 0 && result.tier[1] > 0 && result.tier[2] > 0);
}

/* Hulls of many corners, of which the distance is known because it was made. */
TEST(test_large_hulls) {
  pair_generator generator = {22000};
  outcome result = {0};
  const size_t count = test_scaled_to(0.05, LARGE_PAIRS, LARGE_LEAST);
  for (size_t i = 0; i < count; ++i) {
    cell_pair pair;
    const uint32_t p_count = 1 + pair_generator_below(&generator, CELL_CORNERS);
    const uint32_t q_count = 1 + pair_generator_below(&generator, CELL_CORNERS);
    const double distance = near_pair_generate_exact(&generator, p_count, q_count, &pair);
    const double reaches[3] = {distance, nextafter(distance, HUGE_VAL), nextafter(distance, 0.0)};
    for (int number = 0; number < 3; ++number) {
      if (number == 2 && distance == 0.0) continue;
      reach_parts parts = {{0.0, 0.0, 0.0}};
      parts.part[pair_generator_below(&generator, 3)] = reaches[number];
      compare(&pair, &parts, number == 0 ? 0 : (number == 1 ? -1 : 1), i % 8 == 0, &generator, &result);
    }
  }
  outcome_print(&result, "large hulls");
  assert_int_equal(result.wrong, 0);
}

/* The bound of the bits is reached: corners and radii from the smallest bit to the largest. */
TEST(test_widest_integers) {
  const double most = DBL_MAX, least = DBL_TRUE_MIN;
  const double p[9] = {most, most, -most, -most, most, least, -most, -most, most};
  const double q[9] = {-most, -most, -most, most, -most, most, most, least, -most};
  reach_reference *reference = reach_reference_create();
  const double reaches[4][3] = {{most, most, most}, {most, most, least}, {0.0, least, most}, {least, least, least}};
  uint64_t wrong = 0;
  for (uint32_t p_count = 1; p_count <= 3; ++p_count) {
    for (uint32_t q_count = 1; q_count <= 3; ++q_count) {
      reach_reference_set(reference, p, p_count, q, q_count);
      for (int i = 0; i < 4; ++i) {
        const double *r = reaches[i];
        orientation_tally tally = {0};
        const clearance_problem problem = clearance_problem_make(p, p_count, r[0], q, q_count, r[1], r[2]);
        corner_simplex start = {1, {0, 0, 0, 0}, {0, 0, 0, 0}};
        const bool expected = reach_reference_order(reference, r[0], r[1], r[2]) <= 0;
        wrong += hulls_within_exact(&problem, &start, &tally) != expected;
        wrong += hulls_within(p, p_count, r[0], q, q_count, r[1], r[2], &tally) != expected;
      }
    }
  }
  reach_reference_destroy(reference);
  assert_int_equal(wrong, 0);
}

TEST(test_by_hand) {
  orientation_tally tally = {0};
  const double p[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0}, above[9] = {1, 1, 2, 1, 1, 9, 2, 1, 9};
  const double beside[9] = {7, 0, 4, 9, 0, 4, 9, 1, 4}, center[3] = {1, 1, -3};
  assert_true(triangles_within(p, above, 2.0, &tally));
  assert_false(triangles_within(p, above, nextafter(2.0, 0.0), &tally));
  assert_true(triangles_within(p, beside, 5.0, &tally));
  assert_false(triangles_within(p, beside, nextafter(5.0, 0.0), &tally));
  assert_false(triangles_within(p, beside, 0.0, &tally));
  assert_true(triangles_within(p, p, 0.0, &tally));
  /* 1 + 2 + 2^-1074 - 2^-52 and so on: sums that a double cannot hold. */
  assert_true(hulls_within(center, 1, 1.0, p, 3, 0.0, 2.0, &tally));
  assert_false(hulls_within(center, 1, 1.0, p, 3, 0.0, nextafter(2.0, 0.0), &tally));
  assert_true(hulls_within(center, 1, nextafter(1.0, 0.0), p, 3, 0x1p-53, 2.0, &tally));
  assert_false(hulls_within(center, 1, nextafter(1.0, 0.0), p, 3, nextafter(0x1p-53, 0.0), 2.0, &tally));
}

/* Balls against balls, triangles, tetrahedra and hulls: the answers of integers of any size, on every kind of pair,
 * with one bit moved in every argument; what the filter decides of it; and the exact tier alone. */
#include <stddef.h>
#include <stdint.h>

#include "cell_generator.h"
#include "geometry/sphere_pair.h"
#include "hull_reference.h"
#include "rational_distance.h"
#include "rational_sphere.h"
#include "sphere_generator.h"
#include "test_effort.h"
#include "test_scale.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { BALLS = 100000, TRIANGLES = 50000, TETRAHEDRA = 10000, HULLS = 1000 };
#else
enum { BALLS = 2000000, TRIANGLES = 1000000, TETRAHEDRA = 200000, HULLS = 20000 };
#endif

/* How many of a run belong to a kind. */
static size_t amount(size_t total, int kind) {
  return test_scaled_to(0.5, total * sphere_kind_share((sphere_kind)kind) / 1000, 20);
}

typedef struct outcome {
  uint64_t wrong, total, sign[3], tier[3];
} outcome;

static void outcome_add(outcome *result, int found, int expected, const orientation_tally *tally) {
  result->wrong += found != expected;
  result->total += 1;
  result->sign[expected + 1] += 1;
  result->tier[tally->deepest_tier] += 1;
}

static void outcome_check(const outcome *result, const char *words) {
  print_message("%s: %lu, inside %lu, touching %lu, apart %lu; by doubles %lu, exact %lu, wide %lu\n", words,
                (unsigned long)result->total, (unsigned long)result->sign[0], (unsigned long)result->sign[1],
                (unsigned long)result->sign[2], (unsigned long)result->tier[0], (unsigned long)result->tier[1],
                (unsigned long)result->tier[2]);
  assert_int_equal(result->wrong, 0);
  assert_true(result->tier[0] > 0 && result->tier[1] > 0 && result->tier[2] > 0);
}

TEST(test_balls) {
  OWNED(rational_sphere) *reference = rational_sphere_create();
  outcome result = {0};
  for (int kind = 0; kind < SPHERE_KIND_COUNT; ++kind) {
    pair_generator generator = {9000 + (uint64_t)kind};
    for (size_t i = amount(BALLS, kind); i > 0; --i) {
      sphere_case made;
      sphere_case_generate(&generator, (sphere_kind)kind, &made);
      orientation_tally tally = {0}, unused = {0};
      const int expected =
          rational_sphere_pair_order(reference, made.center, made.radius, made.other, made.other_radius);
      const int found = sphere_pair_order(made.center, made.radius, made.other, made.other_radius, &tally);
      outcome_add(&result, found, expected, &tally);
      result.wrong += sphere_pair_exact(made.other, made.other_radius, made.center, made.radius, &unused) != expected;
      result.wrong +=
          sphere_pair_intersects(made.other, made.other_radius, made.center, made.radius, &unused) != (expected <= 0);
      result.wrong +=
          spheres_overlap(made.other, made.other_radius, made.center, made.radius, &unused) != (expected < 0);
    }
    if (result.wrong != 0) print_message("wrong at: %s\n", sphere_kind_words((sphere_kind)kind));
  }
  outcome_check(&result, "balls");
  assert_true(result.sign[0] > 0 && result.sign[1] > 0 && result.sign[2] > 0);
}

static int reference_triangle(rational_sphere *reference, const sphere_case *made, const double *triangle) {
  const double *const corner[3] = {triangle, triangle + 3, triangle + 6};
  return rational_sphere_triangle_order(reference, made->center, made->radius, corner);
}

/* All six orders of the corners, by the filter and by the exact tier alone. */
static uint64_t faults_of_orders(const sphere_case *made, int expected) {
  const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  uint64_t faults = 0;
  for (int i = 0; i < 6; ++i) {
    double triangle[9];
    for (int k = 0; k < 9; ++k) triangle[k] = made->corners[3 * order[i][k / 3] + k % 3];
    orientation_tally tally = {0};
    faults += sphere_triangle_exact(made->center, made->radius, triangle, &tally) != expected;
    faults += sphere_triangle_intersects(made->center, made->radius, triangle, &tally) != (expected <= 0);
    faults += sphere_crosses_triangle(made->center, made->radius, triangle, &tally) != (expected < 0);
  }
  return faults;
}

TEST(test_triangles) {
  OWNED(rational_sphere) *reference = rational_sphere_create();
  outcome result = {0};
  for (int kind = 0; kind < SPHERE_KIND_COUNT; ++kind) {
    pair_generator generator = {9100 + (uint64_t)kind};
    for (size_t i = amount(TRIANGLES, kind); i > 0; --i) {
      sphere_case made;
      sphere_case_generate(&generator, (sphere_kind)kind, &made);
      orientation_tally tally = {0};
      const int expected = reference_triangle(reference, &made, made.corners);
      outcome_add(&result, sphere_triangle_order(made.center, made.radius, made.corners, &tally), expected, &tally);
      if (i % 16 == 0) result.wrong += faults_of_orders(&made, expected);
    }
    if (result.wrong != 0) print_message("wrong at: %s\n", sphere_kind_words((sphere_kind)kind));
  }
  outcome_check(&result, "triangles");
  assert_true(result.sign[0] > 0 && result.sign[1] > 0 && result.sign[2] > 0);
}

/* Both sides of tangency, in every argument: 13 values, up and down. */
TEST(test_one_bit_in_every_argument) {
  OWNED(rational_sphere) *reference = rational_sphere_create();
  uint64_t wrong = 0, changed = 0;
  pair_generator generator = {9200};
  for (size_t i = test_scaled(TRIANGLES / 50, 20); i > 0; --i) {
    sphere_case made;
    sphere_case_generate(&generator, (sphere_kind)(SPHERE_TANGENT_FACE + i % 3), &made);
    const int before = reference_triangle(reference, &made, made.corners);
    for (uint32_t value = 0; value < 2 * SPHERE_CASE_VALUES; ++value) {
      sphere_case moved = made;
      sphere_case_move_one_bit(&moved, value / 2, value % 2 == 0);
      orientation_tally tally = {0};
      const int expected = reference_triangle(reference, &moved, moved.corners);
      wrong += sphere_triangle_order(moved.center, moved.radius, moved.corners, &tally) != expected;
      wrong += sphere_pair_order(moved.center, moved.radius, moved.other, moved.other_radius, &tally) !=
               rational_sphere_pair_order(reference, moved.center, moved.radius, moved.other, moved.other_radius);
      changed += expected != before;
    }
  }
  assert_int_equal(wrong, 0);
  assert_true(changed > 0);
}

TEST(test_tetrahedra) {
  OWNED(rational_sphere) *reference = rational_sphere_create();
  outcome result = {0};
  for (int kind = 0; kind < SPHERE_KIND_COUNT; ++kind) {
    pair_generator generator = {9300 + (uint64_t)kind};
    for (size_t i = amount(TETRAHEDRA, kind); i > 0; --i) {
      sphere_case made;
      sphere_case_generate(&generator, (sphere_kind)kind, &made);
      orientation_tally tally = {0}, unused = {0};
      const bool expected = rational_sphere_hull_intersects(reference, made.center, made.radius, made.corners, 4);
      const bool found = sphere_tetrahedron_intersects(made.center, made.radius, made.corners, &tally);
      outcome_add(&result, found ? -1 : 1, expected ? -1 : 1, &tally);
      result.wrong += sphere_convex_intersects(made.center, made.radius, made.corners, 4, &unused) != expected;
    }
    if (result.wrong != 0) print_message("wrong at: %s\n", sphere_kind_words((sphere_kind)kind));
  }
  outcome_check(&result, "tetrahedra");
}

/* A ball about a corner of the other cell, whose radius is an integer, or the distance to a corner and a bit beside. */
static void ball_of_cell(pair_generator *generator, const cell_pair *pair, double center[3], double *radius_out) {
  const double *at = pair->p + 3 * pair_generator_below(generator, pair->p_count);
  const double *to = pair->q + 3 * pair_generator_below(generator, pair->q_count);
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    center[axis] = at[axis];
    squared += (to[axis] - at[axis]) * (to[axis] - at[axis]);
  }
  const uint32_t kind = pair_generator_below(generator, 4);
  const double distance = sqrt(squared) < HUGE_VAL ? sqrt(squared) : 0.0;
  *radius_out = kind < 2 ? pair_generator_below(generator, 4) : (kind == 2 ? distance : nextafter(distance, 0.0));
}

TEST(test_hulls) {
  OWNED(rational_sphere) *reference = rational_sphere_create();
  outcome result = {0};
  for (int kind = 0; kind < CELL_KIND_COUNT; ++kind) {
    pair_generator generator = {9400 + (uint64_t)kind};
    for (size_t i = test_scaled((size_t)HULLS * cell_kind_share((cell_kind)kind) / 1000, 20); i > 0; --i) {
      cell_pair pair;
      double center[3], radius;
      cell_pair_generate(&generator, (cell_kind)kind, &pair);
      ball_of_cell(&generator, &pair, center, &radius);
      orientation_tally tally = {0};
      const bool expected = rational_sphere_hull_intersects(reference, center, radius, pair.q, pair.q_count);
      const bool found = sphere_convex_intersects(center, radius, pair.q, pair.q_count, &tally);
      outcome_add(&result, found ? -1 : 1, expected ? -1 : 1, &tally);
    }
    if (result.wrong != 0) print_message("wrong at: %s\n", cell_kind_words((cell_kind)kind));
  }
  outcome_check(&result, "hulls");
}

/* The distance of a hull, rounded at the end, by all its triangles and the linear program. */
static double hull_distance(hull_reference *hulls, const double *c, const double *points, uint32_t count) {
  if (hull_reference_intersects(hulls, c, 1, points, count)) return 0.0;
  double least = HUGE_VAL;
  for (uint32_t i = 2; i < count; ++i) {
    for (uint32_t j = 1; j < i; ++j) {
      for (uint32_t k = 0; k < j; ++k) {
        double triangle[9];
        for (int axis = 0; axis < 3; ++axis) {
          triangle[axis] = points[3 * i + (uint32_t)axis];
          triangle[3 + axis] = points[3 * j + (uint32_t)axis];
          triangle[6 + axis] = points[3 * k + (uint32_t)axis];
        }
        least = fmin(least, rational_distance(c, 1, triangle, 3));
      }
    }
  }
  return least;
}

/* Whether the foot of c lies in the hull of the first corners, which are small integers, so that doubles are exact. */
static bool foot_is_inside(const double *c, const double *triangle, uint32_t used) {
  const vector3 a = vector3_load(triangle), w = vector3_subtract(vector3_load(c), a);
  const vector3 u = vector3_subtract(vector3_load(triangle + 3), a),
                v = vector3_subtract(vector3_load(triangle + 6), a);
  const double uu = vector3_dot(u, u), uw = vector3_dot(u, w);
  const vector3 normal = vector3_cross(u, v);
  const double area = vector3_dot(normal, normal), along_u = vector3_dot(vector3_cross(w, v), normal);
  const double along_v = vector3_dot(vector3_cross(u, w), normal);
  if (used == 1) return true;
  if (used == 2) return uu > 0.0 && uw >= 0.0 && uw <= uu;
  return area > 0.0 && along_u >= 0.0 && along_v >= 0.0 && along_u + along_v <= area;
}

/* The proof that a feature is the nearest does not trust the guess: corners at random are proven to be nearest exactly
 * where they hold their foot and are as near as the hull, and of every number of corners some are. */
TEST(test_nearest_features) {
  OWNED(hull_reference) *hulls = hull_reference_create();
  pair_generator generator = {9700};
  uint64_t wrong = 0, proven[3] = {0};
  for (size_t i = test_scaled(HULLS, 2000); i > 0; --i) {
    double points[18], c[3], triangle[9];
    orientation_tally tally = {0};
    const uint32_t count = 3 + pair_generator_below(&generator, 4), last = pair_generator_below(&generator, 3);
    const uint32_t used = last + 1;
    for (uint32_t k = 0; k < 3 * count; ++k) points[k] = pair_generator_below(&generator, 4);
    for (int axis = 0; axis < 3; ++axis) c[axis] = (double)pair_generator_below(&generator, 8) - 2.0;
    /* Consecutive points, the last one repeated. */
    for (uint32_t k = 0; k < 9; ++k) triangle[k] = points[3 * (k / 3 < last ? k / 3 : last) + k % 3];
    const bool found = sphere_feature_is_nearest(c, triangle, used, points, count, &tally);
    const bool expected = foot_is_inside(c, triangle, used) &&
                          rational_distance(c, 1, triangle, 3) == hull_distance(hulls, c, points, count);
    wrong += found != expected;
    proven[last] += found;
  }
  print_message("proven nearest: corners %lu, edges %lu, triangles %lu\n", (unsigned long)proven[0],
                (unsigned long)proven[1], (unsigned long)proven[2]);
  assert_int_equal(wrong, 0);
  assert_true(proven[0] > 0 && proven[1] > 0 && proven[2] > 0);
}

/* The filter is worth having: of pairs in general position all but one in a thousand end there. */
TEST(test_filter_decides) {
  pair_generator generator = {9500};
  const size_t count = test_scaled(TRIANGLES, 1000);
  uint64_t balls = 0, triangles = 0;
  for (size_t i = 0; i < count; ++i) {
    sphere_case made;
    sphere_case_generate(&generator, SPHERE_GENERAL, &made);
    balls += sphere_pair_filtered(made.center, made.radius, made.other, made.other_radius) == SIGN_UNDECIDED;
    triangles += sphere_triangle_filtered(made.center, made.radius, made.corners) == SIGN_UNDECIDED;
  }
  print_message("undecided of %lu: balls %lu, triangles %lu\n", (unsigned long)count, (unsigned long)balls,
                (unsigned long)triangles);
  assert_true(balls * 1000 <= count && triangles * 1000 <= count);
}

/* The reference itself, against least squares in rational numbers: where it says apart or inside, the distance is on
 * that side of the radius, up to the rounding of the other's result. */
TEST(test_references_agree) {
  OWNED(rational_sphere) *reference = rational_sphere_create();
  uint64_t wrong = 0;
  for (int kind = 0; kind <= SPHERE_ROUNDED_TANGENT; ++kind) {
    pair_generator generator = {9600 + (uint64_t)kind};
    for (size_t i = test_scaled(400, 20); i > 0; --i) {
      sphere_case made;
      sphere_case_generate(&generator, (sphere_kind)kind, &made);
      const double distance = rational_distance(made.center, 1, made.corners, 3);
      const int sign = reference_triangle(reference, &made, made.corners);
      wrong += sign < 0 ? distance > made.radius : sign > 0 ? distance < nextafter(made.radius, 0.0) : 0;
      wrong += sign == 0 && fabs(distance - made.radius) > 0x1p-52 * made.radius;
    }
  }
  assert_int_equal(wrong, 0);
}

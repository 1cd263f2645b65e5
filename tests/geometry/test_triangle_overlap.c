/* Tests the common part of triangles: it exists if the reference reports an intersection, is on both triangles, and is
 * complete. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/triangle_overlap.h"
#include "pair_generator.h"
#include "rational_distance.h"
#include "rational_oracle.h"
#include "test_effort.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { PAIRS_PER_KIND = 300, PLACED_PER_KIND = 10 };
#else
enum { PAIRS_PER_KIND = 6000, PLACED_PER_KIND = 200 };
#endif

static double pair_size(const double p[9], const double q[9]) {
  const double a = largest_magnitude(p, 9), b = largest_magnitude(q, 9);
  return a > b ? a : b;
}

TEST(test_present_exactly_when_they_meet) {
  rational_oracle *oracle = rational_oracle_create();
  uint64_t wrong = 0, with_points[OVERLAP_POINTS + 1] = {0, 0, 0, 0, 0, 0, 0};
  for (int kind = 0; kind < PAIR_KIND_COUNT; ++kind) {
    pair_generator generator = {2000 + (uint64_t)kind};
    const int count = kind == PAIR_EXTREME ? PAIRS_PER_KIND / 50 : PAIRS_PER_KIND;
    for (int i = 0; i < count; ++i) {
      double p[9], q[9], points[OVERLAP_POINTS][3];
      pair_generate(&generator, (pair_kind)kind, p, q);
      orientation_tally tally = {0};
      const uint32_t found = triangle_pair_overlap(p, q, points, &tally);
      wrong += (found > 0) != rational_oracle_intersects(oracle, p, q);
      with_points[found] += 1;
      for (uint32_t k = 0; k < found; ++k) {
        for (int axis = 0; axis < 3; ++axis) wrong += !isfinite(points[k][axis]);
        wrong += found > 1 && points_equal(points[k], points[(k + 1) % found]);
      }
    }
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
  for (int i = 0; i <= OVERLAP_POINTS; ++i) assert_true(with_points[i] > 0);
}

/* Each point is on both triangles up to rounding, however thin they are or nearly parallel their planes. */
TEST(test_points_lie_on_both) {
  double worst = 0.0;
  for (int kind = 0; kind < PAIR_EXTREME; ++kind) {
    pair_generator generator = {2100 + (uint64_t)kind};
    for (int i = 0; i < PLACED_PER_KIND; ++i) {
      double p[9], q[9], points[OVERLAP_POINTS][3];
      pair_generate(&generator, (pair_kind)kind, p, q);
      orientation_tally tally = {0};
      const uint32_t found = triangle_pair_overlap(p, q, points, &tally);
      /* Subnormal coordinates have no relative accuracy: one unit is all there is. */
      const double size = pair_size(p, q) + 0x1p-1014;
      for (uint32_t k = 0; k < found; ++k) {
        const double from_p = rational_distance(points[k], 1, p, 3), from_q = rational_distance(points[k], 1, q, 3);
        worst = from_p / size > worst ? from_p / size : worst;
        worst = from_q / size > worst ? from_q / size : worst;
      }
    }
  }
  print_message("farthest from a triangle, relative to the pair: %g\n", worst);
  assert_true(worst <= 1e-12);
}

/* Where an edge passes a triangle well inside, in long double; false where it does not or is ill conditioned. */
static bool pierce(const double *a, const double *b, const double q[9], double point_out[3]) {
  long double u[3], v[3], w[3], way[3], normal[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = (long double)q[3 + i] - q[i];
    v[i] = (long double)q[6 + i] - q[i];
    w[i] = (long double)a[i] - q[i];
    way[i] = (long double)b[i] - a[i];
  }
  long double height = 0, rise = 0, squared = 0;
  for (int i = 0; i < 3; ++i) {
    normal[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    height += normal[i] * w[i];
    rise += normal[i] * way[i];
    squared += normal[i] * normal[i];
  }
  const long double fraction = -height / rise;
  if (!(fabsl(rise) > 1e-2L * sqrtl(squared)) || !(fraction > 0 && fraction < 1)) return false;
  long double along_u = 0, along_v = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const long double xj = w[j] + fraction * way[j], xk = w[k] + fraction * way[k];
    along_u += (xj * v[k] - xk * v[j]) * normal[i] / squared;
    along_v += (u[j] * xk - u[k] * xj) * normal[i] / squared;
    point_out[i] = (double)(a[i] + fraction * way[i]);
  }
  return along_u > 1e-6L && along_v > 1e-6L && along_u + along_v < 1 - 1e-6L;
}

static uint64_t count_missing_piercings(const double p[9], const double q[9], uint32_t found,
                                        double points[OVERLAP_POINTS][3], uint64_t *pierced) {
  uint64_t missing = 0;
  for (int i = 0; i < 6; ++i) {
    const double *edges = i < 3 ? p : q, *triangle = i < 3 ? q : p;
    double exact[3];
    if (!pierce(edges + 3 * (i % 3), edges + 3 * ((i + 1) % 3), triangle, exact)) continue;
    double nearest = HUGE_VAL;
    for (uint32_t k = 0; k < found; ++k) {
      const double distance = vector3_length(vector3_subtract(vector3_load(points[k]), vector3_load(exact)));
      nearest = distance < nearest ? distance : nearest;
    }
    missing += !(nearest <= 1e-12 * pair_size(p, q));
    *pierced += 1;
  }
  return missing;
}

/* Every edge that passes through the other triangle gives an end of the segment. */
TEST(test_segments_reach_their_ends) {
  pair_generator generator = {2200};
  uint64_t missing = 0, pierced = 0;
  for (int i = 0; i < 4 * PAIRS_PER_KIND; ++i) {
    double p[9], q[9], points[OVERLAP_POINTS][3];
    pair_generate(&generator, i % 2 == 0 ? PAIR_GENERAL : PAIR_FLOAT_MESH, p, q);
    orientation_tally tally = {0};
    const uint32_t found = triangle_pair_overlap(p, q, points, &tally);
    missing += count_missing_piercings(p, q, found, points, &pierced);
  }
  assert_int_equal(missing, 0);
  assert_true(pierced > PAIRS_PER_KIND);
}

/* Twice the area vector of a polygon; its length is signed by nothing, so a wrong order shows as a loss. */
static double doubled_area(double points[][3], uint32_t count) {
  vector3 sum = vector3_make(0, 0, 0);
  for (uint32_t i = 2; i < count; ++i) {
    const vector3 origin = vector3_load(points[0]);
    const vector3 u = vector3_subtract(vector3_load(points[i - 1]), origin);
    const vector3 v = vector3_subtract(vector3_load(points[i]), origin);
    sum = vector3_add(sum, vector3_cross(u, v));
  }
  return vector3_length(sum);
}

/* Cuts a polygon by the half plane inside an edge of a triangle (Sutherland and Hodgman, "Reentrant polygon clipping",
 * 1974). */
static uint32_t clip(double points[16][3], uint32_t count, const double *a, const double *b, vector3 normal) {
  double kept[16][3];
  uint32_t kept_count = 0;
  const vector3 inward = vector3_cross(normal, vector3_subtract(vector3_load(b), vector3_load(a)));
  for (uint32_t i = 0; i < count; ++i) {
    const vector3 here = vector3_load(points[i]), next = vector3_load(points[(i + 1) % count]);
    const double height = vector3_dot(inward, vector3_subtract(here, vector3_load(a)));
    const double next_height = vector3_dot(inward, vector3_subtract(next, vector3_load(a)));
    if (height >= 0) vector3_store(here, kept[kept_count++]);
    if ((height > 0 && next_height < 0) || (height < 0 && next_height > 0))
      vector3_store(vector3_between(here, next, height / (height - next_height)), kept[kept_count++]);
  }
  memcpy(points, kept, sizeof kept);
  return kept_count;
}

static double clipped_area(const double p[9], const double q[9]) {
  double points[16][3];
  memcpy(points, p, 9 * sizeof *p);
  const vector3 u = vector3_subtract(vector3_load(q + 3), vector3_load(q));
  const vector3 normal = vector3_cross(u, vector3_subtract(vector3_load(q + 6), vector3_load(q)));
  uint32_t count = 3;
  for (int i = 0; i < 3; ++i) count = clip(points, count, q + 3 * i, q + 3 * ((i + 1) % 3), normal);
  return doubled_area(points, count);
}

TEST(test_polygons_have_the_area_of_clipping) {
  pair_generator generator = {2300};
  uint64_t wrong = 0, polygons = 0;
  for (int i = 0; i < 4 * PAIRS_PER_KIND; ++i) {
    double p[9], q[9], points[OVERLAP_POINTS][3];
    pair_generate(&generator, PAIR_COPLANAR, p, q);
    orientation_tally tally = {0};
    if (points_collinear(q, q + 3, q + 6, &tally)) continue;
    const uint32_t found = triangle_pair_overlap(p, q, points, &tally);
    const double size = pair_size(p, q), area = doubled_area(points, found), expected = clipped_area(p, q);
    wrong += fabs(area - expected) > 1e-11 * size * size;
    polygons += found > 2;
  }
  assert_int_equal(wrong, 0);
  assert_true(polygons > PAIRS_PER_KIND);
}

TEST(test_common_parts_by_hand) {
  orientation_tally tally = {0};
  double points[OVERLAP_POINTS][3];
  const double p[9] = {0, 0, 0, 8, 0, 0, 0, 8, 0}, star[9] = {6, 6, 0, -2, 6, 0, 6, -2, 0};
  const double wall[9] = {1, 1, -1, 1, 1, 3, 1, -7, -1}, touch[9] = {1, 1, 0, 1, 1, 3, 2, 1, 3};
  assert_int_equal(triangle_pair_overlap(p, star, points, &tally), 6);
  assert_int_equal(triangle_pair_overlap(p, p, points, &tally), 3);
  assert_int_equal(triangle_pair_overlap(p, touch, points, &tally), 1);
  assert_true(points[0][0] == 1 && points[0][1] == 1 && points[0][2] == 0);
  assert_int_equal(triangle_pair_overlap(p, wall, points, &tally), 2);
  const int low = points[0][1] < points[1][1] ? 0 : 1;
  assert_true(points[low][0] == 1 && points[low][1] == 0 && points[low][2] == 0);
  assert_true(points[1 - low][0] == 1 && points[1 - low][1] == 1 && points[1 - low][2] == 0);
}

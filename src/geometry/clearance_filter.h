/* Certain bounds of the distance of two hulls in doubles, from a guess of their nearest points.
 *
 * Let a_i and b_j be the corners and e = 2^-53. Coordinates are multiplied by a power of two, the factor, that brings
 * the largest near one; this is exact, except that 2^-1075 may be lost. All values below are in these scaled units.
 *
 * Upper bound. Weights l_k >= 0 of differences d_k = a_i - b_j, with sum L > 0, give a point of each hull, and the
 * distance of the two points is |X| / L for X = sum l_k d_k.
 * - Each coordinate of X has the roundings of a difference, a product and at most four sums: 6 e M with M the sum of
 *   the magnitudes of its products, 6.25 e M with the roundings of M and of the bound. Underflow loses less than
 *   2^-1070, as weights are at most one.
 * - The coordinates of |X| and their bounds are added. The square root of their sum of squares has 3 roundings in each
 *   square and 2 in the sum, halved, and one more; L has 3, the quotient one: below 9 e. The factor 1 + 2^-48 covers
 *   32.
 *
 * Lower bound. For any direction n the distance is at least (min n.a_i - max n.b_j) / |n|. The largest coordinate of n
 * must be 1 in magnitude up to rounding; otherwise there is no bound.
 * - n.(a_i - o) has an error of 4 e M as in convex_pair.h, 4.125 e with the rounding of the bound; 2^-1070 as above.
 * - |n| has 3 roundings and 2, halved, and one: below 4 e. The two differences are rounded by 2 e and the quotient by
 *   one: 7 e, and 2^-48 covers 32.
 *
 * The sum of three radii has two roundings, 2 e, and the factor 1 + 2^-50 covers 8.
 *
 * Weights and directions need no bound of their own: poor ones prove little. Comparisons with NaN are false, and then
 * nothing is decided. */
#ifndef GRAZE_GEOMETRY_CLEARANCE_FILTER_H
#define GRAZE_GEOMETRY_CLEARANCE_FILTER_H

#include "geometry/convex_pair.h"
#include "geometry/gjk_exact.h"

/* Points of two hulls that seem nearest, as weighted differences of corners, and a direction from b to a. */
typedef struct near_guess {
  corner_simplex simplex;
  double weight[4];
  double direction[3]; /* the largest coordinate is 1 in magnitude; otherwise it proves nothing */
  double factor;       /* a power of two that brings the largest coordinate near one */
  double lower;        /* the result of near_guess_lower */
} near_guess;

/* The length of a vector whose coordinates are at least 2^-1070. Short vectors, of pairs that are small compared with a
 * common coordinate, are squared in larger units; the rounding of the return value is added. */
GEOMETRY_FUNCTION double near_length(const double v[3]) {
  const double largest = largest_magnitude(v, 3);
  if (GEOMETRY_UNLIKELY(largest < 0x1p-400)) {
    const double x = v[0] * 0x1p600, y = v[1] * 0x1p600, z = v[2] * 0x1p600;
    return sqrt((x * x + y * y) + z * z) * 0x1p-600 + 0x1p-1070;
  }
  return sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

/* An upper bound of the distance of the hulls, in scaled units; infinite if unknown. */
GEOMETRY_FUNCTION double near_guess_upper(const near_guess *guess, const double *a, const double *b) {
  const double factor = guess->factor;
  double most[3], sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    double value = 0.0, magnitude = 0.0;
    for (uint32_t i = 0; i < guess->simplex.count; i++) {
      const double *from = b + 3 * (size_t)guess->simplex.b[i], *to = a + 3 * (size_t)guess->simplex.a[i];
      const double term = guess->weight[i] * (to[axis] * factor - from[axis] * factor);
      value += term;
      magnitude += fabs(term);
    }
    most[axis] = fabs(value) + (6.25 * 0x1p-53 * magnitude + 0x1p-1070);
  }
  for (uint32_t i = 0; i < guess->simplex.count; i++) {
    if (!(guess->weight[i] >= 0.0 && guess->weight[i] <= 1.0)) return HUGE_VAL;
    sum += guess->weight[i];
  }
  if (!(sum > 0x1p-10)) return HUGE_VAL;
  return near_length(most) / sum * (1.0 + 0x1p-48);
}

/* The least and the greatest n.(x - o) of a set and the bound of their errors, in scaled units; infinite if a value
 * overflows. */
GEOMETRY_FUNCTION direction_reach near_reach_find(const double *direction, double factor, const double *origin,
                                                  const double *corners, uint32_t count) {
  direction_reach reach = {HUGE_VAL, -HUGE_VAL, 0.0};
  bool overflows = false;
  for (uint32_t i = 0; i < count; i++) {
    const double *corner = corners + 3 * (size_t)i;
    const double x = direction[0] * (corner[0] * factor - origin[0] * factor);
    const double y = direction[1] * (corner[1] * factor - origin[1] * factor);
    const double z = direction[2] * (corner[2] * factor - origin[2] * factor);
    const double value = (x + y) + z, bound = 4.125 * 0x1p-53 * ((fabs(x) + fabs(y)) + fabs(z)) + 0x1p-1070;
    reach.least = value < reach.least ? value : reach.least;
    reach.greatest = value > reach.greatest ? value : reach.greatest;
    reach.bound = bound > reach.bound ? bound : reach.bound;
    overflows = overflows || !(bound < HUGE_VAL);
  }
  if (overflows) reach.bound = HUGE_VAL;
  return reach;
}

/* A lower bound of the distance of the hulls, in scaled units; negative if nothing is known, and positive only if the
 * hulls are certainly apart. */
GEOMETRY_FUNCTION double near_guess_lower(const near_guess *guess, const double *a, uint32_t a_count, const double *b,
                                          uint32_t b_count) {
  const vector3 normal = vector3_load(guess->direction);
  const double squared = vector3_dot(normal, normal);
  if (!(squared >= 0.5 && squared <= 4.0)) return -1.0;
  const double *origin = a + 3 * (size_t)guess->simplex.a[0];
  const direction_reach of_a = near_reach_find(guess->direction, guess->factor, origin, a, a_count);
  const direction_reach of_b = near_reach_find(guess->direction, guess->factor, origin, b, b_count);
  const double apart = (of_a.least - of_b.greatest) - (of_a.bound + of_b.bound);
  return apart > 0.0 && apart < HUGE_VAL ? apart / sqrt(squared) * (1.0 - 0x1p-48) : -1.0;
}

/* The sum of three radii in scaled units, rounded down and up. */
typedef struct reach_bounds {
  double least, most;
} reach_bounds;

GEOMETRY_FUNCTION reach_bounds reach_bounds_make(double a_radius, double b_radius, double clearance, double factor) {
  const double sum = (a_radius + b_radius) + clearance, scaled = sum * factor;
  reach_bounds reach;
  reach.least = scaled < HUGE_VAL ? scaled * (1.0 - 0x1p-50) - 0x1p-1060 : 0.0;
  reach.most = sum > 0.0 ? scaled * (1.0 + 0x1p-50) + 0x1p-1060 : 0.0;
  return reach;
}

/* The sign of the distance minus the reach, or SIGN_UNDECIDED. */
GEOMETRY_FUNCTION int near_guess_sign(const near_guess *guess, const reach_bounds *reach, const double *a,
                                      const double *b) {
  if (guess->lower > reach->most) return 1;
  if (near_guess_upper(guess, a, b) < reach->least) return -1;
  return SIGN_UNDECIDED;
}

/* The direction with its largest coordinate 1 in magnitude, up to the rounding of its inverse. */
GEOMETRY_FUNCTION void near_guess_direct(near_guess *guess, vector3 direction) {
  const double largest = vector3_largest_magnitude(direction);
  const double inverse = largest > 0x1p-1000 ? 1.0 / largest : 0.0;
  vector3_store(vector3_scale(direction, inverse), guess->direction);
}

#endif

/* Two certificates in doubles for a ball and a convex piece, with bounds on rounding: one proves that they meet, the
 * other that they are apart.
 *
 * Let c be the center, r the radius, a_i the corners of the piece, e = 2^-53.
 *
 * The ball meets the piece if some weights l_i >= 0, of sum L > 0, have |X| <= r L for X = sum l_i (c - a_i): then the
 * point of the piece with the weights l_i / L is in the ball. Weights are doubles, used as they are.
 * - Each coordinate of X has a difference, a product and at most three sums: 5 e M with M the sum of the magnitudes of
 *   its products, 5.25 e M with the roundings of M and of the bound. Products may lose 2^-1075 each: 2^-1070 is added.
 *   Let Q be the sum of the squares of |X| plus its bound.
 * - That addition and the square contribute 3 e to Q, its sums 2 e, the comparison 2 e; (r L)^2 has 4 e in each r L and
 *   one more: 16 e in all. Q (1 + 2^-48) covers 32.
 * - If (r L)^2 is above 2^-1000, it has not underflowed; the loss in Q is below 2^-1070.
 * The ball and the piece are strictly apart if some direction n has n.(c - a_i) > r |n| for all corners.
 * - n.(c - a_i) has an error of 4 e M as in convex_pair.h, 4.125 e with the rounding of the bound.
 * - r |n| has 3 roundings, a root that halves them, the root's own and three more: 6 e, against 2^-48 = 32 e.
 * - n.n is above 2^-900, so it has not underflowed.
 * Both are strict, so the distance is certainly less, or certainly more, than r. Comparisons with NaN are false, and so
 * are those with an infinite bound, so nothing is decided; an infinite (r L)^2 is excluded explicitly.
 *
 * Weights and directions come from the nearest point in doubles. They need no bound of their own: a poor one proves
 * nothing. Ericson, "Real-Time Collision Detection", 2005, 5.1.5 (the regions of a triangle). */
#ifndef GRAZE_GEOMETRY_SPHERE_FILTER_H
#define GRAZE_GEOMETRY_SPHERE_FILTER_H

#include "geometry/orientation.h"
#include "geometry/vector.h"

#include <stddef.h>

enum { SPHERE_GUESS_CORNERS = 4 };

/* A point of a piece that seems nearest to the center, and a direction from the piece to the center. */
typedef struct sphere_guess {
  const double *corner[SPHERE_GUESS_CORNERS];
  double weight[SPHERE_GUESS_CORNERS];
  uint32_t count;
  double direction[3];
} sphere_guess;

/* The sign of x^2 + y^2 + z^2 - reach^2 where these are rounded once, or SIGN_UNDECIDED. A square has 3 roundings and
 * the sum 2 more, the squared reach 3, the last difference one: 6 e of the sum of both, 6.0625 e with the roundings of
 * the bound. Four products may lose 2^-1075 each. */
GEOMETRY_FUNCTION int sphere_reach_sign(double x, double y, double z, double reach) {
  const double squared = (x * x + y * y) + z * z, limit = reach * reach;
  const double bound = 6.0625 * 0x1p-53 * (squared + limit) + 0x1p-1070;
  const double value = squared - limit;
  if (value > bound) return 1;
  if (value < -bound) return -1;
  return SIGN_UNDECIDED;
}

/* The sign of |c - d|^2 - (r + s)^2, or SIGN_UNDECIDED. */
GEOMETRY_FUNCTION int sphere_pair_filtered(const double *c, double r, const double *d, double s) {
  return sphere_reach_sign(c[0] - d[0], c[1] - d[1], c[2] - d[2], r + s);
}

/* The same for balls whose squares leave the range of doubles: the differences are scaled by a power of two first.
 * Scaling up is exact. Scaling down may lose 2^-1075 of a difference, which is negligible: the largest of them stays
 * above 2^-200. Undecided in the range that sphere_pair_filtered covers. */
GEOMETRY_FUNCTION int sphere_pair_filtered_scaled(const double *c, double r, const double *d, double s) {
  const double x = c[0] - d[0], y = c[1] - d[1], z = c[2] - d[2], reach = r + s;
  const double largest = fmax(fmax(fabs(x), fabs(y)), fmax(fabs(z), reach));
  if (largest >= 0x1p-400 && largest <= 0x1p400) return SIGN_UNDECIDED;
  const double factor = largest < 1.0 ? 0x1p600 : 0x1p-600;
  return sphere_reach_sign(x * factor, y * factor, z * factor, reach * factor);
}

/* Whether the guessed point is certainly in the open ball. */
GEOMETRY_FUNCTION bool sphere_certainly_meets(const double *c, double r, const sphere_guess *guess) {
  double squared = 0.0, sum = 0.0;
  for (uint32_t i = 0; i < guess->count; i++) {
    if (!(guess->weight[i] >= 0.0)) return false;
    sum += guess->weight[i];
  }
  for (int axis = 0; axis < 3; axis++) {
    double value = 0.0, magnitude = 0.0;
    for (uint32_t i = 0; i < guess->count; i++) {
      const double term = guess->weight[i] * (c[axis] - guess->corner[i][axis]);
      value += term;
      magnitude += fabs(term);
    }
    const double most = fabs(value) + (5.25 * 0x1p-53 * magnitude + 0x1p-1070);
    squared += most * most;
  }
  const double reach = r * sum, limit = reach * reach;
  return limit < HUGE_VAL && squared * (1.0 + 0x1p-48) + 0x1p-1000 < limit;
}

/* Whether the guessed direction certainly separates the closed ball from all points. */
GEOMETRY_FUNCTION bool sphere_certainly_apart(const double *c, double r, const double *direction, const double *points,
                                              uint32_t count) {
  const vector3 normal = vector3_load(direction);
  const double squared = vector3_dot(normal, normal);
  if (!(squared > 0x1p-900 && squared < HUGE_VAL)) return false;
  const double reach = r * sqrt(squared) * (1.0 + 0x1p-48) + 0x1p-1060;
  for (uint32_t i = 0; i < count; i++) {
    const double *point = points + 3 * (size_t)i;
    const double x = normal.x * (c[0] - point[0]), y = normal.y * (c[1] - point[1]), z = normal.z * (c[2] - point[2]);
    const double value = (x + y) + z, bound = 4.125 * 0x1p-53 * ((fabs(x) + fabs(y)) + fabs(z)) + 0x1p-1070;
    if (!(value - bound > reach)) return false;
  }
  return true;
}

/* Sets the weights of the three corners. The direction is the sum of the weighted differences from the corners to the
 * center; over the interior it is the normal, which remains valid if the center is close to the plane. */
GEOMETRY_FUNCTION void sphere_guess_weigh(sphere_guess *guess, const double *c, double a, double b, double d) {
  guess->weight[0] = a;
  guess->weight[1] = b;
  guess->weight[2] = d;
  guess->count = 3;
  for (int axis = 0; axis < 3; axis++) {
    guess->direction[axis] = a * (c[axis] - guess->corner[0][axis]) + b * (c[axis] - guess->corner[1][axis]) +
                             d * (c[axis] - guess->corner[2][axis]);
  }
}

GEOMETRY_FUNCTION sphere_guess sphere_guess_triangle(const double *c, const double *const corner[3]) {
  sphere_guess guess;
  for (int i = 0; i < 3; i++) guess.corner[i] = corner[i];
  const vector3 center = vector3_load(c), a = vector3_load(corner[0]), b = vector3_load(corner[1]);
  const vector3 d = vector3_load(corner[2]), u = vector3_subtract(b, a), v = vector3_subtract(d, a);
  const vector3 from_a = vector3_subtract(center, a), from_b = vector3_subtract(center, b);
  const vector3 from_d = vector3_subtract(center, d);
  const double ua = vector3_dot(u, from_a), va = vector3_dot(v, from_a), ub = vector3_dot(u, from_b);
  const double vb = vector3_dot(v, from_b), ud = vector3_dot(u, from_d), vd = vector3_dot(v, from_d);
  const double beside_d = ua * vb - ub * va, beside_b = ud * va - ua * vd, beside_a = ub * vd - ud * vb;
  if (ua <= 0.0 && va <= 0.0)
    sphere_guess_weigh(&guess, c, 1.0, 0.0, 0.0);
  else if (ub >= 0.0 && vb <= ub)
    sphere_guess_weigh(&guess, c, 0.0, 1.0, 0.0);
  else if (vd >= 0.0 && ud <= vd)
    sphere_guess_weigh(&guess, c, 0.0, 0.0, 1.0);
  else if (beside_d <= 0.0 && ua >= 0.0 && ub <= 0.0)
    sphere_guess_weigh(&guess, c, -ub / (ua - ub), ua / (ua - ub), 0.0);
  else if (beside_b <= 0.0 && va >= 0.0 && vd <= 0.0)
    sphere_guess_weigh(&guess, c, -vd / (va - vd), 0.0, va / (va - vd));
  else if (beside_a <= 0.0 && vb >= ub && ud >= vd) {
    const double way = (vb - ub) + (ud - vd);
    sphere_guess_weigh(&guess, c, 0.0, (ud - vd) / way, (vb - ub) / way);
  } else {
    const double sum = beside_a + beside_b + beside_d;
    sphere_guess_weigh(&guess, c, beside_a / sum, beside_b / sum, beside_d / sum);
    const vector3 normal = vector3_cross(u, v);
    vector3_store(vector3_scale(normal, vector3_dot(normal, from_a) < 0.0 ? -1.0 : 1.0), guess.direction);
  }
  return guess;
}

/* The sign of the distance from c to the hull of the points minus r, by a guess; or SIGN_UNDECIDED. */
GEOMETRY_FUNCTION int sphere_guess_sign(const double *c, double r, const sphere_guess *guess, const double *points,
                                        uint32_t count) {
  if (sphere_certainly_apart(c, r, guess->direction, points, count)) return 1;
  if (sphere_certainly_meets(c, r, guess)) return -1;
  return SIGN_UNDECIDED;
}

#endif

/* The center of the smallest ball that encloses balls.
 *
 * Every candidate is a center, ranked by the radius that it needs: the largest distance plus radius over all balls. So
 * rounding can only make a candidate lose, and the returned center and radius always enclose all balls. The smallest
 * ball is internally tangent to one to four of the balls, its support, and its center is in the hull of their centers.
 * The support grows: the ball that extends farthest beyond the current answer is added, and the support of these at
 * most five balls, found among all subsets with the new ball, is the next one. The radius grows in each round, so the
 * search terminates. (Welzl's recursion, which is correct for points, is incorrect for balls; this is the pivoting of
 * LP-type problems, which is correct for both.)
 *
 * A ball tangent to balls of centers p_i and radii r_i has its center at p_0 + x with |x| = t and |x - q_i| = t - s_i,
 * q_i = p_i - p_0, s_i = r_i - r_0, t = R - r_0. Differences of the squares are linear, q_i.x = (q_i.q_i - s_i^2) / 2 +
 * s_i t, triangular in orthonormal axes along the q_i: x = u + v t, and |x| = t is a quadratic for t.
 *
 * Guaranteed, and tested: no enclosing ball is smaller by more than 1e-9 of its radius, for coordinates and radii near
 * one, whose products neither overflow nor underflow.
 *
 * Workload: one call per inner node of a sphere tree, over its leaves: five to 10^5 balls, a handful of rounds.
 *
 * Fischer, Gaertner, "The smallest enclosing ball of balls: combinatorial structure and algorithms", 2003. */
#ifndef GRAZE_GEOMETRY_BALL_OF_BALLS_H
#define GRAZE_GEOMETRY_BALL_OF_BALLS_H

#include "geometry/vector.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

enum { WRAP_SUPPORT = 4, WRAP_FEW = WRAP_SUPPORT + 1 };

typedef struct wrapped_ball {
  vector3 center;
  double radius;
} wrapped_ball;

/* The best ball for a few balls, and those that it is tangent to, as bits. */
typedef struct ball_wrap {
  vector3 center;
  double radius;
  uint32_t support;
} ball_wrap;

GEOMETRY_FUNCTION double wrap_reach(vector3 center, const wrapped_ball *ball) {
  return vector3_length(vector3_subtract(ball->center, center)) + ball->radius;
}

/* Keeps a candidate if it needs the least radius so far. */
GEOMETRY_FUNCTION void wrap_offer(ball_wrap *best, const wrapped_ball *few, uint32_t count, vector3 center,
                                  uint32_t support) {
  double radius = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    const double reach = wrap_reach(center, &few[i]);
    if (!(reach < best->radius)) return;
    radius = reach > radius ? reach : radius;
  }
  best->center = center;
  best->radius = radius;
  best->support = support;
}

/* The constant and the slope of the center as a function of t, relative to the first ball; false if the centers are not
 * affinely independent. */
GEOMETRY_FUNCTION bool tangent_line(const wrapped_ball *const *tangent, uint32_t count, vector3 *constant_out,
                                    vector3 *slope_out) {
  vector3 axes[WRAP_SUPPORT - 1], constant = vector3_make(0.0, 0.0, 0.0), slope = constant;
  for (uint32_t i = 1; i < count; i++) {
    const vector3 way = vector3_subtract(tangent[i]->center, tangent[0]->center);
    const double step = tangent[i]->radius - tangent[0]->radius;
    vector3 rest = way;
    for (int round = 0; round < 2; round++) {
      for (uint32_t j = 0; j + 1 < i; j++)
        rest = vector3_subtract(rest, vector3_scale(axes[j], vector3_dot(axes[j], rest)));
    }
    const double length = vector3_length(rest);
    if (!(length > 1e-12 * vector3_length(way))) return false;
    axes[i - 1] = vector3_scale(rest, 1.0 / length);
    const double along = 0.5 * (vector3_dot(way, way) - step * step) - vector3_dot(way, constant);
    constant = vector3_add(constant, vector3_scale(axes[i - 1], along / length));
    slope = vector3_add(slope, vector3_scale(axes[i - 1], (step - vector3_dot(way, slope)) / length));
  }
  *constant_out = constant;
  *slope_out = slope;
  return true;
}

/* Offers both balls tangent to the given ones, with centers in the span of theirs. */
GEOMETRY_FUNCTION void wrap_try(ball_wrap *best, const wrapped_ball *few, uint32_t count, uint32_t support) {
  const wrapped_ball *tangent[WRAP_SUPPORT] = {few, few, few, few};
  uint32_t tangent_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if ((support >> i & 1u) != 0) tangent[tangent_count++] = &few[i];
  }
  vector3 constant, slope;
  if (!tangent_line(tangent, tangent_count, &constant, &slope)) return;
  const double a = vector3_dot(slope, slope) - 1.0, b = vector3_dot(constant, slope);
  const double c = vector3_dot(constant, constant), square = b * b - a * c;
  const double root = square > 0.0 ? sqrt(square) : 0.0, sum = b >= 0.0 ? -b - root : -b + root;
  const double roots[2] = {a != 0.0 ? sum / a : 0.0, sum != 0.0 ? c / sum : 0.0};
  for (int i = 0; i < 2; i++) {
    const vector3 center = vector3_add(tangent[0]->center, vector3_add(constant, vector3_scale(slope, roots[i])));
    if (vector3_largest_magnitude(center) <= DBL_MAX) wrap_offer(best, few, count, center, support);
  }
}

/* The smallest ball of two to five balls of which the last one is in the support. */
GEOMETRY_FUNCTION ball_wrap wrap_few(const wrapped_ball *few, uint32_t count) {
  const uint32_t last = 1u << (count - 1);
  ball_wrap best = {few[count - 1].center, DBL_MAX, last};
  wrap_offer(&best, few, count, few[count - 1].center, last);
  for (uint32_t others = 1; others < last; others++) {
    const uint32_t size = (others & 1u) + (others >> 1 & 1u) + (others >> 2 & 1u) + (others >> 3 & 1u);
    if (size < WRAP_SUPPORT) wrap_try(&best, few, count, others | last);
  }
  return best;
}

GEOMETRY_FUNCTION wrapped_ball wrap_ball_at(const double (*balls)[4], uint32_t number) {
  const wrapped_ball ball = {vector3_load(balls[number]), balls[number][3]};
  return ball;
}

/* The number of the ball that extends farthest from a center. */
GEOMETRY_FUNCTION uint32_t wrap_farthest(const double (*balls)[4], const uint32_t *numbers, uint32_t count,
                                         vector3 center, double *reach_out) {
  uint32_t farthest = numbers[0];
  double largest = -1.0;
  for (uint32_t i = 0; i < count; i++) {
    const wrapped_ball ball = wrap_ball_at(balls, numbers[i]);
    const double reach = wrap_reach(center, &ball);
    if (reach <= largest) continue;
    largest = reach;
    farthest = numbers[i];
  }
  *reach_out = largest;
  return farthest;
}

/* The center of the smallest ball around the numbered balls, x y z r each; at least one. The caller computes the
 * radius, in its own coordinates. */
GEOMETRY_FUNCTION void ball_of_balls(const double (*balls)[4], const uint32_t *numbers, uint32_t count,
                                     double center_out[3]) {
  wrapped_ball few[WRAP_FEW];
  double reach;
  few[0] = wrap_ball_at(balls, numbers[0]);
  few[0] = wrap_ball_at(balls, wrap_farthest(balls, numbers, count, few[0].center, &reach));
  uint32_t support_count = 1;
  ball_wrap wrap = {few[0].center, few[0].radius, 1u}, best = wrap;
  best.radius = DBL_MAX;
  for (double last = -1.0; wrap.radius > last;) {
    const uint32_t farthest = wrap_farthest(balls, numbers, count, wrap.center, &reach);
    if (reach < best.radius) {
      best = wrap;
      best.radius = reach;
    }
    if (reach <= wrap.radius * (1.0 + 1e-14)) break;
    last = wrap.radius;
    few[support_count] = wrap_ball_at(balls, farthest);
    wrap = wrap_few(few, support_count + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i <= support_count; i++) {
      if ((wrap.support >> i & 1u) != 0) few[kept++] = few[i];
    }
    support_count = kept;
  }
  vector3_store(best.center, center_out);
}

#endif

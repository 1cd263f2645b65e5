/* Decides exactly whether the distance of two pieces is at most a clearance.
 *
 * A piece is the set of all points within a radius of the hull of its corners: a point, a ball, a triangle, a
 * tetrahedron, a convex cell. Two pieces are within a clearance if the distance of their hulls is at most the sum of
 * both radii and the clearance, without rounding; equality counts. If the sum is zero, the hulls must meet, and the
 * tests of intersection decide.
 *
 * The nearest points are guessed in doubles, which mostly prove an answer (clearance_filter.h). The undecided pairs,
 * hulls that meet under a tiny reach and hulls whose distance equals the reach to the last bits, are decided by the
 * tests of intersection and by integers (gjk_exact.h).
 *
 * Radii and the clearance must be finite and not negative, coordinates finite, counts at least one.
 *
 * Workload: every candidate of a clearance query, millions a frame. */
#ifndef GRAZE_GEOMETRY_CLEARANCE_PAIR_H
#define GRAZE_GEOMETRY_CLEARANCE_PAIR_H

#include "geometry/sphere_filter.h"
#include "geometry/triangle_nearest.h"

#include "geometry/tetrahedron_pair.h"

/* Whether two hulls share a point, by the test of their kinds. */
GEOMETRY_FUNCTION bool hulls_intersect(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                       orientation_tally *tally) {
  if (a_count == 1 && b_count == 1) return points_equal(a, b);
  if (a_count == 3 && b_count == 3) return triangle_pair_intersects(a, b, tally);
  if (a_count == 3 && b_count == 4) return triangle_tetrahedron_intersects(a, b, tally);
  if (a_count == 4 && b_count == 3) return triangle_tetrahedron_intersects(b, a, tally);
  if (a_count == 4 && b_count == 4) return tetrahedron_pair_intersects(a, b, tally);
  return convex_pair_intersects(a, a_count, b, b_count, tally);
}

/* The guess from the final simplex of GJK; the reach is zero if GJK measures. */
GEOMETRY_FUNCTION void near_guess_by_gjk(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                         gjk_goal goal, double reach, gjk_result *found_out, near_guess *guess_out) {
  const convex_coordinates coordinates = convex_coordinates_make(a, a_count, b, b_count);
  const double local_reach = reach * coordinates.factor * coordinates.zoom;
  origin_simplex nearest;
  const bool meets = gjk_iterate(&coordinates, goal, local_reach, &nearest, &found_out->step_count);
  gjk_report(&coordinates, &nearest, meets, found_out);
  guess_out->factor = coordinates.factor;
  guess_out->simplex.count = found_out->corner_count;
  for (uint32_t i = 0; i < found_out->corner_count; i++) {
    guess_out->simplex.a[i] = found_out->p_corner[i];
    guess_out->simplex.b[i] = found_out->q_corner[i];
    guess_out->weight[i] = found_out->weight[i];
  }
  for (int axis = 0; axis < 3; axis++) guess_out->direction[axis] = found_out->direction[axis];
  guess_out->lower = near_guess_lower(guess_out, a, a_count, b, b_count);
}

GEOMETRY_FUNCTION clearance_problem clearance_problem_make(const double *a, uint32_t a_count, double a_radius,
                                                           const double *b, uint32_t b_count, double b_radius,
                                                           double clearance) {
  clearance_problem problem;
  problem.a = a;
  problem.b = b;
  problem.a_count = a_count;
  problem.b_count = b_count;
  problem.reach[0] = a_radius;
  problem.reach[1] = b_radius;
  problem.reach[2] = clearance;
  return problem;
}

/* Decides pairs for which the guess has proven nothing. */
GEOMETRY_SLOW_FUNCTION bool hulls_within_decide(const clearance_problem *problem, const near_guess *guess,
                                                orientation_tally *tally) {
  if (hulls_intersect(problem->a, problem->a_count, problem->b, problem->b_count, tally)) return true;
  if (problem->reach[0] == 0.0 && problem->reach[1] == 0.0 && problem->reach[2] == 0.0) return false;
  corner_simplex corners = guess->simplex;
  return hulls_within_exact(problem, &corners, tally);
}

/* Decides with the help of a guess. */
GEOMETRY_LARGE_FUNCTION bool hulls_within_guessed(const clearance_problem *problem, const near_guess *guess,
                                                  orientation_tally *tally) {
  const reach_bounds reach = reach_bounds_make(problem->reach[0], problem->reach[1], problem->reach[2], guess->factor);
  const int sign = near_guess_sign(guess, &reach, problem->a, problem->b);
  if (GEOMETRY_UNLIKELY(sign == SIGN_UNDECIDED)) return hulls_within_decide(problem, guess, tally);
  return sign < 0;
}

GEOMETRY_LARGE_FUNCTION bool hulls_within_by_gjk(const clearance_problem *problem, orientation_tally *tally) {
  gjk_result found;
  near_guess guess;
  const double reach = (problem->reach[0] + problem->reach[1]) + problem->reach[2];
  near_guess_by_gjk(problem->a, problem->a_count, problem->b, problem->b_count, GJK_WITHIN, reach, &found, &guess);
  return hulls_within_guessed(problem, &guess, tally);
}

/* Whether the distance of two triangles is at most a reach. Triangles that cross have no useful direction. */
GEOMETRY_FUNCTION bool triangles_within_reach(const clearance_problem *problem, orientation_tally *tally) {
  triangle_guess nearest;
  triangle_nearest_find(problem->a, problem->b, &nearest);
  if (nearest.is_good) return hulls_within_guessed(problem, &nearest.guess, tally);
  return triangle_pair_intersects(problem->a, problem->b, tally) || hulls_within_by_gjk(problem, tally);
}

/* Whether the distance of a point and a triangle is at most a reach. */
GEOMETRY_FUNCTION bool point_within_reach(const clearance_problem *problem, orientation_tally *tally) {
  triangle_guess nearest;
  point_nearest_find(problem->a, problem->b, &nearest);
  return nearest.is_good ? hulls_within_guessed(problem, &nearest.guess, tally) : hulls_within_by_gjk(problem, tally);
}

/* Whether the distance of two points is at most a reach. The reach has two roundings, its square five: with the last
 * difference six, as many as the bound of sphere_reach_sign covers. */
GEOMETRY_FUNCTION bool points_within_reach(const clearance_problem *problem, orientation_tally *tally) {
  const double *a = problem->a, *b = problem->b;
  const double reach = (problem->reach[0] + problem->reach[1]) + problem->reach[2];
  const int sign = sphere_reach_sign(a[0] - b[0], a[1] - b[1], a[2] - b[2], reach);
  return sign != SIGN_UNDECIDED ? sign < 0 : hulls_within_by_gjk(problem, tally);
}

/* Whether the distance of two hulls is at most the sum of the radii and the clearance. */
GEOMETRY_LARGE_FUNCTION bool hulls_within(const double *a, uint32_t a_count, double a_radius, const double *b,
                                          uint32_t b_count, double b_radius, double clearance,
                                          orientation_tally *tally) {
  if (a_radius == 0.0 && b_radius == 0.0 && clearance == 0.0) return hulls_intersect(a, a_count, b, b_count, tally);
  const clearance_problem problem = b_count < a_count
                                        ? clearance_problem_make(b, b_count, b_radius, a, a_count, a_radius, clearance)
                                        : clearance_problem_make(a, a_count, a_radius, b, b_count, b_radius, clearance);
  if (problem.a_count == 3 && problem.b_count == 3) return triangles_within_reach(&problem, tally);
  if (problem.a_count == 1 && problem.b_count == 1) return points_within_reach(&problem, tally);
  if (problem.a_count == 1 && problem.b_count == 3) return point_within_reach(&problem, tally);
  return hulls_within_by_gjk(&problem, tally);
}

/* Whether the distance of two triangles is at most the clearance. */
GEOMETRY_LARGE_FUNCTION bool triangles_within(const double p[9], const double q[9], double clearance,
                                              orientation_tally *tally) {
  if (clearance == 0.0) return triangle_pair_intersects(p, q, tally);
  const clearance_problem problem = clearance_problem_make(p, 3, 0.0, q, 3, 0.0, clearance);
  return triangles_within_reach(&problem, tally);
}

#endif

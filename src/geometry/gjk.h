/* The distance of two convex cells, a nearest point of each, and a direction that separates them: GJK.
 *
 * The distance is that of the origin from the Minkowski difference of the two cells, whose nearest point is approached
 * by simplices of its corners.
 *
 * Tolerances, all in units of the normalized cube of convex_coordinates.h, in which the farthest corner is at a
 * distance of 1 to 2 from the first:
 * - The iteration stops when the remaining gain is at most 2^-46 of the distance plus 2^-50. With the rounding of the
 *   corners the distance has an error of at most 1e-12 of the size of the pair, whatever its scale: units are powers of
 *   two, and scaling the input by a power of two scales the result exactly.
 * - Below 2^-48 two cells count as in contact. convex_pair.h then decides by exact signs.
 *
 * The iteration ends after at most GJK_STEP_LIMIT steps, and after at most GJK_PATIENCE consecutive steps that come no
 * nearer. A step that increases the distance is undone and is the last.
 *
 * Workload: every candidate pair of cells, of 4 to 64 corners. A step is linear in the corners; 3 to 15 steps are
 * usual.
 *
 * Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex objects in three-dimensional
 * space", 1988; van den Bergen, "A fast and robust GJK implementation for collision detection of convex objects", 1999
 * (the bound of the remaining gain). */
#ifndef GRAZE_GEOMETRY_GJK_H
#define GRAZE_GEOMETRY_GJK_H

#include "geometry/origin_simplex.h"

/* Balls of 1,000 corners take 12 steps and no pair of the tests took more than 14: far below the limit. */
enum { GJK_STEP_LIMIT = 256, GJK_PATIENCE = 8 };

typedef struct gjk_result {
  double distance;         /* in given units; 0 if the corners below contain a common point */
  double on_p[3], on_q[3]; /* a nearest point of each */
  double direction[3];     /* from q to p, largest coordinate 1 in magnitude; zero if there is none */
  uint32_t corner_count;   /* 1 to 4 corners of each, numbers into p and q ... */
  uint32_t p_corner[4], q_corner[4];
  double weight[4]; /* ... and weights of sum one: the nearest points are the weighted sums */
  uint32_t step_count;
  bool meets; /* a guess: in contact, or the corners contain a common point */
} gjk_result;

/* The distance, a direction that separates the cells, or whether the distance is at most a reach. */
typedef enum gjk_goal { GJK_MEASURE, GJK_GUESS, GJK_WITHIN } gjk_goal;

GEOMETRY_FUNCTION bool origin_simplex_has(const origin_simplex *simplex, difference_point corner) {
  for (uint32_t i = 0; i < simplex->count; i++) {
    if (simplex->corner[i].p == corner.p && simplex->corner[i].q == corner.q) return true;
  }
  return false;
}

/* Whether the possible gain of a step towards a corner is above rounding. */
GEOMETRY_FUNCTION bool gjk_may_gain(const origin_simplex *simplex, difference_point corner) {
  const double gain = simplex->squared - vector3_dot(simplex->nearest, corner.point);
  return gain > 0x1p-46 * simplex->squared + 0x1p-50 * sqrt(simplex->squared);
}

/* Adds a corner if the result is strictly nearer. */
GEOMETRY_FUNCTION bool gjk_takes(const convex_coordinates *coordinates, uint32_t p, uint32_t q,
                                 origin_simplex *simplex) {
  const difference_point corner = difference_point_make(coordinates, p, q);
  if (!gjk_may_gain(simplex, corner) || origin_simplex_has(simplex, corner)) return false;
  origin_simplex trial = *simplex;
  if (!origin_simplex_add(&trial, corner) || !(trial.squared < simplex->squared)) return false;
  *simplex = trial;
  return true;
}

/* For steps in which the farthest corners do not reduce the distance although others should. If the corners of a pair
 * differ in scale by more than the bits of a double, the farthest corner of a huge cell seen almost edge-on is
 * determined by rounding only. Then the other corners of each cell are tried with the farthest one of the other. */
GEOMETRY_SLOW_FUNCTION bool gjk_takes_another(const convex_coordinates *coordinates, difference_point farthest,
                                              origin_simplex *simplex) {
  for (uint32_t i = 0; i < coordinates->p_count; i++) {
    if (gjk_takes(coordinates, i, farthest.q, simplex)) return true;
  }
  for (uint32_t i = 0; i < coordinates->q_count; i++) {
    if (gjk_takes(coordinates, farthest.p, i, simplex)) return true;
  }
  return false;
}

/* The iteration. GJK_GUESS ends as soon as a direction separates the cells; GJK_WITHIN as soon as one separates them by
 * more than the reach, or points are nearer than that, by a margin. The reach is zero for the others. */
GEOMETRY_FUNCTION bool gjk_iterate(const convex_coordinates *coordinates, gjk_goal goal, double reach,
                                   origin_simplex *simplex, uint32_t *step_count_out) {
  const double contact = 0x1p-96, beyond = reach * (1.0 + 0x1p-40) + 0x1p-50;
  const double within = goal == GJK_WITHIN ? reach * (1.0 - 0x1p-40) : 0.0;
  origin_simplex_start(simplex, difference_point_make(coordinates, 0, 0));
  uint32_t step = 0, idle = 0;
  bool meets = simplex->squared <= contact;
  while (!meets && step < GJK_STEP_LIMIT && idle < GJK_PATIENCE) {
    if (simplex->squared < within * within) break;
    const double before = simplex->squared;
    step += 1;
    const difference_point next = difference_support(coordinates, vector3_scale(simplex->nearest, -1.0));
    const double parted = vector3_dot(simplex->nearest, next.point);
    if (goal != GJK_MEASURE && parted > beyond * sqrt(simplex->squared)) break;
    if (!gjk_may_gain(simplex, next)) break;
    if (origin_simplex_has(simplex, next) || !origin_simplex_add(simplex, next)) {
      if (!gjk_takes_another(coordinates, next, simplex)) break;
    }
    meets = simplex->squared <= contact;
    idle = simplex->squared < before ? 0 : idle + 1;
  }
  *step_count_out = step;
  return meets;
}

GEOMETRY_FUNCTION void gjk_report(const convex_coordinates *coordinates, const origin_simplex *simplex, bool meets,
                                  gjk_result *result_out) {
  vector3 on_p = vector3_make(0.0, 0.0, 0.0), on_q = on_p;
  for (uint32_t i = 0; i < simplex->count; i++) {
    const difference_point corner = simplex->corner[i];
    const vector3 p = convex_coordinates_corner(coordinates, coordinates->p + 3 * (size_t)corner.p);
    const vector3 q = convex_coordinates_corner(coordinates, coordinates->q + 3 * (size_t)corner.q);
    on_p = vector3_add(on_p, vector3_scale(p, simplex->weight[i]));
    on_q = vector3_add(on_q, vector3_scale(q, simplex->weight[i]));
    result_out->p_corner[i] = corner.p;
    result_out->q_corner[i] = corner.q;
    result_out->weight[i] = simplex->weight[i];
  }
  /* Below 2^-1000 the inverse may not exist, and no direction is useful. */
  const double largest = vector3_largest_magnitude(simplex->nearest);
  const bool has_direction = largest > 0x1p-1000;
  const vector3 direction = vector3_scale(simplex->nearest, has_direction ? 1.0 / largest : 0.0);
  const double length = has_direction ? largest * vector3_length(direction) : largest;
  vector3_store(direction, result_out->direction);
  convex_coordinates_point(coordinates, on_p, result_out->on_p);
  convex_coordinates_point(coordinates, on_q, result_out->on_q);
  result_out->distance = convex_coordinates_length(coordinates, length);
  result_out->corner_count = simplex->count;
  result_out->meets = meets;
}

/* The distance of the hulls of p_count and q_count points. Counts are at least one, coordinates finite. */
GEOMETRY_FUNCTION void gjk_distance(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                    gjk_result *result_out) {
  const convex_coordinates coordinates = convex_coordinates_make(p, p_count, q, q_count);
  origin_simplex simplex;
  const bool meets = gjk_iterate(&coordinates, GJK_MEASURE, 0.0, &simplex, &result_out->step_count);
  gjk_report(&coordinates, &simplex, meets, result_out);
}

/* The same without measuring: ends at the first direction that seems to separate the cells, so only `direction`,
 * `meets`, the corners and the number of steps are valid. */
GEOMETRY_FUNCTION void gjk_guess(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                 gjk_result *result_out) {
  const convex_coordinates coordinates = convex_coordinates_make(p, p_count, q, q_count);
  origin_simplex simplex;
  const bool meets = gjk_iterate(&coordinates, GJK_GUESS, 0.0, &simplex, &result_out->step_count);
  gjk_report(&coordinates, &simplex, meets, result_out);
}

#endif

/* The smallest ball that encloses points: the size by which primitives are compared (docs/theory/k_free.md).
 *
 * Every candidate is a center, ranked by its largest distance to all points. So the returned ball encloses the points
 * despite rounding, and a bad candidate can only lose. The smallest ball is the one through two, three or four of the
 * points, its support, with the center in their hull; for up to five points all supports are tried. For more points the
 * support grows: the point farthest from the ball of the current support is added, and the support of these at most
 * five points is the next one. The radius grows in each round, so the search terminates, in practice after fewer rounds
 * than the logarithm of the count.
 *
 * The center of a support is computed in orthonormal axes along the edges of its minimum spanning tree, so that the
 * small distance of two close corners keeps its accuracy beside a far one, as in needles.
 *
 * Guaranteed, and tested against rational arithmetic: all points are within diameter / 2 of the center, up to 1e-14 of
 * it; no enclosing ball is smaller by more than 1e-12 of it; points and result scaled by a power of two give the same
 * bits while nothing overflows or becomes subnormal.
 *
 * Workload: one call for each primitive of a scene that is analyzed, three or four points nearly always.
 *
 * Growing a support by the farthest point: Gaertner, "Fast and robust smallest enclosing balls", 1999. */
#ifndef GRAZE_GEOMETRY_SMALLEST_BALL_H
#define GRAZE_GEOMETRY_SMALLEST_BALL_H

#include "geometry/local_coordinates.h"

#include <float.h>

enum { BALL_SUPPORT = 4, BALL_FEW = BALL_SUPPORT + 1 };

/* Squares, not lengths: one root at the end. */
typedef struct enclosing_ball {
  vector3 center;
  double square;    /* of the radius */
  uint32_t support; /* bit i: point i is on the boundary */
} enclosing_ball;

GEOMETRY_FUNCTION double squared_distance(vector3 a, vector3 b) {
  const vector3 way = vector3_subtract(a, b);
  return vector3_dot(way, way);
}

GEOMETRY_FUNCTION double enclosing_square(vector3 center, const vector3 *points, uint32_t count) {
  double largest = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    const double square = squared_distance(points[i], center);
    largest = square > largest ? square : largest;
  }
  return largest;
}

/* The edges of the shortest tree over the corners, by Prim: corner i > 0 hangs on parents_out[i] of the order. */
GEOMETRY_FUNCTION void shortest_tree(vector3 corners[BALL_SUPPORT], uint32_t count,
                                     uint32_t parents_out[BALL_SUPPORT]) {
  parents_out[0] = 0;
  for (uint32_t placed = 1; placed < count; placed++) {
    uint32_t nearest = placed;
    double nearest_square = DBL_MAX;
    for (uint32_t i = placed; i < count; i++) {
      for (uint32_t j = 0; j < placed; j++) {
        const double square = squared_distance(corners[i], corners[j]);
        if (square >= nearest_square) continue;
        nearest_square = square;
        nearest = i;
        parents_out[placed] = j;
      }
    }
    const vector3 moved = corners[placed];
    corners[placed] = corners[nearest];
    corners[nearest] = moved;
  }
}

/* A vector without its parts along the axes; twice is enough (Kahan in Parlett, "The symmetric eigenvalue problem",
 * 1980). */
GEOMETRY_FUNCTION vector3 orthogonal_rest(vector3 vector, const vector3 *axes, uint32_t count) {
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < count; i++)
      vector = vector3_subtract(vector, vector3_scale(axes[i], vector3_dot(axes[i], vector)));
  }
  return vector;
}

/* The point of the corners' affine hull that is equidistant from all of them; false if they are not affinely
 * independent. It is in the bisecting plane of each edge of the tree: one equation per edge, triangular in the axes of
 * the edges. Changes the order of the corners. */
GEOMETRY_FUNCTION bool circumscribed_center(vector3 corners[BALL_SUPPORT], uint32_t count, vector3 *center_out) {
  uint32_t parents[BALL_SUPPORT];
  shortest_tree(corners, count, parents);
  vector3 axes[BALL_SUPPORT - 1], center = vector3_make(0.0, 0.0, 0.0);
  for (uint32_t i = 1; i < count; i++) {
    const vector3 from = vector3_subtract(corners[parents[i]], corners[0]);
    const vector3 to = vector3_subtract(corners[i], corners[0]);
    const vector3 edge = vector3_subtract(corners[i], corners[parents[i]]);
    const vector3 middle = vector3_scale(vector3_add(from, to), 0.5);
    const vector3 rest = orthogonal_rest(edge, axes, i - 1);
    const double length = vector3_length(rest);
    if (!(length > 0.0)) return false;
    axes[i - 1] = vector3_scale(rest, 1.0 / length);
    const double height = vector3_dot(edge, vector3_subtract(middle, center)) / length;
    center = vector3_add(center, vector3_scale(axes[i - 1], height));
  }
  *center_out = vector3_add(corners[0], center);
  return true;
}

/* Tries a support: keeps it if its center is the best so far. */
GEOMETRY_FUNCTION void enclosing_ball_try(enclosing_ball *best, const vector3 *points, uint32_t count,
                                          uint32_t support) {
  vector3 corners[BALL_SUPPORT], center;
  uint32_t corner_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if ((support >> i & 1u) != 0) corners[corner_count++] = points[i];
  }
  if (!circumscribed_center(corners, corner_count, &center)) return;
  const double square = enclosing_square(center, points, count);
  if (!(square < best->square)) return;
  best->center = center;
  best->square = square;
  best->support = support;
}

/* The ball on the two points farthest apart. No enclosing ball has a radius below half their distance. */
GEOMETRY_FUNCTION enclosing_ball widest_pair_ball(const vector3 *points, uint32_t count, double *least_square_out) {
  double widest = 0.0;
  enclosing_ball ball;
  ball.center = points[0];
  ball.support = 1;
  for (uint32_t i = 1; i < count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      const double square = squared_distance(points[i], points[j]);
      if (square <= widest) continue;
      widest = square;
      ball.center = vector3_scale(vector3_add(points[i], points[j]), 0.5);
      ball.support = 1u << i | 1u << j;
    }
  }
  ball.square = enclosing_square(ball.center, points, count);
  *least_square_out = 0.25 * widest;
  return ball;
}

GEOMETRY_FUNCTION uint32_t bits_count(uint32_t bits) {
  uint32_t count = 0;
  for (; bits != 0; bits &= bits - 1) count++;
  return count;
}

/* The smallest ball of one to five points: the widest pair if it encloses the rest, as for every obtuse triangle;
 * otherwise the best of all supports of three and four. */
GEOMETRY_FUNCTION enclosing_ball smallest_ball_of_few(const vector3 *points, uint32_t count) {
  double least_square;
  enclosing_ball best = widest_pair_ball(points, count, &least_square);
  if (best.square <= least_square * (1.0 + 0x1p-51)) return best;
  for (uint32_t support = 7; support < 1u << count; support++) {
    const uint32_t size = bits_count(support);
    if (size == 3 || size == 4) enclosing_ball_try(&best, points, count, support);
  }
  return best;
}

GEOMETRY_FUNCTION uint32_t farthest_point(const local_coordinates *coordinates, const double *points, uint32_t count,
                                          vector3 from, double *square_out) {
  uint32_t farthest = 0;
  double largest = -1.0;
  for (uint32_t i = 0; i < count; i++) {
    const double square = squared_distance(local_coordinates_in(coordinates, points + 3 * (size_t)i), from);
    if (square <= largest) continue;
    largest = square;
    farthest = i;
  }
  *square_out = largest;
  return farthest;
}

/* Moves the points of the support to the front; returns their number. */
GEOMETRY_FUNCTION uint32_t support_gather(vector3 points[BALL_FEW], uint32_t count, uint32_t support) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if ((support >> i & 1u) != 0) points[kept++] = points[i];
  }
  return kept;
}

/* One round of growing: the farthest of all points joins the support. */
GEOMETRY_FUNCTION enclosing_ball smallest_ball_of_many(const local_coordinates *coordinates, const double *points,
                                                       uint32_t count) {
  vector3 few[BALL_FEW];
  double square;
  uint32_t farthest = farthest_point(coordinates, points, count, vector3_make(0.0, 0.0, 0.0), &square);
  few[0] = local_coordinates_in(coordinates, points + 3 * (size_t)farthest);
  farthest = farthest_point(coordinates, points, count, few[0], &square);
  few[1] = local_coordinates_in(coordinates, points + 3 * (size_t)farthest);
  enclosing_ball ball = smallest_ball_of_few(few, 2), best = ball;
  best.square = DBL_MAX;
  uint32_t support_count = support_gather(few, 2, ball.support);
  for (double last_square = -1.0; ball.square > last_square;) {
    farthest = farthest_point(coordinates, points, count, ball.center, &square);
    if (square < best.square) {
      best = ball;
      best.square = square;
    }
    if (square <= ball.square) break;
    last_square = ball.square;
    few[support_count] = local_coordinates_in(coordinates, points + 3 * (size_t)farthest);
    ball = smallest_ball_of_few(few, support_count + 1);
    support_count = support_gather(few, support_count + 1, ball.support);
  }
  return best;
}

/* The diameter of the smallest ball that encloses the points, and its center; zero for one point. The diameter and not
 * its square, because sizes are compared by it and squares would overflow. Finite coordinates; at least one point.
 * Takes linear time in nearly all cases. */
GEOMETRY_FUNCTION double smallest_ball(const double *points, uint32_t count, double center_out[3]) {
  const local_coordinates coordinates = local_coordinates_make(points, count, points, 0);
  enclosing_ball ball;
  if (count <= BALL_FEW) {
    vector3 few[BALL_FEW];
    few[0] = local_coordinates_in(&coordinates, points);
    for (uint32_t i = 1; i < count; i++) few[i] = local_coordinates_in(&coordinates, points + 3 * (size_t)i);
    ball = smallest_ball_of_few(few, count);
  } else {
    ball = smallest_ball_of_many(&coordinates, points, count);
  }
  local_coordinates_out(&coordinates, ball.center, center_out);
  return local_coordinates_length(&coordinates, 2.0 * sqrt(ball.square));
}

#endif

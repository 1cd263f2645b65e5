/* The distance of two triangles and a nearest point of each.
 *
 * It is zero exactly if triangle_pair_intersects holds; otherwise the least over the pairs of features that can contain
 * the nearest points: six corners against the other triangle, and all nine pairs of edges. Every candidate is a pair of
 * points of the two sets (up to rounding), so an unnecessary candidate is harmless, and a poor one can only lose to a
 * better one. The distance has an error of at most 1e-12 of the size of the pair, including needles and nearly parallel
 * edges: both interior solutions are corrected, or projected, after the first division by a small cross product.
 *
 * Workload: pairs that faster searches leave undecided: distances of needles (nearest_features.h), and pairs of the
 * k-free measure at the radius of a ball.
 *
 * Larsen, Gottschalk, Lin, Manocha, "Fast proximity queries with swept sphere volumes", 1999 (the features). */
#ifndef GRAZE_GEOMETRY_TRIANGLE_DISTANCE_H
#define GRAZE_GEOMETRY_TRIANGLE_DISTANCE_H

#include "geometry/triangle_overlap.h"

#include <float.h>

typedef struct nearest_points {
  vector3 on_p, on_q;
  double squared;
} nearest_points;

GEOMETRY_FUNCTION double clamp_to_unit(double value) {
  return value < 0.0 ? 0.0 : (value > 1.0 ? 1.0 : value);
}

GEOMETRY_FUNCTION void nearest_points_offer(nearest_points *nearest, vector3 on_p, vector3 on_q) {
  const vector3 gap = vector3_subtract(on_p, on_q);
  const double squared = vector3_dot(gap, gap);
  if (squared < nearest->squared) {
    nearest->squared = squared;
    nearest->on_p = on_p;
    nearest->on_q = on_q;
  }
}

/* The position on the segment from a to b nearest to a point, as a fraction; 0 for a segment without length. */
GEOMETRY_FUNCTION double nearest_fraction(vector3 a, vector3 b, vector3 point) {
  const vector3 way = vector3_subtract(b, a);
  const double squared = vector3_dot(way, way);
  return squared > 0.0 ? clamp_to_unit(vector3_dot(vector3_subtract(point, a), way) / squared) : 0.0;
}

GEOMETRY_FUNCTION vector3 nearest_on_segment(vector3 a, vector3 b, vector3 point) {
  return vector3_between(a, b, nearest_fraction(a, b, point));
}

/* The foot of a point on the plane of a triangle; false if it is outside or the triangle has no plane. The first
 * weights have an error of 2^-53 over the sine of the angle at corner 0, and each solution for the residual multiplies
 * the error by that again: three rounds are enough for needles of aspect 2^39, and thinner ones are within 2^-39 of
 * their edges. */
GEOMETRY_FUNCTION bool foot_in_triangle(const vector3 *triangle, vector3 point, vector3 *foot_out) {
  const vector3 u = vector3_subtract(triangle[1], triangle[0]), v = vector3_subtract(triangle[2], triangle[0]);
  const vector3 normal = vector3_cross(u, v);
  const double squared = vector3_dot(normal, normal);
  if (!(squared > 0.0)) return false;
  const vector3 way = vector3_subtract(point, triangle[0]);
  double along_u = 0.0, along_v = 0.0;
  for (int round = 0; round < 3; round++) {
    const vector3 met = vector3_add(vector3_scale(u, along_u), vector3_scale(v, along_v));
    const vector3 rest = vector3_subtract(way, met);
    along_u += vector3_dot(vector3_cross(rest, v), normal) / squared;
    along_v += vector3_dot(vector3_cross(u, rest), normal) / squared;
  }
  if (!(along_u >= 0.0 && along_v >= 0.0 && along_u + along_v <= 1.0)) return false;
  *foot_out = vector3_add(triangle[0], vector3_add(vector3_scale(u, along_u), vector3_scale(v, along_v)));
  return true;
}

/* Offers corners of one triangle against the other; `corners_are_p` is whether the corners are those of p. */
GEOMETRY_FUNCTION void offer_corners(const vector3 corners[3], const vector3 triangle[3], bool corners_are_p,
                                     nearest_points *nearest) {
  for (int i = 0; i < 3; i++) {
    vector3 found[4];
    int count = 3;
    for (int j = 0; j < 3; j++) found[j] = nearest_on_segment(triangle[j], triangle[(j + 1) % 3], corners[i]);
    if (foot_in_triangle(triangle, corners[i], &found[3])) count = 4;
    for (int j = 0; j < count; j++) {
      nearest_points_offer(nearest, corners_are_p ? corners[i] : found[j], corners_are_p ? found[j] : corners[i]);
    }
  }
}

/* The interior solution for two edges; if it is at an end, the candidates of corners cover it. The fraction along ab
 * has an error of 2^-53 over the sine of the angle, but the distance changes by that times the sine, provided that the
 * other point is computed by projection and not by a second division. */
GEOMETRY_FUNCTION void offer_edges(vector3 a, vector3 b, vector3 c, vector3 d, nearest_points *nearest) {
  const vector3 u = vector3_subtract(b, a), v = vector3_subtract(d, c);
  const vector3 normal = vector3_cross(u, v);
  const double squared = vector3_dot(normal, normal);
  if (!(squared > 0.0)) return;
  const double fraction = vector3_dot(vector3_cross(vector3_subtract(c, a), v), normal) / squared;
  const vector3 on_q = nearest_on_segment(c, d, vector3_between(a, b, clamp_to_unit(fraction)));
  nearest_points_offer(nearest, nearest_on_segment(a, b, on_q), on_q);
}

GEOMETRY_FUNCTION nearest_points nearest_points_find(const local_pair *local) {
  nearest_points nearest;
  nearest.squared = HUGE_VAL;
  nearest.on_p = local->p[0];
  nearest.on_q = local->q[0];
  offer_corners(local->p, local->q, true, &nearest);
  offer_corners(local->q, local->p, false, &nearest);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      offer_edges(local->p[i], local->p[(i + 1) % 3], local->q[j], local->q[(j + 1) % 3], &nearest);
  }
  return nearest;
}

/* The distance, and points that attain it. It is 0 exactly if the triangles intersect, otherwise at least the smallest
 * double, and infinite if it exceeds the largest double. */
GEOMETRY_FUNCTION double triangle_pair_distance(const double p[9], const double q[9], double on_p_out[3],
                                                double on_q_out[3], orientation_tally *tally) {
  double common[OVERLAP_POINTS][3];
  if (triangle_pair_overlap(p, q, common, tally) > 0) {
    overlap_copy(common[0], on_p_out);
    overlap_copy(common[0], on_q_out);
    return 0.0;
  }
  const local_pair local = local_pair_make(p, q);
  const nearest_points nearest = nearest_points_find(&local);
  local_pair_point(&local, nearest.on_p, on_p_out);
  local_pair_point(&local, nearest.on_q, on_q_out);
  const double distance = sqrt(nearest.squared) * local.size * local.inverse;
  return distance > DBL_TRUE_MIN ? distance : DBL_TRUE_MIN;
}

#endif

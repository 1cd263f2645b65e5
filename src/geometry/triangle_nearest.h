/* The nearest points of two triangles, or of a point and a triangle, in double precision: a guess with its features,
 * nearly always accurate.
 *
 * Pairs of edges are tried one after the other, those that face the other triangle first. The nearest points of two
 * edges, ends included, are nearest of all if the two third corners are behind them. That ends the search after two
 * pairs on average. After the first pair, corners over faces are tried: for each plane with the other triangle on one
 * side, the lowest corner of that triangle, which is nearest if its foot is inside the face. If nothing ends the
 * search, the nearest pair of edges is used.
 *
 * The direction is that of the features (a normal, a cross product of edges, the part across an edge). It is accurate
 * to the last bits, even if the points are so close that their difference is not.
 *
 * The result is verified at the end. The distance is that of two points of the triangles, so it is not too small; it
 * may be too large, because over needles the foot of a corner may seem inside when it is not. Every direction gives a
 * lower bound of the distance, every pair of points an upper bound, both up to 2^-49 of the size of the pair. If the
 * two are within 2^-45 of the size, the error of the distance is at most 2^-44. Otherwise (needles, nearly parallel
 * edges, scales beyond 2^200) the caller uses GJK. The size is the sum of the magnitudes of all coordinates relative to
 * a corner, at most 15 times the largest: 2^-44 of it is below 1e-12 of the extent.
 *
 * Workload: every candidate of a clearance query, and every distance.
 *
 * Larsen, Gottschalk, Lin, Manocha, "Fast proximity queries with swept sphere volumes", 1999 (the features and the
 * early end). */
#ifndef GRAZE_GEOMETRY_TRIANGLE_NEAREST_H
#define GRAZE_GEOMETRY_TRIANGLE_NEAREST_H

#include "geometry/clearance_filter.h"
#include "geometry/sphere_filter.h"

/* Points are relative to the first corner of p, which may be the only one. */
typedef struct triangle_guess {
  near_guess guess;
  vector3 on_p, on_q;
  double distance;
  bool is_good; /* the error of the distance is at most 2^-44 of the size; if false, the other members are not valid */
} triangle_guess;

/* Two triangles relative to the first corner of p. */
typedef struct triangle_corners {
  vector3 p[3], q[3];
} triangle_corners;

/* The nearest points of edge p of one triangle and edge q of the other, edge i going from corner i to the next. */
typedef struct edge_fractions {
  uint32_t p, q;
  double squared, along_p, along_q;
} edge_fractions;

GEOMETRY_FUNCTION uint32_t triangle_next_corner(uint32_t i) {
  return i == 2 ? 0 : i + 1;
}

GEOMETRY_FUNCTION double vector3_magnitude_sum(vector3 v) {
  return (fabs(v.x) + fabs(v.y)) + fabs(v.z);
}

/* Adds a difference of corners, unless its weight is zero. */
GEOMETRY_FUNCTION void near_guess_add(near_guess *guess, uint32_t a, uint32_t b, double weight) {
  if (!(weight > 0.0)) return;
  guess->simplex.a[guess->simplex.count] = a;
  guess->simplex.b[guess->simplex.count] = b;
  guess->weight[guess->simplex.count] = weight;
  guess->simplex.count += 1;
}

/* Finds the lowest corner over a face, if its foot is inside and the others are on the same side. */
GEOMETRY_FUNCTION bool corner_over_face(const vector3 corners[3], const vector3 face[3], bool corners_are_p,
                                        triangle_guess *nearest_out) {
  const vector3 u = vector3_subtract(face[1], face[0]), v = vector3_subtract(face[2], face[0]);
  const vector3 normal = vector3_cross(u, v);
  double height[3];
  for (int i = 0; i < 3; i++) height[i] = vector3_dot(normal, vector3_subtract(corners[i], face[0]));
  const bool above = height[0] > 0.0 && height[1] > 0.0 && height[2] > 0.0;
  const bool below = height[0] < 0.0 && height[1] < 0.0 && height[2] < 0.0;
  if (!above && !below) return false;
  uint32_t lowest = fabs(height[1]) < fabs(height[0]) ? 1 : 0;
  lowest = fabs(height[2]) < fabs(height[lowest]) ? 2 : lowest;
  const vector3 way = vector3_subtract(corners[lowest], face[0]);
  const double squared = vector3_dot(normal, normal);
  const double along_u = vector3_dot(vector3_cross(way, v), normal);
  const double along_v = vector3_dot(vector3_cross(u, way), normal), rest = squared - (along_u + along_v);
  if (!(along_u >= 0.0 && along_v >= 0.0 && rest >= 0.0)) return false;
  const double inverse = 1.0 / squared, weight[3] = {rest * inverse, along_u * inverse, along_v * inverse};
  near_guess *guess = &nearest_out->guess;
  guess->simplex.count = 0;
  for (uint32_t i = 0; i < 3; i++)
    near_guess_add(guess, corners_are_p ? lowest : i, corners_are_p ? i : lowest, weight[i]);
  near_guess_direct(guess, above == corners_are_p ? normal : vector3_scale(normal, -1.0));
  const vector3 to_foot = vector3_add(vector3_scale(u, weight[1]), vector3_scale(v, weight[2]));
  const vector3 foot = vector3_add(face[0], to_foot), gap = vector3_subtract(way, to_foot);
  nearest_out->on_p = corners_are_p ? corners[lowest] : foot;
  nearest_out->on_q = corners_are_p ? foot : corners[lowest];
  nearest_out->distance = vector3_length(gap);
  return guess->simplex.count > 0;
}

GEOMETRY_FUNCTION double clamp_to_edge(double value) {
  const double least = value > 0.0 ? value : 0.0;
  return least < 1.0 ? least : 1.0;
}

/* Computes the point of the first line nearest to the second, then that of the second edge nearest to it, then that of
 * the first edge again. True if the third corners prove that no points of the triangles are nearer. */
GEOMETRY_FUNCTION bool edges_nearest(const triangle_corners *corners, edge_fractions *edges) {
  const vector3 p = corners->p[edges->p], q = corners->q[edges->q];
  const uint32_t p_end = triangle_next_corner(edges->p), q_end = triangle_next_corner(edges->q);
  const vector3 u = vector3_subtract(corners->p[p_end], p), v = vector3_subtract(corners->q[q_end], q);
  const vector3 way = vector3_subtract(p, q);
  const double uu = vector3_dot(u, u), vv = vector3_dot(v, v), uv = vector3_dot(u, v);
  const double uw = vector3_dot(u, way), vw = vector3_dot(v, way), area = uu * vv - uv * uv;
  const double first = area > 0.0 ? clamp_to_edge((uv * vw - uw * vv) / area) : 0.0;
  edges->along_q = vv > 0.0 ? clamp_to_edge((uv * first + vw) / vv) : 0.0;
  edges->along_p = uu > 0.0 ? clamp_to_edge((uv * edges->along_q - uw) / uu) : 0.0;
  const vector3 to_p = vector3_scale(u, edges->along_p), to_q = vector3_scale(v, edges->along_q);
  const vector3 gap = vector3_subtract(vector3_add(way, to_p), to_q);
  edges->squared = vector3_dot(gap, gap);
  const vector3 third_p = vector3_subtract(vector3_subtract(corners->p[triangle_next_corner(p_end)], p), to_p);
  const vector3 third_q = vector3_subtract(vector3_subtract(corners->q[triangle_next_corner(q_end)], q), to_q);
  return vector3_dot(third_p, gap) >= 0.0 && vector3_dot(third_q, gap) <= 0.0;
}

/* Orders edges: first those whose third corner is farther behind in a direction. */
GEOMETRY_FUNCTION void edges_order(const vector3 corners[3], vector3 direction, uint32_t order_out[3]) {
  double reach[3];
  for (int i = 0; i < 3; i++) reach[i] = vector3_dot(corners[i], direction);
  const uint32_t last = reach[0] < reach[1] ? (reach[0] < reach[2] ? 0 : 2) : (reach[1] < reach[2] ? 1 : 2);
  const uint32_t next = triangle_next_corner(last), other = triangle_next_corner(next);
  order_out[0] = next;
  order_out[1] = reach[next] < reach[other] ? other : last;
  order_out[2] = reach[next] < reach[other] ? last : other;
}

/* The direction perpendicular to both edges, or to the one whose interior contains the point; from q to p. */
GEOMETRY_FUNCTION vector3 edges_direction(vector3 gap, vector3 u, double along_p, vector3 v, double along_q) {
  const bool inside_p = along_p > 0.0 && along_p<1.0, inside_q = along_q> 0.0 && along_q < 1.0;
  if (!inside_p && !inside_q) return gap;
  if (inside_p != inside_q) {
    const vector3 edge = inside_p ? u : v;
    return perpendicular_part(gap, edge, vector3_dot(edge, edge));
  }
  const vector3 normal = vector3_cross(u, v);
  if (!(vector3_largest_magnitude(normal) > 0.0)) return gap;
  return vector3_dot(normal, gap) < 0.0 ? vector3_scale(normal, -1.0) : normal;
}

GEOMETRY_FUNCTION void edges_report(const triangle_corners *corners, const edge_fractions *edges,
                                    triangle_guess *nearest_out) {
  const double s = edges->along_p, t = edges->along_q;
  const uint32_t p_end = triangle_next_corner(edges->p), q_end = triangle_next_corner(edges->q);
  near_guess *guess = &nearest_out->guess;
  guess->simplex.count = 0;
  near_guess_add(guess, edges->p, edges->q, 1.0 - (s > t ? s : t));
  near_guess_add(guess, s > t ? p_end : edges->p, s > t ? edges->q : q_end, fabs(s - t));
  near_guess_add(guess, p_end, q_end, s > t ? t : s);
  const vector3 p = corners->p[edges->p], q = corners->q[edges->q];
  const vector3 u = vector3_subtract(corners->p[p_end], p), v = vector3_subtract(corners->q[q_end], q);
  nearest_out->on_p = vector3_between(p, corners->p[p_end], s);
  nearest_out->on_q = vector3_between(q, corners->q[q_end], t);
  nearest_out->distance = sqrt(edges->squared);
  const vector3 gap = vector3_subtract(nearest_out->on_p, nearest_out->on_q);
  near_guess_direct(guess, edges_direction(gap, u, s, v, t));
}

/* Finds the best pair of features. */
GEOMETRY_FUNCTION void triangle_nearest_search(const triangle_corners *corners, triangle_guess *nearest_out) {
  const vector3 p_sum = vector3_add(corners->p[1], corners->p[2]);
  const vector3 q_sum = vector3_add(vector3_add(corners->q[0], corners->q[1]), corners->q[2]);
  const vector3 to_q = vector3_subtract(q_sum, p_sum);
  uint32_t p_order[3], q_order[3];
  edges_order(corners->p, to_q, p_order);
  edges_order(corners->q, vector3_scale(to_q, -1.0), q_order);
  edge_fractions best = {0, 0, HUGE_VAL, 0.0, 0.0};
  for (uint32_t pair = 0; pair < 9; pair++) {
    if (pair == 1 && (corner_over_face(corners->p, corners->q, true, nearest_out) ||
                      corner_over_face(corners->q, corners->p, false, nearest_out)))
      return;
    edge_fractions edges = {p_order[pair / 3], q_order[pair % 3], HUGE_VAL, 0.0, 0.0};
    const bool is_nearest = edges_nearest(corners, &edges);
    if (edges.squared < best.squared) best = edges;
    if (is_nearest) break;
  }
  edges_report(corners, &best, nearest_out);
}

/* Whether the direction proves that no points are much nearer. */
GEOMETRY_FUNCTION bool triangle_nearest_is_good(const triangle_guess *nearest, double size) {
  const double needed = nearest->distance - 0x1p-45 * size;
  return needed <= 0.0 || nearest->guess.lower >= needed;
}

GEOMETRY_FUNCTION void triangle_nearest_find(const double p[9], const double q[9], triangle_guess *nearest_out) {
  triangle_corners corners;
  const vector3 origin = vector3_load(p);
  for (int i = 0; i < 3; i++) {
    corners.p[i] = vector3_subtract(vector3_load(p + 3 * i), origin);
    corners.q[i] = vector3_subtract(vector3_load(q + 3 * i), origin);
  }
  const double p_size = vector3_magnitude_sum(corners.p[1]) + vector3_magnitude_sum(corners.p[2]);
  const double q_size = vector3_magnitude_sum(corners.q[0]) + vector3_magnitude_sum(corners.q[1]);
  const double size = (p_size + q_size) + vector3_magnitude_sum(corners.q[2]);
  nearest_out->guess.factor = 1.0;
  nearest_out->is_good = false;
  if (!(size > 0x1p-200 && size < 0x1p200)) return;
  triangle_nearest_search(&corners, nearest_out);
  nearest_out->guess.lower = near_guess_lower(&nearest_out->guess, p, 3, q, 3);
  nearest_out->is_good = triangle_nearest_is_good(nearest_out, size);
}

/* The same for a point and a triangle: weights and direction as for a ball (sphere_filter.h). */
GEOMETRY_FUNCTION void point_nearest_find(const double point[3], const double triangle[9],
                                          triangle_guess *nearest_out) {
  const double *const corner[3] = {triangle, triangle + 3, triangle + 6};
  const vector3 at = vector3_load(point);
  vector3 way[3], gap = vector3_make(0.0, 0.0, 0.0);
  double size = 0.0;
  for (int i = 0; i < 3; i++) {
    way[i] = vector3_subtract(at, vector3_load(corner[i]));
    size += vector3_magnitude_sum(way[i]);
  }
  near_guess *guess = &nearest_out->guess;
  guess->factor = 1.0;
  nearest_out->is_good = false;
  if (!(size > 0x1p-200 && size < 0x1p200)) return;
  const sphere_guess found = sphere_guess_triangle(point, corner);
  guess->simplex.count = 0;
  for (uint32_t i = 0; i < 3; i++) {
    gap = vector3_add(gap, vector3_scale(way[i], found.weight[i]));
    near_guess_add(guess, 0, i, found.weight[i]);
  }
  if (guess->simplex.count == 0) return;
  near_guess_direct(guess, vector3_load(found.direction));
  nearest_out->on_p = vector3_make(0.0, 0.0, 0.0);
  nearest_out->on_q = vector3_scale(gap, -1.0);
  nearest_out->distance = vector3_length(gap);
  guess->lower = near_guess_lower(guess, point, 1, triangle, 3);
  nearest_out->is_good = triangle_nearest_is_good(nearest_out, size);
}

#endif

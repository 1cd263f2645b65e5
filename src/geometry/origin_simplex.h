/* The point of a simplex nearest to the origin, with its weights; up to four corners.
 *
 * Workload: once per step of GJK, five to fifteen steps per pair. The simplex consists of the face with the previous
 * nearest point and one new corner, so the nearest point is now in a face with the new corner, or unchanged. Each of
 * those faces gives a candidate. Every candidate is a point of the simplex up to rounding, so a poor one only loses to
 * a better one, and no case distinction can fail. This replaces the determinants of Johnson's sub-algorithm (Gilbert,
 * Johnson, Keerthi, "A fast procedure for computing the distance between complex objects in three-dimensional space",
 * 1988), whose cancellation stops GJK on thin simplices. Montanari, Petrinic, Barbieri, "Improving the GJK algorithm
 * for faster and more reliable distance queries between convex objects", 2017, describe the problem.
 *
 * Exact signs decide whether a tetrahedron contains the origin, so rounding never makes a flat one contain it. */
#ifndef GRAZE_GEOMETRY_ORIGIN_SIMPLEX_H
#define GRAZE_GEOMETRY_ORIGIN_SIMPLEX_H

#include "geometry/convex_coordinates.h"

typedef struct origin_simplex {
  uint32_t count; /* 1 to 4 */
  difference_point corner[4];
  double weight[4]; /* of sum one; positive, except for four corners with the origin on a face */
  vector3 nearest;  /* the weighted sum of the corners, up to rounding */
  double squared;   /* its squared length; zero if the origin is inside four corners */
} origin_simplex;

/* The best face so far. */
typedef struct origin_offer {
  uint32_t count, member[4];
  double weight[4];
  vector3 nearest;
  double squared;
} origin_offer;

/* The nearest point is given as a vector that is perpendicular to the face to the last bit. The weighted sum of the
 * corners is the same point, but rounded by 2^-53 of the corners' size; if the face is much closer to the origin than
 * that, its direction is arbitrary, and so is the next support point. */
GEOMETRY_FUNCTION void origin_offer_face(origin_offer *best, uint32_t count, const uint32_t *members,
                                         const double *weights, vector3 nearest) {
  const double squared = vector3_dot(nearest, nearest);
  if (!(squared < best->squared)) return;
  best->count = count;
  best->nearest = nearest;
  best->squared = squared;
  for (uint32_t i = 0; i < count; i++) {
    best->member[i] = members[i];
    best->weight[i] = weights[i];
  }
}

/* v without its part along a direction; the second time removes the rounding error of the first. */
GEOMETRY_FUNCTION vector3 perpendicular_part(vector3 v, vector3 direction, double direction_squared) {
  const vector3 dedup = vector3_subtract(v, vector3_scale(direction, vector3_dot(v, direction) / direction_squared));
  return vector3_subtract(dedup, vector3_scale(direction, vector3_dot(dedup, direction) / direction_squared));
}

GEOMETRY_FUNCTION void origin_offer_edge(origin_offer *best, const origin_simplex *simplex, uint32_t a, uint32_t b) {
  const vector3 from = simplex->corner[a].point, way = vector3_subtract(simplex->corner[b].point, from);
  const double squared = vector3_dot(way, way);
  if (!(squared > 0.0)) return;
  const double fraction = -vector3_dot(from, way) / squared;
  if (!(fraction > 0.0 && fraction < 1.0)) return;
  const uint32_t members[2] = {a, b};
  const double weights[2] = {1.0 - fraction, fraction};
  origin_offer_face(best, 2, members, weights, perpendicular_part(from, way, squared));
}

/* The point of a plane nearest to the origin. A normal that is a cross product has an error of 2^-53 over the sine of
 * the angle, in any direction; without its part along the longer edge, the remaining error is across the triangle,
 * which is as thin as the sine. */
GEOMETRY_FUNCTION vector3 foot_on_plane(vector3 point, vector3 normal, vector3 u, vector3 v) {
  const double u_squared = vector3_dot(u, u), v_squared = vector3_dot(v, v);
  const vector3 longer = u_squared > v_squared ? u : v;
  const vector3 better = perpendicular_part(normal, longer, u_squared > v_squared ? u_squared : v_squared);
  return vector3_scale(better, vector3_dot(better, point) / vector3_dot(better, better));
}

/* The foot of the origin on the plane of three corners, if it is inside. The first weights have an error of 2^-53 over
 * the sine of the angle at a; each solution for the residual multiplies the error by that again. */
GEOMETRY_FUNCTION void origin_offer_triangle(origin_offer *best, const origin_simplex *simplex, uint32_t a, uint32_t b,
                                             uint32_t c) {
  const vector3 from = simplex->corner[a].point;
  const vector3 u = vector3_subtract(simplex->corner[b].point, from);
  const vector3 v = vector3_subtract(simplex->corner[c].point, from);
  const vector3 normal = vector3_cross(u, v);
  const double squared = vector3_dot(normal, normal);
  if (!(squared > 0.0)) return;
  double along_u = 0.0, along_v = 0.0;
  for (int round = 0; round < 3; round++) {
    const vector3 met = vector3_add(vector3_scale(u, along_u), vector3_scale(v, along_v));
    const vector3 rest = vector3_scale(vector3_add(from, met), -1.0);
    along_u += vector3_dot(vector3_cross(rest, v), normal) / squared;
    along_v += vector3_dot(vector3_cross(u, rest), normal) / squared;
  }
  const double rest = 1.0 - (along_u + along_v);
  if (!(along_u > 0.0 && along_v > 0.0 && rest > 0.0)) return;
  const uint32_t members[3] = {a, b, c};
  const double weights[3] = {rest, along_u, along_v};
  origin_offer_face(best, 3, members, weights, foot_on_plane(from, normal, u, v));
}

/* The three corners other than i, in an order such that the determinants of all i have the same sign inside. */
GEOMETRY_FUNCTION void opposite_corners(const double corner[4][3], int i, const double *opposite_out[3]) {
  opposite_out[0] = corner[(i + 1) % 4];
  opposite_out[1] = corner[i % 2 == 0 ? (i + 2) % 4 : (i + 3) % 4];
  opposite_out[2] = corner[i % 2 == 0 ? (i + 3) % 4 : (i + 2) % 4];
}

/* Whether four corners contain the origin; also true if it is on a face, unless all four are coplanar with it. The
 * origin's weights are proportional to four determinants of three corners each, so these must not have opposite
 * signs. */
GEOMETRY_FUNCTION bool origin_in_tetrahedron(origin_simplex *simplex) {
  const double origin[3] = {0.0, 0.0, 0.0};
  const double *a[3];
  double corner[4][3], sum = 0.0;
  orientation_tally tally = {0};
  int side = 0;
  for (int i = 0; i < 4; i++) vector3_store(simplex->corner[i].point, corner[i]);
  for (int i = 0; i < 4; i++) {
    opposite_corners(corner, i, a);
    const int sign = orientation_3d(origin, a[0], a[1], a[2], &tally);
    if (sign != 0 && side != 0 && sign != side) return false;
    if (sign != 0) side = sign;
  }
  if (side == 0) return false;
  for (int i = 0; i < 4; i++) {
    opposite_corners(corner, i, a);
    simplex->weight[i] = fabs(orientation_3d_value(origin, a[0], a[1], a[2]));
    sum += simplex->weight[i];
  }
  for (int i = 0; i < 4; i++) simplex->weight[i] = sum > 0.0 ? simplex->weight[i] / sum : 0.25;
  simplex->nearest = vector3_make(0.0, 0.0, 0.0);
  simplex->squared = 0.0;
  return true;
}

GEOMETRY_FUNCTION void origin_simplex_take(origin_simplex *simplex, const origin_offer *best) {
  for (uint32_t i = 0; i < best->count; i++) {
    /* Members are ascending, so unread ones are not overwritten. */
    simplex->corner[i] = simplex->corner[best->member[i]];
    simplex->weight[i] = best->weight[i];
  }
  simplex->count = best->count;
  simplex->nearest = best->nearest;
  simplex->squared = best->squared;
}

GEOMETRY_FUNCTION void origin_simplex_start(origin_simplex *simplex, difference_point corner) {
  simplex->count = 1;
  simplex->corner[0] = corner;
  simplex->weight[0] = 1.0;
  simplex->nearest = corner.point;
  simplex->squared = vector3_dot(corner.point, corner.point);
}

/* Adds a corner and keeps the face with the nearest point. False, with no change except the corner beyond the count, if
 * every face with the new corner is farther. A face at the same distance up to rounding is accepted: the nearest point
 * may have turned by less than its length shows, and the next corner is in the new direction. */
GEOMETRY_FUNCTION bool origin_simplex_add(origin_simplex *simplex, difference_point corner) {
  const uint32_t last = simplex->count;
  const double one = 1.0;
  simplex->corner[last] = corner;
  origin_offer best = {0, {0, 0, 0, 0}, {0.0, 0.0, 0.0, 0.0}, simplex->nearest, simplex->squared * (1.0 + 0x1p-50)};
  origin_offer_face(&best, 1, &last, &one, corner.point);
  for (uint32_t i = 0; i < last; i++) {
    origin_offer_edge(&best, simplex, i, last);
    for (uint32_t j = 0; j < i; j++) origin_offer_triangle(&best, simplex, j, i, last);
  }
  if (last == 3 && origin_in_tetrahedron(simplex)) {
    simplex->count = 4;
    return true;
  }
  if (best.count == 0) return false;
  origin_simplex_take(simplex, &best);
  return true;
}

#endif

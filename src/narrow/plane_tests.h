/* The arithmetic of the float filter of triangles, in lanes: which pairs a plane certainly separates.
 *
 * For a plane through p with edges u, v and a point at w from p, the sign of det(u, v, w) tells the side. With e =
 * 2^-24, m(x) the largest |coordinate| of a vector, h = 2 * error of the vertices, and A = m(u) + h, B = m(v) + h, C =
 * m(w) + h, the computed value is within 6 h (AB + BC + CA)  +  46.2 e ABC  +  2^-115 of the exact one: the first term
 * is what the rounding of the vertices does, the second that of the differences (18.1) and of the products and sums
 * (28), the third covers underflow, also where a host flushes subnormals to zero. The bound itself is computed in
 * floats, hence the constants 6.25 and 48. */
#ifndef GRAZE_NARROW_PLANE_TESTS_H
#define GRAZE_NARROW_PLANE_TESTS_H

#include "narrow/simd_point.h"

/* Lanes in which all `count` points w lie certainly on one side of the plane through the origin with edges u and v; a
 * and b are A and B, and no point lies further away than c, which is C or more. */
SIMD_FUNCTION simd_word on_one_side(simd_point u, simd_point v, const simd_point *w, int count, simd_float a,
                                    simd_float b, simd_float c, simd_float h) {
  const simd_point normal = cross(u, v);
  simd_float low = dot(normal, w[0]), high = low;
  for (int i = 1; i < count; i++) {
    const simd_float side = dot(normal, w[i]);
    low = simd_minimum(low, side);
    high = simd_maximum(high, side);
  }
  const simd_float ab = simd_multiply(a, b);
  const simd_float mixed = simd_add(ab, simd_multiply(simd_add(a, b), c));
  simd_float bound = simd_multiply(simd_multiply(simd_set(6.25f), h), mixed);
  bound = simd_add(bound, simd_multiply(simd_multiply(simd_set(48.0f * 0x1p-24f), ab), c));
  bound = simd_add(bound, simd_set(0x1p-115f));
  const simd_float nearest = simd_maximum(low, simd_subtract(simd_set(0.0f), high));
  return simd_less(bound, nearest);
}

/* Lanes in which the plane of one of two triangles certainly has the other on one side. If the triangles meet, so do
 * their boxes, and no corner is further from one of the other triangle than both boxes are long together: a box is at
 * most as long as two edges of its triangle, A + B. So one C serves all six corners. If they do not meet, "apart" is
 * right whatever it came from. */
SIMD_FUNCTION simd_word planes_separate(const simd_point p[3], const simd_point q[3], simd_float h) {
  const simd_point p_edge[2] = {difference(p[1], p[0]), difference(p[2], p[0])};
  const simd_point q_edge[2] = {difference(q[1], q[0]), difference(q[2], q[0])};
  const simd_point from_p[3] = {difference(q[0], p[0]), difference(q[1], p[0]), difference(q[2], p[0])};
  const simd_point from_q[3] = {difference(p[0], q[0]), difference(p[1], q[0]), difference(p[2], q[0])};
  const simd_float p_a = simd_add(largest(p_edge[0]), h), p_b = simd_add(largest(p_edge[1]), h);
  const simd_float q_a = simd_add(largest(q_edge[0]), h), q_b = simd_add(largest(q_edge[1]), h);
  const simd_float c = simd_add(simd_add(simd_add(p_a, p_b), simd_add(q_a, q_b)), h);
  return simd_or(on_one_side(p_edge[0], p_edge[1], from_p, 3, p_a, p_b, c, h),
                 on_one_side(q_edge[0], q_edge[1], from_q, 3, q_a, q_b, c, h));
}

/* ------------------------------------------------------------------------------------------------ edges */

/* A pair of triangles in lanes: corners, and edge i from corner i to the next. */
typedef struct edge_pair {
  simd_point p[3], q[3], p_edge[3], q_edge[3];
} edge_pair;

/* The largest coordinate of three edges: as long as the box around the triangle. */
SIMD_FUNCTION simd_float longest(const simd_point edge[3]) {
  return simd_maximum(simd_maximum(largest(edge[0]), largest(edge[1])), largest(edge[2]));
}

/* Lanes in which a plane along edge i of p and edge j of q certainly has p on one side and q on the other. Along its
 * normal, both ends of p's edge lie at the same height, 0, and both ends of q's: each triangle has two heights. Each is
 * a determinant of three differences as above, so that each is within the bound of the exact one. */
SIMD_FUNCTION simd_word edges_separate(const edge_pair *pair, int i, int j, simd_float twice_bound) {
  const simd_point u = pair->p_edge[i], v = pair->q_edge[j];
  const simd_point normal = cross(u, v);
  const simd_float zero = simd_set(0.0f);
  const simd_float p_third = dot(normal, difference(pair->p[(i + 2) % 3], pair->p[i]));
  const simd_float q_ends = dot(normal, difference(pair->q[j], pair->p[i]));
  const simd_float q_third = dot(normal, difference(pair->q[(j + 2) % 3], pair->p[i]));
  const simd_float p_low = simd_minimum(p_third, zero), p_high = simd_maximum(p_third, zero);
  const simd_float q_low = simd_minimum(q_ends, q_third), q_high = simd_maximum(q_ends, q_third);
  return simd_or(simd_less(simd_add(p_high, twice_bound), q_low), simd_less(simd_add(q_high, twice_bound), p_low));
}

/* Twice the error bound of a height, for all nine planes at once, and what adding it to a height, of at most 6 ABC,
 * rounds away: 2 * 46.2 + 6.1 in place of 46.2. The boxes meet, so no two corners are further apart than both boxes
 * together are long, with the errors on either side of each. */
SIMD_FUNCTION simd_float twice_height_bound(const edge_pair *pair, simd_float h) {
  const simd_float p_size = longest(pair->p_edge), q_size = longest(pair->q_edge);
  const simd_float reach = simd_add(simd_add(p_size, q_size), simd_add(h, h));
  const simd_float a = simd_add(p_size, h), b = simd_add(q_size, h), c = simd_add(reach, h);
  const simd_float ab = simd_multiply(a, b);
  const simd_float mixed = simd_add(ab, simd_multiply(simd_add(a, b), c));
  simd_float bound = simd_multiply(simd_multiply(simd_set(12.5f), h), mixed);
  bound = simd_add(bound, simd_multiply(simd_multiply(simd_set(100.0f * 0x1p-24f), ab), c));
  return simd_add(bound, simd_set(0x1p-114f));
}

/* Lanes in which a plane along an edge of each certainly separates; for pairs whose boxes meet. */
SIMD_FUNCTION simd_word edge_planes_separate(const simd_point p[3], const simd_point q[3], simd_float h) {
  edge_pair pair;
  for (int i = 0; i < 3; i++) {
    pair.p[i] = p[i];
    pair.q[i] = q[i];
    pair.p_edge[i] = difference(p[(i + 1) % 3], p[i]);
    pair.q_edge[i] = difference(q[(i + 1) % 3], q[i]);
  }
  const simd_float twice_bound = twice_height_bound(&pair, h);
  simd_word apart = simd_set_word(0);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) apart = simd_or(apart, edges_separate(&pair, i, j, twice_bound));
  return apart;
}

/* ------------------------------------------------------------------------------------------------ adjacent */

/* Lanes in which two triangles with one common corner, the first point, certainly meet in nothing else; the next two
 * points are the other corners of one, the last two those of the other. */
SIMD_FUNCTION simd_word adjacent_planes_separate(const simd_point point[5], simd_float h) {
  simd_point edge[4];
  simd_float size[4];
  for (int i = 0; i < 4; i++) {
    edge[i] = difference(point[i + 1], point[0]);
    size[i] = simd_add(largest(edge[i]), h);
  }
  const simd_float p_size = simd_maximum(size[0], size[1]), q_size = simd_maximum(size[2], size[3]);
  return simd_or(on_one_side(edge[0], edge[1], edge + 2, 2, size[0], size[1], q_size, h),
                 on_one_side(edge[2], edge[3], edge, 2, size[2], size[3], p_size, h));
}

#endif

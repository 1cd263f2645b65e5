/* The arithmetic of the float filter of triangles, in lanes: which pairs a plane certainly separates, and which
 * certainly meet.
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

/* Two triangles in lanes: the edges from their first corners, and the corners of each as the first of the other sees
 * them. */
typedef struct corner_lanes {
  simd_point p_edge[2], q_edge[2], from_p[3], from_q[3];
} corner_lanes;

SIMD_FUNCTION corner_lanes corner_lanes_of(const simd_point p[3], const simd_point q[3]) {
  corner_lanes lanes;
  for (int i = 0; i < 3; i++) {
    lanes.from_p[i] = difference(q[i], p[0]);
    lanes.from_q[i] = difference(p[i], q[0]);
  }
  for (int i = 0; i < 2; i++) {
    lanes.p_edge[i] = difference(p[i + 1], p[0]);
    lanes.q_edge[i] = difference(q[i + 1], q[0]);
  }
  return lanes;
}

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
  const corner_lanes lanes = corner_lanes_of(p, q);
  const simd_float p_a = simd_add(largest(lanes.p_edge[0]), h), p_b = simd_add(largest(lanes.p_edge[1]), h);
  const simd_float q_a = simd_add(largest(lanes.q_edge[0]), h), q_b = simd_add(largest(lanes.q_edge[1]), h);
  const simd_float c = simd_add(simd_add(simd_add(p_a, p_b), simd_add(q_a, q_b)), h);
  return simd_or(on_one_side(lanes.p_edge[0], lanes.p_edge[1], lanes.from_p, 3, p_a, p_b, c, h),
                 on_one_side(lanes.q_edge[0], lanes.q_edge[1], lanes.from_q, 3, q_a, q_b, c, h));
}

/* ------------------------------------------------------------------------------------------------ upright */

/* Lanes in which three points w lie certainly beyond one edge of the triangle with the corners 0, u and v: beyond the
 * plane through that edge which stands upright on the triangle. `size` is A + B.
 *
 * With n the normal as computed, the planes have the normals u x n, n x v and, as the three of them have the sum zero,
 * what is left; over 0 the edge from u to v has the height |n|^2 along that. Whatever a normal has become, it is a
 * direction, and along any direction two sets with a gap between them are apart: no error of it counts but how it
 * changes the heights of the triangle's own corners. With N = m(n) all heights together are within 12 h (A + B) N + 57
 * e (A + B) N C + 2^-113 of the exact ones. */
SIMD_FUNCTION simd_word beyond_some_edge(simd_point u, simd_point v, const simd_point w[3], simd_float size,
                                         simd_float c, simd_float h) {
  const simd_point normal = cross(u, v), over_first = cross(u, normal), over_last = cross(normal, v);
  simd_float first = dot(over_first, w[0]), last = dot(over_last, w[0]), both = simd_add(first, last);
  for (int i = 1; i < 3; i++) {
    const simd_float over_u = dot(over_first, w[i]), over_v = dot(over_last, w[i]);
    first = simd_minimum(first, over_u);
    last = simd_minimum(last, over_v);
    both = simd_maximum(both, simd_add(over_u, over_v));
  }
  const simd_float between = simd_subtract(simd_subtract(simd_set(0.0f), both), dot(normal, normal));
  const simd_float nearest = simd_maximum(simd_maximum(first, last), between);
  const simd_float unit = simd_add(simd_multiply(simd_set(12.5f), h), simd_multiply(simd_set(60.0f * 0x1p-24f), c));
  const simd_float bound = simd_multiply(simd_multiply(size, largest(normal)), unit);
  return simd_less(simd_add(bound, simd_set(0x1p-110f)), nearest);
}

/* Lanes in which one of two triangles certainly lies beyond an edge of the other: what parts triangles that are nearly
 * or fully coplanar. */
SIMD_FUNCTION simd_word upright_planes_separate(const simd_point p[3], const simd_point q[3], simd_float h) {
  const corner_lanes lanes = corner_lanes_of(p, q);
  const simd_float p_size = simd_add(simd_add(largest(lanes.p_edge[0]), h), simd_add(largest(lanes.p_edge[1]), h));
  const simd_float q_size = simd_add(simd_add(largest(lanes.q_edge[0]), h), simd_add(largest(lanes.q_edge[1]), h));
  const simd_float c = simd_add(simd_add(p_size, q_size), h);
  return simd_or(beyond_some_edge(lanes.p_edge[0], lanes.p_edge[1], lanes.from_p, p_size, c, h),
                 beyond_some_edge(lanes.q_edge[0], lanes.q_edge[1], lanes.from_q, q_size, c, h));
}

/* ------------------------------------------------------------------------------------------------ edges */

/* Which lanes are certainly apart, and which certainly meet. */
typedef struct simd_relation {
  simd_word apart, meet;
} simd_relation;

/* Two triangles in lanes: edge i from corner i to the next, and corners as the first of the other triangle sees them.
 */
typedef struct triangle_lanes {
  simd_point p_edge[3], q_edge[3], p_normal, q_normal, from_p[3], from_q[3];
} triangle_lanes;

SIMD_FUNCTION triangle_lanes triangle_lanes_of(const simd_point p[3], const simd_point q[3]) {
  triangle_lanes lanes;
  for (int i = 0; i < 3; i++) {
    lanes.p_edge[i] = difference(p[(i + 1) % 3], p[i]);
    lanes.q_edge[i] = difference(q[(i + 1) % 3], q[i]);
    lanes.from_p[i] = difference(q[i], p[0]);
    lanes.from_q[i] = difference(p[i], q[0]);
  }
  lanes.p_normal = cross(lanes.p_edge[0], lanes.p_edge[1]);
  lanes.q_normal = cross(lanes.q_edge[0], lanes.q_edge[1]);
  return lanes;
}

/* The largest coordinate of three edges: as long as the box around the triangle. */
SIMD_FUNCTION simd_float longest(const simd_point edge[3]) {
  return simd_maximum(simd_maximum(largest(edge[0]), largest(edge[1])), largest(edge[2]));
}

/* How far the three points reach to either side of the plane with this normal, on the side where that is less: below
 * zero by as much as all of them are on the other side. */
SIMD_FUNCTION simd_float lesser_reach(simd_point normal, const simd_point w[3]) {
  const simd_float a = dot(normal, w[0]), b = dot(normal, w[1]), c = dot(normal, w[2]);
  const simd_float low = simd_minimum(simd_minimum(a, b), c), high = simd_maximum(simd_maximum(a, b), c);
  return simd_minimum(high, simd_subtract(simd_set(0.0f), low));
}

/* The widest gap between p and q along the nine normals of planes along an edge of each; below zero by as much as they
 * overlap along each of them.
 *
 * Along E x F, with E edge i of p and F edge j of q, both ends of E have one height, 0, and the third corner of p has
 * -t, t = det(E0, E1, F), which is the same for all i. Both ends of F have the height g = det(E, F, W), W from corner i
 * of p to corner j of q, and the third corner of q has g + s, s = det(F0, F1, E), the same for all j. So p and q are
 * |g + s/2 + t/2| - |s/2| - |t/2| apart. In place of W the way from corner 0 of p to corner j of q may stand, as corner
 * i lies on E for i = 0 and 2, and for i = 1 makes it t more: three cross products F x W serve nine g. */
SIMD_FUNCTION simd_float widest_gap(const triangle_lanes *lanes) {
  const simd_float half = simd_set(0.5f);
  simd_float half_s[3], half_t[3], widest = simd_set(-4.0f); /* more overlap is as good */
  for (int i = 0; i < 3; i++) {
    half_s[i] = simd_multiply(half, dot(lanes->q_normal, lanes->p_edge[i]));
    half_t[i] = simd_multiply(half, dot(lanes->p_normal, lanes->q_edge[i]));
  }
  for (int j = 0; j < 3; j++) {
    const simd_point moment = cross(lanes->q_edge[j], lanes->from_p[j]);
    for (int i = 0; i < 3; i++) {
      const simd_float g = dot(lanes->p_edge[i], moment);
      const simd_float middle = i == 1 ? simd_subtract(half_s[i], half_t[j]) : simd_add(half_s[i], half_t[j]);
      const simd_float sizes = simd_add(simd_absolute(half_s[i]), simd_absolute(half_t[j]));
      widest = simd_maximum(widest, simd_subtract(simd_absolute(simd_add(g, middle)), sizes));
    }
  }
  return widest;
}

/* All by planes of the triangles and planes along edges, for pairs whose boxes meet: apart where there is a gap, more
 * than the error, over one of the eleven planes. Where over each of them they overlap by more than it, they meet: no
 * plane is left that could separate two triangles which are neither flat nor parallel, and such have no overlap over
 * their own planes.
 *
 * With A and B the longest edge coordinates and h, and C = A + B + h, which no two corners of boxes that meet are
 * beyond, a height is within 6 h (AA + 2 AC) + 46.2 e AAC + 2^-115 of the exact one over the plane of p; so over that
 * of q, with B for A. Of a gap along an edge of each, g is off by D = 6 h (AB + BC + CA) + 46.2 e ABC + 2^-115, s/2 and
 * t/2, twice each, by half of it (AA + 2 AB is less than AB + BC + CA, AAB than ABC), and the sums, of at most 6, 6, 12
 * and 18 ABC, by 42 e ABC: 3 D and that. 64 in place of 46.2 covers it. To say that they meet, C must not rest on that:
 * where the first corners are no further apart than A + B, no others are than 2 C, which makes no bound more than twice
 * as large. */
SIMD_FUNCTION simd_relation relate_triangles(const simd_point p[3], const simd_point q[3], simd_float h) {
  const triangle_lanes lanes = triangle_lanes_of(p, q);
  const simd_float a = simd_add(longest(lanes.p_edge), h), b = simd_add(longest(lanes.q_edge), h);
  const simd_float reach = simd_add(a, b), c = simd_add(reach, h);
  const simd_float h_part = simd_multiply(simd_set(6.25f), h), c_part = simd_multiply(h_part, c);
  const simd_float area_part = simd_multiply_add(simd_set(64.0f * 0x1p-24f), c, h_part);
  const simd_float twice_c_part = simd_add(c_part, c_part), least = simd_set(0x1p-113f);
  const simd_float p_bound = simd_multiply_add(a, simd_multiply_add(a, area_part, twice_c_part), least);
  const simd_float q_bound = simd_multiply_add(b, simd_multiply_add(b, area_part, twice_c_part), least);
  const simd_float edge_bound = simd_multiply_add(simd_multiply(a, b), area_part, simd_multiply(reach, c_part));
  const simd_float gap_bound = simd_multiply_add(simd_set(3.0f), edge_bound, least);
  const simd_float over_p = lesser_reach(lanes.p_normal, lanes.from_p);
  const simd_float over_q = lesser_reach(lanes.q_normal, lanes.from_q), gap = widest_gap(&lanes);
  const simd_float zero = simd_set(0.0f);
  simd_relation relation;
  relation.apart = simd_or(simd_less(simd_add(over_p, p_bound), zero), simd_less(simd_add(over_q, q_bound), zero));
  relation.apart = simd_or(relation.apart, simd_less(gap_bound, gap));
  relation.meet =
      simd_and(simd_less(simd_add(p_bound, p_bound), over_p), simd_less(simd_add(q_bound, q_bound), over_q));
  relation.meet = simd_and(relation.meet, simd_less(simd_add(gap, simd_add(gap_bound, gap_bound)), zero));
  relation.meet = simd_and(relation.meet, simd_less_equal(largest(lanes.from_p[0]), reach));
  return relation;
}

/* ------------------------------------------------------------------------------------------------ adjacent */

/* Lanes in which all `count` points w lie certainly beyond the edge from 0 to u of the triangle with the corners 0, u
 * and v: `outward` is u x n, or n x v for that from 0 to v. */
SIMD_FUNCTION simd_word all_beyond(simd_point outward, const simd_point *w, int count, simd_float bound) {
  simd_float low = dot(outward, w[0]);
  for (int i = 1; i < count; i++) low = simd_minimum(low, dot(outward, w[i]));
  return simd_less(bound, low);
}

/* How far such a height may be off. Here the plane that stands upright is the exact one, as it has to go through the
 * common corners: with M the larger of A and B, it is 12 h M M (3 C + M) + 132 e M M M C + 2^-113. */
SIMD_FUNCTION simd_float upright_bound(simd_float m, simd_float c, simd_float h) {
  const simd_float square = simd_multiply(m, m);
  const simd_float reach = simd_add(simd_add(c, c), simd_add(c, m));
  const simd_float h_part = simd_multiply(simd_multiply(simd_set(12.5f), h), reach);
  const simd_float e_part = simd_multiply(simd_multiply(simd_set(140.0f * 0x1p-24f), m), c);
  return simd_add(simd_multiply(square, simd_add(h_part, e_part)), simd_set(0x1p-110f));
}

/* Lanes in which two triangles with one common corner, the first point, certainly meet in nothing else; the next two
 * points are the other corners of one, the last two those of the other. Where both of these lie beyond an edge of the
 * first at the common corner, the second triangle meets the plane upon that edge in the corner alone. */
SIMD_FUNCTION simd_word adjacent_planes_separate(const simd_point point[5], simd_float h) {
  simd_point edge[4];
  simd_float size[4];
  for (int i = 0; i < 4; i++) {
    edge[i] = difference(point[i + 1], point[0]);
    size[i] = simd_add(largest(edge[i]), h);
  }
  const simd_float p_size = simd_maximum(size[0], size[1]), q_size = simd_maximum(size[2], size[3]);
  const simd_word planes = simd_or(on_one_side(edge[0], edge[1], edge + 2, 2, size[0], size[1], q_size, h),
                                   on_one_side(edge[2], edge[3], edge, 2, size[2], size[3], p_size, h));
  const simd_point p_normal = cross(edge[0], edge[1]), q_normal = cross(edge[2], edge[3]);
  const simd_float p_bound = upright_bound(p_size, q_size, h);
  const simd_float q_bound = upright_bound(q_size, p_size, h);
  const simd_word upon_p = simd_or(all_beyond(cross(edge[0], p_normal), edge + 2, 2, p_bound),
                                   all_beyond(cross(p_normal, edge[1]), edge + 2, 2, p_bound));
  const simd_word upon_q = simd_or(all_beyond(cross(edge[2], q_normal), edge, 2, q_bound),
                                   all_beyond(cross(q_normal, edge[3]), edge, 2, q_bound));
  return simd_or(planes, simd_or(upon_p, upon_q));
}

/* Lanes in which two triangles with a common edge, from the first point to the second, certainly do not overlap; the
 * last two points are the third corners. They do where they are coplanar and both on one side of that edge. */
SIMD_FUNCTION simd_word adjacent_edges_separate(const simd_point point[4], simd_float h) {
  const simd_point u = difference(point[1], point[0]), v = difference(point[2], point[0]);
  const simd_point w = difference(point[3], point[0]);
  const simd_float a = simd_add(largest(u), h), b = simd_add(largest(v), h), c = simd_add(largest(w), h);
  const simd_float bound = upright_bound(simd_maximum(a, b), c, h);
  return simd_or(on_one_side(u, v, &w, 1, a, b, c, h), all_beyond(cross(u, cross(u, v)), &w, 1, bound));
}

#endif

/* The arithmetic of the float filter of triangles, in lanes: which pairs a plane certainly separates, and which
 * certainly meet.
 *
 * For a plane through p with edges u, v and a point at w from p, the sign of det(u, v, w) gives the side. Let e =
 * 2^-24, m(x) the largest |coordinate| of a vector, h = 2 * error of the vertices, A = m(u) + h, B = m(v) + h and C =
 * m(w) + h. The computed value is within 6 h (AB + BC + CA) + 46.2 e ABC + 2^-115 of the exact one. The first term
 * covers the rounding of the vertices, the second that of the differences (18.1) and of the products and sums (28), the
 * third underflow, also if a host flushes subnormals to zero. The bound itself is computed in floats, hence the
 * constants 6.25 and 48. */
#ifndef GRAZE_NARROW_PLANE_TESTS_H
#define GRAZE_NARROW_PLANE_TESTS_H

#include "base/simd.h"
#include "broad/primitive_view.h"

/* Points and vectors in lanes, for the float filters. Included by each file that compiles them for one vector width,
 * and with one lane by GPU code. */

typedef struct simd_point {
  simd_float x, y, z;
} simd_point;

SIMD_FUNCTION simd_point difference(simd_point a, simd_point b) {
  const simd_point d = {simd_subtract(a.x, b.x), simd_subtract(a.y, b.y), simd_subtract(a.z, b.z)};
  return d;
}

SIMD_FUNCTION simd_float largest(simd_point a) {
  return simd_maximum(simd_maximum(simd_absolute(a.x), simd_absolute(a.y)), simd_absolute(a.z));
}

SIMD_FUNCTION simd_float cross_minor(simd_float a, simd_float b, simd_float c, simd_float d) {
  return simd_multiply_subtract(a, d, simd_multiply(b, c));
}

SIMD_FUNCTION simd_float dot(simd_point a, simd_point b) {
  return simd_multiply_add(a.z, b.z, simd_multiply_add(a.y, b.y, simd_multiply(a.x, b.x)));
}

SIMD_FUNCTION simd_point cross(simd_point a, simd_point b) {
  const simd_point normal = {cross_minor(a.y, a.z, b.y, b.z), cross_minor(a.z, a.x, b.z, b.x),
                             cross_minor(a.x, a.y, b.x, b.y)};
  return normal;
}

/* Fetches vertex numbers index[lane] and raises *error to their errors. */
SIMD_FUNCTION simd_point fetch_points(const rounded_vertex *rounded_vertices, const uint32_t *index,
                                      simd_float *error) {
  simd_float row[4];
  simd_gather_rows(&rounded_vertices->x, index, row);
  *error = simd_maximum(*error, row[3]);
  const simd_point point = {row[0], row[1], row[2]};
  return point;
}

/* Two triangles in lanes: the edges from their first corners, and the corners of each relative to the first of the
 * other. */
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

/* Lanes in which all `count` points w are certainly on one side of the plane through the origin with edges u and v. a
 * and b are A and B; c is at least C of every point. */
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

/* Lanes in which the other triangle is certainly on one side of the plane of one of two triangles. If the triangles
 * meet, their boxes do, and the distance of two corners is at most the sum of the sizes of both boxes; a box is no
 * longer than two edges of its triangle, A + B. So one C serves all six corners. If they do not meet, "apart" is right
 * however it is derived. */
SIMD_FUNCTION simd_word planes_separate(const simd_point p[3], const simd_point q[3], simd_float h) {
  const corner_lanes lanes = corner_lanes_of(p, q);
  const simd_float p_a = simd_add(largest(lanes.p_edge[0]), h), p_b = simd_add(largest(lanes.p_edge[1]), h);
  const simd_float q_a = simd_add(largest(lanes.q_edge[0]), h), q_b = simd_add(largest(lanes.q_edge[1]), h);
  const simd_float c = simd_add(simd_add(simd_add(p_a, p_b), simd_add(q_a, q_b)), h);
  return simd_or(on_one_side(lanes.p_edge[0], lanes.p_edge[1], lanes.from_p, 3, p_a, p_b, c, h),
                 on_one_side(lanes.q_edge[0], lanes.q_edge[1], lanes.from_q, 3, q_a, q_b, c, h));
}

/* ------------------------------------------------------------------------------------------------ upright */

/* Lanes in which three points w are certainly beyond one edge of the triangle with the corners 0, u and v: beyond the
 * plane through that edge that is upright on the triangle. `size` is A + B.
 *
 * With n the computed normal, the planes have the normals u x n, n x v and, since the three sum to zero, the negated
 * sum of these; along that one, the edge from u to v has the height |n|^2 over 0. An error of a normal is harmless: it
 * is still a direction, and two sets with a gap along any direction are apart. Only its effect on the heights of the
 * triangle's own corners counts. With N = m(n), all heights together are within 12 h (A + B) N + 57 e (A + B) N C +
 * 2^-113 of the exact ones. */
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

/* Lanes in which one of two triangles is certainly beyond an edge of the other. This separates triangles that are
 * nearly or exactly coplanar. */
SIMD_FUNCTION simd_word upright_planes_separate(const simd_point p[3], const simd_point q[3], simd_float h) {
  const corner_lanes lanes = corner_lanes_of(p, q);
  const simd_float p_size = simd_add(simd_add(largest(lanes.p_edge[0]), h), simd_add(largest(lanes.p_edge[1]), h));
  const simd_float q_size = simd_add(simd_add(largest(lanes.q_edge[0]), h), simd_add(largest(lanes.q_edge[1]), h));
  const simd_float c = simd_add(simd_add(p_size, q_size), h);
  return simd_or(beyond_some_edge(lanes.p_edge[0], lanes.p_edge[1], lanes.from_p, p_size, c, h),
                 beyond_some_edge(lanes.q_edge[0], lanes.q_edge[1], lanes.from_q, q_size, c, h));
}

/* ------------------------------------------------------------------------------------------------ edges */

/* The lanes that are certainly apart, and those that certainly meet. */
typedef struct simd_relation {
  simd_word apart, meet;
} simd_relation;

/* Two triangles in lanes: edge i from corner i to the next, and corners relative to the first of the other triangle. */
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

/* The largest coordinate of three edges: the size of the triangle's box. */
SIMD_FUNCTION simd_float longest(const simd_point edge[3]) {
  return simd_maximum(simd_maximum(largest(edge[0]), largest(edge[1])), largest(edge[2]));
}

/* The lesser of the two distances that the three points reach to either side of the plane with this normal; negative,
 * with the magnitude of the gap, if all are on one side. */
SIMD_FUNCTION simd_float lesser_reach(simd_point normal, const simd_point w[3]) {
  const simd_float a = dot(normal, w[0]), b = dot(normal, w[1]), c = dot(normal, w[2]);
  const simd_float low = simd_minimum(simd_minimum(a, b), c), high = simd_maximum(simd_maximum(a, b), c);
  return simd_minimum(high, simd_subtract(simd_set(0.0f), low));
}

/* The widest gap between p and q along the nine normals of planes along an edge of each; if negative, they overlap by
 * at least its magnitude along all nine.
 *
 * Along E x F, with E edge i of p and F edge j of q, both ends of E have height 0 and the third corner of p has -t, t =
 * det(E0, E1, F), the same for all i. Both ends of F have height g = det(E, F, W), W from corner i of p to corner j of
 * q, and the third corner of q has g + s, s = det(F0, F1, E), the same for all j. So p and q are |g + s/2 + t/2| -
 * |s/2| - |t/2| apart. W can be replaced by the vector from corner 0 of p to corner j of q, as corner i is on E for i =
 * 0 and 2, and for i = 1 it adds t: three cross products F x W serve nine g. */
SIMD_FUNCTION simd_float widest_gap(const triangle_lanes *lanes) {
  const simd_float half = simd_set(0.5f);
  simd_float half_s[3], half_t[3], widest = simd_set(-4.0f); /* a larger overlap decides the same */
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

/* Decides by the planes of the triangles and planes along edges, for pairs whose boxes meet. They are apart if there is
 * a gap larger than the error along one of the eleven normals. They meet if they overlap by more than the error along
 * all of them: no other plane can separate two triangles that are neither flat nor parallel, and flat or parallel ones
 * do not overlap along their own normals.
 *
 * Let A and B be the longest edge coordinates plus h, and C = A + B + h, an upper bound of the distance of any two
 * corners if the boxes meet. A height over the plane of p is within 6 h (AA + 2 AC) + 46.2 e AAC + 2^-115 of the exact
 * one; over that of q likewise with B for A. For a gap along an edge of each, g has an error of D = 6 h (AB + BC + CA)
 * + 46.2 e ABC + 2^-115; s/2 and t/2, each used twice, half of it (AA + 2 AB is less than AB + BC + CA, AAB than ABC);
 * and the sums, of at most 6, 6, 12 and 18 ABC, add 42 e ABC: 3 D and that. 64 in place of 46.2 covers it. The proof
 * that they meet must not assume that the boxes meet: if the first corners are at most A + B apart, all corners are at
 * most 2 C apart, which at most doubles each bound. */
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

/* Lanes in which all `count` points w are certainly beyond the edge from 0 to u of the triangle with the corners 0, u
 * and v: `outward` is u x n, or n x v for the edge from 0 to v. */
SIMD_FUNCTION simd_word all_beyond(simd_point outward, const simd_point *w, int count, simd_float bound) {
  simd_float low = dot(outward, w[0]);
  for (int i = 1; i < count; i++) low = simd_minimum(low, dot(outward, w[i]));
  return simd_less(bound, low);
}

/* The error bound of such a height. Here the upright plane must be the exact one, as it has to contain the common
 * corners. With M the larger of A and B, the bound is 12 h M M (3 C + M) + 132 e M M M C + 2^-113. */
SIMD_FUNCTION simd_float upright_bound(simd_float m, simd_float c, simd_float h) {
  const simd_float square = simd_multiply(m, m);
  const simd_float reach = simd_add(simd_add(c, c), simd_add(c, m));
  const simd_float h_part = simd_multiply(simd_multiply(simd_set(12.5f), h), reach);
  const simd_float e_part = simd_multiply(simd_multiply(simd_set(140.0f * 0x1p-24f), m), c);
  return simd_add(simd_multiply(square, simd_add(h_part, e_part)), simd_set(0x1p-110f));
}

/* Lanes in which two triangles with one common corner, the first point, certainly meet in nothing else. The next two
 * points are the other corners of one triangle, the last two those of the other. If both of these are beyond an edge of
 * the first triangle at the common corner, the second meets the upright plane through that edge in the corner only. */
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
 * last two points are the third corners. They overlap if they are coplanar and on the same side of that edge. */
SIMD_FUNCTION simd_word adjacent_edges_separate(const simd_point point[4], simd_float h) {
  const simd_point u = difference(point[1], point[0]), v = difference(point[2], point[0]);
  const simd_point w = difference(point[3], point[0]);
  const simd_float a = simd_add(largest(u), h), b = simd_add(largest(v), h), c = simd_add(largest(w), h);
  const simd_float bound = upright_bound(simd_maximum(a, b), c, h);
  return simd_or(on_one_side(u, v, &w, 1, a, b, c, h), all_beyond(cross(u, cross(u, v)), &w, 1, bound));
}

#endif

/* The arithmetic of the float filters of tetrahedra, in lanes: which pairs a face certainly separates, which an edge
 * certainly joins, and which a plane through an edge certainly separates.
 *
 * Over the plane of a face of p, with edges u and v from one of its corners, a point at w from that corner has the
 * height det(u, v, w). Along this axis p reaches from the height of its opposite corner to 0, whichever is lower, and q
 * from its lowest corner to its highest: where there is a gap between the two, they are apart. Which way the corners of
 * p turn does not matter, nor whether it is flat.
 *
 * The bound. With e = 2^-24, m(x) the largest |coordinate| of a vector, h = 2 * error of the vertices, and A >= m(u) +
 * h, m(v) + h, C >= m(w) + h for all w, a computed height is within 6 h (A A + 2 A C) + 46.2 e A A C + 2^-115 of the
 * exact one: the bound of plane_tests.h, derived in docs/exactness.md, with B = A; it grows with A and C, so one
 * bound serves the four faces. The three corners of the face have the height 0 exactly. A gap is certain when it is
 * more than twice that, and what adding the bound to a height of at most 6 A A C rounds away: 2 * 46.2 + 6.1 in place
 * of 46.2. The bound itself is computed in floats, hence the constants 12.5 and 100.
 *
 * Two solids that meet have an edge of one that goes through the other, or ends in it. Heights are affine along the
 * edge, so from those of its two ends the part of it that is inside of all four faces is known; its middle is a point
 * of both if its four heights are all certainly on the side of the opposite corner. Whatever the place t on the edge
 * was computed to be, the exact height there is (1 - t) times that of one end and t times that of the other, so it is
 * as uncertain as they are; a difference, a product and a sum add 36 e A A C at most, which together with 46.2 is less
 * than twice the bound. Where p is flat nothing is certain.
 *
 * Two solids that are apart though no face separates them are parted by a plane through an edge of p. Two faces of p
 * meet in an edge; for t from 0 to 1, (1 - t) times the height over one, positive on the side of p, and t times that
 * over the other is the height over a plane through the edge with all of p on its positive side. If it is certainly
 * negative in the four corners of q, the two are apart. That is the search for a point on an edge with faces and
 * corners in each other's place: the same heights, the same choice of t, the same bound.
 *
 * A and C come from the boxes of the float corners: rounding is monotone, so no computed difference of two corners is
 * larger than the computed difference of the outermost two. */
#ifndef GRAZE_NARROW_SOLID_TESTS_H
#define GRAZE_NARROW_SOLID_TESTS_H

#include "narrow/simd_point.h"

typedef struct simd_solid {
  simd_point corner[4];
  simd_point least, most; /* its box */
} simd_solid;

SIMD_FUNCTION simd_point lower(simd_point a, simd_point b) {
  const simd_point result = {simd_minimum(a.x, b.x), simd_minimum(a.y, b.y), simd_minimum(a.z, b.z)};
  return result;
}

SIMD_FUNCTION simd_point upper(simd_point a, simd_point b) {
  const simd_point result = {simd_maximum(a.x, b.x), simd_maximum(a.y, b.y), simd_maximum(a.z, b.z)};
  return result;
}

SIMD_FUNCTION simd_solid fetch_solid(const rounded_vertex *rounded_vertices, const uint32_t index[4][SIMD_WIDTH],
                                     simd_float *error) {
  simd_solid solid;
  for (int i = 0; i < 4; i++) solid.corner[i] = fetch_points(rounded_vertices, index[i], error);
  solid.least = lower(lower(solid.corner[0], solid.corner[1]), lower(solid.corner[2], solid.corner[3]));
  solid.most = upper(upper(solid.corner[0], solid.corner[1]), upper(solid.corner[2], solid.corner[3]));
  return solid;
}

/* No corner of one is further from a corner of the other, along an axis. */
SIMD_FUNCTION simd_float solids_reach(const simd_solid *p, const simd_solid *q) {
  return simd_maximum(largest(difference(p->most, q->least)), largest(difference(q->most, p->least)));
}

/* Twice the error bound of a height, for the four faces of a tetrahedron of this size. */
SIMD_FUNCTION simd_float twice_face_bound(simd_float size, simd_float reach, simd_float h) {
  const simd_float a = simd_add(size, h), c = simd_add(simd_maximum(size, reach), h);
  const simd_float aa = simd_multiply(a, a), ac = simd_multiply(a, c);
  simd_float bound = simd_multiply(simd_multiply(simd_set(12.5f), h), simd_add(aa, simd_add(ac, ac)));
  bound = simd_add(bound, simd_multiply(simd_multiply(simd_set(100.0f * 0x1p-24f), aa), c));
  return simd_add(bound, simd_set(0x1p-114f));
}

/* Lanes in which the plane with edges u and v certainly has a gap between p, whose opposite corner is at `opposite`,
 * and the four points w; all seen from a corner of the face. */
SIMD_FUNCTION simd_word face_separates(simd_point u, simd_point v, simd_point opposite, const simd_point w[4],
                                       simd_float twice_bound) {
  const simd_point normal = cross(u, v);
  const simd_float zero = simd_set(0.0f), height = dot(normal, opposite);
  const simd_float p_low = simd_minimum(height, zero), p_high = simd_maximum(height, zero);
  const simd_float a = dot(normal, w[0]), b = dot(normal, w[1]), c = dot(normal, w[2]), d = dot(normal, w[3]);
  const simd_float q_low = simd_minimum(simd_minimum(a, b), simd_minimum(c, d));
  const simd_float q_high = simd_maximum(simd_maximum(a, b), simd_maximum(c, d));
  return simd_or(simd_less(simd_add(p_high, twice_bound), q_low), simd_less(simd_add(q_high, twice_bound), p_low));
}

/* Lanes in which a face of p certainly separates: three faces seen from the first corner, one from the second. */
SIMD_FUNCTION simd_word faces_separate(const simd_solid *p, const simd_solid *q, simd_float reach, simd_float h) {
  const simd_float twice_bound = twice_face_bound(largest(difference(p->most, p->least)), reach, h);
  simd_point edge[3], w[4];
  for (int i = 0; i < 3; i++) edge[i] = difference(p->corner[i + 1], p->corner[0]);
  for (int i = 0; i < 4; i++) w[i] = difference(q->corner[i], p->corner[0]);
  simd_word apart = face_separates(edge[0], edge[1], edge[2], w, twice_bound);
  apart = simd_or(apart, face_separates(edge[1], edge[2], edge[0], w, twice_bound));
  apart = simd_or(apart, face_separates(edge[2], edge[0], edge[1], w, twice_bound));
  for (int i = 0; i < 4; i++) w[i] = difference(q->corner[i], p->corner[1]);
  return simd_or(apart, face_separates(difference(p->corner[2], p->corner[1]), difference(p->corner[3], p->corner[1]),
                                       difference(p->corner[0], p->corner[1]), w, twice_bound));
}

/* ------------------------------------------------------------------------------------------------ edges */

/* The heights of the corners of q over the faces of p, positive on the side of p. */
typedef struct simd_depths {
  simd_float depth[4][4]; /* face, corner */
  simd_float twice_bound; /* of a height */
  simd_word solid;        /* lanes in which p is certainly not flat */
} simd_depths;

SIMD_FUNCTION void measure_face(simd_point u, simd_point v, simd_point opposite, const simd_point w[4],
                                simd_depths *depths, int face) {
  const simd_point normal = cross(u, v);
  const simd_float height = dot(normal, opposite);
  const simd_float side = simd_select(simd_less(height, simd_set(0.0f)), simd_set(-1.0f), simd_set(1.0f));
  depths->solid = simd_and(depths->solid, simd_less(depths->twice_bound, simd_absolute(height)));
  for (int i = 0; i < 4; i++) depths->depth[face][i] = simd_multiply(side, dot(normal, w[i]));
}

SIMD_FUNCTION simd_depths measure_depths(const simd_solid *p, const simd_solid *q, simd_float reach, simd_float h) {
  simd_depths depths;
  depths.twice_bound = twice_face_bound(largest(difference(p->most, p->least)), reach, h);
  depths.solid = simd_set_word(~0u);
  simd_point edge[3], w[4];
  for (int i = 0; i < 3; i++) edge[i] = difference(p->corner[i + 1], p->corner[0]);
  for (int i = 0; i < 4; i++) w[i] = difference(q->corner[i], p->corner[0]);
  for (int i = 0; i < 3; i++) measure_face(edge[i], edge[(i + 1) % 3], edge[(i + 2) % 3], w, &depths, i);
  for (int i = 0; i < 4; i++) w[i] = difference(q->corner[i], p->corner[1]);
  measure_face(difference(p->corner[2], p->corner[1]), difference(p->corner[3], p->corner[1]),
               difference(p->corner[0], p->corner[1]), w, &depths, 3);
  return depths;
}

/* Of four numbers that go from `from` to `to` the least, in the middle of where all four are positive. */
SIMD_FUNCTION simd_float least_between(const simd_float from[4], const simd_float to[4]) {
  const simd_float zero = simd_set(0.0f), one = simd_set(1.0f);
  simd_float begin = zero, end = one, rise[4];
  for (int i = 0; i < 4; i++) {
    rise[i] = simd_subtract(to[i], from[i]);
    const simd_word level = simd_less_equal(simd_absolute(rise[i]), zero), upward = simd_less(zero, rise[i]);
    const simd_float crossing = simd_divide_roughly(simd_subtract(zero, from[i]), simd_select(level, one, rise[i]));
    const simd_float place = simd_minimum(simd_maximum(crossing, zero), one);
    begin = simd_maximum(begin, simd_select(upward, place, zero));
    end = simd_minimum(end, simd_select(simd_or(upward, level), one, place));
  }
  const simd_float middle = simd_multiply(simd_add(begin, end), simd_set(0.5f));
  simd_float least = simd_add(from[0], simd_multiply(middle, rise[0]));
  for (int i = 1; i < 4; i++) least = simd_minimum(least, simd_add(from[i], simd_multiply(middle, rise[i])));
  return least;
}

/* The greatest of what is least between two rows, for the six choices of two. */
SIMD_FUNCTION simd_float greatest_between(const simd_float row[4][4]) {
  simd_float greatest = least_between(row[0], row[1]);
  greatest = simd_maximum(greatest, least_between(row[0], row[2]));
  greatest = simd_maximum(greatest, least_between(row[0], row[3]));
  greatest = simd_maximum(greatest, least_between(row[1], row[2]));
  greatest = simd_maximum(greatest, least_between(row[1], row[3]));
  return simd_maximum(greatest, least_between(row[2], row[3]));
}

/* Lanes in which an edge of q certainly goes through p. */
SIMD_FUNCTION uint32_t edges_inside(const simd_depths *depths) {
  simd_float inward[4][4]; /* corner, face */
  for (int corner = 0; corner < 4; corner++)
    for (int face = 0; face < 4; face++) inward[corner][face] = depths->depth[face][corner];
  const simd_word inside = simd_less(depths->twice_bound, greatest_between((const simd_float(*)[4])inward));
  return simd_bits(simd_and(depths->solid, inside));
}

/* Lanes in which a plane through an edge of p certainly separates. */
SIMD_FUNCTION uint32_t solid_edges_separate(const simd_depths *depths) {
  simd_float outward[4][4]; /* face, corner */
  for (int face = 0; face < 4; face++)
    for (int corner = 0; corner < 4; corner++)
      outward[face][corner] = simd_subtract(simd_set(0.0f), depths->depth[face][corner]);
  const simd_word beyond = simd_less(depths->twice_bound, greatest_between((const simd_float(*)[4])outward));
  return simd_bits(simd_and(depths->solid, beyond));
}

#endif

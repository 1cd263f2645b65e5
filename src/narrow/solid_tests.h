/* The arithmetic of the float filters of tetrahedra, in lanes: which pairs a face certainly separates, in which an edge
 * certainly passes through the other, and which a plane through an edge certainly separates.
 *
 * Over the plane of a face of p, with edges u and v from one of its corners, a point at w from that corner has the
 * height det(u, v, w). Along this axis p extends between 0 and the height of its opposite corner, and q from its lowest
 * corner to its highest. If there is a gap between the two, they are apart. The orientation of p does not matter, nor
 * whether it is flat.
 *
 * The bound. Let e = 2^-24, m(x) the largest |coordinate| of a vector, h = 2 * error of the vertices, A >= m(u) + h,
 * m(v) + h, and C >= m(w) + h for all w. A computed determinant is within D = 6 h (A A + 2 A C) + 46.2 e A A C + 2^-115
 * of the exact one: the bound of plane_tests.h, derived in docs/theory/exactness.md, with B = A. It grows with A and C,
 * so one bound serves all. The height over the fourth face is formed from four determinants and sums of at most 12, 12
 * and 24 A A C: within 4 D + 48 e A A C. A gap is the difference of a height and that of the opposite corner, which
 * adds another D, and adding the bound to a height of at most 6 A A C adds a rounding of 6 e A A C: 30 h and 285 e. The
 * bound itself is computed in floats, hence the constants 32 and 320.
 *
 * If two solids meet, an edge of one passes through the other or ends in it. Heights are affine along the edge, so the
 * heights of its ends determine the part of it inside all four faces. The middle of that part is a common point if its
 * four heights are all certainly on the side of the opposite corner. For any computed place t on the edge, the exact
 * height is (1 - t) times that of one end plus t times that of the other, so its error is theirs, 4 D + 48 e A A C; a
 * difference, a product and a sum of heights of at most 12 A A C add at most 72 e A A C: 24 h and 305 e, less than the
 * bound of a gap. If p is flat nothing is certain.
 *
 * If two solids are apart and no face separates them, a plane through an edge of p does. Two faces of p meet in an
 * edge. For t from 0 to 1, (1 - t) times the height over one face, positive on the side of p, plus t times that over
 * the other is the height over a plane through the edge with all of p on its positive side. If it is certainly negative
 * in the four corners of q, the two are apart. This is the search for a point on an edge with faces and corners
 * exchanged: the same heights, the same choice of t, the same bound.
 *
 * All heights are relative to the first corner of p: A is the longest coordinate of its edges from there, C that of the
 * vectors to the corners of q. */
#ifndef GRAZE_NARROW_SOLID_TESTS_H
#define GRAZE_NARROW_SOLID_TESTS_H

#include "narrow/plane_tests.h"

typedef struct simd_solid {
  simd_point corner[4];
} simd_solid;

SIMD_FUNCTION simd_solid fetch_solid(const rounded_vertex *rounded_vertices, const uint32_t index[4][SIMD_WIDTH],
                                     simd_float *error) {
  simd_solid solid;
  for (int i = 0; i < 4; i++) solid.corner[i] = fetch_points(rounded_vertices, index[i], error);
  return solid;
}

/* Three faces of p meet in its first corner. With U, V and W its edges from there and a point at X, the heights over
 * them are det(U, V, X), det(V, W, X) and det(W, U, X), and that of the opposite corner is the determinant of the three
 * edges each time. The same holds for the fourth face, and the four heights of every point sum to that determinant: the
 * fourth is the remainder. */
typedef struct solid_heights {
  simd_float height[4][4]; /* face, corner of q */
  simd_float volume;       /* the height of the opposite corner over each face */
  simd_float gap_bound;    /* of a gap */
} solid_heights;

/* The bound of a gap, if no edge is longer than `size` and no vector longer than `reach` along an axis. */
SIMD_FUNCTION simd_float face_gap_bound(simd_float size, simd_float reach, simd_float h) {
  const simd_float a = simd_add(size, h), c = simd_add(simd_maximum(size, reach), h);
  const simd_float aa = simd_multiply(a, a), ac = simd_multiply(a, c);
  simd_float bound = simd_multiply(simd_multiply(simd_set(32.0f), h), simd_add(aa, simd_add(ac, ac)));
  bound = simd_add(bound, simd_multiply(simd_multiply(simd_set(320.0f * 0x1p-24f), aa), c));
  return simd_add(bound, simd_set(0x1p-112f));
}

SIMD_FUNCTION solid_heights measure_heights(const simd_solid *p, const simd_solid *q, simd_float h) {
  simd_point edge[3], normal[3];
  simd_float size = simd_set(0.0f), reach = size;
  for (int i = 0; i < 3; i++) {
    edge[i] = difference(p->corner[i + 1], p->corner[0]);
    size = simd_maximum(size, largest(edge[i]));
  }
  for (int i = 0; i < 3; i++) normal[i] = cross(edge[i], edge[(i + 1) % 3]);
  solid_heights heights;
  heights.volume = dot(normal[0], edge[2]);
  for (int corner = 0; corner < 4; corner++) {
    const simd_point offset = difference(q->corner[corner], p->corner[0]);
    reach = simd_maximum(reach, largest(offset));
    for (int face = 0; face < 3; face++) heights.height[face][corner] = dot(normal[face], offset);
    const simd_float two = simd_add(heights.height[0][corner], heights.height[1][corner]);
    heights.height[3][corner] = simd_subtract(simd_subtract(heights.volume, heights.height[2][corner]), two);
  }
  heights.gap_bound = face_gap_bound(size, reach, h);
  return heights;
}

SIMD_FUNCTION simd_float lowest_of_four(const simd_float number[4]) {
  return simd_minimum(simd_minimum(number[0], number[1]), simd_minimum(number[2], number[3]));
}

SIMD_FUNCTION simd_float highest_of_four(const simd_float number[4]) {
  return simd_maximum(simd_maximum(number[0], number[1]), simd_maximum(number[2], number[3]));
}

/* Lanes in which a face of p certainly separates: along its normal p extends from 0 to the opposite corner, and all of
 * q is beyond either end. */
SIMD_FUNCTION simd_word faces_separate(const simd_solid *p, const simd_solid *q, simd_float h) {
  const solid_heights heights = measure_heights(p, q, h);
  const simd_float zero = simd_set(0.0f);
  const simd_float p_low = simd_minimum(heights.volume, zero), p_high = simd_maximum(heights.volume, zero);
  simd_float low[4], high[4]; /* of q, over each face */
  for (int face = 0; face < 4; face++) {
    low[face] = lowest_of_four(heights.height[face]);
    high[face] = highest_of_four(heights.height[face]);
  }
  return simd_or(simd_less(simd_add(p_high, heights.gap_bound), highest_of_four(low)),
                 simd_less(simd_add(lowest_of_four(high), heights.gap_bound), p_low));
}

/* ------------------------------------------------------------------------------------------------ edges */

/* The heights of the corners of q over the faces of p, positive on the side of p. */
typedef struct simd_depths {
  simd_float depth[4][4]; /* face, corner */
  simd_float gap_bound;   /* of a height */
  simd_word solid;        /* lanes in which p is certainly not flat */
} simd_depths;

SIMD_FUNCTION simd_depths measure_depths(const simd_solid *p, const simd_solid *q, simd_float h) {
  const solid_heights heights = measure_heights(p, q, h);
  const simd_word turned = simd_less(heights.volume, simd_set(0.0f));
  const simd_float side = simd_select(turned, simd_set(-1.0f), simd_set(1.0f));
  simd_depths depths;
  depths.gap_bound = heights.gap_bound;
  depths.solid = simd_less(heights.gap_bound, simd_absolute(heights.volume));
  for (int face = 0; face < 4; face++)
    for (int corner = 0; corner < 4; corner++)
      depths.depth[face][corner] = simd_multiply(side, heights.height[face][corner]);
  return depths;
}

/* Four numbers, and the amount by which each is below zero. */
typedef struct simd_row {
  simd_float number[4], below[4];
} simd_row;

/* Four numbers change linearly from one row to the other. Returns the least of them at the middle of the range where
 * all four are positive. A number that rises from -x to y is positive from x / (x + y) on, and one that falls from y to
 * -x up to 1 - x / (x + y). */
SIMD_FUNCTION simd_float least_between(const simd_row *from, const simd_row *to) {
  const simd_float zero = simd_set(0.0f), one = simd_set(1.0f);
  simd_float before = zero, behind = zero, rise[4],
             least[4]; /* fractions of the range where one of them is not positive */
  for (int i = 0; i < 4; i++) {
    rise[i] = simd_subtract(to->number[i], from->number[i]);
    const simd_float change = simd_add(simd_absolute(rise[i]), simd_set(0x1p-120f)); /* not zero */
    const simd_float inverse = simd_divide_roughly(one, change);
    before = simd_maximum(before, simd_multiply(from->below[i], inverse));
    behind = simd_maximum(behind, simd_multiply(to->below[i], inverse));
  }
  const simd_float middle = simd_multiply_add(simd_subtract(before, behind), simd_set(0.5f), simd_set(0.5f));
  const simd_float place = simd_minimum(simd_maximum(middle, zero), one);
  for (int i = 0; i < 4; i++) least[i] = simd_multiply_add(place, rise[i], from->number[i]);
  return lowest_of_four(least);
}

/* The greatest of these minima over the six choices of two rows. */
SIMD_FUNCTION simd_float greatest_between(const simd_row row[4]) {
  simd_float greatest = least_between(&row[0], &row[1]);
  greatest = simd_maximum(greatest, least_between(&row[0], &row[2]));
  greatest = simd_maximum(greatest, least_between(&row[0], &row[3]));
  greatest = simd_maximum(greatest, least_between(&row[1], &row[2]));
  greatest = simd_maximum(greatest, least_between(&row[1], &row[3]));
  return simd_maximum(greatest, least_between(&row[2], &row[3]));
}

/* Lanes in which an edge of q certainly passes through p. */
SIMD_FUNCTION uint32_t edges_inside(const simd_depths *depths) {
  simd_row inward[4]; /* corner, face */
  for (int corner = 0; corner < 4; corner++)
    for (int face = 0; face < 4; face++) {
      const simd_float depth = depths->depth[face][corner], zero = simd_set(0.0f);
      inward[corner].number[face] = depth;
      inward[corner].below[face] = simd_maximum(simd_subtract(zero, depth), zero);
    }
  const simd_word inside = simd_less(depths->gap_bound, greatest_between(inward));
  return simd_bits(simd_and(depths->solid, inside));
}

/* Lanes in which a plane through an edge of p certainly separates. */
SIMD_FUNCTION uint32_t solid_edges_separate(const simd_depths *depths) {
  simd_row outward[4]; /* face, corner */
  for (int face = 0; face < 4; face++)
    for (int corner = 0; corner < 4; corner++) {
      const simd_float depth = depths->depth[face][corner], zero = simd_set(0.0f);
      outward[face].number[corner] = simd_subtract(zero, depth);
      outward[face].below[corner] = simd_maximum(depth, zero);
    }
  const simd_word beyond = simd_less(depths->gap_bound, greatest_between(outward));
  return simd_bits(simd_and(depths->solid, beyond));
}

#endif

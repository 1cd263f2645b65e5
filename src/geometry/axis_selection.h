/* Which of the axes of two hulls may be that of the least depth: bounds in floats.
 *
 * Two tetrahedra have 44 axes, of which all but one or two are far from the least depth. A depth in doubles takes two
 * divisions and a square root; in floats it takes less than half of that and tells nearly all axes apart. So all are
 * measured in floats first, and those that may be the least in doubles: the answer is the same, to the bit, whatever
 * floats have said, as long as their bounds hold. They need not be the same on every processor.
 *
 * Error bound. Corners are scaled by a power of two, so that the largest coordinate lies between 1 and 2; they are seen
 * from the first corner of the first hull, so that no corner is farther from the origin than 2 sqrt(3). An axis is the
 * cross product n of two edges a and b, which are rounded once from doubles: it is off by at most 2^-21 |a| |b|. A
 * depth along n is a difference of two heights: off by 4 sqrt(3) times that, which is below 2^-18 |a| |b|, and by
 * 2^-19 |n| for the rounding of corners, products and sums. The depth of the axis is that over |n|. With s = |a| |b| /
 * |n| its error is below 2^-17 s, and for the error of |n| itself, as no depth is above 7, below 2^-17 s once more:
 * less than the 2^-15 s of AXIS_MARGIN, with room for what is left out here as long as s is below 2^12. Axes of which s
 * is larger, those of edges nearly parallel, or whose squares fall below what floats can hold, are measured in any
 * case.
 *
 * Workload: one call for each contact of solids. */
#ifndef GRAZE_GEOMETRY_AXIS_SELECTION_H
#define GRAZE_GEOMETRY_AXIS_SELECTION_H

#include "geometry/binary_scale.h"
#include "geometry/vector.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define AXIS_MARGIN 0x1p-15f  /* of a depth, times s */
#define AXIS_STEEPEST 0x1p12f /* s beyond which a bound means nothing */
#define AXIS_SQUARE_LEAST 0x1p-100f
#define AXIS_SCALE_LEAST 0x1p-60f

enum {
  HULL_MOST = 4, /* corners */
  CORNERS_OF_TWO = 2 * HULL_MOST,
  HULL_EDGES = 6,
  EDGE_WORDS = 2, /* that a rounded edge takes, of eight bytes each */
  EDGE_ROOM = EDGE_WORDS * HULL_EDGES
};

/* Two hulls of three or four corners. */
typedef struct hull_pair {
  const double *p, *q; /* seen from the first corner of p */
  int p_count, q_count;
} hull_pair;

GEOMETRY_FUNCTION int hull_edge_count(int corner_count) {
  return corner_count == 3 ? 3 : HULL_EDGES;
}

GEOMETRY_FUNCTION int hull_face_count(int corner_count) {
  return corner_count == 3 ? 1 : 4;
}

GEOMETRY_FUNCTION vector3 corner_difference(const double *hull, uint32_t to, uint32_t from) {
  return vector3_subtract(vector3_load(hull + 3 * to), vector3_load(hull + 3 * from));
}

/* Edges come in the order of their later corner, then of their earlier one, those of a triangle first; the numbers are
 * two bits each. */
GEOMETRY_FUNCTION vector3 hull_edge(const double *hull, int number) {
  return corner_difference(hull, 0xfe9u >> 2 * number & 3u, 0x910u >> 2 * number & 3u);
}

/* Two edges of a face: of the corners 2, 1, 0; then of 3, 1, 0, of 3, 2, 0 and of 3, 2, 1; four bits each. */
GEOMETRY_FUNCTION int face_edge(int face, bool second) {
  return (int)((second ? 0x4331u : 0x5542u) >> 4 * face & 7u);
}

/* ---------------------------------------------------------------------------------------------- in floats */

typedef struct float_edge {
  float x, y, z, length;
} float_edge;

/* Of numbers. A GPU and ARM have one instruction for what the C library calls so, and x86 for a comparison, of which
 * gcc makes branches on ARM: there is no telling how they go. */
#if defined(__CUDA_ARCH__) || defined(__aarch64__)
#define AXIS_HAS_MINIMUM 1
#else
#define AXIS_HAS_MINIMUM 0
#endif

GEOMETRY_FUNCTION float lesser(float a, float b) {
  return AXIS_HAS_MINIMUM ? fminf(a, b) : (a < b ? a : b);
}

GEOMETRY_FUNCTION float greater(float a, float b) {
  return AXIS_HAS_MINIMUM ? fmaxf(a, b) : (a > b ? a : b);
}

GEOMETRY_FUNCTION float inverse_root(float square) {
#if defined(__CUDA_ARCH__)
  return rsqrtf(square);
#else
  return 1.0f / sqrtf(square);
#endif
}

/* Where rounding matters to no answer, a GPU may do two steps in one. */
GEOMETRY_FUNCTION float sum_of_products(float a, float x, float b, float y, float c, float z) {
#if defined(__CUDA_ARCH__)
  return fmaf(a, x, fmaf(b, y, c * z));
#else
  return a * x + b * y + c * z;
#endif
}

GEOMETRY_FUNCTION float_edge float_edge_of(const double *hull, int number, float scale) {
  const vector3 edge = hull_edge(hull, number);
  float_edge rounded;
  rounded.x = (float)edge.x * scale;
  rounded.y = (float)edge.y * scale;
  rounded.z = (float)edge.z * scale;
  const float square = sum_of_products(rounded.x, rounded.x, rounded.y, rounded.y, rounded.z, rounded.z);
  rounded.length = square > 0.0f ? square * inverse_root(square) : 0.0f;
  return rounded;
}

GEOMETRY_FUNCTION void float_edge_store(float_edge edge, double room[EDGE_WORDS]) {
  memcpy(room, &edge, sizeof edge);
}

GEOMETRY_FUNCTION float_edge float_edge_load(const double room[EDGE_WORDS]) {
  float_edge edge;
  memcpy(&edge, room, sizeof edge);
  return edge;
}

/* The axes that may be the least so far, a bit each. */
typedef struct axis_selection {
  float x[CORNERS_OF_TWO], y[CORNERS_OF_TWO], z[CORNERS_OF_TWO]; /* of p, then of q; the first stands for one missing */
  uint64_t unknown;                                              /* axes without a bound */
  uint64_t near;  /* axes whose lower bound was not above any upper bound when they came */
  float near_low; /* the least lower bound of these */
  float limit;    /* the least upper bound of all */
} axis_selection;

GEOMETRY_FUNCTION float least_of_four(const float heights[HULL_MOST]) {
  return lesser(lesser(heights[0], heights[1]), lesser(heights[2], heights[3]));
}

GEOMETRY_FUNCTION float greatest_of_four(const float heights[HULL_MOST]) {
  return greater(greater(heights[0], heights[1]), greater(heights[2], heights[3]));
}

/* How far the two have to be moved along a vector, times its length: the shorter of both ways. */
GEOMETRY_FUNCTION float axis_way(const axis_selection *selection, float x, float y, float z) {
  float heights[CORNERS_OF_TWO];
  for (int i = 0; i < CORNERS_OF_TWO; ++i)
    heights[i] = sum_of_products(x, selection->x[i], y, selection->y[i], z, selection->z[i]);
  const float up = greatest_of_four(heights) - least_of_four(heights + HULL_MOST);
  const float down = greatest_of_four(heights + HULL_MOST) - least_of_four(heights);
  return lesser(up, down);
}

GEOMETRY_FUNCTION void axis_offer(axis_selection *selection, float_edge a, float_edge b, int number) {
  const uint64_t bit = UINT64_C(1) << number;
  const float x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x;
  const float square = sum_of_products(x, x, y, y, z, z), inverse = inverse_root(square);
  const float depth = axis_way(selection, x, y, z) * inverse, steepness = a.length * b.length * inverse;
  const float low = depth - AXIS_MARGIN * steepness, high = depth + AXIS_MARGIN * steepness;
  if (!(square > AXIS_SQUARE_LEAST && steepness < AXIS_STEEPEST)) {
    selection->unknown |= bit;
  } else if (high < selection->near_low) { /* all others are farther */
    selection->near = bit;
    selection->near_low = low;
    selection->limit = high;
  } else if (low <= selection->limit) {
    selection->near |= bit;
    selection->near_low = lesser(selection->near_low, low);
    selection->limit = lesser(selection->limit, high);
  }
}

/* Corners as floats, and what they were scaled by; zero where floats cannot hold them. */
GEOMETRY_FUNCTION float axis_selection_begin(const hull_pair *hulls, axis_selection *selection_out) {
  float largest = 0.0f;
  for (int i = 0; i < CORNERS_OF_TWO; ++i) {
    const double *hull = i < HULL_MOST ? hulls->p : hulls->q;
    const int corner = i % HULL_MOST, count = i < HULL_MOST ? hulls->p_count : hulls->q_count;
    const vector3 place = vector3_load(hull + 3 * (corner < count ? corner : 0));
    largest = greater(largest, (float)vector3_largest_magnitude(place));
    selection_out->x[i] = (float)place.x;
    selection_out->y[i] = (float)place.y;
    selection_out->z[i] = (float)place.z;
  }
  if (!(largest > AXIS_SCALE_LEAST && largest < 1.0f / AXIS_SCALE_LEAST)) return 0.0f;
  const float scale = (float)power_of_two(-binary_exponent(largest));
  for (int i = 0; i < CORNERS_OF_TWO; ++i) {
    selection_out->x[i] *= scale;
    selection_out->y[i] *= scale;
    selection_out->z[i] *= scale;
  }
  selection_out->unknown = selection_out->near = 0;
  selection_out->near_low = selection_out->limit = HUGE_VALF;
  return scale;
}

/* A bit for each axis that may have the least depth: those of faces first, of p and then of q, then those of edges, all
 * of q for each of p. Edges of q lie in memory of the caller, as a GPU has no registers that are taken by number. */
GEOMETRY_FUNCTION uint64_t axes_select(const hull_pair *hulls, double edges[EDGE_ROOM]) {
  const int p_faces = hull_face_count(hulls->p_count), q_faces = hull_face_count(hulls->q_count);
  const int p_edges = hull_edge_count(hulls->p_count), q_edges = hull_edge_count(hulls->q_count);
  axis_selection selection;
  const float scale = axis_selection_begin(hulls, &selection);
  if (!(scale > 0.0f)) return ~UINT64_C(0) >> (64 - p_faces - q_faces - p_edges * q_edges);
  int number = 0;
  GEOMETRY_ROLLED
  for (int i = 0; i < p_faces; ++i)
    axis_offer(&selection, float_edge_of(hulls->p, face_edge(i, false), scale),
               float_edge_of(hulls->p, face_edge(i, true), scale), number++);
  GEOMETRY_ROLLED
  for (int i = 0; i < q_edges; ++i) float_edge_store(float_edge_of(hulls->q, i, scale), edges + EDGE_WORDS * i);
  GEOMETRY_ROLLED
  for (int i = 0; i < q_faces; ++i)
    axis_offer(&selection, float_edge_load(edges + EDGE_WORDS * face_edge(i, false)),
               float_edge_load(edges + EDGE_WORDS * face_edge(i, true)), number++);
  GEOMETRY_ROLLED
  for (int i = 0; i < p_edges; ++i) {
    const float_edge edge = float_edge_of(hulls->p, i, scale);
    GEOMETRY_ROLLED
    for (int j = 0; j < q_edges; ++j) axis_offer(&selection, edge, float_edge_load(edges + EDGE_WORDS * j), number++);
  }
  return selection.unknown | selection.near;
}

#endif

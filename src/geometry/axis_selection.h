/* Selects the axes of two hulls that may have the least depth, by bounds in floats.
 *
 * Two tetrahedra have 44 axes, and all but one or two are far from the least depth. A depth in doubles takes two
 * divisions and a square root; in floats it takes less than half of that and excludes nearly all axes. So all axes are
 * measured in floats first, and those that may be the least in doubles. The answer is the same, bit for bit, for any
 * values of the floats within their bounds; these may differ between processors.
 *
 * Error bound. Corners are scaled by a power of two, so that the largest coordinate is between 1 and 2, and are
 * relative to the first corner of the first hull, so that no corner is farther from the origin than 2 sqrt(3). An axis
 * is the cross product n of two edges a and b, which are rounded once from doubles: its error is at most 2^-21 |a| |b|.
 * A depth along n is a difference of two heights, with an error of 4 sqrt(3) times that, below 2^-18 |a| |b|, plus
 * 2^-19 |n| for the rounding of corners, products and sums. The depth of the axis is that over |n|. With s = |a| |b| /
 * |n| its error is below 2^-17 s, and, as no depth is above 7, the error of |n| itself adds less than 2^-17 s: less
 * than the 2^-15 s of AXIS_MARGIN, which covers the omitted terms as long as s is below 2^12. Axes with a larger s,
 * those of nearly parallel edges, or whose squares underflow in floats, are always measured in doubles.
 *
 * A GPU measures one axis after the other, with a thread for each pair of hulls. A processor measures eight side by
 * side, in loops over lanes that a compiler vectorizes.
 *
 * Workload: one call for each contact of solids. */
#ifndef GRAZE_GEOMETRY_AXIS_SELECTION_H
#define GRAZE_GEOMETRY_AXIS_SELECTION_H

#include "geometry/binary_scale.h"
#include "geometry/vector.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define AXIS_MARGIN 0x1p-15f  /* relative to s: the error of a depth */
#define AXIS_STEEPEST 0x1p12f /* s above which there is no bound */
#define AXIS_SQUARE_LEAST 0x1p-100f
#define AXIS_SCALE_LEAST 0x1p-60f

enum {
  HULL_MOST = 4, /* corners */
  CORNERS_OF_TWO = 2 * HULL_MOST,
  HULL_EDGES = 6,
  EDGE_WORDS = 2, /* of eight bytes each, per rounded edge */
  EDGE_ROOM = EDGE_WORDS * HULL_EDGES
};

/* Two hulls of three or four corners. */
typedef struct hull_pair {
  const double *p, *q; /* relative to the first corner of p */
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

/* Edges are in the order of their later corner, then of their earlier one, those of a triangle first; the numbers have
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

/* For numbers, not NaN. GPUs and ARM have a single instruction for the C library's function, x86 for a comparison. On
 * ARM, gcc compiles the comparison to unpredictable branches. */
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

/* If rounding does not affect the result, a GPU may fuse two steps. */
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

/* Corners as floats, of p, then of q; the first corner fills missing ones. */
typedef struct float_corners {
  float x[CORNERS_OF_TWO], y[CORNERS_OF_TWO], z[CORNERS_OF_TWO];
} float_corners;

GEOMETRY_FUNCTION float least_of_four(const float heights[HULL_MOST]) {
  return lesser(lesser(heights[0], heights[1]), lesser(heights[2], heights[3]));
}

GEOMETRY_FUNCTION float greatest_of_four(const float heights[HULL_MOST]) {
  return greater(greater(heights[0], heights[1]), greater(heights[2], heights[3]));
}

/* The distance by which the two must be moved along a vector to separate, times its length: the shorter of both
 * directions. */
GEOMETRY_FUNCTION float axis_way(const float_corners *corners, float x, float y, float z) {
  float heights[CORNERS_OF_TWO];
  for (int i = 0; i < CORNERS_OF_TWO; i++)
    heights[i] = sum_of_products(x, corners->x[i], y, corners->y[i], z, corners->z[i]);
  const float up = greatest_of_four(heights) - least_of_four(heights + HULL_MOST);
  const float down = greatest_of_four(heights + HULL_MOST) - least_of_four(heights);
  return lesser(up, down);
}

/* Bounds of the depth of an axis: infinite if floats cannot decide. */
typedef struct axis_bounds {
  float low, high;
} axis_bounds;

GEOMETRY_FUNCTION axis_bounds axis_bounds_of(const float_corners *corners, float_edge a, float_edge b) {
  const float x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x;
  const float square = sum_of_products(x, x, y, y, z, z), inverse = inverse_root(square);
  const float depth = axis_way(corners, x, y, z) * inverse, steepness = a.length * b.length * inverse;
  const bool known = square > AXIS_SQUARE_LEAST && steepness < AXIS_STEEPEST;
  axis_bounds bounds;
  bounds.low = known ? depth - AXIS_MARGIN * steepness : -HUGE_VALF;
  bounds.high = known ? depth + AXIS_MARGIN * steepness : HUGE_VALF;
  return bounds;
}

/* Converts corners to floats, and returns their scale; zero if floats cannot represent them. */
GEOMETRY_FUNCTION float float_corners_make(const hull_pair *hulls, float_corners *corners_out) {
  float largest = 0.0f;
  for (int i = 0; i < CORNERS_OF_TWO; i++) {
    const double *hull = i < HULL_MOST ? hulls->p : hulls->q;
    const int corner = i % HULL_MOST, count = i < HULL_MOST ? hulls->p_count : hulls->q_count;
    const vector3 place = vector3_load(hull + 3 * (corner < count ? corner : 0));
    largest = greater(largest, (float)vector3_largest_magnitude(place));
    corners_out->x[i] = (float)place.x;
    corners_out->y[i] = (float)place.y;
    corners_out->z[i] = (float)place.z;
  }
  if (!(largest > AXIS_SCALE_LEAST && largest < 1.0f / AXIS_SCALE_LEAST)) return 0.0f;
  const float scale = (float)power_of_two(-binary_exponent(largest));
  for (int i = 0; i < CORNERS_OF_TWO; i++) {
    corners_out->x[i] *= scale;
    corners_out->y[i] *= scale;
    corners_out->z[i] *= scale;
  }
  return scale;
}

/* ---------------------------------------------------------------------------------------------- one by one */

/* The axes that may have the least depth so far, one bit each. */
typedef struct axis_selection {
  float_corners corners;
  uint64_t unknown; /* axes without a bound */
  uint64_t near;    /* axes whose lower bound was not above any earlier upper bound */
  float near_low;   /* the least lower bound of these */
  float limit;      /* the least upper bound of all */
} axis_selection;

GEOMETRY_FUNCTION void axis_offer(axis_selection *selection, float_edge a, float_edge b, int number) {
  const uint64_t bit = UINT64_C(1) << number;
  const axis_bounds bounds = axis_bounds_of(&selection->corners, a, b);
  if (bounds.high == HUGE_VALF) {
    selection->unknown |= bit;
  } else if (bounds.high < selection->near_low) { /* all earlier ones are farther */
    selection->near = bit;
    selection->near_low = bounds.low;
    selection->limit = bounds.high;
  } else if (bounds.low <= selection->limit) {
    selection->near |= bit;
    selection->near_low = lesser(selection->near_low, bounds.low);
    selection->limit = lesser(selection->limit, bounds.high);
  }
}

/* Edges of q are in memory of the caller, as a GPU cannot index registers. */
GEOMETRY_FUNCTION uint64_t axes_select_one_by_one(const hull_pair *hulls, double edges[EDGE_ROOM]) {
  const int p_faces = hull_face_count(hulls->p_count), q_faces = hull_face_count(hulls->q_count);
  const int p_edges = hull_edge_count(hulls->p_count), q_edges = hull_edge_count(hulls->q_count);
  axis_selection selection = {{{0}, {0}, {0}}, 0, 0, HUGE_VALF, HUGE_VALF};
  const float scale = float_corners_make(hulls, &selection.corners);
  if (!(scale > 0.0f)) return ~UINT64_C(0) >> (64 - p_faces - q_faces - p_edges * q_edges);
  int number = 0;
  GEOMETRY_ROLLED
  for (int i = 0; i < p_faces; i++)
    axis_offer(&selection, float_edge_of(hulls->p, face_edge(i, false), scale),
               float_edge_of(hulls->p, face_edge(i, true), scale), number++);
  GEOMETRY_ROLLED
  for (int i = 0; i < q_edges; i++) float_edge_store(float_edge_of(hulls->q, i, scale), edges + EDGE_WORDS * i);
  GEOMETRY_ROLLED
  for (int i = 0; i < q_faces; i++)
    axis_offer(&selection, float_edge_load(edges + EDGE_WORDS * face_edge(i, false)),
               float_edge_load(edges + EDGE_WORDS * face_edge(i, true)), number++);
  GEOMETRY_ROLLED
  for (int i = 0; i < p_edges; i++) {
    const float_edge edge = float_edge_of(hulls->p, i, scale);
    GEOMETRY_ROLLED
    for (int j = 0; j < q_edges; j++) axis_offer(&selection, edge, float_edge_load(edges + EDGE_WORDS * j), number++);
  }
  return selection.unknown | selection.near;
}

/* ---------------------------------------------------------------------------------------------- side by side */

/* The faces of p and of q form a row of axes, four of each; for every edge of p, its combinations with the edges of q
 * form a row. */
enum { AXIS_LANES = 8, AXIS_ROWS = 1 + HULL_EDGES };

typedef struct edge_lanes {
  float x[AXIS_LANES], y[AXIS_LANES], z[AXIS_LANES], length[AXIS_LANES];
} edge_lanes;

GEOMETRY_FUNCTION void edge_lanes_set(edge_lanes *lanes, int lane, float_edge edge) {
  lanes->x[lane] = edge.x;
  lanes->y[lane] = edge.y;
  lanes->z[lane] = edge.z;
  lanes->length[lane] = edge.length;
}

GEOMETRY_FUNCTION float_edge edge_lanes_get(const edge_lanes *lanes, int lane) {
  const float_edge edge = {lanes->x[lane], lanes->y[lane], lanes->z[lane], lanes->length[lane]};
  return edge;
}

/* Bounds of the depths of a row. */
typedef struct axis_row {
  float low[AXIS_LANES], high[AXIS_LANES];
} axis_row;

GEOMETRY_FUNCTION void axis_row_measure(const float_corners *corners, const edge_lanes *a, const edge_lanes *b,
                                        axis_row *row_out) {
  for (int lane = 0; lane < AXIS_LANES; lane++) {
    const axis_bounds bounds = axis_bounds_of(corners, edge_lanes_get(a, lane), edge_lanes_get(b, lane));
    row_out->low[lane] = bounds.low;
    row_out->high[lane] = bounds.high;
  }
}

/* The lanes of a row that may have the least depth. */
GEOMETRY_FUNCTION uint32_t axis_row_near(const axis_row *row, float limit) {
  uint32_t near = 0;
  for (int lane = 0; lane < AXIS_LANES; lane++) near |= (uint32_t)(row->low[lane] <= limit) << lane;
  return near;
}

/* Edges of a hull; the missing ones of a triangle are zero, and their axes have no bound. */
GEOMETRY_FUNCTION void edge_lanes_make(const double *hull, int edges, float scale, edge_lanes *lanes_out) {
  const edge_lanes none = {{0.0f}, {0.0f}, {0.0f}, {0.0f}};
  *lanes_out = none;
  for (int i = 0; i < edges; i++) edge_lanes_set(lanes_out, i, float_edge_of(hull, i, scale));
}

GEOMETRY_FUNCTION void face_lanes_make(const edge_lanes *p, const edge_lanes *q, bool second, edge_lanes *lanes_out) {
  for (int i = 0; i < HULL_MOST; i++) {
    edge_lanes_set(lanes_out, i, edge_lanes_get(p, face_edge(i, second)));
    edge_lanes_set(lanes_out, HULL_MOST + i, edge_lanes_get(q, face_edge(i, second)));
  }
}

GEOMETRY_FUNCTION uint64_t axes_select_side_by_side(const hull_pair *hulls) {
  const int p_faces = hull_face_count(hulls->p_count), q_faces = hull_face_count(hulls->q_count);
  const int p_edges = hull_edge_count(hulls->p_count), q_edges = hull_edge_count(hulls->q_count);
  float_corners corners;
  const float scale = float_corners_make(hulls, &corners);
  if (!(scale > 0.0f)) return ~UINT64_C(0) >> (64 - p_faces - q_faces - p_edges * q_edges);
  edge_lanes of_p, of_q, first, second;
  axis_row rows[AXIS_ROWS];
  edge_lanes_make(hulls->p, p_edges, scale, &of_p);
  edge_lanes_make(hulls->q, q_edges, scale, &of_q);
  face_lanes_make(&of_p, &of_q, false, &first);
  face_lanes_make(&of_p, &of_q, true, &second);
  axis_row_measure(&corners, &first, &second, &rows[0]);
  for (int i = 0; i < p_edges; i++) {
    for (int lane = 0; lane < AXIS_LANES; lane++) edge_lanes_set(&first, lane, edge_lanes_get(&of_p, i));
    axis_row_measure(&corners, &first, &of_q, &rows[1 + i]);
  }
  float limits[AXIS_LANES], limit = HUGE_VALF;
  for (int lane = 0; lane < AXIS_LANES; lane++) limits[lane] = rows[0].high[lane];
  for (int i = 1; i <= p_edges; i++)
    for (int lane = 0; lane < AXIS_LANES; lane++) limits[lane] = lesser(limits[lane], rows[i].high[lane]);
  for (int lane = 0; lane < AXIS_LANES; lane++) limit = lesser(limit, limits[lane]);
  const uint32_t faces = axis_row_near(&rows[0], limit);
  uint64_t near = faces & ((1u << p_faces) - 1u);
  near |= (uint64_t)(faces >> HULL_MOST & ((1u << q_faces) - 1u)) << p_faces;
  for (int i = 0; i < p_edges; i++)
    near |= (uint64_t)(axis_row_near(&rows[1 + i], limit) & ((1u << q_edges) - 1u))
            << (p_faces + q_faces + i * q_edges);
  return near;
}

/* One bit for each axis that may have the least depth: first faces, of p and then of q, then edges, all of q for each
 * of p. */
GEOMETRY_FUNCTION uint64_t axes_select(const hull_pair *hulls, double edges[EDGE_ROOM]) {
#if defined(__CUDA_ARCH__)
  return axes_select_one_by_one(hulls, edges);
#else
  (void)edges;
  return axes_select_side_by_side(hulls);
#endif
}

#endif

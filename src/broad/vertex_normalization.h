/* From posed coordinates to the scene's normalized coordinates: the bounds of all vertices, the normalized cube chosen
 * from them, and the rounding of vertices into it. One source for the processor and for GPUs, so both compute the same
 * bits.
 *
 * Workload: every vertex once per frame; the cube is chosen once. */
#ifndef GRAZE_BROAD_VERTEX_NORMALIZATION_H
#define GRAZE_BROAD_VERTEX_NORMALIZATION_H

#include "broad/primitive_view.h"
#include "geometry/float_rounding.h"

#include <float.h>
#include <math.h>

/* A position x is (x - origin) * scale in normalized coordinates. */
typedef struct normalizing_transform {
  double origin[3];
  double scale; /* a power of two */
} normalizing_transform;

typedef struct vertex_bounds {
  double low[3], high[3];
  bool finite;
} vertex_bounds;

GEOMETRY_FUNCTION bool position_is_finite(const double position[3]) {
  return fabs(position[0]) <= DBL_MAX && fabs(position[1]) <= DBL_MAX && fabs(position[2]) <= DBL_MAX;
}

/* The origin is a multiple of the scene's size rounded up to a power of two, so that cells of the normalized cube are
 * cells of the world, and scenes around the origin keep it: float coordinates then stay exact. */
GEOMETRY_FUNCTION normalizing_transform choose_normalization(const vertex_bounds *bounds) {
  normalizing_transform normalization = {{0, 0, 0}, 1.0};
  double half = 0.0;
  for (int axis = 0; axis < 3; axis++) half = fmax(half, bounds->high[axis] * 0.5 - bounds->low[axis] * 0.5);
  if (!(half > 0.0)) half = DBL_MIN;
  int exponent;
  (void)frexp(half, &exponent); /* size = 2 half < 2^(exponent + 1) */
  const int size_exponent = exponent + 1;
  /* Distances from the origin are at most 1.5 times the size, or 2 times where the origin stays 0: at most 1 when
   * scaled by half the size. */
  normalization.scale = ldexp(1.0, size_exponent < -1021 ? 1022 : -size_exponent - 1);
  const double size = size_exponent < 1023 ? ldexp(1.0, size_exponent) : DBL_MAX;
  for (int axis = 0; axis < 3; axis++) {
    const double center = bounds->high[axis] * 0.5 + bounds->low[axis] * 0.5;
    const double steps = nearbyint(center / size);
    const double origin = fabs(steps) < 0x1p52 ? steps * size : center;
    /* Near the largest double the multiple may overflow: then the center does. A scene as large as all doubles keeps 0.
     */
    normalization.origin[axis] = size_exponent >= 1023 ? 0.0 : fabs(origin) <= DBL_MAX ? origin : center;
  }
  return normalization;
}

/* Whether the cube has an origin to subtract. */
GEOMETRY_FUNCTION bool normalization_moves(const normalizing_transform *normalization) {
  return normalization->origin[0] != 0.0 || normalization->origin[1] != 0.0 || normalization->origin[2] != 0.0;
}

/* One coordinate rounded into normalized coordinates; *error_out: how far the float may be from the exact value.
 * Without an origin to subtract nothing but the last rounding can lose anything. */
GEOMETRY_FUNCTION float round_coordinate(double position, double origin, double scale, bool moves, double *error_out) {
  double moved = position, lost = 0.0;
  if (moves) {
    moved = position - origin;
    /* What the subtraction rounded away, exactly (Knuth's two-difference). */
    const double back = position - moved;
    lost = (position - (moved + back)) + (back - origin);
  }
  const double scaled = moved * scale;
  const float rounded = (float)scaled;
  *error_out = fabs(float_value(rounded) - scaled) + fabs(lost) * scale;
  return rounded;
}

GEOMETRY_FUNCTION rounded_vertex round_vertex(const double position[3], const normalizing_transform *normalization,
                                              bool moves) {
  double error[3];
  float rounded[3];
  for (int axis = 0; axis < 3; axis++)
    rounded[axis] =
        round_coordinate(position[axis], normalization->origin[axis], normalization->scale, moves, &error[axis]);
  const double larger = error[0] > error[1] ? error[0] : error[1];
  const double worst = larger > error[2] ? larger : error[2];
  rounded_vertex vertex = {rounded[0], rounded[1], rounded[2], 0.0f};
  if (worst > 0.0) {
    /* One more rounding of the coordinate, so that coordinate -+ error is outside when computed in float. */
    const float sum = fabsf(rounded[0]) + fabsf(rounded[1]) + fabsf(rounded[2]);
    vertex.error = (float)(worst * 1.0001) + sum * 0x1p-23f + 0x1p-140f;
  }
  return vertex;
}

/* A ball as a vertex that is off by its radius: the box around the one is that around the other, as exact_box_of_ball
 * rounds it. Three roundings, of
 * the sum, to float, and of the coordinate -+ error, are less than what is added. */
GEOMETRY_FUNCTION rounded_vertex vertex_of_ball(const float middle[3], double half) {
  const float sum = fabsf(middle[0]) + fabsf(middle[1]) + fabsf(middle[2]);
  const rounded_vertex vertex = {middle[0], middle[1], middle[2],
                                 (float)(half * (1.0 + 0x1p-20)) + sum * 0x1p-23f + 0x1p-140f};
  return vertex;
}

GEOMETRY_FUNCTION rounded_vertex round_ball(const double center[3], double radius,
                                            const normalizing_transform *normalization, bool moves) {
  const rounded_vertex vertex = round_vertex(center, normalization, moves);
  const float middle[3] = {vertex.x, vertex.y, vertex.z};
  const double farthest = fmax(fmax(fabs(center[0]), fabs(center[1])), fabs(center[2]));
  const double outward = farthest * normalization->scale * 0x1p-51; /* at least a unit in the last place of its sides */
  return vertex_of_ball(middle, (double)vertex.error + outward + radius * normalization->scale * (1.0 + 0x1p-51));
}

/* The bounds of a ball among those of vertices: within what doubles hold. */
GEOMETRY_FUNCTION void bound_ball(const double center[3], double radius, double low_out[3], double high_out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    low_out[axis] = -fmin(sum_rounded_up(-center[axis], radius), DBL_MAX);
    high_out[axis] = fmin(sum_rounded_up(center[axis], radius), DBL_MAX);
  }
}

#endif

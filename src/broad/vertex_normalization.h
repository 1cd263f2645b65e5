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

/* The origin is a multiple of the scene's size rounded up to a power of two, so that cells of the normalized cube
 * are cells of the world. Scenes around the origin keep it as origin, so that float coordinates remain exact. The size
 * is at least eight units in the last place of the farthest coordinate: round_ball adds one to a radius, which must
 * stay small in the cube. */
GEOMETRY_FUNCTION normalizing_transform choose_normalization(const vertex_bounds *bounds) {
  normalizing_transform normalization = {{0, 0, 0}, 1.0};
  double half = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double farthest = fmax(fabs(bounds->low[axis]), fabs(bounds->high[axis]));
    half = fmax(half, fmax(bounds->high[axis] * 0.5 - bounds->low[axis] * 0.5, farthest * 0x1p-50));
  }
  if (!(half > 0.0)) half = DBL_MIN;
  int exponent;
  (void)frexp(half, &exponent); /* size = 2 half < 2^(exponent + 1) */
  const int size_exponent = exponent + 1;
  /* Distances from the origin are at most 1.5 times the size, or 2 times if the origin remains 0: at most 1 when
   * scaled by half the size. */
  normalization.scale = ldexp(1.0, size_exponent < -1021 ? 1022 : -size_exponent - 1);
  const double size = size_exponent < 1023 ? ldexp(1.0, size_exponent) : DBL_MAX;
  for (int axis = 0; axis < 3; axis++) {
    const double center = bounds->high[axis] * 0.5 + bounds->low[axis] * 0.5;
    const double steps = nearbyint(center / size);
    const double origin = fabs(steps) < 0x1p52 ? steps * size : center;
    /* Near the largest double the multiple may overflow: then the center is used. A scene that spans all doubles
     * keeps 0. */
    normalization.origin[axis] = size_exponent >= 1023 ? 0.0 : fabs(origin) <= DBL_MAX ? origin : center;
  }
  return normalization;
}

/* Whether the origin of the cube is nonzero. */
GEOMETRY_FUNCTION bool normalization_moves(const normalizing_transform *normalization) {
  return normalization->origin[0] != 0.0 || normalization->origin[1] != 0.0 || normalization->origin[2] != 0.0;
}

/* Rounds one coordinate into normalized coordinates; *error_out: a bound of the distance of the float from the exact
 * value. If the origin is 0, only the last rounding has an error. */
GEOMETRY_FUNCTION float round_coordinate(double position, double origin, double scale, bool moves, double *error_out) {
  double moved = position, lost = 0.0;
  if (moves) {
    moved = position - origin;
    /* The exact rounding error of the subtraction (Knuth's two-difference). */
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
    /* One more rounding of the coordinate, so that coordinate -+ error, computed in float, is outside. */
    const float sum = fabsf(rounded[0]) + fabsf(rounded[1]) + fabsf(rounded[2]);
    vertex.error = (float)(worst * 1.0001) + sum * 0x1p-23f + 0x1p-140f;
  }
  return vertex;
}

/* A ball as a vertex whose error is the radius: its box is the ball's, rounded as by exact_box_of_ball. The added
 * terms cover three roundings: of the sum, to float, and of the coordinate -+ error. */
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

/* The bounds of a ball, for the bounds of vertices: clamped to the range of double. */
GEOMETRY_FUNCTION void bound_ball(const double center[3], double radius, double low_out[3], double high_out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    low_out[axis] = -fmin(sum_rounded_up(-center[axis], radius), DBL_MAX);
    high_out[axis] = fmin(sum_rounded_up(center[axis], radius), DBL_MAX);
  }
}

#endif

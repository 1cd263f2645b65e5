/* Coordinates of a build: relative to the center of the spheres, in units of their extent, so that products neither
 * overflow nor underflow. They determine only the shape of the tree and the centers of its balls; radii are computed in
 * the given coordinates. */
#ifndef GRAZE_SPHERES_SPHERE_BUILD_FRAME_H
#define GRAZE_SPHERES_SPHERE_BUILD_FRAME_H

#include "geometry/binary_scale.h"

#include <stddef.h>

typedef struct sphere_build_frame {
  double factor, inverse; /* 1 except for coordinates near the largest double */
  double grow, shrink;
  double origin[3]; /* times the factor */
} sphere_build_frame;

static inline void build_frame_in(const sphere_build_frame *frame, const double sphere[4], double ball_out[4]) {
  for (int axis = 0; axis < 3; axis++)
    ball_out[axis] = (sphere[axis] * frame->factor - frame->origin[axis]) * frame->grow;
  ball_out[3] = sphere[3] * frame->factor * frame->grow;
}

static inline void build_frame_out(const sphere_build_frame *frame, const double place[3], double center_out[3]) {
  for (int axis = 0; axis < 3; axis++)
    center_out[axis] = within_doubles((place[axis] * frame->shrink + frame->origin[axis]) * frame->inverse);
}

static inline sphere_build_frame build_frame_make(const double (*spheres)[4], size_t count) {
  sphere_build_frame frame = {1.0, 1.0, 1.0, 1.0, {0.0, 0.0, 0.0}};
  double largest = 0.0, extent = 0.0;
  for (size_t i = 0; i < count; i++) {
    const double magnitude = largest_magnitude(spheres[i], 4);
    largest = magnitude > largest ? magnitude : largest;
  }
  if (largest > 0x1p1000) {
    frame.factor = 0x1p-30;
    frame.inverse = 0x1p30;
  }
  for (int axis = 0; axis < 3; axis++) {
    double low = spheres[0][axis], high = low;
    for (size_t i = 1; i < count; i++) {
      low = spheres[i][axis] < low ? spheres[i][axis] : low;
      high = spheres[i][axis] > high ? spheres[i][axis] : high;
    }
    frame.origin[axis] = 0.5 * (low * frame.factor) + 0.5 * (high * frame.factor);
    const double half = 0.5 * (high * frame.factor - low * frame.factor);
    extent = half > extent ? half : extent;
  }
  for (size_t i = 0; i < count; i++)
    extent = spheres[i][3] * frame.factor > extent ? spheres[i][3] * frame.factor : extent;
  int exponent = extent > 0.0 ? -binary_exponent(extent) : 0;
  exponent = exponent > 1000 ? 1000 : exponent;
  frame.grow = power_of_two(exponent);
  frame.shrink = power_of_two(-exponent);
  return frame;
}

#endif

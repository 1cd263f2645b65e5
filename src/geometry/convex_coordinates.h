/* Two sets of corners relative to the first corner of p, in units of their own size: the coordinates of GJK and EPA.
 *
 * A convex cell is the hull of its corners, so it is represented by an array of points. Nothing is copied: cells have
 * any number of corners, and a corner is converted to normalized coordinates on demand, with three multiplications an
 * axis. Both factors are powers of two, so scaling the input by a power of two does not change any coordinate of the
 * normalized cube. A corner has an error of 2^-53 of its distance from the origin of the normalized cube, however far
 * the pair is from the origin of space.
 *
 * The difference set of p and q, all x - y for x of p and y of q, is the hull of the differences of corners. The two
 * cells meet exactly if it contains the origin. */
#ifndef GRAZE_GEOMETRY_CONVEX_COORDINATES_H
#define GRAZE_GEOMETRY_CONVEX_COORDINATES_H

#include "geometry/pair_scale.h"

typedef struct convex_coordinates {
  const double *p, *q;
  uint32_t p_count, q_count;
  double factor;    /* brings given coordinates near one */
  double inverse;   /* and back */
  double origin[3]; /* of the normalized cube, after the factor */
  double zoom;      /* brings differences from the origin near one: the largest lies in [1, 2) */
  double size;      /* and back */
} convex_coordinates;

/* A point of the difference set that is a difference of corners. */
typedef struct difference_point {
  vector3 point;
  uint32_t p, q; /* numbers of the corners */
} difference_point;

GEOMETRY_FUNCTION vector3 convex_coordinates_corner(const convex_coordinates *coordinates, const double *corner) {
  return vector3_make((corner[0] * coordinates->factor - coordinates->origin[0]) * coordinates->zoom,
                      (corner[1] * coordinates->factor - coordinates->origin[1]) * coordinates->zoom,
                      (corner[2] * coordinates->factor - coordinates->origin[2]) * coordinates->zoom);
}

GEOMETRY_FUNCTION double largest_from_origin(const convex_coordinates *coordinates, const double *corners,
                                             uint32_t count) {
  double largest = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    const double magnitude = vector3_largest_magnitude(convex_coordinates_corner(coordinates, corners + 3 * i));
    largest = magnitude > largest ? magnitude : largest;
  }
  return largest;
}

/* The exponent of the power of two that brings the value into [1, 2), if its inverse exists: see scaled_pair_make. */
GEOMETRY_FUNCTION int exponent_to_one(double value) {
  const int exponent = value > 0.0 ? -binary_exponent(value) : 0;
  return exponent > 1000 ? 1000 : (exponent < -1000 ? -1000 : exponent);
}

/* Counts are at least one, coordinates finite. The corners are not copied and must outlive the frame. */
GEOMETRY_FUNCTION convex_coordinates convex_coordinates_make(const double *p, uint32_t p_count, const double *q,
                                                             uint32_t q_count) {
  convex_coordinates coordinates;
  coordinates.p = p;
  coordinates.q = q;
  coordinates.p_count = p_count;
  coordinates.q_count = q_count;
  coordinates.factor = coordinates.zoom = 1.0;
  for (int axis = 0; axis < 3; axis++) coordinates.origin[axis] = 0.0;
  const double p_largest = largest_from_origin(&coordinates, p, p_count),
               q_largest = largest_from_origin(&coordinates, q, q_count);
  const int exponent = exponent_to_one(p_largest > q_largest ? p_largest : q_largest);
  coordinates.factor = power_of_two(exponent);
  coordinates.inverse = power_of_two(-exponent);
  for (int axis = 0; axis < 3; axis++) coordinates.origin[axis] = p[axis] * coordinates.factor;
  const double p_extent = largest_from_origin(&coordinates, p, p_count),
               q_extent = largest_from_origin(&coordinates, q, q_count);
  const int zoom_exponent = exponent_to_one(p_extent > q_extent ? p_extent : q_extent);
  coordinates.zoom = power_of_two(zoom_exponent);
  coordinates.size = power_of_two(-zoom_exponent);
  return coordinates;
}

/* Converts a length of the normalized cube to given units; infinite if it exceeds the largest double. */
GEOMETRY_FUNCTION double convex_coordinates_length(const convex_coordinates *coordinates, double length) {
  return length * coordinates->size * coordinates->inverse;
}

/* Converts a point of the normalized cube to given coordinates. */
GEOMETRY_FUNCTION void convex_coordinates_point(const convex_coordinates *coordinates, vector3 point,
                                                double point_out[3]) {
  vector3_store(vector3_scale(point, coordinates->size), point_out);
  for (int axis = 0; axis < 3; axis++)
    point_out[axis] = (point_out[axis] + coordinates->origin[axis]) * coordinates->inverse;
}

/* The corner farthest along a direction; of several, the first. */
GEOMETRY_FUNCTION uint32_t farthest_corner(const convex_coordinates *coordinates, const double *corners, uint32_t count,
                                           vector3 direction) {
  uint32_t farthest = 0;
  double most = -HUGE_VAL;
  for (uint32_t i = 0; i < count; i++) {
    const double reach = vector3_dot(direction, convex_coordinates_corner(coordinates, corners + 3 * i));
    if (reach > most) {
      most = reach;
      farthest = i;
    }
  }
  return farthest;
}

GEOMETRY_FUNCTION difference_point difference_point_make(const convex_coordinates *coordinates, uint32_t p,
                                                         uint32_t q) {
  difference_point result;
  result.p = p;
  result.q = q;
  result.point = vector3_subtract(convex_coordinates_corner(coordinates, coordinates->p + 3 * (size_t)p),
                                  convex_coordinates_corner(coordinates, coordinates->q + 3 * (size_t)q));
  return result;
}

/* The point of the difference set farthest along a direction. */
GEOMETRY_FUNCTION difference_point difference_support(const convex_coordinates *coordinates, vector3 direction) {
  const uint32_t p = farthest_corner(coordinates, coordinates->p, coordinates->p_count, direction);
  const uint32_t q = farthest_corner(coordinates, coordinates->q, coordinates->q_count, vector3_scale(direction, -1.0));
  return difference_point_make(coordinates, p, q);
}

#endif

/* Coordinates of points relative to one of them, in units of their common extent, so that products of rounded values
 * neither overflow nor underflow. Both factors are powers of two. Only the difference is rounded, by 2^-53 of itself,
 * however far the points are from the origin. Values below 2^-300 of the extent become zero. */
#ifndef GRAZE_GEOMETRY_LOCAL_COORDINATES_H
#define GRAZE_GEOMETRY_LOCAL_COORDINATES_H

#include "geometry/pair_scale.h"

typedef struct local_coordinates {
  double factor, inverse; /* brings given coordinates near one, and back */
  double grow, shrink;    /* brings differences near one, and back */
  vector3 origin;         /* in coordinates near one */
} local_coordinates;

GEOMETRY_FUNCTION double flush_tiny(double value) {
  return fabs(value) < 0x1p-300 ? 0.0 : value;
}

GEOMETRY_FUNCTION vector3 local_coordinates_difference(const local_coordinates *coordinates, const double *point) {
  return vector3_subtract(vector3_scale(vector3_load(point), coordinates->factor), coordinates->origin);
}

GEOMETRY_FUNCTION vector3 local_coordinates_in(const local_coordinates *coordinates, const double *point) {
  const vector3 local = vector3_scale(local_coordinates_difference(coordinates, point), coordinates->grow);
  return vector3_make(flush_tiny(local.x), flush_tiny(local.y), flush_tiny(local.z));
}

GEOMETRY_FUNCTION void local_coordinates_out(const local_coordinates *coordinates, vector3 local, double point_out[3]) {
  const vector3 scaled = vector3_add(vector3_scale(local, coordinates->shrink), coordinates->origin);
  vector3_store(vector3_scale(scaled, coordinates->inverse), point_out);
}

GEOMETRY_FUNCTION double local_coordinates_length(const local_coordinates *coordinates, double local) {
  return local * coordinates->shrink * coordinates->inverse;
}

/* The exponent of the power of two that converts local lengths to given ones. */
GEOMETRY_FUNCTION int local_coordinates_unit(const local_coordinates *coordinates) {
  return binary_exponent(coordinates->shrink) + binary_exponent(coordinates->inverse);
}

GEOMETRY_FUNCTION double local_coordinates_extent(const local_coordinates *coordinates, const double *points,
                                                  uint32_t count) {
  double extent = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    const double magnitude =
        vector3_largest_magnitude(local_coordinates_difference(coordinates, points + 3 * (size_t)i));
    extent = magnitude > extent ? magnitude : extent;
  }
  return extent;
}

/* The frame of two sets of points, relative to the first point of the first set; the second may be empty. The factors
 * are limited so that they and their inverses exist; see scaled_pair_make. */
GEOMETRY_FUNCTION local_coordinates local_coordinates_make(const double *points, uint32_t count, const double *others,
                                                           uint32_t other_count) {
  local_coordinates coordinates;
  coordinates.factor = coordinates.inverse = coordinates.grow = coordinates.shrink = 1.0;
  coordinates.origin = vector3_make(0.0, 0.0, 0.0);
  double largest = 0.0;
  for (uint32_t i = 0; i < count + other_count; i++) {
    const double *point = i < count ? points + 3 * (size_t)i : others + 3 * (size_t)(i - count);
    const double magnitude = vector3_largest_magnitude(vector3_load(point));
    largest = magnitude > largest ? magnitude : largest;
  }
  int exponent = -binary_exponent(largest);
  exponent = exponent > 1000 ? 1000 : (exponent < -1000 ? -1000 : exponent);
  coordinates.factor = power_of_two(exponent);
  coordinates.inverse = power_of_two(-exponent);
  coordinates.origin = vector3_scale(vector3_load(points), coordinates.factor);
  const double extent = local_coordinates_extent(&coordinates, points, count);
  const double other_extent = local_coordinates_extent(&coordinates, others, other_count);
  largest = extent > other_extent ? extent : other_extent;
  exponent = largest > 0.0 ? -binary_exponent(largest) : 0;
  exponent = exponent > 1000 ? 1000 : exponent;
  coordinates.grow = power_of_two(exponent);
  coordinates.shrink = power_of_two(-exponent);
  return coordinates;
}

#endif

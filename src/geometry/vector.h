/* Vectors of three doubles, for all rounded results: common parts, distances, depths. Decisions never use these; they
 * use the signs of orientation.h. */
#ifndef GRAZE_GEOMETRY_VECTOR_H
#define GRAZE_GEOMETRY_VECTOR_H

#include "geometry/device.h"

#include <math.h>

typedef struct vector3 {
  double x, y, z;
} vector3;

GEOMETRY_FUNCTION vector3 vector3_make(double x, double y, double z) {
  vector3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

GEOMETRY_FUNCTION vector3 vector3_load(const double *coordinates) {
  return vector3_make(coordinates[0], coordinates[1], coordinates[2]);
}

GEOMETRY_FUNCTION void vector3_store(vector3 v, double *coordinates_out) {
  coordinates_out[0] = v.x;
  coordinates_out[1] = v.y;
  coordinates_out[2] = v.z;
}

GEOMETRY_FUNCTION vector3 vector3_add(vector3 a, vector3 b) {
  return vector3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

GEOMETRY_FUNCTION vector3 vector3_subtract(vector3 a, vector3 b) {
  return vector3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

GEOMETRY_FUNCTION vector3 vector3_scale(vector3 a, double factor) {
  return vector3_make(a.x * factor, a.y * factor, a.z * factor);
}

GEOMETRY_FUNCTION double vector3_dot(vector3 a, vector3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

GEOMETRY_FUNCTION vector3 vector3_cross(vector3 a, vector3 b) {
  return vector3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

GEOMETRY_FUNCTION double vector3_length(vector3 a) {
  return sqrt(vector3_dot(a, a));
}

GEOMETRY_FUNCTION double vector3_largest_magnitude(vector3 a) {
  const double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
  const double xy = x > y ? x : y;
  return xy > z ? xy : z;
}

/* Zero for a vector without length. Scaled near one before squaring, as cross products of short edges are tiny. */
GEOMETRY_FUNCTION vector3 vector3_unit(vector3 v) {
  const double largest = vector3_largest_magnitude(v);
  if (!(largest > 0.0)) return vector3_make(0.0, 0.0, 0.0);
  const vector3 near_one = vector3_scale(v, 1.0 / largest);
  return vector3_scale(near_one, 1.0 / vector3_length(near_one));
}

/* The point from + fraction * (to - from), taken from the nearer end, so that fraction 1 gives exactly `to`. */
GEOMETRY_FUNCTION vector3 vector3_between(vector3 from, vector3 to, double fraction) {
  const vector3 way = vector3_subtract(to, from);
  return fraction <= 0.5 ? vector3_add(from, vector3_scale(way, fraction))
                         : vector3_subtract(to, vector3_scale(way, 1.0 - fraction));
}

/* A unit vector perpendicular to a direction; arbitrary for a direction of length zero. */
GEOMETRY_FUNCTION vector3 any_perpendicular(vector3 direction) {
  const double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
  vector3 helper = vector3_make(0.0, 0.0, 1.0);
  if (x <= y && x <= z)
    helper = vector3_make(1.0, 0.0, 0.0);
  else if (y <= z)
    helper = vector3_make(0.0, 1.0, 0.0);
  const vector3 normal = vector3_cross(direction, helper);
  const double length = vector3_length(normal);
  return length > 0.0 ? vector3_scale(normal, 1.0 / length) : helper;
}

/* Computes two directions perpendicular to the first, which has length 1: orthonormal within 2^-45. */
GEOMETRY_FUNCTION void vector3_complete_frame(double axes[3][3]) {
  const vector3 first = vector3_load(axes[0]), second = any_perpendicular(first);
  vector3_store(second, axes[1]);
  vector3_store(vector3_cross(first, second), axes[2]);
}

#endif

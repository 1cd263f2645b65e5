/* A pair of triangles scaled to coordinates near one by a power of two, so that squares and products of rounded values
 * neither overflow nor underflow. Multiplying by a power of two is exact; results below 2^-300 are set to zero, which
 * moves a point by less than 2^-300 of the pair's extent from the origin. Decisions are made before, in the given
 * coordinates. */
#ifndef GRAZE_GEOMETRY_PAIR_SCALE_H
#define GRAZE_GEOMETRY_PAIR_SCALE_H

#include "geometry/orientation.h"
#include "geometry/vector.h"

typedef struct scaled_pair {
  double p[9], q[9];
  double inverse; /* scales coordinates back */
} scaled_pair;

/* The factor is clamped to 2^-1000 to 2^1000, so that its inverse exists; the largest coordinate is then between 2^-74
 * (all coordinates subnormal) and 2^24 (near the largest double). */
GEOMETRY_FUNCTION scaled_pair scaled_pair_make(const double p[9], const double q[9]) {
  const double p_largest = largest_magnitude(p, 9), q_largest = largest_magnitude(q, 9);
  int exponent = -binary_exponent(p_largest > q_largest ? p_largest : q_largest);
  exponent = exponent > 1000 ? 1000 : (exponent < -1000 ? -1000 : exponent);
  const double factor = power_of_two(exponent);
  scaled_pair result;
  result.inverse = power_of_two(-exponent);
  for (int i = 0; i < 9; i++) {
    const double x = p[i] * factor, y = q[i] * factor;
    result.p[i] = fabs(x) < 0x1p-300 ? 0.0 : x;
    result.q[i] = fabs(y) < 0x1p-300 ? 0.0 : y;
  }
  return result;
}

/* The determinant in about 106 bits, if that is accurate to 2^-44 and far from the smallest doubles: the bound is that
 * of double_double.h, and for these coordinates nothing relevant compared with 2^-900 underflows. */
GEOMETRY_FUNCTION bool orientation_3d_double_value(const double *a, const double *b, const double *c, const double *d,
                                                   double *value_out) {
  difference_rows rows;
  difference_rows_make(a, b, c, d, &rows);
  double bound;
  *value_out = orientation_3d_double_determinant(&rows, &bound);
  return bound <= 0x1p-45 * fabs(*value_out) && fabs(*value_out) >= 0x1p-900;
}

/* The height of d over the plane of the triangle, like orientation_3d_value; false if it requires long expansions. */
GEOMETRY_FUNCTION bool plane_filter_value(const plane_filter *plane, const double triangle[9], const double *d,
                                          double *value_out) {
  double bound;
  *value_out = plane_filter_height(plane, d, &bound);
  if (bound <= 0x1p-44 * fabs(*value_out)) return true;
  return orientation_3d_double_value(triangle, triangle + 3, triangle + 6, d, value_out);
}

/* The determinant of orientation_3d, not only its sign: relative error at most 2^-44. Coordinates as above. The double
 * filter's height is too inaccurate in four of a hundred contacts of random triangles. */
GEOMETRY_SLOW_FUNCTION double orientation_3d_value(const double *a, const double *b, const double *c, const double *d) {
  const plane_filter plane = plane_filter_make(a, b, c);
  double bound, value;
  const double height = plane_filter_height(&plane, d, &bound);
  if (bound <= 0x1p-44 * fabs(height)) return height;
  if (orientation_3d_double_value(a, b, c, d, &value)) return value;
  difference_rows rows;
  difference_rows_make(a, b, c, d, &rows);
  double components[ORIENTATION_3D_COMPONENTS];
  const uint32_t count = orientation_3d_components(&rows, components);
  return expansion_estimate(count, components);
}

/* The determinant of orientation_projected, relative error at most 2^-50. */
GEOMETRY_SLOW_FUNCTION double orientation_projected_value(int dropped_axis, const double *a, const double *b,
                                                          const double *c) {
  const int x = (dropped_axis + 1) % 3, y = (dropped_axis + 2) % 3;
  const two_term u[2] = {two_difference(b[x], a[x]), two_difference(b[y], a[y])};
  const two_term v[2] = {two_difference(c[x], a[x]), two_difference(c[y], a[y])};
  double components[ORIENTATION_2D_COMPONENTS];
  const uint32_t count = orientation_2d_components(u, v, components);
  return expansion_estimate(count, components);
}

/* Where a segment whose ends have these heights crosses height zero, as a fraction of its length. The heights have
 * different signs; if scaling has made both zero, the middle is used. */
GEOMETRY_FUNCTION double crossing_fraction(double from_height, double to_height) {
  const double rise = from_height - to_height;
  const double fraction = rise != 0.0 ? from_height / rise : 0.5;
  return fraction < 0.0 ? 0.0 : (fraction > 1.0 ? 1.0 : fraction);
}

/* The pair relative to the first corner of p, in units of its own size, for distances and depths. A rounded difference
 * has an error of 2^-53 of itself, so the result is accurate however far the pair is from the origin. */
typedef struct local_pair {
  vector3 p[3], q[3];
  double origin[3]; /* in scaled coordinates */
  double size;      /* converts local lengths to scaled ones */
  double inverse;   /* converts scaled lengths to given ones */
} local_pair;

GEOMETRY_FUNCTION local_pair local_pair_make(const double p[9], const double q[9]) {
  const scaled_pair scaled = scaled_pair_make(p, q);
  double p_local[9], q_local[9];
  for (int i = 0; i < 9; i++) {
    p_local[i] = scaled.p[i] - scaled.p[i % 3];
    q_local[i] = scaled.q[i] - scaled.p[i % 3];
  }
  const double p_largest = largest_magnitude(p_local, 9), q_largest = largest_magnitude(q_local, 9);
  const double largest = p_largest > q_largest ? p_largest : q_largest;
  const int exponent = largest > 0.0 ? binary_exponent(largest) : 0;
  const double factor = power_of_two(-exponent);
  local_pair result;
  for (int i = 0; i < 3; i++) {
    result.p[i] = vector3_scale(vector3_load(p_local + 3 * i), factor);
    result.q[i] = vector3_scale(vector3_load(q_local + 3 * i), factor);
    result.origin[i] = scaled.p[i];
  }
  result.size = power_of_two(exponent);
  result.inverse = scaled.inverse;
  return result;
}

GEOMETRY_FUNCTION void local_pair_point(const local_pair *local, vector3 point, double point_out[3]) {
  vector3_store(vector3_scale(point, local->size), point_out);
  for (int axis = 0; axis < 3; axis++) point_out[axis] = (point_out[axis] + local->origin[axis]) * local->inverse;
}

#endif

/* Points and vectors in lanes, for the float filters. Included by each file that compiles them for one vector width,
 * and with one lane by GPU code. */
#ifndef GRAZE_NARROW_SIMD_POINT_H
#define GRAZE_NARROW_SIMD_POINT_H

#include "base/simd.h"
#include "broad/primitive_view.h"

typedef struct simd_point {
  simd_float x, y, z;
} simd_point;

SIMD_FUNCTION simd_point difference(simd_point a, simd_point b) {
  const simd_point d = {simd_subtract(a.x, b.x), simd_subtract(a.y, b.y), simd_subtract(a.z, b.z)};
  return d;
}

SIMD_FUNCTION simd_float largest(simd_point a) {
  return simd_maximum(simd_maximum(simd_absolute(a.x), simd_absolute(a.y)), simd_absolute(a.z));
}

SIMD_FUNCTION simd_float cross_minor(simd_float a, simd_float b, simd_float c, simd_float d) {
  return simd_multiply_subtract(a, d, simd_multiply(b, c));
}

SIMD_FUNCTION simd_float dot(simd_point a, simd_point b) {
  return simd_multiply_add(a.z, b.z, simd_multiply_add(a.y, b.y, simd_multiply(a.x, b.x)));
}

SIMD_FUNCTION simd_point cross(simd_point a, simd_point b) {
  const simd_point normal = {cross_minor(a.y, a.z, b.y, b.z), cross_minor(a.z, a.x, b.z, b.x),
                             cross_minor(a.x, a.y, b.x, b.y)};
  return normal;
}

/* Fetches vertex numbers index[lane] and raises *error to their errors. */
SIMD_FUNCTION simd_point fetch_points(const rounded_vertex *rounded_vertices, const uint32_t *index,
                                      simd_float *error) {
  simd_float row[4];
  simd_gather_rows(&rounded_vertices->x, index, row);
  *error = simd_maximum(*error, row[3]);
  const simd_point point = {row[0], row[1], row[2]};
  return point;
}

#endif

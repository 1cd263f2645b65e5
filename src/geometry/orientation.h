/* Orientation signs: on which side of a plane, or of a line in the plane, a point lies. The signs are those of rational
 * arithmetic on the given doubles; every decision of the library about triangles uses them.
 *
 *   orientation_3d(a, b, c, d) = sign of det [b - a; c - a; d - a] = sign of ((b - a) x (c - a)) . (d - a)
 *     positive if d is on the side of the plane abc to which (b - a) x (c - a) points: seen from d, the triangle abc is
 *     counterclockwise. Swapping two points reverses the sign.
 *   orientation_2d(a, b, c)    = sign of (b - a) x (c - a), positive if a, b, c are counterclockwise.
 *
 * Workload: up to eight signs for a candidate pair, tens of millions a second. The double filter below decides all but
 * a few in a thousand; orientation_exact.h decides the others. Coordinates must be finite.
 *
 * The filter and its bound. Let e = 2^-53. The computed differences u = b - a, v = c - a, w = d - a are within a factor
 * 1 + e of the true ones (a subtraction never underflows). Take the computed u, v, w as given numbers and let
 *   M = |w.x| (|u.y v.z| + |u.z v.y|) + |w.y| (|u.z v.x| + |u.x v.z|) + |w.z| (|u.x v.y| + |u.y v.x|).
 * - The true determinant has three factors that each differ by at most e: it is within ((1 + e)^3 - 1) M.
 * - The computed one has 5 roundings on any path (product, difference, product, two sums): it is within ((1 + e)^5 - 1)
 *   M.
 * - M itself is computed with the same 5 roundings, the bound with one more: at least (1 - e)^6 of its value.
 * Together 8 e M (1 + 20 e) at most, and the constant 8.0625 e leaves 2^-4 e M, far above the terms of order e^2.
 * - Underflow: a product may have an additional error of 2^-1075. In the components of the normal, |w| multiplies it:
 *   each of the three magnitudes is raised by 2^-900, which adds 2^-950 |w| to the bound against an error of 2^-1074
 *   |w|. In the last three products, and in the bound, it is absolute: the bound is raised by 2^-1070.
 * - 2^-1000 would suffice for the magnitudes. But for a point in a plane along two axes the bound has no other term,
 *   and a subnormal product takes more than a hundred cycles on Intel processors.
 * - Overflow: M sums the magnitudes of all terms, with the same roundings, so if a step overflows, the bound is
 *   infinite or NaN. Neither compares less than anything, so the filter does not decide.
 *
 * In two dimensions the path is product, difference, and two factors of one difference each: 4 e M, constant 4.0625 e.
 *
 * Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997; Bronnimann,
 * Burnikel, Pion, "Interval arithmetic yields efficient dynamic filters for computational geometry", 2001. */
#ifndef GRAZE_GEOMETRY_ORIENTATION_H
#define GRAZE_GEOMETRY_ORIENTATION_H

#include "geometry/orientation_exact.h"

/* The answer of a filter that cannot decide. */
enum { SIGN_UNDECIDED = 2 };

/* The plane of three points, computed once for several signs. */
typedef struct plane_filter {
  double origin[3];
  double normal[3];
  double magnitude[3];
} plane_filter;

GEOMETRY_FUNCTION plane_filter plane_filter_make(const double *a, const double *b, const double *c) {
  const double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
  const double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
  const double yz = uy * vz, zy = uz * vy, zx = uz * vx, xz = ux * vz, xy = ux * vy, yx = uy * vx;
  plane_filter plane;
  plane.origin[0] = a[0];
  plane.origin[1] = a[1];
  plane.origin[2] = a[2];
  plane.normal[0] = yz - zy;
  plane.normal[1] = zx - xz;
  plane.normal[2] = xy - yx;
  plane.magnitude[0] = fabs(yz) + fabs(zy) + 0x1p-900;
  plane.magnitude[1] = fabs(zx) + fabs(xz) + 0x1p-900;
  plane.magnitude[2] = fabs(xy) + fabs(yx) + 0x1p-900;
  return plane;
}

/* The height of a point over the plane, in units of twice the triangle's area, and the bound on its error. */
GEOMETRY_FUNCTION double plane_filter_height(const plane_filter *plane, const double *d, double *bound_out) {
  const double wx = d[0] - plane->origin[0], wy = d[1] - plane->origin[1], wz = d[2] - plane->origin[2];
  const double magnitude =
      plane->magnitude[0] * fabs(wx) + plane->magnitude[1] * fabs(wy) + plane->magnitude[2] * fabs(wz);
  *bound_out = 8.0625 * 0x1p-53 * magnitude + 0x1p-1070;
  return plane->normal[0] * wx + plane->normal[1] * wy + plane->normal[2] * wz;
}

/* 1, -1 or SIGN_UNDECIDED. */
GEOMETRY_FUNCTION int plane_filter_sign(const plane_filter *plane, const double *d) {
  double bound;
  const double height = plane_filter_height(plane, d, &bound);
  if (height > bound) return 1;
  if (height < -bound) return -1;
  return SIGN_UNDECIDED;
}

GEOMETRY_FUNCTION int orientation_3d(const double *a, const double *b, const double *c, const double *d,
                                     orientation_tally *tally) {
  const plane_filter plane = plane_filter_make(a, b, c);
  const int sign = plane_filter_sign(&plane, d);
  if (GEOMETRY_UNLIKELY(sign == SIGN_UNDECIDED)) return orientation_3d_exact(a, b, c, d, tally);
  return sign;
}

GEOMETRY_FUNCTION int orientation_2d(double ax, double ay, double bx, double by, double cx, double cy,
                                     orientation_tally *tally) {
  const double left = (bx - ax) * (cy - ay), right = (by - ay) * (cx - ax);
  const double bound = 4.0625 * 0x1p-53 * (fabs(left) + fabs(right)) + 0x1p-1070;
  const double determinant = left - right;
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  return orientation_2d_exact(ax, ay, bx, by, cx, cy, tally);
}

/* The sign in the projection that drops one axis; the other two keep their cyclic order. */
GEOMETRY_FUNCTION int orientation_projected(int dropped_axis, const double *a, const double *b, const double *c,
                                            orientation_tally *tally) {
  const int x = dropped_axis == 2 ? 0 : dropped_axis + 1, y = dropped_axis == 0 ? 2 : dropped_axis - 1;
  return orientation_2d(a[x], a[y], b[x], b[y], c[x], c[y], tally);
}

/* An axis along which the projection of the three points is a proper triangle, and the sign of that triangle: 3 and 0
 * if they are collinear. The axis of the longest normal is tried first: the filter decides there. */
GEOMETRY_FUNCTION int projection_choose(const double *a, const double *b, const double *c, int *sign_out,
                                        orientation_tally *tally) {
  const plane_filter plane = plane_filter_make(a, b, c);
  const double x = fabs(plane.normal[0]), y = fabs(plane.normal[1]), z = fabs(plane.normal[2]);
  const int first = z >= x && z >= y ? 2 : (y >= x ? 1 : 0);
  for (int i = 0; i < 3; i++) {
    const int axis = (first + i) % 3;
    *sign_out = orientation_projected(axis, a, b, c, tally);
    if (*sign_out != 0) return axis;
  }
  return 3;
}

/* Whether three points are collinear: all three projections have no area. */
GEOMETRY_FUNCTION bool points_collinear(const double *a, const double *b, const double *c, orientation_tally *tally) {
  int sign;
  return projection_choose(a, b, c, &sign, tally) == 3;
}

#endif

/* Packings looked at without graze; see packing_checks.h. */
#include "packing_checks.h"

#include <gmp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* The sign of |c - d|^2 - (r + s)^2. */
static int rational_order(const graze_sphere *a, const graze_sphere *b) {
  mpq_t sum, term, other;
  mpq_inits(sum, term, other, NULL);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(term, a->center[k]);
    mpq_set_d(other, b->center[k]);
    mpq_sub(term, term, other);
    mpq_mul(term, term, term);
    mpq_add(sum, sum, term);
  }
  mpq_set_d(term, a->radius);
  mpq_set_d(other, b->radius);
  mpq_add(term, term, other);
  mpq_mul(term, term, term);
  const int sign = mpq_cmp(sum, term);
  mpq_clears(sum, term, other, NULL);
  return sign;
}

void assert_no_overlap(const graze_sphere *spheres, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const graze_sphere *a = &spheres[i];
    assert_true(a->radius > 0.0);
    for (size_t j = 0; j < i; j++) {
      const graze_sphere *b = &spheres[j];
      const double x = a->center[0] - b->center[0], y = a->center[1] - b->center[1], z = a->center[2] - b->center[2];
      const double sum = a->radius + b->radius;
      if (x * x + y * y + z * z < sum * sum * (1.0 + 1e-9)) assert_true(rational_order(a, b) >= 0);
    }
  }
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double *a, const double *b, double *difference_out) {
  for (int k = 0; k < 3; k++) difference_out[k] = a[k] - b[k];
}

static void cross(const double *a, const double *b, double *product_out) {
  for (int k = 0; k < 3; k++) product_out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The solid angle of a triangle over 4 pi (Van Oosterom, Strackee, "The Solid Angle of a Plane Triangle", 1983). */
static double solid_angle(const double *corners, const double *point) {
  double way[3][3], product[3], length[3];
  for (int i = 0; i < 3; i++) {
    subtract(corners + 3 * i, point, way[i]);
    length[i] = sqrt(dot(way[i], way[i]));
  }
  cross(way[1], way[2], product);
  const double below = length[0] * length[1] * length[2] + dot(way[0], way[1]) * length[2] +
                       dot(way[1], way[2]) * length[0] + dot(way[2], way[0]) * length[1];
  return atan2(dot(way[0], product), below) / (2.0 * 3.14159265358979323846);
}

static double segment_distance(const double *a, const double *b, const double *point) {
  double way[3], from[3], rest[3];
  subtract(b, a, way);
  subtract(point, a, from);
  const double squared = dot(way, way), part = squared > 0.0 ? dot(from, way) / squared : 0.0;
  for (int k = 0; k < 3; k++) rest[k] = from[k] - fmin(fmax(part, 0.0), 1.0) * way[k];
  return sqrt(dot(rest, rest));
}

/* Of the edges, and of the plane where the point is above the inside. */
static double triangle_distance(const double *corners, const double *point) {
  double least = HUGE_VAL, u[3], v[3], normal[3], from[3];
  bool above = true;
  subtract(corners + 3, corners, u);
  subtract(corners + 6, corners, v);
  cross(u, v, normal);
  for (int i = 0; i < 3; i++) {
    const double *a = corners + 3 * i, *b = corners + 3 * ((i + 1) % 3);
    double edge[3], outward[3];
    least = fmin(least, segment_distance(a, b, point));
    subtract(b, a, edge);
    cross(edge, normal, outward);
    subtract(point, a, from);
    above = above && dot(from, outward) <= 0.0;
  }
  const double length = sqrt(dot(normal, normal));
  return above && length > 0.0 ? fmin(least, fabs(dot(from, normal)) / length) : least;
}

void assert_inside(const graze_sphere *spheres, size_t count, const double *corners, size_t triangle_count) {
  for (size_t i = 0; i < count; i++) {
    const double *center = spheres[i].center, radius = spheres[i].radius;
    const double size = fabs(center[0]) + fabs(center[1]) + fabs(center[2]);
    double winding = 0.0;
    for (size_t t = 0; t < triangle_count; t++) {
      assert_true(triangle_distance(corners + 9 * t, center) >= radius * (1.0 - 1e-9) - 1e-13 * size);
      winding += solid_angle(corners + 9 * t, center);
    }
    assert_true(winding > 0.5);
  }
}

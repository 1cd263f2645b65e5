/* Checks packings independently of graze; see packing_checks.h. */
#include "packing_checks.h"
#include "testing.h"

#include <gmp.h>
#include <math.h>
#include <stdint.h>

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

/* The distance from the edges, and from the plane if the point projects into the triangle. */
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

/* ---------------------------------------------------------------------------------------------- rational distances */

typedef struct rational_vector {
  mpq_t axis[3];
} rational_vector;

static void vectors_init(rational_vector *vectors, size_t count) {
  for (size_t i = 0; i < 3 * count; i++) mpq_init(vectors[i / 3].axis[i % 3]);
}

static void vectors_clear(rational_vector *vectors, size_t count) {
  for (size_t i = 0; i < 3 * count; i++) mpq_clear(vectors[i / 3].axis[i % 3]);
}

static void rational_difference(const double *a, const double *b, rational_vector *difference_out) {
  mpq_t other;
  mpq_init(other);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(difference_out->axis[k], a[k]);
    mpq_set_d(other, b[k]);
    mpq_sub(difference_out->axis[k], difference_out->axis[k], other);
  }
  mpq_clear(other);
}

static void rational_dot(const rational_vector *a, const rational_vector *b, mpq_t sum_out) {
  mpq_t term;
  mpq_init(term);
  mpq_set_ui(sum_out, 0, 1);
  for (int k = 0; k < 3; k++) {
    mpq_mul(term, a->axis[k], b->axis[k]);
    mpq_add(sum_out, sum_out, term);
  }
  mpq_clear(term);
}

static void rational_cross(const rational_vector *a, const rational_vector *b, rational_vector *product_out) {
  mpq_t term;
  mpq_init(term);
  for (int k = 0; k < 3; k++) {
    mpq_mul(product_out->axis[k], a->axis[(k + 1) % 3], b->axis[(k + 2) % 3]);
    mpq_mul(term, a->axis[(k + 2) % 3], b->axis[(k + 1) % 3]);
    mpq_sub(product_out->axis[k], product_out->axis[k], term);
  }
  mpq_clear(term);
}

/* Whether the segment from a to b has a point nearer than the radius: |from - t way|^2 < r^2 for the best t in [0, 1].
 */
static bool segment_reaches_into(const double *a, const double *b, const graze_sphere *sphere) {
  rational_vector way_from[2];
  mpq_t along, length, part, least, radius;
  vectors_init(way_from, 2);
  mpq_inits(along, length, part, least, radius, NULL);
  rational_difference(b, a, &way_from[0]);
  rational_difference(sphere->center, a, &way_from[1]);
  rational_dot(&way_from[0], &way_from[1], along);
  rational_dot(&way_from[0], &way_from[0], length);
  if (mpq_sgn(length) > 0) mpq_div(part, along, length);
  if (mpq_sgn(part) < 0) mpq_set_ui(part, 0, 1);
  if (mpq_cmp_ui(part, 1, 1) > 0) mpq_set_ui(part, 1, 1);
  for (int k = 0; k < 3; k++) {
    mpq_mul(way_from[0].axis[k], way_from[0].axis[k], part);
    mpq_sub(way_from[1].axis[k], way_from[1].axis[k], way_from[0].axis[k]);
  }
  rational_dot(&way_from[1], &way_from[1], least);
  mpq_set_d(radius, sphere->radius);
  mpq_mul(radius, radius, radius);
  const bool reaches = mpq_cmp(least, radius) < 0;
  mpq_clears(along, length, part, least, radius, NULL);
  vectors_clear(way_from, 2);
  return reaches;
}

/* Whether the foot of the center lies in the triangle and nearer than the radius: (from . n)^2 < r^2 n^2. */
static bool inside_reaches_into(const double *corners, const graze_sphere *sphere) {
  rational_vector normal, edge, from, outward;
  rational_vector *const all[] = {&normal, &edge, &from, &outward};
  mpq_t height, squared, radius, side;
  for (int i = 0; i < 4; i++) vectors_init(all[i], 1);
  mpq_inits(height, squared, radius, side, NULL);
  rational_difference(corners + 3, corners, &edge);
  rational_difference(corners + 6, corners, &from);
  rational_cross(&edge, &from, &normal);
  rational_dot(&normal, &normal, squared);
  bool above = mpq_sgn(squared) > 0;
  for (int i = 0; i < 3; i++) {
    rational_difference(corners + 3 * ((i + 1) % 3), corners + 3 * i, &edge);
    rational_difference(sphere->center, corners + 3 * i, &from);
    rational_cross(&edge, &normal, &outward);
    rational_dot(&from, &outward, side);
    above = above && mpq_sgn(side) <= 0;
  }
  rational_dot(&from, &normal, height);
  mpq_mul(height, height, height);
  mpq_set_d(radius, sphere->radius);
  mpq_mul(radius, radius, radius);
  mpq_mul(radius, radius, squared);
  const bool reaches = above && mpq_cmp(height, radius) < 0;
  mpq_clears(height, squared, radius, side, NULL);
  for (int i = 0; i < 4; i++) vectors_clear(all[i], 1);
  return reaches;
}

static bool triangle_reaches_into(const double *corners, const graze_sphere *sphere) {
  for (int i = 0; i < 3; i++)
    if (segment_reaches_into(corners + 3 * i, corners + 3 * ((i + 1) % 3), sphere)) return true;
  return inside_reaches_into(corners, sphere);
}

void assert_inside(const graze_sphere *spheres, size_t count, const double *corners, size_t triangle_count) {
  for (size_t i = 0; i < count; i++) {
    const double *center = spheres[i].center, radius = spheres[i].radius;
    const double size = fabs(center[0]) + fabs(center[1]) + fabs(center[2]);
    double winding = 0.0;
    for (size_t t = 0; t < triangle_count; t++) {
      if (!(triangle_distance(corners + 9 * t, center) > radius * (1.0 + 1e-9) + 1e-13 * size))
        assert_false(triangle_reaches_into(corners + 9 * t, &spheres[i]));
      winding += solid_angle(corners + 9 * t, center);
    }
    assert_true(winding > 0.5);
  }
}

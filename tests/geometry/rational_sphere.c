/* Compares distances exactly. All inputs become integers in units of their smallest bit; there are no divisions. */
#include "rational_sphere.h"

#include "hull_reference.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

enum { VALUES = 13 };

struct rational_sphere {
  mpz_t value[VALUES]; /* corners, center, radius */
  mpz_t edge[3], way[3], normal[3], cross[3], first[3], second[3];
  mpz_t left, right, scratch, radius_squared;
  hull_reference *hulls;
};

static void vector_init(mpz_t vector[3]) {
  for (int i = 0; i < 3; ++i) mpz_init(vector[i]);
}

static void vector_clear(mpz_t vector[3]) {
  for (int i = 0; i < 3; ++i) mpz_clear(vector[i]);
}

rational_sphere *rational_sphere_create(void) {
  rational_sphere *reference = malloc(sizeof *reference);
  for (int i = 0; i < VALUES; ++i) mpz_init(reference->value[i]);
  vector_init(reference->edge);
  vector_init(reference->way);
  vector_init(reference->normal);
  vector_init(reference->cross);
  vector_init(reference->first);
  vector_init(reference->second);
  mpz_inits(reference->left, reference->right, reference->scratch, reference->radius_squared, NULL);
  reference->hulls = hull_reference_create();
  return reference;
}

void rational_sphere_destroy(rational_sphere *reference) {
  for (int i = 0; i < VALUES; ++i) mpz_clear(reference->value[i]);
  vector_clear(reference->edge);
  vector_clear(reference->way);
  vector_clear(reference->normal);
  vector_clear(reference->cross);
  vector_clear(reference->first);
  vector_clear(reference->second);
  mpz_clears(reference->left, reference->right, reference->scratch, reference->radius_squared, NULL);
  hull_reference_destroy(reference->hulls);
  free(reference);
}

/* value = mantissa * 2^exponent with an integral mantissa of at most 53 bits. */
static double split(double value, int *exponent_out) {
  const double mantissa = ldexp(frexp(value, exponent_out), 53);
  *exponent_out -= 53;
  return mantissa;
}

static void load(rational_sphere *reference, const double *values, int count) {
  int least = 2000;
  for (int i = 0; i < count; ++i) {
    int exponent;
    if (split(values[i], &exponent) != 0.0 && exponent < least) least = exponent;
  }
  for (int i = 0; i < count; ++i) {
    int exponent;
    mpz_set_d(reference->value[i], split(values[i], &exponent));
    if (values[i] != 0.0) mpz_mul_2exp(reference->value[i], reference->value[i], (mp_bitcnt_t)(exponent - least));
  }
}

static void dot(rational_sphere *reference, mpz_t a[3], mpz_t b[3], mpz_t result) {
  mpz_mul(reference->scratch, a[0], b[0]);
  mpz_addmul(reference->scratch, a[1], b[1]);
  mpz_addmul(reference->scratch, a[2], b[2]);
  mpz_set(result, reference->scratch);
}

static void cross(mpz_t a[3], mpz_t b[3], mpz_t result[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    mpz_mul(result[axis], a[next], b[last]);
    mpz_submul(result[axis], a[last], b[next]);
  }
}

static void difference(rational_sphere *reference, int from, int to, mpz_t result[3]) {
  for (int axis = 0; axis < 3; ++axis)
    mpz_sub(result[axis], reference->value[3 * to + axis], reference->value[3 * from + axis]);
}

int rational_sphere_pair_order(rational_sphere *reference, const double *c, double r, const double *d, double s) {
  const double values[8] = {c[0], c[1], c[2], d[0], d[1], d[2], r, s};
  load(reference, values, 8);
  difference(reference, 0, 1, reference->way);
  dot(reference, reference->way, reference->way, reference->left);
  mpz_add(reference->scratch, reference->value[6], reference->value[7]);
  mpz_mul(reference->right, reference->scratch, reference->scratch);
  const int order = mpz_cmp(reference->left, reference->right);
  return (order > 0) - (order < 0);
}

static int compare(rational_sphere *reference) {
  const int order = mpz_cmp(reference->left, reference->right);
  return (order > 0) - (order < 0);
}

static int corner_order(rational_sphere *reference, int corner) {
  difference(reference, corner, 3, reference->way);
  dot(reference, reference->way, reference->way, reference->left);
  mpz_set(reference->right, reference->radius_squared);
  return compare(reference);
}

/* 1 where the edge has no foot of the center inside: its corners are compared anyway. */
static int edge_order(rational_sphere *reference, int from, int to) {
  difference(reference, from, to, reference->edge);
  difference(reference, to, 3, reference->way);
  dot(reference, reference->edge, reference->way, reference->left);
  if (mpz_sgn(reference->left) >= 0) return 1;
  difference(reference, from, 3, reference->way);
  dot(reference, reference->edge, reference->way, reference->left);
  if (mpz_sgn(reference->left) <= 0) return 1;
  cross(reference->way, reference->edge, reference->cross);
  dot(reference, reference->cross, reference->cross, reference->left);
  dot(reference, reference->edge, reference->edge, reference->right);
  mpz_mul(reference->right, reference->right, reference->radius_squared);
  return compare(reference);
}

/* 1 where the center is not over the triangle. */
static int face_order(rational_sphere *reference) {
  difference(reference, 0, 1, reference->first);
  difference(reference, 0, 2, reference->second);
  cross(reference->first, reference->second, reference->normal);
  dot(reference, reference->normal, reference->normal, reference->right);
  if (mpz_sgn(reference->right) == 0) return 1;
  for (int i = 0; i < 3; ++i) {
    difference(reference, i, (i + 1) % 3, reference->edge);
    difference(reference, i, 3, reference->way);
    cross(reference->edge, reference->way, reference->cross);
    dot(reference, reference->cross, reference->normal, reference->left);
    if (mpz_sgn(reference->left) < 0) return 1;
  }
  dot(reference, reference->way, reference->normal, reference->left);
  mpz_mul(reference->left, reference->left, reference->left);
  mpz_mul(reference->right, reference->right, reference->radius_squared);
  return compare(reference);
}

int rational_sphere_triangle_order(rational_sphere *reference, const double *c, double r,
                                   const double *const corner[3]) {
  double values[VALUES];
  for (int i = 0; i < 9; ++i) values[i] = corner[i / 3][i % 3];
  for (int axis = 0; axis < 3; ++axis) values[9 + axis] = c[axis];
  values[12] = r;
  load(reference, values, VALUES);
  mpz_mul(reference->radius_squared, reference->value[12], reference->value[12]);
  int least = face_order(reference);
  for (int i = 0; i < 3; ++i) {
    const int at_corner = corner_order(reference, i), on_edge = edge_order(reference, i, (i + 1) % 3);
    least = at_corner < least ? at_corner : least;
    least = on_edge < least ? on_edge : least;
  }
  return least;
}

bool rational_sphere_hull_intersects(rational_sphere *reference, const double *c, double r, const double *points,
                                     uint32_t count) {
  if (hull_reference_intersects(reference->hulls, c, 1, points, count)) return true;
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j <= i; ++j) {
      for (uint32_t k = 0; k <= j; ++k) {
        const double *const corner[3] = {points + 3 * i, points + 3 * j, points + 3 * k};
        if (count > 2 && (i == j || j == k)) continue;
        if (rational_sphere_triangle_order(reference, c, r, corner) <= 0) return true;
      }
    }
  }
  return false;
}

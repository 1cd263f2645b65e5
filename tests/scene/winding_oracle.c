/* Computes winding numbers in rational arithmetic; see winding_oracle.h. */
#include "winding_oracle.h"

#include "base/number_sequence.h"

#include <gmp.h>
#include <stdbool.h>

typedef mpq_t rational_vector[3];

static void vector_init(rational_vector vector) {
  for (int k = 0; k < 3; k++) mpq_init(vector[k]);
}

static void vector_clear(rational_vector vector) {
  for (int k = 0; k < 3; k++) mpq_clear(vector[k]);
}

static void set_difference(rational_vector vector, const double *to, const double *from) {
  mpq_t other;
  mpq_init(other);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(vector[k], to[k]);
    mpq_set_d(other, from[k]);
    mpq_sub(vector[k], vector[k], other);
  }
  mpq_clear(other);
}

/* The sign of det [a; b; c]. */
static int sign_of(rational_vector a, rational_vector b, rational_vector c) {
  mpq_t sum, product;
  mpq_init(sum);
  mpq_init(product);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      if (i == j) continue;
      const int k = 3 - i - j;
      mpq_mul(product, a[i], b[j]);
      mpq_mul(product, product, c[k]);
      if ((j - i + 3) % 3 == 1)
        mpq_add(sum, sum, product);
      else
        mpq_sub(sum, sum, product);
    }
  const int sign = mpq_sgn(sum);
  mpq_clear(sum);
  mpq_clear(product);
  return sign;
}

/* Whether the edges are parallel: such a triangle has no area, and counts nothing. */
static bool has_no_area(rational_vector a, rational_vector b) {
  mpq_t left, right;
  bool none = true;
  mpq_init(left);
  mpq_init(right);
  for (int i = 0; i < 3; i++) {
    mpq_mul(left, a[i], b[(i + 1) % 3]);
    mpq_mul(right, a[(i + 1) % 3], b[i]);
    none = none && mpq_equal(left, right) != 0;
  }
  mpq_clear(left);
  mpq_clear(right);
  return none;
}

/* Adds a triangle's crossing; false where the direction is not in general position. */
static bool add_crossing(rational_vector corners[3], rational_vector edges[2], rational_vector way, int *winding) {
  if (has_no_area(edges[0], edges[1])) return true;
  const int facing = sign_of(edges[0], edges[1], way);
  int sides[3];
  for (int k = 0; k < 3; k++) sides[k] = sign_of(way, corners[k], corners[(k + 1) % 3]);
  const bool meets_line =
      (sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0) || (sides[0] <= 0 && sides[1] <= 0 && sides[2] <= 0);
  if (!meets_line) return true;
  if (sides[0] == 0 || sides[1] == 0 || sides[2] == 0 || facing == 0) return false;
  const int ahead = sign_of(edges[0], edges[1], corners[0]) * facing;
  if (ahead > 0) *winding += facing;
  return true;
}

static bool count_crossings(const double *positions, const uint32_t *triangles, size_t count, const double point[3],
                            const double direction[3], int *winding) {
  static const double origin[3] = {0, 0, 0};
  rational_vector corners[3], edges[2], way;
  bool general = true;
  for (int k = 0; k < 3; k++) vector_init(corners[k]);
  for (int k = 0; k < 2; k++) vector_init(edges[k]);
  vector_init(way);
  set_difference(way, direction, origin);
  *winding = 0;
  for (size_t i = 0; i < count && general; i++) {
    const double *places[3];
    for (int k = 0; k < 3; k++) {
      places[k] = positions + 3 * (size_t)triangles[3 * i + (size_t)k];
      set_difference(corners[k], places[k], point);
    }
    for (int k = 0; k < 2; k++) set_difference(edges[k], places[k + 1], places[0]);
    general = add_crossing(corners, edges, way, winding);
  }
  for (int k = 0; k < 3; k++) vector_clear(corners[k]);
  for (int k = 0; k < 2; k++) vector_clear(edges[k]);
  vector_clear(way);
  return general;
}

int winding_oracle(const double *positions, const uint32_t *triangles, size_t count, const double point[3]) {
  uint64_t seed = 1;
  int winding;
  double direction[3];
  do {
    for (int k = 0; k < 3; k++) direction[k] = (double)sequence_below(&seed, 2000001) - 1000000.0;
  } while (!count_crossings(positions, triangles, count, point, direction, &winding));
  return winding;
}

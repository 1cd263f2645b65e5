/* The second filter of orientation_3d: the determinant in about 106 bits.
 *
 * Workload: coordinates with all 53 bits in use, such as meshes under a rotated pose, whose differences are not exact
 * in double. Points that lie in a common plane up to rounding are decided here for a sixth of the cost of long
 * expansions.
 *
 * The bound, with e = 2^-53. Entries are differences, stored exactly as head + tail, |tail| <= e |head|.
 * - A product drops tail * tail (e^2), rounds head * tail twice (2 e^2), their sum (2 e^2) and the sum with the error
 * of head * head (3 e^2): 8 e^2 |a b|.
 * - A difference rounds the difference of tails (e^2) and the sum with the error of the heads (2 e^2): 3 e^2 (|a| +
 * |b|).
 * - A minor is two products and a difference: 11 e^2 of its magnitude; times an entry 19 e^2; two sums make it 25 e^2
 * M, where M is the sum of the magnitudes of the six products of three. All to first order; 32 e^2 M, with M computed
 * in double from the heads, leaves a quarter for the rest. Nothing underflows in the range that expansions accept.
 *
 * Dekker, "A floating-point technique for extending the available precision", 1971. */
#ifndef GRAZE_GEOMETRY_DOUBLE_DOUBLE_H
#define GRAZE_GEOMETRY_DOUBLE_DOUBLE_H

#include "geometry/expansion.h"

#include <math.h>

/* Nine differences, rows b - a, c - a, d - a. */
typedef struct difference_rows {
  two_term entry[3][3];
  bool is_short; /* every tail is zero */
} difference_rows;

GEOMETRY_FUNCTION void difference_rows_make(const double *a, const double *b, const double *c, const double *d,
                                            difference_rows *rows_out) {
  bool is_short = true;
  for (int column = 0; column < 3; column++) {
    rows_out->entry[0][column] = two_difference(b[column], a[column]);
    rows_out->entry[1][column] = two_difference(c[column], a[column]);
    rows_out->entry[2][column] = two_difference(d[column], a[column]);
    for (int row = 0; row < 3; row++) is_short = is_short && rows_out->entry[row][column].tail == 0.0;
  }
  rows_out->is_short = is_short;
}

GEOMETRY_FUNCTION two_term double_double_multiply(two_term a, two_term b) {
  const two_term product = two_product(a.head, b.head);
  return two_sum_ordered(product.head, product.tail + (a.head * b.tail + a.tail * b.head));
}

GEOMETRY_FUNCTION two_term double_double_subtract(two_term a, two_term b) {
  const two_term difference = two_difference(a.head, b.head);
  return two_sum(difference.head, difference.tail + (a.tail - b.tail));
}

GEOMETRY_FUNCTION two_term double_double_add(two_term a, two_term b) {
  const two_term sum = two_sum(a.head, b.head);
  return two_sum(sum.head, sum.tail + (a.tail + b.tail));
}

/* entry * minor of one column; adds the magnitude of its two products of three. */
GEOMETRY_FUNCTION two_term double_double_column(const difference_rows *rows, int column, double *magnitude) {
  const int next = (column + 1) % 3, last = (column + 2) % 3;
  const two_term *v = rows->entry[1], *w = rows->entry[2], entry = rows->entry[0][column];
  const two_term left = double_double_multiply(v[next], w[last]), right = double_double_multiply(v[last], w[next]);
  *magnitude += fabs(entry.head) * (fabs(left.head) + fabs(right.head));
  return double_double_multiply(entry, double_double_subtract(left, right));
}

/* The head of the determinant, and the bound of the error of head and tail. */
GEOMETRY_FUNCTION double orientation_3d_double_determinant(const difference_rows *rows, double *bound_out) {
  double magnitude = 0.0;
  const two_term x = double_double_column(rows, 0, &magnitude);
  const two_term y = double_double_column(rows, 1, &magnitude);
  const two_term z = double_double_column(rows, 2, &magnitude);
  *bound_out = 32.0 * 0x1p-106 * magnitude;
  return double_double_add(double_double_add(x, y), z).head;
}

/* False if the sign is not certain, in particular always if it is zero. */
GEOMETRY_FUNCTION bool orientation_3d_double_double(const difference_rows *rows, int *sign_out) {
  double bound;
  const double determinant = orientation_3d_double_determinant(rows, &bound);
  *sign_out = (determinant > bound) - (determinant < -bound);
  return *sign_out != 0;
}

#endif

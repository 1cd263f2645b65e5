/* The exact tiers of the orientation signs, called if the double filter of orientation.h cannot decide.
 *
 * Workload: rare in general scenes, but a million calls a frame in scenes of coplanar or touching meshes, nearly all of
 * them with the answer zero, and nearly all on float data, whose differences are exact in double. The tiers are
 * therefore, in order: small integers in machine words, the filter of double_double.h, expansions (short ones if the
 * differences are exact), and wide integers for coordinates that no scaling brings into the range of expansions. All
 * tiers give the same sign. Only the last counts as TIER_WIDE.
 *
 * Expansions are exact only if nothing overflows or underflows. If every coordinate is zero or of magnitude in [2^-300,
 * 2^300], every difference and its tail is a multiple of 2^-352, so every component of a product of three is a multiple
 * of 2^-1056, above the smallest subnormal 2^-1074. Magnitudes stay below 2^301 for differences, 2^604 for minors and
 * 2^908 for determinants, which leaves room for the factor 2^27 of splitting.
 *
 * Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997. */
#ifndef GRAZE_GEOMETRY_ORIENTATION_EXACT_H
#define GRAZE_GEOMETRY_ORIENTATION_EXACT_H

#include "geometry/binary_scale.h"
#include "geometry/double_double.h"
#include "geometry/wide_integer.h"

#include <math.h>

typedef enum orientation_tier { TIER_DOUBLE = 0, TIER_EXPANSION = 1, TIER_WIDE = 2 } orientation_tier;

/* The cost of a decision for its caller: the deepest tier that any sign needed. Start from zero. */
typedef struct orientation_tally {
  uint32_t deepest_tier;
} orientation_tally;

GEOMETRY_FUNCTION void orientation_tally_raise(orientation_tally *tally, orientation_tier tier) {
  if (tally->deepest_tier < (uint32_t)tier) tally->deepest_tier = (uint32_t)tier;
}

/* The largest expansion of a 3x3 determinant of two-term entries: three times 16 * 4 components. */
enum { ORIENTATION_3D_COMPONENTS = 192, ORIENTATION_2D_COMPONENTS = 16 };

GEOMETRY_FUNCTION bool expansion_accepts(double value) {
  const double magnitude = fabs(value);
  return magnitude == 0.0 || (magnitude >= 0x1p-300 && magnitude <= 0x1p+300);
}

GEOMETRY_FUNCTION bool expansion_accepts_all(const double *values, uint32_t count) {
  bool accepts = true;
  for (uint32_t i = 0; i < count; i++) accepts = accepts && expansion_accepts(values[i]);
  return accepts;
}

/* Multiplies coordinates by a power of two, which does not change signs, so that expansions accept them; false if their
 * range is too large, and then they are unusable. Accepted coordinates are zero or normal, so nothing was rounded. The
 * factor is clamped to the range of doubles: the largest result is below 2^300, and at least 2^-74. */
GEOMETRY_FUNCTION bool scale_for_expansions(double *coordinates, uint32_t count) {
  const int exponent = 299 - binary_exponent(largest_magnitude(coordinates, (int)count));
  const double factor = power_of_two(exponent < 1000 ? exponent : 1000);
  bool accepts = true;
  for (uint32_t i = 0; i < count; i++) {
    const double scaled = coordinates[i] * factor;
    accepts = accepts && expansion_accepts(scaled) && (scaled != 0.0 || coordinates[i] == 0.0);
    coordinates[i] = scaled;
  }
  return accepts;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 integer128;
__extension__ typedef unsigned __int128 unsigned128;

/* Scales a row by a power of two so that its largest entry is below 2^41: false unless all three become integers.
 * Positive row factors do not change the sign of a determinant, so each row may have its own. */
GEOMETRY_FUNCTION bool small_integer_row(const two_term row[3], int64_t integers_out[3]) {
  double largest = 0.0;
  for (int i = 0; i < 3; i++) largest = fabs(row[i].head) > largest ? fabs(row[i].head) : largest;
  uint64_t bits;
  memcpy(&bits, &largest, sizeof bits);
  /* 2^(40 - floor(log2(largest))); both exponents are in range because the values are accepted. */
  bits = ((uint64_t)(2 * 1023 + 40) - (bits >> 52)) << 52;
  double factor;
  memcpy(&factor, &bits, sizeof factor);
  bool is_integral = largest != 0.0;
  for (int i = 0; is_integral && i < 3; i++) {
    const double scaled = row[i].head * factor;
    integers_out[i] = (int64_t)scaled;
    is_integral = (double)integers_out[i] == scaled;
  }
  return is_integral;
}

/* For entries below 2^41, the result is below 2^83. */
GEOMETRY_FUNCTION unsigned128 small_integer_minor(int64_t a, int64_t b, int64_t c, int64_t d) {
  return (unsigned128)a * (unsigned128)d - (unsigned128)b * (unsigned128)c;
}

/* Entries below 2^41 give a determinant below 3 * 2^124. All products are unsigned, which is equivalent modulo 2^128:
 * overflow checkers would need a library call for signed ones. */
GEOMETRY_FUNCTION bool orientation_3d_small_integer(const difference_rows *rows, int *sign_out) {
  int64_t u[3], v[3], w[3];
  if (!small_integer_row(rows->entry[0], u) || !small_integer_row(rows->entry[1], v) ||
      !small_integer_row(rows->entry[2], w))
    return false;
  const unsigned128 x = small_integer_minor(v[1], v[2], w[1], w[2]);
  const unsigned128 y = small_integer_minor(v[2], v[0], w[2], w[0]);
  const unsigned128 z = small_integer_minor(v[0], v[1], w[0], w[1]);
  const integer128 determinant = (integer128)(x * (unsigned128)u[0] + y * (unsigned128)u[1] + z * (unsigned128)u[2]);
  *sign_out = (determinant > 0) - (determinant < 0);
  return true;
}
#else
GEOMETRY_FUNCTION bool orientation_3d_small_integer(const difference_rows *rows, int *sign_out) {
  (void)rows;
  (void)sign_out;
  return false;
}
#endif

/* entry * minor for the current column, 8 components if the entries are single terms, 64 otherwise. */
GEOMETRY_FUNCTION uint32_t determinant_column(const difference_rows *rows, int column, double *product_out) {
  const int next = (column + 1) % 3, last = (column + 2) % 3;
  const two_term *v = rows->entry[1], *w = rows->entry[2];
  double minor[16], scratch[64];
  const uint32_t minor_count = expansion_minor(v[next], v[last], w[next], w[last], minor);
  return expansion_scale_by_two_term(minor_count, minor, rows->entry[0][column], scratch, product_out);
}

/* The determinant as an expansion; its sum is exact for accepted coordinates. */
GEOMETRY_SLOW_FUNCTION uint32_t orientation_3d_components(const difference_rows *rows,
                                                          double components_out[ORIENTATION_3D_COMPONENTS]) {
  double x[64], y[64], z[64], xy[128];
  const uint32_t x_count = determinant_column(rows, 0, x);
  const uint32_t y_count = determinant_column(rows, 1, y);
  const uint32_t z_count = determinant_column(rows, 2, z);
  const uint32_t xy_count = expansion_sum(x_count, x, y_count, y, xy);
  return expansion_sum(xy_count, xy, z_count, z, components_out);
}

GEOMETRY_SLOW_FUNCTION int orientation_3d_expansion(const difference_rows *rows) {
  double components[ORIENTATION_3D_COMPONENTS];
  const uint32_t count = orientation_3d_components(rows, components);
  return expansion_sign(count, components);
}

GEOMETRY_FUNCTION uint32_t orientation_2d_components(const two_term u[2], const two_term v[2],
                                                     double components_out[ORIENTATION_2D_COMPONENTS]) {
  return expansion_minor(u[0], u[1], v[0], v[1], components_out);
}

/* If all differences are single terms, only two products are compared: rounding is monotonic, so the heads decide, and
 * if these are equal the tails. */
GEOMETRY_SLOW_FUNCTION int orientation_2d_expansion(const two_term u[2], const two_term v[2]) {
  if (u[0].tail == 0.0 && u[1].tail == 0.0 && v[0].tail == 0.0 && v[1].tail == 0.0) {
    const two_term left = two_product(u[0].head, v[1].head), right = two_product(u[1].head, v[0].head);
    if (left.head != right.head) return left.head > right.head ? 1 : -1;
    return (left.tail > right.tail) - (left.tail < right.tail);
  }
  double components[ORIENTATION_2D_COMPONENTS];
  const uint32_t count = orientation_2d_components(u, v, components);
  return expansion_sign(count, components);
}

/* a * d - b * c. */
GEOMETRY_FUNCTION void wide_integer_minor(const wide_integer *a, const wide_integer *b, const wide_integer *c,
                                          const wide_integer *d, wide_integer *minor_out) {
  uint32_t limbs[WIDE_LIMBS_2];
  wide_integer right = wide_integer_in(limbs);
  wide_integer_multiply(a, d, minor_out);
  wide_integer_multiply(b, c, &right);
  wide_integer_subtract(minor_out, &right, minor_out);
}

/* a - b in units, as doubles. */
GEOMETRY_FUNCTION void wide_integer_difference(double a, double b, int32_t unit, wide_integer *difference_out) {
  uint32_t limbs[WIDE_LIMBS_1];
  wide_integer subtracted = wide_integer_in(limbs);
  wide_integer_from_double(a, unit, difference_out);
  wide_integer_from_double(b, unit, &subtracted);
  wide_integer_subtract(difference_out, &subtracted, difference_out);
}

GEOMETRY_SLOW_FUNCTION int orientation_3d_wide(const double *a, const double *b, const double *c, const double *d) {
  double coordinates[12];
  for (int axis = 0; axis < 3; axis++) {
    coordinates[axis] = a[axis];
    coordinates[3 + axis] = b[axis];
    coordinates[6 + axis] = c[axis];
    coordinates[9 + axis] = d[axis];
  }
  const int32_t unit = wide_integer_unit(coordinates, 12);
  uint32_t limbs[3][3][WIDE_LIMBS_1], minor_limbs[WIDE_LIMBS_2], product_limbs[WIDE_LIMBS_3], sum_limbs[WIDE_LIMBS_3];
  wide_integer entry[3][3], minor = wide_integer_in(minor_limbs), product = wide_integer_in(product_limbs);
  wide_integer sum = wide_integer_in(sum_limbs);
  for (int axis = 0; axis < 3; axis++) {
    for (int row = 0; row < 3; row++) {
      entry[row][axis] = wide_integer_in(limbs[row][axis]);
      wide_integer_difference(coordinates[3 * (row + 1) + axis], a[axis], unit, &entry[row][axis]);
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    /* The minor with opposite sign, so that subtracting adds the product. */
    wide_integer_minor(&entry[1][last], &entry[1][next], &entry[2][last], &entry[2][next], &minor);
    wide_integer_multiply(&entry[0][axis], &minor, &product);
    wide_integer_subtract(&sum, &product, &sum);
  }
  return wide_integer_sign(&sum);
}

GEOMETRY_SLOW_FUNCTION int orientation_2d_wide(double ax, double ay, double bx, double by, double cx, double cy) {
  const double coordinates[6] = {ax, ay, bx, by, cx, cy};
  const int32_t unit = wide_integer_unit(coordinates, 6);
  uint32_t limbs[4][WIDE_LIMBS_1], minor_limbs[WIDE_LIMBS_2];
  wide_integer entry[4], minor = wide_integer_in(minor_limbs);
  for (int i = 0; i < 4; i++) {
    entry[i] = wide_integer_in(limbs[i]);
    wide_integer_difference(coordinates[2 + i], coordinates[i % 2], unit, &entry[i]);
  }
  wide_integer_minor(&entry[0], &entry[1], &entry[2], &entry[3], &minor);
  return wide_integer_sign(&minor);
}

GEOMETRY_FUNCTION bool points_equal(const double *a, const double *b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Obvious zeros: two points are equal, or all four share a coordinate. Copies of a mesh touch in millions of such
 * places, and floors and walls are planes of one coordinate. */
GEOMETRY_FUNCTION bool orientation_3d_is_plainly_zero(const double *a, const double *b, const double *c,
                                                      const double *d) {
  for (int axis = 0; axis < 3; axis++) {
    if (a[axis] == b[axis] && a[axis] == c[axis] && a[axis] == d[axis]) return true;
  }
  return points_equal(a, d) || points_equal(b, d) || points_equal(c, d) || points_equal(a, b) || points_equal(a, c) ||
         points_equal(b, c);
}

/* For accepted coordinates. */
GEOMETRY_FUNCTION int orientation_3d_accepted(const double *a, const double *b, const double *c, const double *d,
                                              orientation_tally *tally) {
  orientation_tally_raise(tally, TIER_EXPANSION);
  difference_rows rows;
  difference_rows_make(a, b, c, d, &rows);
  int sign = 0;
  if (rows.is_short && orientation_3d_small_integer(&rows, &sign)) return sign;
  if (orientation_3d_double_double(&rows, &sign)) return sign;
  return orientation_3d_expansion(&rows);
}

/* For all others. */
GEOMETRY_SLOW_FUNCTION int orientation_3d_far(const double *a, const double *b, const double *c, const double *d,
                                              orientation_tally *tally) {
  double scaled[12];
  for (int axis = 0; axis < 3; axis++) {
    scaled[axis] = a[axis];
    scaled[3 + axis] = b[axis];
    scaled[6 + axis] = c[axis];
    scaled[9 + axis] = d[axis];
  }
  if (scale_for_expansions(scaled, 12))
    return orientation_3d_accepted(scaled, scaled + 3, scaled + 6, scaled + 9, tally);
  orientation_tally_raise(tally, TIER_WIDE);
  return orientation_3d_wide(a, b, c, d);
}

/* The sign without any filter, by the cheapest tier that is exact here. */
GEOMETRY_SLOW_FUNCTION int orientation_3d_exact(const double *a, const double *b, const double *c, const double *d,
                                                orientation_tally *tally) {
  if (orientation_3d_is_plainly_zero(a, b, c, d)) return 0;
  if (!expansion_accepts_all(a, 3) || !expansion_accepts_all(b, 3) || !expansion_accepts_all(c, 3) ||
      !expansion_accepts_all(d, 3))
    return orientation_3d_far(a, b, c, d, tally);
  return orientation_3d_accepted(a, b, c, d, tally);
}

GEOMETRY_SLOW_FUNCTION int orientation_2d_exact(double ax, double ay, double bx, double by, double cx, double cy,
                                                orientation_tally *tally) {
  if ((ax == bx && ax == cx) || (ay == by && ay == cy)) return 0;
  if ((ax == bx && ay == by) || (ax == cx && ay == cy) || (bx == cx && by == cy)) return 0;
  double point[6] = {ax, ay, bx, by, cx, cy};
  if (!expansion_accepts_all(point, 6) && !scale_for_expansions(point, 6)) {
    orientation_tally_raise(tally, TIER_WIDE);
    return orientation_2d_wide(ax, ay, bx, by, cx, cy);
  }
  orientation_tally_raise(tally, TIER_EXPANSION);
  const two_term u[2] = {two_difference(point[2], point[0]), two_difference(point[3], point[1])};
  const two_term v[2] = {two_difference(point[4], point[0]), two_difference(point[5], point[1])};
  return orientation_2d_expansion(u, v);
}

#endif

/* Signed integers of thousands of bits on the stack: the last tier of the predicates.
 *
 * Every finite double is an integer times 2^-1074. In units of the smallest bit that occurs among the inputs,
 * coordinates become integers, and a polynomial of their differences is an integer whose sign is exact for all finite
 * doubles, subnormal or huge. The required bits are known in advance: a coordinate has at most 1024 + 1074 = 2098 bits,
 * a difference 2099, a product of three differences 6297, a sum of six such products 6300.
 *
 * An integer does not own its limbs: they are in an array of the caller, whose length follows from the degree of the
 * value, so that a function's stack is no larger than its polynomial requires.
 *
 * Workload: very rare for signs of determinants, only for pairs whose coordinates are outside [2^-300, 2^300]; and the
 * whole exact tier of balls (sphere_exact.h), whose polynomials are of degree six. Only the limbs in use are accessed:
 * coordinates of one scale have two or three. Schoolbook multiplication (Knuth, "The Art of Computer Programming",
 * volume 2, 4.3.1). */
#ifndef GRAZE_GEOMETRY_WIDE_INTEGER_H
#define GRAZE_GEOMETRY_WIDE_INTEGER_H

#include "geometry/device.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The largest number of 32-bit limbs of a difference of coordinates, and of products of 2 to 6 of them: a product has
 * as many limbs as its factors together, and sums of a few do not need more, as 66 limbs have 13 spare bits. Each with
 * one or two extra limbs. */
enum {
  WIDE_LIMBS_1 = 68,
  WIDE_LIMBS_2 = 2 * WIDE_LIMBS_1,
  WIDE_LIMBS_3 = 200,
  WIDE_LIMBS_4 = 268,
  WIDE_LIMBS_5 = 334,
  WIDE_LIMBS_6 = 400
};

/* Magnitude and sign; limbs from least to most significant, limbs[limb_count - 1] != 0, zero has no limbs. */
typedef struct wide_integer {
  uint32_t *limbs;
  uint32_t limb_count;
  bool is_negative;
} wide_integer;

/* Zero, with memory for a result. */
GEOMETRY_FUNCTION wide_integer wide_integer_in(uint32_t *limbs) {
  wide_integer value;
  value.limbs = limbs;
  value.limb_count = 0;
  value.is_negative = false;
  return value;
}

/* A finite double as mantissa * 2^exponent, with an integer mantissa that is odd or zero. */
typedef struct double_parts {
  uint64_t mantissa;
  int32_t exponent;
  bool is_negative;
} double_parts;

GEOMETRY_FUNCTION double_parts double_parts_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int32_t biased = (int32_t)((bits >> 52) & 0x7ff);
  double_parts parts;
  parts.is_negative = (bits >> 63) != 0;
  parts.mantissa = bits & 0xfffffffffffffull;
  if (biased != 0) parts.mantissa |= 0x10000000000000ull;
  parts.exponent = (biased != 0 ? biased : 1) - 1075;
  for (int32_t step = 32; parts.mantissa != 0 && step > 0; step /= 2) {
    if ((parts.mantissa & ((1ull << step) - 1)) != 0) continue;
    parts.mantissa >>= step;
    parts.exponent += step;
  }
  return parts;
}

/* The exponent of the smallest bit among the values; 0 if all are zero. */
GEOMETRY_FUNCTION int32_t wide_integer_unit(const double *values, uint32_t count) {
  int32_t unit = 0;
  bool found = false;
  for (uint32_t i = 0; i < count; i++) {
    const double_parts parts = double_parts_of(values[i]);
    if (parts.mantissa != 0 && (!found || parts.exponent < unit)) {
      unit = parts.exponent;
      found = true;
    }
  }
  return unit;
}

GEOMETRY_FUNCTION void wide_integer_trim(wide_integer *value) {
  while (value->limb_count > 0 && value->limbs[value->limb_count - 1] == 0) value->limb_count -= 1;
}

/* value / 2^unit, which is an integer because the unit is the smallest bit of all values. */
GEOMETRY_LARGE_FUNCTION void wide_integer_from_double(double value, int32_t unit, wide_integer *result_out) {
  const double_parts parts = double_parts_of(value);
  result_out->limb_count = 0;
  result_out->is_negative = parts.is_negative;
  if (parts.mantissa == 0) return;
  const uint32_t shift = (uint32_t)(parts.exponent - unit);
  const uint32_t first = shift / 32, bit = shift % 32;
  for (uint32_t i = 0; i < first; i++) result_out->limbs[i] = 0;
  const uint64_t low = (parts.mantissa & 0xffffffffull) << bit;
  const uint64_t high = ((parts.mantissa >> 32) << bit) + (low >> 32);
  result_out->limbs[first] = (uint32_t)low;
  result_out->limbs[first + 1] = (uint32_t)high;
  result_out->limbs[first + 2] = (uint32_t)(high >> 32);
  result_out->limb_count = first + 3;
  wide_integer_trim(result_out);
}

GEOMETRY_FUNCTION int wide_integer_compare_magnitude(const wide_integer *a, const wide_integer *b) {
  if (a->limb_count != b->limb_count) return a->limb_count < b->limb_count ? -1 : 1;
  for (uint32_t i = a->limb_count; i-- > 0;) {
    if (a->limbs[i] != b->limbs[i]) return a->limbs[i] < b->limbs[i] ? -1 : 1;
  }
  return 0;
}

GEOMETRY_FUNCTION void wide_integer_add_magnitudes(const wide_integer *a, const wide_integer *b,
                                                   wide_integer *sum_out) {
  const uint32_t count = a->limb_count > b->limb_count ? a->limb_count : b->limb_count;
  uint64_t carry = 0;
  for (uint32_t i = 0; i < count; i++) {
    carry += i < a->limb_count ? a->limbs[i] : 0;
    carry += i < b->limb_count ? b->limbs[i] : 0;
    sum_out->limbs[i] = (uint32_t)carry;
    carry >>= 32;
  }
  sum_out->limb_count = count;
  if (carry != 0) sum_out->limbs[sum_out->limb_count++] = (uint32_t)carry;
}

/* Requires |larger| >= |smaller|. */
GEOMETRY_FUNCTION void wide_integer_subtract_magnitudes(const wide_integer *larger, const wide_integer *smaller,
                                                        wide_integer *difference_out) {
  uint64_t borrow = 0;
  for (uint32_t i = 0; i < larger->limb_count; i++) {
    const uint64_t taken = (i < smaller->limb_count ? (uint64_t)smaller->limbs[i] : 0) + borrow;
    borrow = larger->limbs[i] < taken ? 1 : 0;
    difference_out->limbs[i] = (uint32_t)(larger->limbs[i] - taken);
  }
  difference_out->limb_count = larger->limb_count;
  wide_integer_trim(difference_out);
}

/* a - b; the output may be one of the inputs. */
GEOMETRY_LARGE_FUNCTION void wide_integer_subtract(const wide_integer *a, const wide_integer *b,
                                                   wide_integer *result_out) {
  const bool a_is_negative = a->is_negative, b_is_negative = b->is_negative;
  if (a_is_negative != b_is_negative) {
    wide_integer_add_magnitudes(a, b, result_out);
    result_out->is_negative = a_is_negative;
  } else if (wide_integer_compare_magnitude(a, b) >= 0) {
    wide_integer_subtract_magnitudes(a, b, result_out);
    result_out->is_negative = a_is_negative;
  } else {
    wide_integer_subtract_magnitudes(b, a, result_out);
    result_out->is_negative = !a_is_negative;
  }
}

/* a + b; the output may be one of the inputs. */
GEOMETRY_LARGE_FUNCTION void wide_integer_add(const wide_integer *a, const wide_integer *b, wide_integer *result_out) {
  wide_integer turned = *b;
  turned.is_negative = !turned.is_negative;
  wide_integer_subtract(a, &turned, result_out);
}

/* a * b; the output may not be one of the inputs. */
GEOMETRY_LARGE_FUNCTION void wide_integer_multiply(const wide_integer *a, const wide_integer *b,
                                                   wide_integer *product_out) {
  product_out->limb_count = a->limb_count + b->limb_count;
  product_out->is_negative = a->is_negative != b->is_negative;
  for (uint32_t i = 0; i < product_out->limb_count; i++) product_out->limbs[i] = 0;
  for (uint32_t i = 0; i < a->limb_count; i++) {
    uint64_t carry = 0;
    for (uint32_t j = 0; j < b->limb_count; j++) {
      carry += (uint64_t)a->limbs[i] * b->limbs[j] + product_out->limbs[i + j];
      product_out->limbs[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    product_out->limbs[i + b->limb_count] = (uint32_t)carry;
  }
  wide_integer_trim(product_out);
}

GEOMETRY_FUNCTION int wide_integer_sign(const wide_integer *value) {
  if (value->limb_count == 0) return 0;
  return value->is_negative ? -1 : 1;
}

#endif

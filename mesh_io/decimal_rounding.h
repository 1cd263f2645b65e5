/* Exact rounding to double, only for the number scanner. */
#ifndef GRAZE_DECIMAL_ROUNDING_H
#define GRAZE_DECIMAL_ROUNDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The midpoint of two doubles has at most 767 significant digits, so a number of at most 800 digits is never cut where
 * it could lie on one; the last digit represents all that was cut. */
#define DECIMAL_DIGITS_MAX 801

/* Returns mantissa * 2^exponent to nearest, ties to even. `more`: the true value is slightly larger, by less than the
 * last bit of the mantissa, which must then have at least 55 bits. */
double round_binary(uint64_t mantissa, int exponent, bool more);

/* Returns the integer of `count` digits (values 0 to 9, the first not 0) times 10^exponent, to nearest, ties to
 * even. */
double round_decimal(const uint8_t *digits, size_t count, int64_t exponent);

static inline int leading_zeros(uint64_t value) {
#if defined(__GNUC__)
  return value ? __builtin_clzll(value) : 64;
#else
  int zeros = 64;
  for (; value; value >>= 1) zeros--;
  return zeros;
#endif
}

#endif

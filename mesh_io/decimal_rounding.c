/* The last tier of the number scanner: rounds any decimal number to the nearest double with exact integers.
 *
 * Workload: one number in thousands, from 2 to 90 words of 32 bits; a long one takes microseconds. A number with a
 * negative exponent is the quotient of its digits and a power of five: 64 bits of it, by shifting and subtracting, and
 * whether there is a remainder, determine the rounding (Clinger, "How to read floating point numbers accurately",
 * 1990). */
#include "mesh_io/decimal_rounding.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* 801 digits take 2661 bits, and 5^1131 takes 2627 (the exponent of a number above 1e-330 with 801 digits), plus one
 * bit for the shift during division. */
enum { WORDS_MAX = 96 };

typedef struct big_integer {
  uint32_t words[WORDS_MAX]; /* lowest first */
  int count;                 /* the highest word is not 0 */
} big_integer;

static void multiply_add(big_integer *a, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (int i = 0; i < a->count; i++) {
    carry += (uint64_t)a->words[i] * factor;
    a->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) {
    assert(a->count < WORDS_MAX);
    a->words[a->count++] = (uint32_t)carry;
  }
}

static void multiply_by_power_of_five(big_integer *a, int64_t exponent) {
  const uint32_t five_to_13 = 1220703125u;
  for (; exponent >= 13; exponent -= 13) multiply_add(a, five_to_13, 0);
  for (; exponent > 0; exponent--) multiply_add(a, 5, 0);
}

static int bit_length(const big_integer *a) {
  return a->count == 0 ? 0 : 32 * a->count - (leading_zeros(a->words[a->count - 1]) - 32);
}

static void shift_left(big_integer *a, int bits) {
  const int words = bits / 32;
  if (a->count == 0) return;
  assert(a->count + words < WORDS_MAX);
  memmove(a->words + words, a->words, (size_t)a->count * sizeof a->words[0]);
  memset(a->words, 0, (size_t)words * sizeof a->words[0]);
  a->count += words;
  multiply_add(a, (uint32_t)1 << bits % 32, 0);
}

static int compare(const big_integer *a, const big_integer *b) {
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (int i = a->count - 1; i >= 0; i--) {
    if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
  }
  return 0;
}

/* a -= b for a >= b. */
static void subtract(big_integer *a, const big_integer *b) {
  int64_t carry = 0;
  for (int i = 0; i < a->count; i++) {
    carry += (int64_t)a->words[i] - (i < b->count ? (int64_t)b->words[i] : 0);
    a->words[i] = (uint32_t)carry;
    carry = carry < 0 ? -1 : 0;
  }
  while (a->count > 0 && a->words[a->count - 1] == 0) a->count--;
}

double round_binary(uint64_t mantissa, int exponent, bool more) {
  if (mantissa == 0) return 0.0;
  const int zeros = leading_zeros(mantissa);
  mantissa <<= zeros;
  exponent -= zeros;
  /* 53 bits are kept; fewer below 2^-1022, where the last bit is 2^-1074. */
  int dropped = 11;
  if (exponent + dropped < -1074) dropped = -1074 - exponent;
  if (dropped > 64) return 0.0;
  const uint64_t kept = dropped == 64 ? 0 : mantissa >> dropped;
  const uint64_t half = (uint64_t)1 << (dropped - 1);
  const uint64_t rest = dropped == 64 ? mantissa : mantissa & ((half << 1) - 1);
  const bool up = rest > half || (rest == half && (more || (kept & 1)));
  /* As a bit field: the hidden bit of `kept` adds one to the exponent, a carry from rounding adds another; below
   * 2^-1022 there is neither. */
  exponent += dropped;
  if (exponent > 971) return HUGE_VAL;
  const uint64_t bits = ((uint64_t)(exponent + 1074) << 52) + kept + up;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double round_integer(const big_integer *a) {
  uint64_t mantissa = 0;
  bool more = false;
  const int length = bit_length(a);
  for (int bit = length - 1; bit >= 0; bit--) {
    const uint32_t value = a->words[bit / 32] >> bit % 32 & 1;
    if (length - bit <= 64) {
      mantissa = mantissa << 1 | value;
    } else {
      more |= value;
    }
  }
  return round_binary(mantissa, length > 64 ? length - 64 : 0, more);
}

/* Divides: numerator / denominator * 2^exponent; modifies both. */
static double round_quotient(big_integer *numerator, big_integer *denominator, int exponent) {
  const int difference = bit_length(numerator) - bit_length(denominator);
  if (difference > 0) {
    shift_left(denominator, difference);
  } else {
    shift_left(numerator, -difference);
  }
  exponent += difference;
  /* Numbers of equal length have a quotient in (1/2, 2): its first 64 bits take at most 65 steps. */
  uint64_t mantissa = 0;
  while (mantissa >> 63 == 0) {
    const bool fits = compare(numerator, denominator) >= 0;
    if (fits) subtract(numerator, denominator);
    mantissa = mantissa << 1 | fits;
    shift_left(numerator, 1);
    exponent--;
  }
  return round_binary(mantissa, exponent + 1, numerator->count > 0);
}

double round_decimal(const uint8_t *digits, size_t count, int64_t exponent) {
  assert(count > 0 && count <= DECIMAL_DIGITS_MAX && digits[0] > 0);
  if (exponent > 310 || (int64_t)count + exponent > 310) return HUGE_VAL;
  if ((int64_t)count + exponent < -330) return 0.0;
  big_integer number = {.count = 0};
  for (size_t i = 0; i < count; i++) multiply_add(&number, 10, digits[i]);
  if (exponent >= 0) {
    multiply_by_power_of_five(&number, exponent);
    shift_left(&number, (int)exponent);
    return round_integer(&number);
  }
  big_integer power = {.words = {1}, .count = 1};
  multiply_by_power_of_five(&power, -exponent);
  return round_quotient(&number, &power, (int)exponent);
}

/* Prints doubles. Workload: millions of coordinates between 1e-10 and 1e14, for which exact 128-bit integers give the
 * digits: value = m * 2^e, so value * 10^q = m * 5^q * 2^(e + q) with m * 5^q below 2^116 for q up to 27. Others use
 * the C library, whose decimal point, which may be any string, is replaced afterwards. */
#include "mesh_io/number_printer.h"

#include "mesh_io/number_scanner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_FIRST = 15, DIGITS_LAST = 17, SCALE_MAX = 27 };

size_t print_count(unsigned long long count, char text[PRINTED_NUMBER_BYTES]) {
  char reversed[PRINTED_NUMBER_BYTES];
  size_t length = 0;
  do {
    reversed[length++] = (char)('0' + count % 10);
    count /= 10;
  } while (count > 0);
  for (size_t i = 0; i < length; i++) text[i] = reversed[length - 1 - i];
  text[length] = '\0';
  return length;
}

/* mantissa * 10^exponent. */
typedef struct decimal {
  uint64_t mantissa;
  int exponent;
} decimal;

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide;

/* Returns value * 10^scale rounded to the nearest integer, ties to even. Exact for 0 <= scale <= 27 and results below
 * 2^64. */
static uint64_t scale_exactly(double value, int scale) {
  int exponent;
  const uint64_t mantissa = (uint64_t)ldexp(frexp(value, &exponent), 53);
  wide number = mantissa;
  for (int i = 0; i < scale; i++) number *= 5;
  const int shift = exponent - 53 + scale;
  if (shift >= 0) return (uint64_t)(number << shift);
  const wide kept = number >> -shift;
  const wide rest = number - (kept << -shift);
  const wide half = (wide)1 << (-shift - 1);
  return (uint64_t)kept + (rest > half || (rest == half && (kept & 1)));
}

/* Computes the `digit_count` digits nearest to `value`; false if its magnitude needs more than 128 bits. */
static bool take_digits(double value, int digit_count, decimal *decimal_out) {
  if (!(value >= 1e-10 && value < 1e14)) return false;
  int scale = digit_count - 1 - (int)floor(log10(value));
  assert(scale >= 0 && scale <= SCALE_MAX);
  uint64_t limit = 1;
  for (int i = 0; i < digit_count; i++) limit *= 10;
  /* The logarithm may be rounded to the wrong side of a power of ten. */
  uint64_t mantissa = scale_exactly(value, scale);
  if (mantissa < limit / 10) mantissa = scale_exactly(value, ++scale);
  *decimal_out = (decimal){mantissa, -scale};
  return mantissa >= limit / 10;
}
#else
static bool take_digits(double value, int digit_count, decimal *decimal_out) {
  (void)value;
  (void)digit_count;
  (void)decimal_out;
  return false;
}
#endif

/* Writes the decimal without trailing zeros: in fixed form between 1e-5 and 1e17, else with an exponent. */
static size_t print_decimal(decimal d, char *text) {
  while (d.mantissa % 10 == 0) {
    d.mantissa /= 10;
    d.exponent++;
  }
  char digits[PRINTED_NUMBER_BYTES];
  const int count = (int)print_count(d.mantissa, digits);
  const int before_point = count + d.exponent;
  char *p = text;
  if (before_point < -4) {
    *p++ = digits[0];
    if (count > 1) *p++ = '.';
    for (int i = 1; i < count; i++) *p++ = digits[i];
    return (size_t)(p - text) + (size_t)sprintf(p, "e%03d", before_point - 1);
  }
  if (before_point <= 0) {
    memcpy(p, "0.00000", (size_t)(2 - before_point));
    p += 2 - before_point;
    memcpy(p, digits, (size_t)count);
    p += count;
  } else {
    for (int i = 0; i < before_point || i < count; i++) {
      if (i == before_point) *p++ = '.';
      *p++ = i < count ? digits[i] : '0';
    }
  }
  *p = '\0';
  return (size_t)(p - text);
}

/* Prints with the C library and replaces its decimal point. */
static size_t print_by_library(double value, char *text) {
  char raw[64];
  for (int digit_count = DIGITS_FIRST; digit_count <= DIGITS_LAST; digit_count++) {
    snprintf(raw, sizeof raw, "%.*g", digit_count, value);
    char *p = text;
    for (const char *q = raw; *q; q++) {
      if ((*q >= '0' && *q <= '9') || *q == 'e' || *q == '-' || *q == '+') {
        *p++ = *q;
      } else if (p > text && p[-1] != '.') {
        *p++ = '.';
      }
    }
    *p = '\0';
    char padded[PRINTED_NUMBER_BYTES + 8] = {0};
    memcpy(padded, text, (size_t)(p - text));
    double again = 0;
    scan_number(padded, &again);
    if (again == value) break;
  }
  return strlen(text);
}

size_t print_number(double value, char text[PRINTED_NUMBER_BYTES]) {
  assert(isfinite(value));
  const size_t sign = signbit(value) ? 1 : 0;
  const double size = fabs(value);
  text[0] = '-';
  if (size == 0) return sign + print_count(0, text + sign);
  for (int digit_count = DIGITS_FIRST; digit_count <= DIGITS_LAST; digit_count++) {
    decimal d;
    if (!take_digits(size, digit_count, &d)) break;
    if (decimal_to_double(d.mantissa, d.exponent) == size) return sign + print_decimal(d, text + sign);
  }
  return sign + print_by_library(size, text + sign);
}

size_t print_grouped_count(unsigned long long count, char text[GROUPED_COUNT_BYTES]) {
  char digits[PRINTED_NUMBER_BYTES];
  const size_t length = print_count(count, digits);
  char *p = text;
  for (size_t i = 0; i < length; i++) {
    *p++ = digits[i];
    if ((length - i) % 3 == 1 && i + 1 < length) *p++ = ',';
  }
  *p = '\0';
  return (size_t)(p - text);
}

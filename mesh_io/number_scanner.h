/* Decimal numbers from text: correctly rounded, the same in every locale, fast for what mesh files hold.
 *
 * Workload: millions of numbers of 1 to 9 digits, many of 16 to 18 digits (doubles printed in full), few with an
 * exponent, hardly any longer. Hence three tiers: up to 2^53 over a power of ten that a double holds exactly, one
 * division is correctly rounded (Clinger, "How to read floating point numbers accurately", 1990); up to 19 digits and
 * powers of ten up to 27, exact 128-bit integers; the rest, exact big integers in decimal_rounding.c.
 *
 * Long fractions are taken eight digits at a time inside one 64-bit word (Lamport, "Multiple byte processing with
 * full-word instructions", 1975). Text must be followed by at least 8 readable bytes of which the first is no digit. */
#ifndef GRAZE_NUMBER_SCANNER_H
#define GRAZE_NUMBER_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What the first tier leaves: NULL when `p` does not begin with a number, else where it ends. "nan" and "inf" are no
 * numbers; a number beyond the range of double gives an infinity. */
const char *scan_number_general(const char *p, double *value_out);

/* mantissa * 10^exponent, correctly rounded. */
double decimal_to_double(uint64_t mantissa, int64_t exponent);

static inline uint64_t load_eight_characters(const char *p) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
#else
  uint64_t word = 0;
  for (int i = 7; i >= 0; i--) word = word << 8 | (unsigned char)p[i];
  return word;
#endif
}

/* Whether the eight characters are all digits, given their bytes exclusive-or'ed with '0'. A carry out of a byte only
 * reaches bytes after one that is above 9 itself. */
static inline bool are_eight_digits(uint64_t digits) {
  return (((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u) == 0;
}

/* The number of eight digits, the first in the lowest byte: pairs, then fours, then all eight. */
static inline uint64_t join_eight_digits(uint64_t digits) {
  digits = digits * 10 + (digits >> 8);
  return ((digits & 0x000000FF000000FFu) * (100 + ((uint64_t)1000000 << 32)) +
          ((digits >> 16) & 0x000000FF000000FFu) * (1 + ((uint64_t)10000 << 32))) >>
         32;
}

/* Appends all digits at `p` to *number (modulo 2^64: exact for up to 19) and returns where they end. The position
 * depends on predicted branches alone, not on arithmetic: that keeps several numbers in flight. */
static inline const char *scan_digits(const char *p, uint64_t *number) {
  uint64_t value = *number;
  for (unsigned digit; (digit = (unsigned)(unsigned char)*p - '0') < 10; p++) value = value * 10 + digit;
  *number = value;
  return p;
}

/* The same for numbers that are often longer than eight digits. */
static inline const char *scan_many_digits(const char *p, uint64_t *number) {
  for (uint64_t digits; are_eight_digits(digits = load_eight_characters(p) ^ 0x3030303030303030u); p += 8) {
    *number = *number * 100000000 + join_eight_digits(digits);
  }
  return scan_digits(p, number);
}

/* The number at `p`: returns where it ends, or NULL when there is none. */
static inline const char *scan_number(const char *p, double *value_out) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
  const char *const start = p;
  const bool negative = *p == '-';
  p += negative;
  const char *const first_digit = p;
  uint64_t mantissa = 0;
  p = scan_digits(p, &mantissa);
  size_t digit_count = (size_t)(p - first_digit);
  size_t fraction_count = 0;
  if (*p == '.') {
    const char *const fraction = p + 1;
    p = scan_many_digits(fraction, &mantissa);
    fraction_count = (size_t)(p - fraction);
    digit_count += fraction_count;
  }
  if (digit_count - 1 >= 19 || (*p | 0x20) == 'e') return scan_number_general(start, value_out);
  double value;
  if (mantissa <= (uint64_t)1 << 53) {
    value = (double)mantissa / powers[fraction_count];
  } else {
    value = decimal_to_double(mantissa, -(int64_t)fraction_count);
  }
  *value_out = negative ? -value : value;
  return p;
}

/* Whether a number or word may end before `c`: at blanks, line ends and the padding. */
static inline bool is_delimiter(char c) {
  return (unsigned char)c <= ' ';
}

#endif

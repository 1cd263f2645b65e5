/* Scans decimal numbers: correctly rounded, independent of the locale, fast for typical mesh files.
 *
 * Workload: millions of numbers of 1 to 9 digits, many of 16 to 18 digits (doubles printed in full), few with an
 * exponent, hardly any longer. Hence three tiers: for up to 2^53 over a power of ten that is exact as a double, one
 * division is correctly rounded (Clinger, "How to read floating point numbers accurately", 1990); for up to 19 digits
 * and powers of ten up to 27, exact 128-bit integers; for the rest, exact big integers in decimal_rounding.c.
 *
 * Long fractions are scanned eight digits at a time in a 64-bit word (Lamport, "Multiple byte processing with full-word
 * instructions", 1975). The text must be followed by at least 8 readable bytes, the first of which is not a digit. */
#ifndef GRAZE_NUMBER_SCANNER_H
#define GRAZE_NUMBER_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Scans numbers beyond the first tier: returns NULL if `p` does not begin with a number, else its end. "nan" and "inf"
 * are not numbers; a number beyond the range of double gives an infinity. */
const char *scan_number_general(const char *p, double *value_out);

/* Returns mantissa * 10^exponent, correctly rounded. */
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
 * affects bytes after one that is itself above 9. */
static inline bool are_eight_digits(uint64_t digits) {
  return (((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u) == 0;
}

/* Returns the number of eight digits, the first in the lowest byte: pairs, then fours, then all eight. */
static inline uint64_t join_eight_digits(uint64_t digits) {
  digits = digits * 10 + (digits >> 8);
  return ((digits & 0x000000FF000000FFu) * (100 + ((uint64_t)1000000 << 32)) +
          ((digits >> 16) & 0x000000FF000000FFu) * (1 + ((uint64_t)10000 << 32))) >>
         32;
}

/* Appends all digits at `p` to *number (modulo 2^64: exact for up to 19) and returns their end. The position depends
 * only on predicted branches, not on arithmetic, so several numbers are processed in parallel. */
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

/* Scans the number at `p`: returns its end, or NULL if there is none. */
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

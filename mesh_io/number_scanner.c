/* The second tier of number_scanner.h, for numbers with exponents, with more than 19 digits, or of more than 53 bits,
 * and the call of the third.
 *
 * With more than 19 digits, the first 19 give a lower bound and, plus one, an upper bound. If both round to the same
 * double, so does every number between; else (about once in a thousand numbers) all digits are used. */
#include "mesh_io/number_scanner.h"

#include "mesh_io/decimal_rounding.h"

enum { EXACT_DIGITS = 19, WIDE_EXPONENT = 27 };

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide;

/* 5^27 is the last power of five below 2^63. */
// clang-format off
static const uint64_t powers_of_five[WIDE_EXPONENT + 1] = {
    1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u, 244140625u,
    1220703125u, 6103515625u, 30517578125u, 152587890625u, 762939453125u, 3814697265625u, 19073486328125u,
    95367431640625u, 476837158203125u, 2384185791015625u, 11920928955078125u, 59604644775390625u,
    298023223876953125u, 1490116119384765625u, 7450580596923828125u};
// clang-format on

/* The same powers shifted to 64 bits: floor((2^127 - 1) / power). */
static const uint64_t reciprocals[WIDE_EXPONENT + 1] = {
    0xFFFFFFFFFFFFFFFFu, 0xCCCCCCCCCCCCCCCCu, 0xA3D70A3D70A3D70Au, 0x83126E978D4FDF3Bu, 0xD1B71758E219652Bu,
    0xA7C5AC471B478423u, 0x8637BD05AF6C69B5u, 0xD6BF94D5E57A42BCu, 0xABCC77118461CEFCu, 0x89705F4136B4A597u,
    0xDBE6FECEBDEDD5BEu, 0xAFEBFF0BCB24AAFEu, 0x8CBCCC096F5088CBu, 0xE12E13424BB40E13u, 0xB424DC35095CD80Fu,
    0x901D7CF73AB0ACD9u, 0xE69594BEC44DE15Bu, 0xB877AA3236A4B449u, 0x9392EE8E921D5D07u, 0xEC1E4A7DB69561A5u,
    0xBCE5086492111AEAu, 0x971DA05074DA7BEEu, 0xF1C90080BAF72CB1u, 0xC16D9A0095928A27u, 0x9ABE14CD44753B52u,
    0xF79687AED3EEC551u, 0xC612062576589DDAu, 0x9E74D1B791E07E48u};

/* Exact for 0 < mantissa and 0 <= exponent <= 27: a product of 64 and 63 bits. */
static double wide_product(uint64_t mantissa, int exponent) {
  const wide product = (wide)mantissa * powers_of_five[exponent];
  const uint64_t high = (uint64_t)(product >> 64);
  if (high == 0) return round_binary((uint64_t)product, exponent, false);
  const int room = leading_zeros(high);
  const wide aligned = product << room;
  return round_binary((uint64_t)(aligned >> 64), exponent + 64 - room, (uint64_t)aligned != 0);
}

/* Exact for 0 < mantissa and -27 <= exponent < 0: a quotient of 62 to 64 bits. Multiplying by the reciprocal gives a
 * whole number that is less than the quotient by less than 2: the reciprocal is too small by less than 1 before
 * rounding down, and the product is cut by less than 1. At least the 9 lowest bits of the quotient are dropped. Unless
 * they lie within 2 of one half of the last kept bit, which happens in at most 1 of 100 cases, rounding is the same for
 * all possible quotients; else the division with its remainder decides. */
static double wide_quotient(uint64_t mantissa, int exponent) {
  const int mantissa_shift = leading_zeros(mantissa);
  const int divisor_shift = leading_zeros(powers_of_five[-exponent]);
  const int exponent_of_two = exponent + divisor_shift - mantissa_shift - 63;
  mantissa <<= mantissa_shift;
  const uint64_t estimate = (uint64_t)((wide)mantissa * reciprocals[-exponent] >> 64);
  const uint64_t half = (uint64_t)1 << (10 - leading_zeros(estimate));
  const uint64_t rest = estimate & (2 * half - 1);
  if (rest + 2 < half || rest > half) return round_binary(estimate, exponent_of_two, true);
  const wide dividend = (wide)mantissa << 63;
  const uint64_t divisor = powers_of_five[-exponent] << divisor_shift;
  return round_binary((uint64_t)(dividend / divisor), exponent_of_two, dividend % divisor != 0);
}
#endif

double decimal_to_double(uint64_t mantissa, int64_t exponent) {
  if (mantissa == 0) return 0.0;
#if defined(__SIZEOF_INT128__)
  if (exponent >= 0 && exponent <= WIDE_EXPONENT) return wide_product(mantissa, (int)exponent);
  if (exponent < 0 && exponent >= -WIDE_EXPONENT) return wide_quotient(mantissa, (int)exponent);
#endif
  uint8_t digits[20];
  size_t count = 0;
  for (uint64_t divisor = 10000000000000000000u; divisor > 0; divisor /= 10) {
    const uint8_t digit = (uint8_t)(mantissa / divisor % 10);
    if (digit > 0 || count > 0) digits[count++] = digit;
  }
  return round_decimal(digits, count, exponent);
}

/* The digits of a number without its sign and exponent, and without leading zeros. */
typedef struct decimal {
  const char *first; /* first nonzero digit */
  const char *end;   /* after the last digit or the point */
  uint64_t mantissa; /* the first 19 digits */
  size_t count;      /* of all digits from `first` on */
  int64_t exponent;  /* of the last digit */
  bool is_number;    /* there was a digit */
} decimal;

static decimal scan_decimal(const char *p) {
  decimal d = {0};
  bool after_point = false;
  for (;; p++) {
    if (*p == '.' && !after_point) {
      after_point = true;
      continue;
    }
    const unsigned digit = (unsigned)(unsigned char)*p - '0';
    if (digit > 9) break;
    d.is_number = true;
    d.exponent -= after_point;
    if (d.count == 0 && digit == 0) continue;
    if (d.count == 0) d.first = p;
    if (d.count < EXACT_DIGITS) d.mantissa = d.mantissa * 10 + digit;
    d.count++;
  }
  d.end = p;
  return d;
}

/* Reads the exponent at `p`, after the e; *end_out does not change if there is none, as in "1e" or "1e+". */
static int64_t scan_exponent(const char *p, const char **end_out) {
  /* Above any exponent that the digits of a file could compensate, and far from overflow. */
  const int64_t bound = (int64_t)1 << 60;
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  int64_t exponent = 0;
  if (*p < '0' || *p > '9') return 0;
  for (; *p >= '0' && *p <= '9'; p++) {
    if (exponent < bound / 16) exponent = exponent * 10 + (*p - '0');
  }
  *end_out = p;
  return negative ? -exponent : exponent;
}

static double round_all_digits(const decimal *d, int64_t exponent) {
  uint8_t digits[DECIMAL_DIGITS_MAX];
  size_t count = 0;
  const char *p = d->first;
  for (; p < d->end && count < DECIMAL_DIGITS_MAX; p++) {
    if (*p != '.') digits[count++] = (uint8_t)(*p - '0');
  }
  /* Digits beyond the capacity only determine the side of a midpoint; a final 1 does the same. */
  for (; p < d->end; p++) {
    if (*p > '0') digits[DECIMAL_DIGITS_MAX - 1] = 1;
  }
  return round_decimal(digits, count, exponent + (int64_t)(d->count - count));
}

const char *scan_number_general(const char *p, double *value_out) {
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  const decimal d = scan_decimal(p);
  if (!d.is_number) return NULL;
  const char *end = d.end;
  int64_t exponent = d.exponent;
  if ((*end | 0x20) == 'e') exponent += scan_exponent(end + 1, &end);
  double value;
  if (d.count <= EXACT_DIGITS) {
    value = decimal_to_double(d.mantissa, exponent);
  } else {
    const int64_t cut = (int64_t)(d.count - EXACT_DIGITS);
    const double below = decimal_to_double(d.mantissa, exponent + cut);
    const double above = decimal_to_double(d.mantissa + 1, exponent + cut);
    value = below == above ? below : round_all_digits(&d, exponent);
  }
  *value_out = negative ? -value : value;
  return end;
}

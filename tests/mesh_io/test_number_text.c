/* Numbers from text and back. The reference is strtod of the C library in the C locale, which rounds correctly; the
 * scanner and the printer share no code with it. */
#include "reading_tools.h"
#include "test_scale.h"
#include "testing.h"

#include "mesh_io/number_printer.h"
#include "mesh_io/number_scanner.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048 };

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Compares with strtod in bits and in where the number ends; reads from a block with the least padding. */
static void check_text(const char *text) {
  const size_t length = strlen(text);
  OWNED_MEMORY char *padded = calloc(1, length + 8);
  memcpy(padded, text, length);
  char *expected_end;
  const double expected = strtod(padded, &expected_end);
  double value = 0;
  const char *end = scan_number(padded, &value);
  if (!end) end = padded;
  if (end != expected_end || bits_of(value) != bits_of(expected)) {
    fail_msg("\"%.60s\" gives %.17g, not %.17g", text, value, expected);
  }
}

/* One of several kinds of text that mesh files, or their enemies, hold. */
static void make_text(uint64_t *state, char *text) {
  const uint64_t a = next_random(state);
  const uint64_t b = next_random(state);
  const double any = isfinite(double_of(a)) ? double_of(a) : 1.0;
  const double usual = ((double)b / 18446744073709551616.0 - 0.5) * pow(10, (double)(a % 9) - 3);
  switch (next_random(state) % 8) {
  case 0:
    sprintf(text, "%.17g", any);
    break;
  case 1:
    sprintf(text, "%.*g", (int)(b % 25) + 1, any);
    break;
  case 2:
    sprintf(text, "%.*f", (int)(b % 30), (double)(int64_t)a * ldexp(1, -(int)(b % 90)));
    break;
  case 3:
    sprintf(text, "%llu.%llue%d", (unsigned long long)(a >> b % 64), (unsigned long long)(b >> a % 64),
            (int)(next_random(state) % 700) - 350);
    break;
  case 4:
    sprintf(text, "%.*g", (int)(a % 18) + 1, usual);
    break;
  case 5:
    sprintf(text, "%.17g", usual);
    break;
  case 6:
    sprintf(text, "%.*f", (int)(a % 10) + 3, usual);
    break;
  default:
    sprintf(text, "%lld", (long long)(int64_t)a >> b % 64);
    break;
  }
}

TEST(scanner_agrees_with_strtod) {
  uint64_t seed = 20240601;
  char text[TEXT_BYTES];
  const size_t count = test_scaled(1000000, 50000);
  for (size_t i = 0; i < count; i++) {
    make_text(&seed, text);
    check_text(text);
  }
}

/* Exactly between two doubles, a little below and a little above: all digits decide. */
TEST(scanner_rounds_midpoints) {
  uint64_t seed = 7;
  char text[TEXT_BYTES];
  for (int i = 0; i < 3000; i++) {
    /* An odd 54-bit integer times a power of two is the midpoint of two doubles. */
    const uint64_t odd = (next_random(&seed) >> 10) | (uint64_t)1 << 53 | 1;
    const int exponent = (int)(next_random(&seed) % 60);
    /* Its decimal digits: printf gives both neighbors exactly, the scanner is given their mean as digits. */
    const double below = ldexp((double)(odd >> 1), 1 + exponent);
    const double above = ldexp((double)((odd >> 1) + 1), 1 + exponent);
    char low[64], high[64];
    sprintf(low, "%.0f", below);
    sprintf(high, "%.0f", above);
    check_text(low);
    check_text(high);
    if (exponent < 9) {
      sprintf(text, "%llu", (unsigned long long)(odd << exponent));
      check_text(text);
      strcat(text, ".0000000000000000000000000000000000000000");
      check_text(text);
      strcat(text, "1");
      check_text(text);
      sprintf(text, "%llu.99999999999999999999999999999", (unsigned long long)(odd << exponent) - 1);
      check_text(text);
    }
  }
}

TEST(scanner_handles_odd_texts) {
  static const char *const texts[] = {"0",
                                      "-0",
                                      "-0.0",
                                      "+5",
                                      "1.",
                                      "1.e3",
                                      ".5",
                                      "-.5e-3",
                                      "1e",
                                      "1e+",
                                      "1e-",
                                      "-",
                                      "+",
                                      ".",
                                      "",
                                      "x",
                                      "--1",
                                      "1.2.3",
                                      "1,5",
                                      "00000000000000000000000001",
                                      "0.00000000000000000000000000000000001",
                                      "9007199254740993",
                                      "9007199254740992.99999999999999999999",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "99999999999999999999",
                                      "2.4703282292062327208e-324",
                                      "2.4703282292062328e-324",
                                      "4.9e-324",
                                      "2.2250738585072011e-308",
                                      "2.2250738585072014e-308",
                                      "1.7976931348623158e308",
                                      "1.7976931348623159e308",
                                      "179769313486231580793728971405301e276",
                                      "1e309",
                                      "1e-400",
                                      "0e999999999999999999999",
                                      "1e999999999999999999999",
                                      "1e-999999999999999999999",
                                      "340282346999999984391321947108527833088.0000000000000000000",
                                      "-19928.0020000000004074536",
                                      "3.14159265358979323846264338327950288419716939937510582097494459e-5"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_text(texts[i]);
}

/* More digits than are kept: zeros and a last digit 1 after a midpoint. */
TEST(scanner_handles_long_texts) {
  char text[TEXT_BYTES] = "9007199254740993.";
  memset(text + strlen(text), '0', 1500);
  check_text(text);
  text[1400] = '1';
  check_text(text);
  memset(text, '0', 1800);
  memcpy(text + 1790, "1e1", 4);
  check_text(text);
  text[1] = '.';
  check_text(text);
  memset(text, '7', 1000);
  memcpy(text + 1000, "e-1200", 7);
  check_text(text);
  for (int i = 0; i < 400; i++) {
    sprintf(text, "%.*e", 1100, ldexp(1.0 + i / 512.0, i * 5 - 1070));
    check_text(text);
  }
}

TEST(words_are_no_numbers) {
  static const char *const words[] = {"nan", "inf", "-inf", "infinity", "0x10", "e5", "-nan(1)"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char padded[32] = {0};
    strcpy(padded, words[i]);
    double value;
    const char *end = scan_number(padded, &value);
    /* "0x10" is a zero followed by something that no reader accepts. */
    if (end) assert_true(end == padded + 1 && value == 0 && *end == 'x');
  }
}

static void check_printed(double value) {
  char text[PRINTED_NUMBER_BYTES + 8] = {0};
  const size_t length = print_number(value, text);
  assert_int_equal(length, strlen(text));
  assert_true(length < PRINTED_NUMBER_BYTES);
  if (bits_of(strtod(text, NULL)) != bits_of(value)) fail_msg("%.17g printed as %s", value, text);
  double again = 0;
  assert_non_null(scan_number(text, &again));
  assert_true(bits_of(again) == bits_of(value));
}

TEST(printer_reads_back) {
  uint64_t seed = 99;
  const size_t count = test_scaled(300000, 20000);
  for (size_t i = 0; i < count; i++) {
    const uint64_t a = next_random(&seed);
    const uint64_t b = next_random(&seed);
    if (isfinite(double_of(a))) check_printed(double_of(a));
    check_printed(((double)b / 18446744073709551616.0 - 0.5) * pow(10, (double)(a % 30) - 13));
    check_printed((double)(int64_t)(a >> a % 60) / 1000);
    check_printed((double)(float)(double)(b >> 32) / 65536);
  }
  for (int i = -323; i <= 308; i++) {
    char text[16];
    sprintf(text, "1e%d", i);
    const double power = strtod(text, NULL);
    check_printed(power);
    check_printed(nextafter(power, 0));
    check_printed(-nextafter(power, HUGE_VAL));
  }
}

TEST(printer_is_short) {
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0.0, "0"},
               {-0.0, "-0"},
               {1.0, "1"},
               {-1.5, "-1.5"},
               {0.1, "0.1"},
               {100.0, "100"},
               {123456.789, "123456.789"},
               {0.00012, "0.00012"},
               {1.0 / 3, "0.3333333333333333"},
               {1e-9, "1e-09"},
               {1.25e-9, "1.25e-09"},
               {1e300, "1e+300"},
               {9007199254740993.0, "9007199254740992"},
               {5e-324, "4.94065645841247e-324"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[PRINTED_NUMBER_BYTES];
    print_number(cases[i].value, text);
    assert_string_equal(text, cases[i].text);
  }
}

/* If a locale with a decimal comma exists, it must not change numbers. */
TEST(locale_does_not_matter) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) found = setlocale(LC_ALL, names[i]) != NULL;
  if (!found) skip();
  char text[PRINTED_NUMBER_BYTES + 8] = {0};
  print_number(1.5e300, text);
  double value = 0;
  const char *end = scan_number("0.30000000000000004440892098500626\0\0\0\0\0\0\0\0", &value);
  setlocale(LC_ALL, "C");
  assert_string_equal(text, "1.5e+300");
  assert_non_null(end);
  assert_true(*end == '\0' && value == 0.1 + 0.2);
}

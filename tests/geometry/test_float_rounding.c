/* Doubles rounded to float, up and down: exact, checked against the neighbours of each float. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/float_rounding.h"
#include "pair_generator.h"

/* The definition: the result is on its side of the value, and the next float toward the value is not. */
static void assert_rounded(double value) {
  const float down = float_round_down(value), up = float_round_up(value);
  assert_true((double)down <= value && (double)up >= value);
  assert_true((double)nextafterf(down, HUGE_VALF) > value);
  assert_true((double)nextafterf(up, -HUGE_VALF) < value);
}

static void test_values_round_outward(void **state) {
  (void)state;
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            0.1,
                            -0.1,
                            FLT_MAX,
                            FLT_MIN,
                            1e-40,
                            -1e-40,
                            1e-46,
                            -1e-46,
                            5e-324,
                            -5e-324,
                            FLT_TRUE_MIN,
                            1.5e-45,
                            -1.5e-45,
                            16777217,
                            -16777217,
                            0x1.fffffefp+127,
                            -0x1.fffffefp+127};
  for (size_t i = 0; i < sizeof special / sizeof *special; ++i) {
    if (fabs(special[i]) < FLT_MAX) assert_rounded(special[i]);
  }
  pair_generator generator = {5};
  for (int i = 0; i < 200000; ++i) {
    const double value = pair_generator_coordinate(&generator);
    assert_rounded(ldexp(value, (int)pair_generator_below(&generator, 330) - 203));
  }
}

static void test_values_beyond_float(void **state) {
  (void)state;
  assert_true(float_round_down(FLT_MAX) == FLT_MAX && float_round_up(FLT_MAX) == FLT_MAX);
  assert_true(float_round_down(1e300) == FLT_MAX && float_round_up(1e300) == HUGE_VALF);
  assert_true(float_round_down(-1e300) == -HUGE_VALF && float_round_up(-1e300) == -FLT_MAX);
  const double just_above = nextafter((double)FLT_MAX, HUGE_VAL);
  assert_true(float_round_down(just_above) == FLT_MAX && float_round_up(just_above) == HUGE_VALF);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_round_outward),
      cmocka_unit_test(test_values_beyond_float),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

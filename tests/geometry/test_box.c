/* Boxes rounded outward: exact directional conversion, checked against the neighbours of each float. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/box.h"
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

static void test_boxes_hold_and_overlap(void **state) {
  (void)state;
  const double p[9] = {0.1, 2, -1, 5, 0.2, 7, 3, 3, 1e-46};
  const box a = box_of_triangle(p);
  for (int i = 0; i < 9; ++i) assert_true(a.min[i % 3] <= p[i] && p[i] <= a.max[i % 3]);
  assert_true(a.min[0] == nextafterf(0.1f, 0.0f) && a.max[0] == 5.0f && a.max[1] == 3.0f && a.min[2] == -1.0f);
  for (int axis = 0; axis < 3; ++axis) {
    box touching = a, apart = a;
    touching.min[axis] = a.max[axis];
    touching.max[axis] = a.max[axis] + 1.0f;
    apart.min[axis] = nextafterf(a.max[axis], HUGE_VALF);
    apart.max[axis] = a.max[axis] + 1.0f;
    assert_true(boxes_overlap(&a, &touching) && boxes_overlap(&touching, &a));
    assert_false(boxes_overlap(&a, &apart));
    assert_false(boxes_overlap(&apart, &a));
    const box both = box_union(&a, &apart), common = box_intersection(&a, &touching);
    assert_true(both.min[axis] == a.min[axis] && both.max[axis] == apart.max[axis]);
    assert_true(common.min[axis] == a.max[axis] && common.max[axis] == a.max[axis]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_round_outward),
      cmocka_unit_test(test_values_beyond_float),
      cmocka_unit_test(test_boxes_hold_and_overlap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

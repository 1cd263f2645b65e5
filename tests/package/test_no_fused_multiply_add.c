/* Reads back that the project's compile options keep products and sums apart.
 *
 * The error bounds of src/geometry hold for products that are rounded before they are added. A compiler that fuses the
 * two breaks them without a word. Each case has a product that is one unit of 2^-2m away from a value whose rounding is
 * 1: (1 + 2^-m)(1 - 2^-m) = 1 - 2^-2m rounds to 1, so that subtracting 1 gives exactly 0 unfused and -2^-2m fused. The
 * factors come through volatile objects once, so that nothing is computed by the compiler; the expressions themselves
 * are plain, as they are in the library, scalar and in loops that are vectorized. */
#include "testing.h"

#include <stddef.h>
#include <stdint.h>

enum { LENGTH = 64 };

static volatile double double_one = 1.0, double_step = 0x1p-30;
static volatile float float_one = 1.0F, float_step = 0x1p-13F;

TEST(product_minus_one_double) {
  const double one = double_one, step = double_step;
  const double above = one + step, below = one - step;
  assert_true(above * below - one == 0.0);
  assert_true(one - above * below == 0.0);
  assert_true(-(above * below) + one == 0.0);
  double sum = -one;
  sum += above * below;
  assert_true(sum == 0.0);
}

TEST(product_minus_one_float) {
  const float one = float_one, step = float_step;
  const float above = one + step, below = one - step;
  assert_true(above * below - one == 0.0F);
  assert_true(one - above * below == 0.0F);
  assert_true(-(above * below) + one == 0.0F);
  float sum = -one;
  sum += above * below;
  assert_true(sum == 0.0F);
}

/* A 2x2 determinant as the orientation signs make it: u v - w x with both products rounding to 1. Fused, one of the two
 * keeps its tail and the difference is not 0. */
TEST(determinant_of_equal_products) {
  const double one = double_one, step = double_step;
  const double above = one + step, below = one - step;
  assert_true(above * below - one * one == 0.0);
  assert_true(one * one - above * below == 0.0);
}

TEST(products_in_vectorized_loops) {
  double above[LENGTH], below[LENGTH], difference[LENGTH];
  float above_float[LENGTH], below_float[LENGTH], difference_float[LENGTH];
  const double step = double_step;
  const float step_float = float_step;
  for (size_t i = 0; i < LENGTH; i++) {
    above[i] = 1.0 + step, below[i] = 1.0 - step;
    above_float[i] = 1.0F + step_float, below_float[i] = 1.0F - step_float;
  }
  for (size_t i = 0; i < LENGTH; i++) difference[i] = above[i] * below[i] - 1.0;
  for (size_t i = 0; i < LENGTH; i++) difference_float[i] = above_float[i] * below_float[i] - 1.0F;
  for (size_t i = 0; i < LENGTH; i++) {
    assert_true(difference[i] == 0.0);
    assert_true(difference_float[i] == 0.0F);
  }
}

/* The reference of the cases above: were the factors not what they are meant to be, the differences would be 0 for the
 * wrong reason. The exact tail, by integers: (2^m + 1)(2^m - 1) = 2^2m - 1. */
TEST(factors_have_a_tail) {
  const int64_t double_scale = INT64_C(1) << 30, float_scale = INT64_C(1) << 13;
  assert_int_equal((int64_t)((1.0 + double_step) * (double)double_scale), double_scale + 1);
  assert_int_equal((int64_t)((1.0F + float_step) * (float)float_scale), float_scale + 1);
  assert_true((double_scale + 1) * (double_scale - 1) == (INT64_C(1) << 60) - 1);
}

/* Tests doubles rounded to float, up and down, exactly against the neighbors of each float; and the error of rounding
 * to nearest, in vectorized code. */
#include <stddef.h>
#include <stdint.h>

#include "broad/vertex_normalization.h"
#include "geometry/float_rounding.h"
#include "pair_generator.h"
#include "testing.h"

/* The definition: the result is on its side of the value, and the next float toward the value is not. */
static void assert_rounded(double value) {
  const float down = float_round_down(value), up = float_round_up(value);
  assert_true((double)down <= value && (double)up >= value);
  assert_true((double)nextafterf(down, HUGE_VALF) > value);
  assert_true((double)nextafterf(up, -HUGE_VALF) < value);
}

TEST(test_values_round_outward) {
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

TEST(test_values_beyond_float) {
  assert_true(float_round_down(FLT_MAX) == FLT_MAX && float_round_up(FLT_MAX) == FLT_MAX);
  assert_true(float_round_down(1e300) == FLT_MAX && float_round_up(1e300) == HUGE_VALF);
  assert_true(float_round_down(-1e300) == -HUGE_VALF && float_round_up(-1e300) == -FLT_MAX);
  const double just_above = nextafter((double)FLT_MAX, HUGE_VAL);
  assert_true(float_round_down(just_above) == FLT_MAX && float_round_up(just_above) == HUGE_VALF);
}

/* Two side by side, as a compiler joins them: GCC 12 found that nothing is lost. */
static void split_two(const double *restrict values, float *restrict rounded, double *restrict lost) {
  const float a = (float)values[0], b = (float)values[1];
  rounded[0] = a;
  rounded[1] = b;
  lost[0] = float_value(a) - values[0];
  lost[1] = float_value(b) - values[1];
}

/* Through memory that the compiler knows nothing of. */
static double lost_by(double value) {
  volatile float rounded = (float)value;
  return rounded - value;
}

/* Called by addresses that the compiler does not know: with the caller they would be compiled otherwise. */
static void (*volatile split)(const double *restrict, float *restrict, double *restrict) = split_two;
static rounded_vertex (*volatile round_one)(const double *, const normalizing_transform *, bool) = round_vertex;

TEST(test_what_is_lost) {
  pair_generator generator = {7};
  for (int i = 0; i < 20000; ++i) {
    double values[2], lost[2];
    float rounded[2];
    for (int k = 0; k < 2; ++k) values[k] = 0.1 * pair_generator_coordinate(&generator);
    split(values, rounded, lost);
    for (int k = 0; k < 2; ++k) assert_true(lost[k] == lost_by(values[k]));
  }
}

/* The error of a vertex covers what each of its coordinates lost, whichever that is. */
TEST(test_vertices_keep_errors) {
  for (int moves = 0; moves < 2; ++moves)
    for (int lost_axis = 0; lost_axis < 3; ++lost_axis) {
      const normalizing_transform normalization = {{moves, moves, moves}, 0.25};
      double position[3] = {0.5, 0.25, 0.75};
      position[lost_axis] = 0.1;
      const rounded_vertex vertex = round_one(position, &normalization, moves != 0);
      assert_true(vertex.error >= fabs(lost_by(0.25 * (position[lost_axis] - moves))));
    }
}

/* Tests sums that do not depend on the order of their terms: against rational arithmetic, forward, backward and in
 * parts. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/wrench_sum.h"
#include "pair_generator.h"
#include "test_scale.h"
#include "testing.h"

#include <gmp.h>

enum { MOST_TERMS = 1000 };

static double sum_of(const double *terms, size_t count, int direction, size_t parts) {
  const int exponent = sum_exponent(largest_magnitude(terms, (int)count));
  order_free_sum whole = {{0}};
  for (size_t part = 0; part < parts; part++) {
    order_free_sum sum = {{0}};
    for (size_t i = part; i < count; i += parts)
      sum_add(&sum, terms[direction > 0 ? i : count - 1 - i], sum_scale_make(exponent));
    for (int limb = 0; limb < SUM_LIMBS; limb++) whole.limb[limb] += sum.limb[limb];
  }
  return sum_total(&whole, exponent);
}

static void check_terms(const double *terms, size_t count) {
  mpq_t exact, term, largest;
  mpq_inits(exact, term, largest, NULL);
  for (size_t i = 0; i < count; i++) {
    mpq_set_d(term, terms[i]);
    mpq_add(exact, exact, term);
  }
  const double forward = sum_of(terms, count, 1, 1);
  assert_true(forward == sum_of(terms, count, -1, 1) && forward == sum_of(terms, count, 1, 7));
  const double most = largest_magnitude(terms, (int)count), bound = mpq_get_d(exact);
  if (fabs(bound) < DBL_MAX) {
    mpq_set_d(term, forward);
    mpq_sub(exact, exact, term);
    const double error = fabs(mpq_get_d(exact));
    assert_true(error <= fabs(bound) * 0x1p-51 + most * (double)count * 0x1p-92 + 0x1p-1070);
  }
  mpq_clears(exact, term, largest, NULL);
}

TEST(test_sums) {
  pair_generator generator = {77};
  double terms[MOST_TERMS];
  for (size_t round = test_scaled(2000, 200); round > 0; --round) {
    const size_t count = 1 + pair_generator_below(&generator, MOST_TERMS);
    const int spread = (int)pair_generator_below(&generator, 3) * 40,
              around = (int)pair_generator_below(&generator, 1800) - 900;
    for (size_t i = 0; i < count; i++) {
      const double fraction = (double)pair_generator_below(&generator, 1u << 30) * 0x1p-30 - 0.5;
      terms[i] = ldexp(fraction + 0x1p-50 * pair_generator_below(&generator, 1000), around);
      if (spread > 0) terms[i] = ldexp(terms[i], -(int)pair_generator_below(&generator, (uint32_t)spread));
      if (i % 3 == 2) terms[i] = -terms[i - 1]; /* so that much cancels */
    }
    check_terms(terms, count);
  }
}

TEST(test_ends_of_the_range) {
  const double largest[3] = {DBL_MAX, -DBL_MAX, 0x1p1000}, many[2] = {DBL_MAX, DBL_MAX}, none[2] = {0.0, -0.0};
  const double small[3] = {DBL_TRUE_MIN * 8, DBL_TRUE_MIN * 16, DBL_MIN};
  check_terms(largest, 3);
  check_terms(small, 3);
  check_terms(none, 2);
  assert_true(sum_of(many, 2, 1, 1) == DBL_MAX);
}

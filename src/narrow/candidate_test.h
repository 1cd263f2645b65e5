/* The exact test of candidates: batches in from a method, pairs out to a pair_sink. */
#ifndef GRAZE_NARROW_CANDIDATE_TEST_H
#define GRAZE_NARROW_CANDIDATE_TEST_H

#include "narrow/pair_sink.h"
#include "narrow/plane_kernels.h"
#include "narrow/solid_kernels.h"

typedef struct test_counts {
  uint64_t float_decided, double_decided, exact_decided, wide_decided;
  double milliseconds;
} test_counts;

typedef struct test_lane {
  _Alignas(MEMORY_ALIGNMENT) test_counts counts;
} test_lane;

typedef struct candidate_test {
  const primitive_view *view;
  search *search;
  pair_sink *sink;
  const plane_kernels *kernels; /* NULL: no float filter; so for solids */
  const solid_kernels *solid_kernels;
  test_lane *lanes;     /* a worker each */
  graze_test pair_test; /* of solids */
  bool candidates_only; /* the test is whether the exact boxes meet */
} candidate_test;

/* `lanes` has one zeroed element a worker; the search's sink is set to the test. With `filter`
 * the float filter goes before the exact test. */
void candidate_test_init(candidate_test *test, search *s, pair_sink *sink, test_lane *lanes, bool filter,
                         const graze_query *query);

test_counts candidate_test_counts(const candidate_test *test, uint32_t worker_count);

#endif

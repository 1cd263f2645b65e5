/* Scales the amount of work of long tests.
 *
 * Tests state the full amount and run a quarter of it, so that `make test` ends soon. With the environment variable
 * GRAZE_TEST_FULL set, they run in full.
 *
 * GRAZE_TEST_SCALE, a factor in (0, 1], reduces the amounts further; invalid values are ignored. Sanitizer builds set
 * it: they slow code down by 3 to 30, and their purpose is coverage of paths, not amounts. A test that counts its work
 * must compare with the scaled amount. */
#ifndef GRAZE_TESTS_TEST_SCALE_H
#define GRAZE_TESTS_TEST_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Below 1 under sanitizers alone. */
static inline double test_scale(void) {
  const char *text = getenv("GRAZE_TEST_SCALE");
  const double factor = text != NULL ? strtod(text, NULL) : 1.0;
  return factor > 0.0 && factor <= 1.0 ? factor : 1.0;
}

static inline bool test_is_full(void) {
  return getenv("GRAZE_TEST_FULL") != NULL;
}

/* The amount under the sanitizers' scale of 0.05: for coverage of paths, and large only if a path requires it. */
static inline bool test_is_sanitized(void) {
  return test_scale() <= 0.05;
}

/* The amount where the paths need no more than `few` under sanitizers; without them `many`. */
static inline size_t test_sanitized(size_t few, size_t many) {
  return test_is_sanitized() ? few : many;
}

/* Under the thread sanitizer: what one worker does alone can race with nothing. */
static inline bool test_looks_for_races(void) {
  return getenv("GRAZE_TEST_RACES") != NULL;
}

/* This part of `full`, never less than `least`, never more than `full`. */
static inline size_t test_scaled_to(double part, size_t full, size_t least) {
  const size_t scaled = (size_t)((double)full * (test_is_full() ? 1.0 : part) * test_scale());
  if (scaled >= full || least >= full) return full;
  return scaled > least ? scaled : least;
}

/* The amount to run instead of `full`. */
static inline size_t test_scaled(size_t full, size_t least) {
  return test_scaled_to(0.25, full, least);
}

#endif

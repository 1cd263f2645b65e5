/* How much of a long test is run.
 *
 * Tests name the amounts that prove most, and run a quarter of that: `make test` is to end while one still waits for
 * it. With the environment variable GRAZE_TEST_FULL set they run in full.
 *
 * GRAZE_TEST_SCALE, a factor in (0, 1], shrinks the amounts further; without it, or with anything else in it, nothing
 * does. Sanitizer builds set it: they slow code down by 3 to 30, and look at paths, not at amounts. A test that counts
 * what it did must compare with the scaled amount. */
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

/* Under the sanitizers' scale of 0.05: paths are looked at, and amounts only where a path needs them. */
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

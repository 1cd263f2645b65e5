/* How much of a long test is run.
 *
 * Tests name the amounts that prove most, and run half of that: `make test` is to end while one still waits for it.
 * With the environment variable GRAZE_TEST_FULL set they run in full.
 *
 * GRAZE_TEST_SCALE, a factor in (0, 1], shrinks the amounts further; without it, or with anything else in it, nothing
 * does. Sanitizer builds set it: they slow code down by 3 to 30, and look at paths, not at amounts. A test that counts
 * what it did must compare with the scaled amount. */
#ifndef GRAZE_TESTS_TEST_SCALE_H
#define GRAZE_TESTS_TEST_SCALE_H

#include <stddef.h>
#include <stdlib.h>

/* Below 1 under sanitizers alone. */
static inline double test_scale(void) {
  const char *text = getenv("GRAZE_TEST_SCALE");
  const double factor = text != NULL ? strtod(text, NULL) : 1.0;
  return factor > 0.0 && factor <= 1.0 ? factor : 1.0;
}

/* The amount to run instead of `full`: never less than `least`, never more than `full`. */
static inline size_t test_scaled(size_t full, size_t least) {
  const double part = getenv("GRAZE_TEST_FULL") != NULL ? 1.0 : 0.5;
  const size_t scaled = (size_t)((double)full * part * test_scale());
  if (scaled >= full || least >= full) return full;
  return scaled > least ? scaled : least;
}

#endif

/* How much of a long test is run.
 *
 * The environment variable GRAZE_TEST_SCALE, a factor in (0, 1], shrinks the amounts that generators and loops ask for;
 * without it, or with anything else in it, they run in full. Sanitizer builds set it: they slow code down by 3 to 30,
 * and look at paths, not at amounts. A test that counts what it did must compare with the scaled amount. */
#ifndef GRAZE_TESTS_TEST_SCALE_H
#define GRAZE_TESTS_TEST_SCALE_H

#include <stddef.h>
#include <stdlib.h>

static inline double test_scale(void) {
  const char *text = getenv("GRAZE_TEST_SCALE");
  const double factor = text != NULL ? strtod(text, NULL) : 1.0;
  return factor > 0.0 && factor <= 1.0 ? factor : 1.0;
}

/* The amount to run instead of `full`: never less than `least`, never more than `full`. */
static inline size_t test_scaled(size_t full, size_t least) {
  const size_t scaled = (size_t)((double)full * test_scale());
  if (scaled >= full || least >= full) return full;
  return scaled > least ? scaled : least;
}

#endif

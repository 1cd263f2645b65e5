/* number_sequence: seeded numbers for tests of the base layer, the same on every machine.
 *
 * Paper: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
#ifndef GRAZE_TESTS_NUMBER_SEQUENCE_H
#define GRAZE_TESTS_NUMBER_SEQUENCE_H

#include <stdint.h>

static inline uint64_t sequence_next(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t mixed = *state;
  mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
  return mixed ^ (mixed >> 31);
}

/* Below `bound`, which is at least 1 and far below 2^64. */
static inline uint64_t sequence_below(uint64_t *state, uint64_t bound) {
  return sequence_next(state) % bound;
}

#endif

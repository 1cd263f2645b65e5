/* Pseudorandom numbers that are the same on all platforms: the finalizer of MurmurHash3 (Appleby, 2008). */
#ifndef GRAZE_PACKING_SCRAMBLE_H
#define GRAZE_PACKING_SCRAMBLE_H

#include <stdint.h>

static inline uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
  x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return x ^ x >> 33;
}

/* Number `number` of the sequence of a seed, in [0, 1). */
static inline double scrambled_fraction(uint64_t seed, uint64_t number) {
  return (double)(scramble(scramble(seed + 1) + number) >> 11) * 0x1p-53;
}

#endif

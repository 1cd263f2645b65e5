/* pair_hash: the term that a pair adds to the hash of a list; graze_pairs_hash documents it.
 *
 * A hash is a sum, so threads, devices and machines can compute it from parts in any order. It depends on the set of
 * pairs, not on their order. Valid C, C++ and CUDA. Workload: once per pair, next to a write of 16 bytes.
 *
 * Source: the 64-bit finalizer of Appleby's MurmurHash3, 2008. */
#ifndef GRAZE_BASE_PAIR_HASH_H
#define GRAZE_BASE_PAIR_HASH_H

#include "graze/graze.h"

#if defined(__CUDACC__)
#define PAIR_HASH_FUNCTION static __host__ __device__ __forceinline__
#else
#define PAIR_HASH_FUNCTION static inline
#endif

/* A bijection in which every bit of the result depends on every bit of the number. */
PAIR_HASH_FUNCTION uint64_t pair_hash_mix(uint64_t number) {
  number = (number ^ number >> 33) * UINT64_C(0xff51afd7ed558ccd);
  number = (number ^ number >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return number ^ number >> 33;
}

/* The first primitive is mixed before the second is added: otherwise pairs whose numbers have the same sum would
 * collide. */
PAIR_HASH_FUNCTION uint64_t pair_hash(graze_pair pair) {
  const uint64_t a = (uint64_t)pair.object_a << 32 | pair.primitive_a;
  const uint64_t b = (uint64_t)pair.object_b << 32 | pair.primitive_b;
  return pair_hash_mix(pair_hash_mix(a) + b * UINT64_C(0x9e3779b97f4a7c15));
}

#endif

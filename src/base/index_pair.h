/* index_pair: two numbers, and the slots of a hash set of such pairs with their lookup. pair_set.h fills them. In its
 * own header, so that GPU code can include it; valid C, C++ and CUDA.
 *
 * Open addressing with linear probing (Knuth, The Art of Computer Programming 3, 1973), at most half full: a lookup
 * reads one or two cache lines. */
#ifndef GRAZE_BASE_INDEX_PAIR_H
#define GRAZE_BASE_INDEX_PAIR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct index_pair {
  uint32_t a, b;
} index_pair;

#if defined(__CUDACC__)
#define PAIR_SLOTS_FUNCTION static __host__ __device__ __forceinline__
#else
#define PAIR_SLOTS_FUNCTION static inline
#endif

/* Zeroed: no pairs. */
typedef struct pair_slots {
  const uint64_t *keys; /* pair_slots_key of a pair, 0 where free */
  uint64_t count;       /* 0 or a power of two */
} pair_slots;

PAIR_SLOTS_FUNCTION index_pair index_pair_in_order(uint32_t a, uint32_t b) {
  const index_pair pair = {a < b ? a : b, a < b ? b : a};
  return pair;
}

/* Never 0: no pair consists of the largest number twice. */
PAIR_SLOTS_FUNCTION uint64_t pair_slots_key(index_pair pair) {
  return ((uint64_t)pair.a << 32 | pair.b) + 1;
}

/* The inverse; the key must not be 0. */
PAIR_SLOTS_FUNCTION index_pair pair_slots_pair(uint64_t key) {
  const index_pair pair = {(uint32_t)((key - 1) >> 32), (uint32_t)(key - 1)};
  return pair;
}

/* Where a search for the key begins. */
PAIR_SLOTS_FUNCTION uint64_t pair_slots_home(uint64_t count, uint64_t key) {
  return ((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (count - 1);
}

/* The slot of the key, or the free one where it belongs. The table must not be empty. */
PAIR_SLOTS_FUNCTION uint64_t pair_slots_place(pair_slots slots, uint64_t key) {
  uint64_t slot = pair_slots_home(slots.count, key);
  while (slots.keys[slot] != 0 && slots.keys[slot] != key) slot = (slot + 1) & (slots.count - 1);
  return slot;
}

PAIR_SLOTS_FUNCTION bool pair_slots_have(pair_slots slots, index_pair pair) {
  return slots.count > 0 && slots.keys[pair_slots_place(slots, pair_slots_key(pair))] != 0;
}

#endif

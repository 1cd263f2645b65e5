/* pair_set: a set of pairs of numbers, owned by one worker.
 *
 * Workload: none to some 10^5 pairs of objects, looked up for every candidate and added once each. Open addressing with
 * linear probing (Knuth, The Art of Computer Programming 3, 1973), at most half full. */
#ifndef GRAZE_BASE_PAIR_SET_H
#define GRAZE_BASE_PAIR_SET_H

#include "base/index_pair.h"
#include "base/memory.h"

/* A zeroed set is empty. A cache line apart from its neighbours. */
typedef struct pair_set {
  _Alignas(MEMORY_ALIGNMENT) uint64_t *slots; /* one more than a pair's number, 0 where free */
  size_t slot_count;                          /* 0 or a power of two */
  size_t count;
} pair_set;

static inline index_pair index_pair_in_order(uint32_t a, uint32_t b) {
  return a < b ? (index_pair){a, b} : (index_pair){b, a};
}

static inline uint64_t pair_set_key(index_pair pair) {
  return ((uint64_t)pair.a << 32 | pair.b) + 1;
}

/* The slot of the key, or the free one where it belongs. */
static inline size_t pair_set_slot(const pair_set *set, uint64_t key) {
  const size_t mask = set->slot_count - 1;
  size_t slot = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
  while (set->slots[slot] != 0 && set->slots[slot] != key) slot = (slot + 1) & mask;
  return slot;
}

static inline bool pair_set_has(const pair_set *set, index_pair pair) {
  return set->count > 0 && set->slots[pair_set_slot(set, pair_set_key(pair))] != 0;
}

/* False, and the set as it was, when out of memory. */
bool pair_set_add(pair_set *set, memory *heap, index_pair pair);
void pair_set_release(pair_set *set, memory *heap);

#endif

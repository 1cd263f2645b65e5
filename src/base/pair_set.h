/* pair_set: a hash set of pairs of numbers, owned by one worker or by a scene.
 *
 * Workload: up to about 10^5 pairs of touching objects, looked up for every candidate and added once each; or up to
 * about 10^7 excluded pairs of objects. index_pair.h implements the lookup. */
#ifndef GRAZE_BASE_PAIR_SET_H
#define GRAZE_BASE_PAIR_SET_H

#include "base/index_pair.h"
#include "base/memory.h"

/* A zeroed set is empty. On cache lines of its own. */
typedef struct pair_set {
  _Alignas(MEMORY_ALIGNMENT) uint64_t *slots; /* as in pair_slots */
  size_t slot_count;                          /* 0 or a power of two */
  size_t count;
} pair_set;

/* Valid until the next change. */
static inline pair_slots pair_set_slots(const pair_set *set) {
  return (pair_slots){set->slots, set->slot_count};
}

static inline bool pair_set_has(const pair_set *set, index_pair pair) {
  return set->count > 0 && pair_slots_have(pair_set_slots(set), pair);
}

/* Reserves room for this many more pairs. False, without change, when out of memory; likewise pair_set_add. */
bool pair_set_reserve(pair_set *set, memory *heap, size_t more);
bool pair_set_add(pair_set *set, memory *heap, index_pair pair);

/* Whether the pair was in the set. */
bool pair_set_remove(pair_set *set, index_pair pair);
void pair_set_release(pair_set *set, memory *heap);

#endif

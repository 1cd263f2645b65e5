/* pair_set: see pair_set.h. */
#include "base/pair_set.h"

#include <string.h>

enum { FEWEST_SLOTS = 64 };

static bool grow(pair_set *set, memory *heap) {
  pair_set larger = {.slot_count = set->slot_count > 0 ? 2 * set->slot_count : FEWEST_SLOTS, .count = set->count};
  larger.slots = memory_allocate(heap, larger.slot_count, sizeof *larger.slots);
  if (larger.slots == NULL) return false;
  memset(larger.slots, 0, larger.slot_count * sizeof *larger.slots);
  for (size_t i = 0; i < set->slot_count; i++)
    if (set->slots[i] != 0) larger.slots[pair_set_slot(&larger, set->slots[i])] = set->slots[i];
  pair_set_release(set, heap);
  *set = larger;
  return true;
}

bool pair_set_add(pair_set *set, memory *heap, index_pair pair) {
  if (2 * (set->count + 1) > set->slot_count && !grow(set, heap)) return false;
  const uint64_t key = pair_set_key(pair);
  const size_t slot = pair_set_slot(set, key);
  set->count += set->slots[slot] == 0;
  set->slots[slot] = key;
  return true;
}

void pair_set_release(pair_set *set, memory *heap) {
  memory_release(heap, set->slots, set->slot_count, sizeof *set->slots);
  *set = (pair_set){0};
}

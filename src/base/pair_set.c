/* pair_set: see pair_set.h. */
#include "base/pair_set.h"

#include <string.h>

enum { FEWEST_SLOTS = 64 };

static bool rehash_pairs(pair_set *set, memory *heap, size_t slot_count) {
  pair_set larger = {.slot_count = slot_count, .count = set->count};
  larger.slots = memory_allocate(heap, larger.slot_count, sizeof *larger.slots);
  if (larger.slots == NULL) return false;
  memset(larger.slots, 0, larger.slot_count * sizeof *larger.slots);
  for (size_t i = 0; i < set->slot_count; i++)
    if (set->slots[i] != 0) larger.slots[pair_slots_place(pair_set_slots(&larger), set->slots[i])] = set->slots[i];
  pair_set_release(set, heap);
  *set = larger;
  return true;
}

bool pair_set_reserve(pair_set *set, memory *heap, size_t more) {
  size_t slot_count = set->slot_count > 0 ? set->slot_count : FEWEST_SLOTS;
  while (slot_count / 2 < set->count || slot_count / 2 - set->count < more)
    if (!size_multiply(slot_count, 2, &slot_count)) return false;
  return slot_count == set->slot_count || rehash_pairs(set, heap, slot_count);
}

bool pair_set_add(pair_set *set, memory *heap, index_pair pair) {
  if (!pair_set_reserve(set, heap, 1)) return false;
  const uint64_t key = pair_slots_key(pair);
  const size_t slot = (size_t)pair_slots_place(pair_set_slots(set), key);
  set->count += set->slots[slot] == 0;
  set->slots[slot] = key;
  return true;
}

/* Moves up keys after the free slot if a search for them would end there (Knuth, algorithm R). */
static void close_gap(pair_set *set, size_t gap) {
  const size_t mask = set->slot_count - 1;
  for (size_t slot = (gap + 1) & mask; set->slots[slot] != 0; slot = (slot + 1) & mask) {
    const size_t home = (size_t)pair_slots_home(set->slot_count, set->slots[slot]);
    if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
    set->slots[gap] = set->slots[slot];
    gap = slot;
  }
  set->slots[gap] = 0;
}

bool pair_set_remove(pair_set *set, index_pair pair) {
  if (!pair_set_has(set, pair)) return false;
  close_gap(set, (size_t)pair_slots_place(pair_set_slots(set), pair_slots_key(pair)));
  set->count--;
  return true;
}

void pair_set_release(pair_set *set, memory *heap) {
  memory_release(heap, set->slots, set->slot_count, sizeof *set->slots);
  *set = (pair_set){0};
}

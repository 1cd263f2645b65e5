/* first_of_key: see first_of_key.h. */
#include "base/first_of_key.h"

#include <string.h>

bool first_of_key_make(first_of_key *table, memory *heap, size_t key_count) {
  table->slot_count = 16;
  while (table->slot_count / 2 < key_count) table->slot_count *= 2;
  table->slots = memory_allocate(heap, table->slot_count, sizeof *table->slots);
  if (table->slots == NULL) return false;
  memset(table->slots, 0, table->slot_count * sizeof *table->slots);
  return true;
}

void first_of_key_release(first_of_key *table, memory *heap) {
  memory_release(heap, table->slots, table->slot_count, sizeof *table->slots);
  *table = (first_of_key){NULL, 0};
}

uint32_t first_of_key_find(const first_of_key *table, uint64_t key, uint32_t number) {
  size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (table->slot_count - 1);
  while (table->slots[place].key != 0) {
    if (table->slots[place].key == key) return table->slots[place].number;
    place = (place + 1) & (table->slot_count - 1);
  }
  table->slots[place] = (keyed_number){key, number};
  return number;
}

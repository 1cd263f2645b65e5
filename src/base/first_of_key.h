/* first_of_key: maps each key to the first number that was added with it.
 *
 * Workload: objects by shape, up to about 10^6, once after objects were added or removed. Open addressing, at most half
 * full. */
#ifndef GRAZE_BASE_FIRST_OF_KEY_H
#define GRAZE_BASE_FIRST_OF_KEY_H

#include "base/memory.h"

typedef struct keyed_number {
  uint64_t key; /* 0: free */
  uint32_t number;
} keyed_number;

typedef struct first_of_key {
  keyed_number *slots;
  size_t slot_count; /* a power of two */
} first_of_key;

/* Allocates room for this many keys. False when out of memory; then there is nothing to release. */
bool first_of_key_make(first_of_key *table, memory *heap, size_t key_count);
void first_of_key_release(first_of_key *table, memory *heap);

/* The first number with this key, which must not be 0: `number` itself if there was none. */
uint32_t first_of_key_find(const first_of_key *table, uint64_t key, uint32_t number);

#endif

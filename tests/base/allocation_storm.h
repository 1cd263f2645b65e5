/* allocation_storm: takes memory and gives it back at random, for tests of what gives it out: nothing that is out may
 * overlap. Behind cmocka.h, whose assertions it makes. */
#ifndef GRAZE_TESTS_ALLOCATION_STORM_H
#define GRAZE_TESTS_ALLOCATION_STORM_H

#include "base/memory.h"
#include "number_sequence.h"

#include <string.h>

enum { STORM_SLOTS = 64 };

typedef struct storm_piece {
  unsigned char *at;
  size_t bytes;
  unsigned char mark;
} storm_piece;

/* As a query asks: chunks of 64 KiB, arrays, and small things. */
static inline size_t storm_bytes(uint64_t *sequence) {
  const uint64_t choice = sequence_below(sequence, 8);
  if (choice == 0) return 65536;
  if (choice < 3) return 1 + sequence_below(sequence, 300000);
  return sequence_below(sequence, 3000);
}

static inline void check_piece(const storm_piece *p) {
  for (size_t i = 0; i < p->bytes; i++)
    if (p->at[i] != p->mark) fail_msg("byte %zu of %zu was changed by another", i, p->bytes);
}

/* Takes and gives at random, and fills all that is out with marks of its own. */
static inline void allocation_storm(memory *heap, uint64_t seed, size_t steps) {
  storm_piece pieces[STORM_SLOTS] = {{NULL, 0, 0}};
  uint64_t sequence = seed;
  for (size_t step = 0; step < steps + STORM_SLOTS; step++) {
    storm_piece *p = &pieces[step < steps ? sequence_below(&sequence, STORM_SLOTS) : step - steps];
    if (p->at != NULL) {
      check_piece(p);
      memory_release(heap, p->at, p->bytes, 1);
      *p = (storm_piece){NULL, 0, 0};
    } else if (step < steps) {
      *p = (storm_piece){NULL, storm_bytes(&sequence), (unsigned char)(seed + step)};
      p->at = memory_allocate(heap, p->bytes, 1);
      assert_non_null(p->at);
      assert_int_equal((uintptr_t)p->at % MEMORY_ALIGNMENT, 0);
      memset(p->at, p->mark, p->bytes);
    }
  }
}

#endif

/* index_pair: two primitives by their numbers. On its own, so that code for a GPU can include it. */
#ifndef GRAZE_BASE_INDEX_PAIR_H
#define GRAZE_BASE_INDEX_PAIR_H

#include <stdint.h>

typedef struct index_pair {
  uint32_t a, b;
} index_pair;

#endif

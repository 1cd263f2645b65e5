/* index_pair: two primitive indices. In its own header, so that GPU code can include it. */
#ifndef GRAZE_BASE_INDEX_PAIR_H
#define GRAZE_BASE_INDEX_PAIR_H

#include <stdint.h>

typedef struct index_pair {
  uint32_t a, b;
} index_pair;

#endif

/* The hash of a caller's list of pairs: a whole list, or a part of one. */
#include "base/pair_hash.h"

uint64_t graze_pairs_hash(const graze_pair *pairs, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; i++) hash += pair_hash(pairs[i]);
  return hash;
}

/* The hash of a list of pairs: one multiplication a pair on the path from one to the next, so that it costs less than
 * writing the list. */
#include "scene/pairs_hash.h"

uint64_t graze_pairs_hash(const graze_pair *pairs, size_t count) {
  uint64_t hash = PAIRS_HASH_START;
  for (size_t i = 0; i < count; i++) hash = pairs_hash_next(hash, &pairs[i]);
  return hash;
}

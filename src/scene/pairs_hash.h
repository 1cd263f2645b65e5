/* One step of the hash that graze_pairs_hash documents. */
#ifndef GRAZE_SCENE_PAIRS_HASH_H
#define GRAZE_SCENE_PAIRS_HASH_H

#include "graze/graze.h"

#define PAIRS_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t pairs_hash_next(uint64_t hash, const graze_pair *pair) {
  const uint64_t a = (uint64_t)pair->object_a << 32 | pair->primitive_a;
  const uint64_t b = (uint64_t)pair->object_b << 32 | pair->primitive_b;
  hash =
      (hash ^ (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f))) * UINT64_C(0xff51afd7ed558ccd);
  return hash ^ (hash >> 32);
}

#endif

/* Public pairs: by the numbers of objects and of primitives in them, with their hash. */
#ifndef GRAZE_BACKEND_CPU_PAIR_LISTING_H
#define GRAZE_BACKEND_CPU_PAIR_LISTING_H

#include "base/index_pair.h"
#include "base/stop_check.h"
#include "scene/scene_data.h"

/* The memory for `count` pairs of primitive numbers that pair_listing_spread reads: the upper half of the list's own
 * memory. */
static inline index_pair *pair_listing_numbers(graze_pair *list, size_t count) {
  return (index_pair *)(void *)((unsigned char *)list + count * sizeof(index_pair));
}

/* Makes the first `keep` pairs of the list from the numbers in its upper half, and their hash, with all workers. False
 * if a stop was requested: the list is then not valid. */
bool pair_listing_spread(const graze_scene *scene, graze_pair *list, size_t count, size_t keep,
                         stop_check *stop_or_null, uint64_t *hash_out);

#endif

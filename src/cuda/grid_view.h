/* What the stages of the methods "grid" and "brute" see: entries in the order of the buckets of a hash table of cells,
 * of which each looks at the buckets of the cells around it and of those above it; or all entries with all. */
#ifndef GRAZE_CUDA_GRID_VIEW_H
#define GRAZE_CUDA_GRID_VIEW_H

#include "cuda/pair_view.h"

/* So many entries side by side have a box around them, where cells are crowded: see stage_bundles.h. */
enum { BUNDLE_ENTRIES = 16 };

typedef struct grid_view {
  pair_view pairs;
  uint32_t bucket_count;             /* a power of two, that blocks of cells begin at */
  uint32_t bucket_slots;             /* buckets in all */
  uint32_t marked_blocks;            /* a power of two: blocks that there are marks for */
  uint32_t first_entry, entry_limit; /* the search looks at so many entries from there on */
  uint32_t *bucket_start;            /* bucket_slots + 1: how many entries each has, then where they begin */
  uint64_t *marks;                   /* of each marked block: see device_cell.h */
  uint32_t *bucket_of; /* a primitive each, as is its rank among those of its bucket; until it is an entry */
  uint32_t *rank_of;
  primitive_box *clearance_boxes; /* a primitive each, for a query with a clearance; else NULL */
  entry_box *bundle_boxes;        /* around entries side by side; NULL where cells are not crowded */
} grid_view;

/* How many entries the search takes. */
GEOMETRY_FUNCTION uint32_t device_search_count(const grid_view *v) {
  const uint32_t entries = v->pairs.lists.totals->entry_count;
  const uint32_t left = entries > v->first_entry ? entries - v->first_entry : 0;
  return left < v->entry_limit ? left : v->entry_limit;
}

GEOMETRY_FUNCTION uint32_t device_bundle_count(const grid_view *v) {
  return (v->pairs.lists.totals->entry_count + BUNDLE_ENTRIES - 1u) / BUNDLE_ENTRIES;
}

typedef struct brute_view {
  pair_view pairs;
  uint64_t first_pair; /* of entries, that the reference looks at from there on */
} brute_view;

/* Pairs of entries that one launch of the reference looks at, at most. */
#define BRUTE_PAIRS (1u << 30)

/* How many it looks at: of all entries with all, in rows. */
GEOMETRY_FUNCTION uint32_t device_brute_count(const brute_view *v) {
  const uint64_t entries = v->pairs.lists.totals->entry_count, all = entries * entries;
  const uint64_t left = all > v->first_pair ? all - v->first_pair : 0;
  return (uint32_t)(left < BRUTE_PAIRS ? left : BRUTE_PAIRS);
}

#endif

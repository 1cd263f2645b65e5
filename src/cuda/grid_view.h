/* The data of the stages of the methods "grid" and "brute": entries in the order of the buckets of a hash table of
 * cells, each of which searches the buckets of the cells around it and of those above; or all pairs of entries. */
#ifndef GRAZE_CUDA_GRID_VIEW_H
#define GRAZE_CUDA_GRID_VIEW_H

#include "cuda/pair_view.h"

/* Entries of a bundle, which has a common box if cells are crowded; see stage_bundles.h. */
enum { BUNDLE_ENTRIES = 16 };

typedef struct grid_view {
  pair_view pairs;
  uint32_t bucket_count;             /* a power of two; blocks of cells begin at these */
  uint32_t bucket_slots;             /* buckets in all */
  uint32_t marked_blocks;            /* a power of two: blocks with marks */
  uint32_t first_entry, entry_limit; /* the search visits entry_limit entries from first_entry on */
  uint32_t *bucket_start;            /* bucket_slots + 1: the number of entries of each, then their first index */
  uint64_t *marks;                   /* of each marked block: see device_cell.h */
  uint32_t *bucket_of;               /* one per primitive, like its rank in its bucket; until it is an entry */
  uint32_t *rank_of;
  primitive_box *clearance_boxes; /* one per primitive, for a query with a clearance; otherwise NULL */
  entry_box *bundle_boxes;        /* boxes of bundles; NULL if cells are not crowded */
} grid_view;

/* The number of entries that the search visits. */
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
  uint64_t first_pair; /* of entries: the first one of this launch */
} brute_view;

/* The most pairs of entries that one launch of the reference compares. */
#define BRUTE_PAIRS (1u << 30)

/* The number of pairs that a launch compares, of all entries with all, in rows. */
GEOMETRY_FUNCTION uint32_t device_brute_count(const brute_view *v) {
  const uint64_t entries = v->pairs.lists.totals->entry_count, all = entries * entries;
  const uint64_t left = all > v->first_pair ? all - v->first_pair : 0;
  return (uint32_t)(left < BRUTE_PAIRS ? left : BRUTE_PAIRS);
}

#endif

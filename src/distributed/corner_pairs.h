/* Corner pairs: pairs of vertices that regions of different ranks may have in common.
 *
 * Let two pairs of different parts have the vertices u and v in common. Every primitive with u is in the part that owns
 * the cell of u. If that is this part, the primitive of the other part's pair is here too, and is in both parts;
 * otherwise the primitive of this part's pair is in both. So u, and likewise v, is a corner of a primitive here that is
 * in several parts: other vertices need not be considered.
 *
 * Workload: the boxes of all primitives, the corners of those at borders, and the pairs of those. */
#ifndef GRAZE_DISTRIBUTED_CORNER_PAIRS_H
#define GRAZE_DISTRIBUTED_CORNER_PAIRS_H

#include "base/array.h"
#include "distributed/rank_failure.h"
#include "distributed/slab.h"
#include "graze/regions.h"

/* A vertex of each of two objects, both corners of a pair of the region. Regions with an equal pair are the same
 * region, or regions of spheres with the same center, which the rank that gets both distinguishes. */
typedef struct corner_pair {
  double place[2][3];
  uint32_t object[2];
  uint64_t region;
} corner_pair;

/* Orders corner pairs by objects and places; the second, for qsort, also by regions. */
int corner_pair_compare(const corner_pair *a, const corner_pair *b);
int corner_pair_order(const void *a, const void *b);

/* Lists corner pairs of the regions of a slab's own pairs, sorted, without duplicates; region i is named first_region +
 * i. Corner pairs that no other part can have are omitted. */
graze_result corner_pairs_make(const slab *share, const division *parts, const graze_regions *regions,
                               uint64_t first_region, memory *heap, array *corner_pairs, rank_failure *failure);

#endif

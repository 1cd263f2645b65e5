/* The inner loop of a descent of two trees, compiled once per vector width: tests the boxes of one block against
 * those of another. All widths do the same arithmetic and give the same bits. */
#ifndef GRAZE_BROAD_TREE_KERNELS_H
#define GRAZE_BROAD_TREE_KERNELS_H

#include "broad/tree_distance.h"
#include "broad/tree_layout.h"
#include "broad/tree_relation.h"

typedef struct tree_kernels {
  /* Bit 4 i + j: whether node i of the block of S and node j of that of T may have a common point. Slabs may be
   * NULL, and are used if the two are neither aligned nor in the scene. */
  uint32_t (*meet)(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab, const tree_block *t,
                   const tree_slab *t_slab);
  /* Bit 4 i + j: whether the two may be within the limit, for a relation that is not in the scene. The gaps of these
   * pairs are written, and possibly those of others. */
  uint32_t (*near)(const tree_limits *limits, const tree_block *s, const tree_slab *s_slab, const tree_block *t,
                   const tree_slab *t_slab, tree_gaps *gaps_out);
} tree_kernels;

extern const tree_kernels tree_kernels_scalar, tree_kernels_128, tree_kernels_256;

#endif

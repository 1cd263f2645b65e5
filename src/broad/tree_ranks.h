/* A tree over many bodies: their boxes in the scene, as ranks, in the blocks of tree_layout.h.
 *
 * The ends of the boxes along each axis are sorted, and each box becomes the box of its ends' ranks. Boxes that
 * intersect have rank boxes that intersect; this includes touching ones, because at a tie all lower ends precede the
 * upper ones. Ranks are evenly distributed in every scene, and small integers are exact in float. So a tree over them,
 * descended with itself, finds the pairs; distant bodies cost nothing. */
#ifndef GRAZE_BROAD_TREE_RANKS_H
#define GRAZE_BROAD_TREE_RANKS_H

#include "broad/tree_forest.h"

typedef struct rank_tree {
  const tree_forest *forest;
  const search *search;
  uint32_t count;     /* of bodies, at least two */
  exact_box bounds;   /* of all ends */
  uint32_t *ranks;    /* one per body: lower along x, y, z, and upper */
  uint32_t *leaves;   /* bodies in the order of the tree */
  tree_block *blocks; /* in the layout of tree_layout_of(count) */
  uint32_t block_count;
  uint64_t *records; /* scratch; see tree_ranks.c */
  uint32_t area_count, code_up, code_down;
} rank_tree;

/* Builds the tree of all bodies on the search's workers; it is the same for any number of them. False when out of
 * memory; the tree may be incomplete only if the search is stopped. Must be released in any case. */
bool rank_tree_make(const tree_forest *forest, const search *s, rank_tree *tree_out);
void rank_tree_release(rank_tree *tree);

#endif

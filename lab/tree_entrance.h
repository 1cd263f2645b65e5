/* The entrance level: where the next search of two bodies begins, from the intersections of the last one at each level.
 *
 * Paper: Gress, Zachmann, "Object-space interference detection on programmable graphics hardware", 2004. If most pairs
 * of nodes of a level intersected, the levels above it separated almost nothing, and the next search of the same two
 * bodies tests all pairs of that level at once. Results do not depend on it: at any level, every pair of leaves is
 * below one pair of nodes. */
#ifndef GRAZE_LAB_TREE_ENTRANCE_H
#define GRAZE_LAB_TREE_ENTRANCE_H

#include "broad/tree_bodies.h"

enum {
  ENTRANCE_PAIRS = 4,    /* of bodies, the first of a search: as many as its notes hold */
  ENTRANCE_BLOCKS = 4096 /* pairs of blocks at most that a search of two bodies begins with, else it begins higher */
};

/* Two trees, or one and itself. */
typedef struct entrance_trees {
  uint32_t s_leaves, t_leaves;
  bool itself;
} entrance_trees;

/* The level of the roots: that of the deeper tree's. */
uint32_t tree_entrance_root(const entrance_trees *trees);

/* Blocks of a level, counted as block_pair counts them; above the top of a tree there is one. */
uint32_t tree_blocks_at(uint32_t leaf_count, uint32_t level);

/* How many pairs of blocks a search that begins at a level begins with. */
uint64_t tree_entrance_blocks(const entrance_trees *trees, uint32_t level);

/* Returns the level at which a search begins; the roots for bodies without notes. */
uint32_t tree_entrance_level(const search_notes *notes, body_pair bodies, const entrance_trees *trees);

/* The deepest level at which the share of all pairs of nodes that met exceeded a half. `met` has the number for each
 * level from `begun` down. Where there is none it is one above `begun`, and the roots where nothing met at all. */
uint32_t tree_next_entrance(const entrance_trees *trees, uint32_t begun, const uint64_t met[TREE_LEVELS]);

void tree_note_entrance(search_notes *notes, uint32_t place, body_pair bodies, uint32_t level);

#endif

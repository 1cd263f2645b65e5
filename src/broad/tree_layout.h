/* The shape of a bounding volume hierarchy with balanced levels: there are no pointers, all positions follow from the
 * number of leaves.
 *
 * Level 0 has exactly n leaves, each level above a quarter as many nodes, rounded up, and the last one node, the root:
 * the children of node i are the nodes 4 i to 4 i + 3 one level down, and only a level's last node may have fewer than
 * four. It is the level-balanced binary tree of Gress and Zachmann ("Object-space interference detection on
 * programmable graphics hardware", 2004) without every second level. Four siblings are stored in a block, box by box,
 * so that a step down in two trees tests sixteen pairs of boxes with vectors.
 *
 * The blocks of a level are consecutive, and the lowest level comes first. Two trees of different depth are
 * descended together as if the shallower one had further levels of one node on top. Compiled for a GPU too. */
#ifndef GRAZE_BROAD_TREE_LAYOUT_H
#define GRAZE_BROAD_TREE_LAYOUT_H

#include "geometry/device.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum {
  TREE_FANOUT = 4,
  TREE_LEVELS = 17 /* for 2^32 leaves */
};

/* The bounding boxes of four siblings: centers and half extents, axis by axis. Lanes without a node have half
 * extents of minus infinity and meet nothing. */
typedef struct tree_block {
  float center[3][TREE_FANOUT];
  float half[3][TREE_FANOUT];
} tree_block;

GEOMETRY_FUNCTION void clear_tree_block(tree_block *block) {
  for (int axis = 0; axis < 3; axis++)
    for (int lane = 0; lane < TREE_FANOUT; lane++) {
      block->center[axis][lane] = 0.0f;
      block->half[axis][lane] = -HUGE_VALF;
    }
}

/* Slabs: in addition to its box, a node of a rigid body's tree has two parallel planes that enclose its contents.
 *
 * Boxes along the axes of a body are thick around an oblique piece of surface, so nodes of two grazing bodies are hard
 * to separate. Between two planes along the surface the piece is thin; the box of the other tree's node, rotated into
 * this one's axes, is also compared with them. This corresponds to an oriented box for the one direction that matters
 * most. Four siblings are stored together, as their boxes are.
 *
 * A point x of a node has |normal . x - middle| <= half, exactly, in the body's own coordinates. */
typedef struct tree_slab {
  float normal[3][TREE_FANOUT]; /* of length about 1 */
  float middle[TREE_FANOUT];
  float half[TREE_FANOUT]; /* always finite: it is multiplied by numbers that may be 0 */
} tree_slab;

typedef struct tree_layout {
  uint32_t top;                /* the level of the root */
  uint32_t first[TREE_LEVELS]; /* the first block of each level, up to the top */
  uint32_t block_count;
} tree_layout;

GEOMETRY_FUNCTION uint32_t tree_parents(uint32_t nodes) {
  return nodes / TREE_FANOUT + (nodes % TREE_FANOUT != 0 ? 1 : 0);
}

/* For at least one leaf. */
GEOMETRY_FUNCTION tree_layout tree_layout_of(uint32_t leaf_count) {
  tree_layout layout;
  uint32_t nodes = leaf_count, next = 0, level = 0;
  for (;; level++) {
    layout.first[level] = next;
    next += tree_parents(nodes);
    if (nodes <= 1) break;
    nodes = tree_parents(nodes);
  }
  layout.top = level;
  layout.block_count = next;
  return layout;
}

/* Equal to block_count of the layout. */
GEOMETRY_FUNCTION uint32_t tree_block_count(uint32_t leaf_count) {
  uint32_t count = leaf_count > 0 ? 1 : 0;
  for (uint32_t nodes = leaf_count; nodes > 1; nodes = tree_parents(nodes)) count += tree_parents(nodes);
  return count;
}

/* The block of a node's children, counted from the tree's first; above the top of a shallow tree it is its root's
 * own block. `level` is that of the children. */
GEOMETRY_FUNCTION uint32_t tree_child_block(const tree_layout *layout, uint32_t level, uint32_t node) {
  return level <= layout->top ? layout->first[level] + node : layout->first[layout->top];
}

#endif

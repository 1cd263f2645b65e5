/* A tree over boxes of objects, to find those near a box.
 *
 * Workload: a box for each object of a scene, 2 to 10^6, built for one call, and a walk for each of them. */
#ifndef GRAZE_BACKEND_CPU_BOX_TREE_H
#define GRAZE_BACKEND_CPU_BOX_TREE_H

#include "base/memory.h"
#include "broad/primitive_view.h"
#include "geometry/exact_box.h"

/* A box, and the rule of its object. */
typedef struct box_tree_item {
  exact_box box;
  uint64_t category, mask;
  uint32_t number; /* the caller's */
} box_tree_item;

/* A node has the common box of its items, and the union of their rules' bits. The children of node i are 2 i + 1 and 2
 * i + 2, each with half of its items. */
typedef struct box_tree_node {
  exact_box box;
  uint64_t category, mask;
} box_tree_node;

/* A zeroed tree has no items. */
typedef struct box_tree {
  box_tree_item *items; /* owned, in the order of the tree */
  box_tree_node *nodes; /* owned */
  size_t count, node_count;
} box_tree;

/* Allocates `count` items, at least one, which the caller writes before box_tree_build. False when out of memory. Call
 * box_tree_release in either case. */
bool box_tree_reserve(box_tree *tree, memory *heap, size_t count);
void box_tree_build(box_tree *tree);
void box_tree_release(box_tree *tree, memory *heap);

enum { BOX_TREE_DEPTH = 40 }; /* more than the levels of 2^32 items, plus one for the other child */

typedef struct box_tree_place {
  double distance;
  size_t node, first, end;
  bool may_meet; /* by the rules */
} box_tree_place;

/* Visits the items within a radius of an item's box whose rules allow a pair with it; the item itself may be among
 * them. The caller may reduce the radius between steps. */
typedef struct box_tree_walk {
  const box_tree *tree;
  const box_tree_item *from;
  double radius;
  size_t next, end; /* of the current leaf */
  uint32_t count;
  box_tree_place waiting[BOX_TREE_DEPTH]; /* the nearest last */
} box_tree_walk;

box_tree_walk box_tree_walk_begin(const box_tree *tree, const box_tree_item *from, double radius);

/* The next item, and its boxes_distance; NULL after the last. */
const box_tree_item *box_tree_walk_next(box_tree_walk *walk, double *distance_out);

#endif

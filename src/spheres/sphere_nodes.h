/* A tree of balls over the spheres of a rigid body, four children a node at most.
 *
 * Nodes lie in one array, the root first, children together and behind their parent. A leaf is a sphere, with its
 * center and radius to the bit. An inner node's ball encloses its leaves, not its children's balls (a wrapped
 * hierarchy), with what rounding costs included.
 *
 * Workload: 1 to 10^6 spheres, made once, asked thousands of times. */
#ifndef GRAZE_SPHERES_SPHERE_NODES_H
#define GRAZE_SPHERES_SPHERE_NODES_H

#include "base/workers.h"
#include "graze/sphere_tree.h"
#include "spheres/gas_stages.h"

/* A level that deep parts its nodes evenly, so that no input makes a tree deeper than 16 levels more: 4^16 = 2^32. */
enum { SPHERE_CHILDREN = 4, SPHERE_LEVEL_EVEN = 44, SPHERE_DEPTH_MOST = 64 };

typedef struct sphere_node {
  double center[3], radius;
  uint32_t first;       /* child; of a leaf its sphere */
  uint32_t child_count; /* 0: a leaf */
} sphere_node;

/* Of the leaves of a node. All are rounded up. */
typedef struct sphere_node_sum {
  double volume, area; /* of the surfaces */
  uint32_t leaf_count;
  uint32_t height; /* nodes from it to the lowest leaf below it, both counted */
} sphere_node_sum;

struct graze_sphere_tree {
  memory heap; /* the only part that a question changes; it is atomic */
  workers *team;
  double (*spheres)[4]; /* x y z r by number */
  sphere_node *nodes;
  sphere_node_sum *sums;
  uint32_t sphere_count, node_count;
  uint32_t multiplicity; /* no point lies inside more spheres */
  double extent;         /* no center of a node lies farther from the origin */
};

static inline memory *sphere_tree_heap(const graze_sphere_tree *tree) {
  return (memory *)(uintptr_t)&tree->heap;
}

#endif

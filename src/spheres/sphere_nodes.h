/* A tree of balls over the spheres of a rigid body, with at most four children a node.
 *
 * Nodes are in one array: the root first, siblings together and after their parent. A leaf is a sphere, with exactly
 * its center and radius. An inner node's ball encloses its leaves, not its children's balls (a wrapped hierarchy),
 * including rounding errors.
 *
 * Workload: 1 to 10^6 spheres, built once, queried thousands of times. */
#ifndef GRAZE_SPHERES_SPHERE_NODES_H
#define GRAZE_SPHERES_SPHERE_NODES_H

#include "base/workers.h"
#include "graze/sphere_tree.h"
#include "spheres/gas_stages.h"

/* From level SPHERE_LEVEL_EVEN on nodes are split evenly, so no tree has more than 16 further levels: 4^16 = 2^32. */
enum { SPHERE_CHILDREN = 4, SPHERE_LEVEL_EVEN = 44, SPHERE_DEPTH_MOST = 64 };

typedef struct sphere_node {
  double center[3], radius;
  uint32_t first;       /* child; for a leaf its sphere */
  uint32_t child_count; /* 0: a leaf */
} sphere_node;

/* Sums over the leaves of a node, rounded up. */
typedef struct sphere_node_sum {
  double volume, area; /* of the surfaces */
  uint32_t leaf_count;
  uint32_t height; /* nodes on the path to the lowest leaf below it, both included */
} sphere_node_sum;

struct graze_sphere_tree {
  memory heap; /* the only member that queries change; it is atomic */
  workers *team;
  double (*spheres)[4]; /* x y z r by number */
  sphere_node *nodes;
  sphere_node_sum *sums;
  uint32_t sphere_count, node_count;
  uint32_t multiplicity; /* no point is inside more spheres */
  double extent;         /* no center of a node is farther from the origin */
};

static inline memory *sphere_tree_heap(const graze_sphere_tree *tree) {
  return (memory *)(uintptr_t)&tree->heap;
}

#endif

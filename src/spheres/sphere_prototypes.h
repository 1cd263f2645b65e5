/* The nodes of one level of a sphere tree that are split, all at once, and the builders that place their prototypes.
 *
 * A builder places four prototypes in each; every sphere then goes to the nearest of its node's prototypes. Coordinates
 * are those of the build: near one, so that no product overflows.
 *
 * Workload: 8 to 15 levels a tree, from one node with all spheres to thousands of nodes with five or more. */
#ifndef GRAZE_SPHERES_SPHERE_PROTOTYPES_H
#define GRAZE_SPHERES_SPHERE_PROTOTYPES_H

#include "spheres/sphere_nodes.h"

typedef struct level_node {
  double center[3], radius; /* of its ball, in coordinates of the build */
  uint32_t node;            /* of the tree */
  uint32_t base;            /* of its spheres in the tree's order */
  uint32_t first, count;    /* of its spheres in the items of the level */
  uint32_t child_counts[SPHERE_CHILDREN];
} level_node;

typedef struct sphere_level {
  level_node *nodes;
  sphere_prototypes *prototypes; /* one per node */
  const double (*balls)[4];      /* items: the spheres of all nodes, node by node; x y z r */
  const uint32_t *node_of;       /* one per item: the place of its node in `nodes` */
  uint32_t node_count, item_count;
  const graze_sphere_tree_def *def;
  const gas_stages *gas; /* they run the steps of neural gas; NULL: the workers do */
  memory *heap;
  workers *team;
} sphere_level;

/* Places the prototypes. GRAZE_OUT_OF_MEMORY, and errors of the stages of neural gas. */
typedef graze_result sphere_placer(sphere_level *level);

/* The nearest prototype; of equally near ones the first. */
static inline uint32_t nearest_prototype(const sphere_prototypes prototypes, const double ball[4]) {
  uint32_t nearest = 0;
  double least = prototype_square(prototypes[0], ball);
  for (uint32_t i = 1; i < SPHERE_CHILDREN; i++) {
    const double square = prototype_square(prototypes[i], ball);
    if (!(square < least)) continue;
    least = square;
    nearest = i;
  }
  return nearest;
}

sphere_placer place_by_neural_gas, place_at_biggest, place_at_extremes;

#endif

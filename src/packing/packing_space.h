/* What packings are made of: trees of obstacles, prototypes between them, and what is to be done with a prototype, so
 * that many can be handed over at once: to workers, or to a device. Types alone. */
#ifndef GRAZE_PACKING_PACKING_SPACE_H
#define GRAZE_PACKING_PACKING_SPACE_H

#include <stdint.h>

enum {
  OBSTACLE_TRIANGLE_NUMBERS = 9, /* three corners */
  OBSTACLE_SPHERE_NUMBERS = 4    /* center, radius */
};

typedef struct obstacle_tree {
  const double *boxes;        /* six a node: least x, y, z, greatest x, y, z; node k has the children 2 k and 2 k + 1 */
  const double *items;        /* `numbers` each, leaf after leaf: leaf i has items i * count / leaf_count and on */
  uint32_t count, leaf_count; /* leaves are a power of two; leaf i is node leaf_count + i; node 1 is the root */
  uint32_t leaf_bits;         /* leaves are 2 to the power of this */
  uint32_t numbers;           /* of an item: OBSTACLE_TRIANGLE_NUMBERS or OBSTACLE_SPHERE_NUMBERS */
} obstacle_tree;

/* What is free: outside of the placed spheres, and on one side of the mesh. */
typedef struct packing_space {
  obstacle_tree mesh, spheres;
} packing_space;

typedef struct prototype {
  double center[3];
  double radius; /* the distance of the nearest obstacle; not positive within a placed sphere */
} prototype;

/* Steps of a job, as bits, done in this order. */
enum {
  JOB_IF_INSIDE = 1, /* outside of the mesh the radius becomes -1, and nothing else is done */
  JOB_ASCEND = 2,
  JOB_MEASURE = 4 /* a positive radius becomes no larger than the distance of the nearest obstacle, taken with care */
};

typedef struct prototype_job {
  prototype sphere;
  uint64_t steps;
} prototype_job;

#endif

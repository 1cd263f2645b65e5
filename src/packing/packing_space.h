/* The types of packings: trees of obstacles, prototypes between them, and jobs for prototypes, which are passed in
 * batches to workers or to a device. */
#ifndef GRAZE_PACKING_PACKING_SPACE_H
#define GRAZE_PACKING_PACKING_SPACE_H

#include <stdint.h>

enum {
  OBSTACLE_TRIANGLE_NUMBERS = 9, /* three corners */
  OBSTACLE_SPHERE_NUMBERS = 4    /* center, radius */
};

typedef struct obstacle_tree {
  const double *boxes; /* six per node: least x, y, z, greatest x, y, z; node k has the children 2 k and 2 k + 1 */
  const double *items; /* `numbers` each, leaf by leaf: leaf i starts with item i * count / leaf_count */
  uint32_t count,
      leaf_count;     /* the number of leaves is a power of two; leaf i is node leaf_count + i; node 1 is the root */
  uint32_t leaf_bits; /* the number of leaves is 2 to this power */
  uint32_t numbers;   /* per item: OBSTACLE_TRIANGLE_NUMBERS or OBSTACLE_SPHERE_NUMBERS */
} obstacle_tree;

/* The free space: outside the placed spheres, and on one side of the mesh. */
typedef struct packing_space {
  obstacle_tree mesh, spheres;
} packing_space;

typedef struct prototype {
  double center[3];
  double radius; /* the distance of the nearest obstacle; not positive within a placed sphere */
} prototype;

/* Steps of a job, as bits, run in this order. */
enum {
  JOB_IF_INSIDE = 1, /* outside the mesh the radius becomes -1, and nothing else is done */
  JOB_ASCEND = 2,
  JOB_MEASURE = 4 /* a positive radius is reduced to the carefully measured distance of the nearest obstacle */
};

typedef struct prototype_job {
  prototype sphere;
  uint64_t steps;
} prototype_job;

#endif

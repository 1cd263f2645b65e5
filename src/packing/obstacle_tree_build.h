/* Builds the trees of obstacle_tree.h: split at the median of the longest side, with a few items per leaf.
 *
 * Workload: the mesh once, the placed spheres once a round. A round adds a few hundredths, so all builds together cost
 * as much as a few tens of one. */
#ifndef GRAZE_PACKING_OBSTACLE_TREE_BUILD_H
#define GRAZE_PACKING_OBSTACLE_TREE_BUILD_H

#include "base/array.h"
#include "base/workers.h"
#include "packing/obstacle_tree.h"

typedef struct obstacle_tree_memory {
  array boxes, items; /* of doubles */
  array order;        /* the item at each place */
} obstacle_tree_memory;

void obstacle_tree_memory_init(obstacle_tree_memory *storage);
void obstacle_tree_memory_release(obstacle_tree_memory *storage, memory *heap);

/* Builds a tree of `count` items of `numbers` doubles each, which are copied; it is valid until the memory is built
 * into again. The result does not depend on the number of workers; NULL: only the calling thread. False when out of
 * memory. */
bool obstacle_tree_build(obstacle_tree_memory *storage, memory *heap, workers *team, const double *items,
                         uint32_t count, uint32_t numbers, obstacle_tree *tree_out);

#endif

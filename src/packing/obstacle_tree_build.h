/* Builds the trees of obstacle_tree.h: split at the median of the longest side, leaf by leaf of a few items.
 *
 * Workload: the mesh once, the placed spheres once a round; a round adds some hundredths, so that all builds together
 * cost some tens of one. */
#ifndef GRAZE_PACKING_OBSTACLE_TREE_BUILD_H
#define GRAZE_PACKING_OBSTACLE_TREE_BUILD_H

#include "base/array.h"
#include "base/workers.h"
#include "packing/obstacle_tree.h"

typedef struct obstacle_tree_memory {
  array boxes, items; /* of doubles */
  array order;        /* which item lies where */
} obstacle_tree_memory;

void obstacle_tree_memory_init(obstacle_tree_memory *room);
void obstacle_tree_memory_release(obstacle_tree_memory *room, memory *heap);

/* A tree of `count` items of `numbers` doubles each, which are copied; it lives as long as the memory is not built into
 * again. The same for any number of workers; NULL: the caller alone. False when out of memory. */
bool obstacle_tree_build(obstacle_tree_memory *room, memory *heap, workers *team, const double *items, uint32_t count,
                         uint32_t numbers, obstacle_tree *tree_out);

#endif

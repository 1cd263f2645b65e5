/* The trees of a forest on a device, built by the host.
 *
 * Bodies that share a tree share its blocks and slabs. Each body has its own leaves, which are the entries of a query
 * and use the scene's numbers. So `first_leaf` and `leaf_count` are specific to the device; without shared trees they
 * equal the host's. */
#ifndef GRAZE_CUDA_DEVICE_FOREST_H
#define GRAZE_CUDA_DEVICE_FOREST_H

#include "broad/tree_forest.h"
#include "cuda/device_memory.h"
#include "cuda/tree_view.h"

typedef struct device_forest {
  device_buffer bodies, posed, blocks, slabs, leaves;
  const tree_forest *of; /* the forest whose trees are completely uploaded; NULL: none */
  size_t body_count, block_count;
  size_t leaf_count; /* of all bodies */
  uint32_t top;      /* the highest level of all trees */
} device_forest;

/* Uploads the trees of a forest; sources are the host's. */
graze_result device_forest_take(device_forest *own, device_memory *held, const tree_forest *forest,
                                const object_source *sources);

/* Uploads the poses of its bodies. */
graze_result device_forest_take_posed(device_forest *own, device_memory *held, const tree_forest *forest);

forest_view device_forest_view(const device_forest *own);

void device_forest_release(device_forest *own, device_memory *held);

#endif

/* The trees of a call that poses objects, on a device. */
#ifndef GRAZE_BACKEND_CUDA_CALL_TREES_H
#define GRAZE_BACKEND_CUDA_CALL_TREES_H

#include "backend_cpu/pose_trees.h"
#include "cuda/device_forest.h"

/* The method's trees on the device; with a method without trees, trees for this call only. */
typedef struct call_trees {
  const device_forest *there;
  pose_trees here; /* the same bodies on the host; blocks may be out of date */
  bool is_own;
} call_trees;

/* Must be closed, whatever the result. Failures have no message yet. */
graze_result call_trees_open(const graze_scene *scene, const uint32_t *objects, size_t count, call_trees *trees);
void call_trees_close(const graze_scene *scene, call_trees *trees);

#endif

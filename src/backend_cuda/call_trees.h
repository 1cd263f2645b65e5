/* The trees of a call that poses objects, on a device. */
#ifndef GRAZE_BACKEND_CUDA_CALL_TREES_H
#define GRAZE_BACKEND_CUDA_CALL_TREES_H

#include "backend_cpu/pose_trees.h"
#include "cuda/device_forest.h"

/* Those that the method has on the device; with another method, those of the call alone. */
typedef struct call_trees {
  const device_forest *there;
  pose_trees here; /* the same bodies on the host; blocks may be older */
  bool is_own;
} call_trees;

/* Close them, whatever the result. Failures have no message yet. */
graze_result call_trees_open(const graze_scene *scene, const uint32_t *objects, size_t count, call_trees *trees);
void call_trees_close(const graze_scene *scene, call_trees *trees);

#endif

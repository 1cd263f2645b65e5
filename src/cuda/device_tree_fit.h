/* Refits trees of deforming objects on the device that has their positions. */
#ifndef GRAZE_CUDA_DEVICE_TREE_FIT_H
#define GRAZE_CUDA_DEVICE_TREE_FIT_H

#include "cuda/device_forest.h"
#include "cuda/device_scene.h"

/* Used by an update only: all buffers are spare. */
typedef struct device_tree_fit {
  device_buffer fittings, arrived;
  device_buffer codes; /* codes and sorted codes */
  device_buffer old_leaves;
} device_tree_fit;

/* Whether bodies of the host's forest have tasks for a device. */
bool device_tree_fit_is_due(const tree_forest *forest);

/* Runs these tasks, if the device has all of the forest's trees, and reports the measurements to the host. Tasks that
 * fail stay as they are. */
graze_result device_tree_fit_run(device_tree_fit *own, const device_scene *scene, device_forest *trees,
                                 tree_forest *forest);

/* Poses all bodies; they belong to the scene's objects. */
graze_result device_tree_fit_pose(const device_scene *scene, const device_forest *trees);

void device_tree_fit_release(device_tree_fit *own, device_memory *held);

#endif

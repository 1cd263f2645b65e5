/* Trees of objects that deform, fitted on the device that has their positions. */
#ifndef GRAZE_CUDA_DEVICE_TREE_FIT_H
#define GRAZE_CUDA_DEVICE_TREE_FIT_H

#include "cuda/device_forest.h"
#include "cuda/device_scene.h"

/* Of an update alone: all of them are spare. */
typedef struct device_tree_fit {
  device_buffer fittings, arrived;
  device_buffer codes; /* and sorted codes */
  device_buffer old_leaves;
} device_tree_fit;

/* Whether bodies of the host's forest have tasks for a device. */
bool device_tree_fit_is_due(const tree_forest *forest);

/* Does these tasks, where the device has all of the forest's trees; and tells the host what it measured. What fails
 * leaves tasks as they are. */
graze_result device_tree_fit_run(device_tree_fit *own, const device_scene *scene, device_forest *trees,
                                 tree_forest *forest);

/* Poses all bodies, which are of the scene's objects. */
graze_result device_tree_fit_pose(const device_scene *scene, const device_forest *trees);

void device_tree_fit_release(device_tree_fit *own, device_memory *held);

#endif

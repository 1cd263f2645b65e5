/* Clusters of a scene on a device: the host learns them, from points that the device has made. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_LEARNING_H
#define GRAZE_BACKEND_CUDA_DEVICE_LEARNING_H

#include "scene/scene_data.h"

/* Moves the centres of the scene's clusters on and hands them to the device, which has taken in the last update. Where
 * there is nothing to learn from, the device keeps what it has; if that is nothing, it is searched by the grid. Any
 * centres give the same pairs. On failure there is a message. */
graze_result device_learn_clusters(graze_scene *scene);

#endif

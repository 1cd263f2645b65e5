/* What a device is told of the scene: topology, positions, poses, rules; only what differs from the last time.
 */
#ifndef GRAZE_CUDA_DEVICE_UPLOAD_H
#define GRAZE_CUDA_DEVICE_UPLOAD_H

#include "cuda/device_scene.h"

graze_result upload_scene(device_scene *state, const scene_upload *scene);

#endif

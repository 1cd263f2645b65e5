/* Uploads the scene to a device: topology, positions, poses, rules; only differences from the last update. */
#ifndef GRAZE_CUDA_DEVICE_UPLOAD_H
#define GRAZE_CUDA_DEVICE_UPLOAD_H

#include "cuda/device_scene.h"

graze_result upload_scene(device_scene *state, const scene_upload *scene);

#endif

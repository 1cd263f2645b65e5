/* Messages of a device. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_FAILURE_H
#define GRAZE_BACKEND_CUDA_DEVICE_FAILURE_H

#include "scene/scene_data.h"

/* The device's message, or that of the host where the host ran out. */
graze_result device_backend_fail(const graze_scene *scene, graze_result result);

#endif

/* Messages of a device. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_FAILURE_H
#define GRAZE_BACKEND_CUDA_DEVICE_FAILURE_H

#include "scene/scene_data.h"

/* Sets the device's message, or the host's if the host is out of memory. */
graze_result device_backend_fail(const graze_scene *scene, graze_result result);

#endif

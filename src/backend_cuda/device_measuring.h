/* Least distances of batches of poses on a device. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_MEASURING_H
#define GRAZE_BACKEND_CUDA_DEVICE_MEASURING_H

#include "backend/backend.h"

graze_result device_measure_configurations(const graze_scene *scene, configuration_request *request);

#endif

/* Batches of poses and of configurations on a device. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_POSING_H
#define GRAZE_BACKEND_CUDA_DEVICE_POSING_H

#include "backend/backend.h"

graze_result device_test_poses(const graze_scene *scene, pose_request *request);
graze_result device_test_configurations(const graze_scene *scene, configuration_request *request);
graze_result device_measure_configurations(const graze_scene *scene, configuration_request *request);

#endif

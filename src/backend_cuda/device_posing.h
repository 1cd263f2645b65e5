/* Batches of poses and of configurations on a device. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_POSING_H
#define GRAZE_BACKEND_CUDA_DEVICE_POSING_H

#include "backend/backend.h"

graze_result device_test_poses(const graze_scene *scene, pose_request *request);
graze_result device_test_configurations(const graze_scene *scene, configuration_request *request);

/* Checks the caller's device memory: poses, and answers of this many bytes per configuration, aligned to
 * `number_bytes`. */
graze_result posing_check_blocks(const graze_scene *scene, const configuration_request *request, size_t answer_bytes,
                                 size_t number_bytes);

#endif

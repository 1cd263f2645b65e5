/* Batches of poses and of configurations on a device. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_POSING_H
#define GRAZE_BACKEND_CUDA_DEVICE_POSING_H

#include "backend/backend.h"

graze_result device_test_poses(const graze_scene *scene, pose_request *request);
graze_result device_test_configurations(const graze_scene *scene, configuration_request *request);

/* What the caller has on the device must be there: poses, and answers of so many bytes a configuration, which begin at
 * a multiple of `number_bytes`. */
graze_result posing_check_blocks(const graze_scene *scene, const configuration_request *request, size_t answer_bytes,
                                 size_t number_bytes);

#endif

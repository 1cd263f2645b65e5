/* Batches of poses on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_POSES_H
#define GRAZE_BACKEND_CPU_CPU_POSES_H

#include "backend/backend.h"

graze_result cpu_test_poses(const graze_scene *scene, pose_request *request);

#endif

/* Batches of poses of one body of trees against another, on a device. */
#ifndef GRAZE_CUDA_DEVICE_POSES_H
#define GRAZE_CUDA_DEVICE_POSES_H

#include "cuda/device_forest.h"
#include "cuda/device_scene.h"

/* Poses of one body of the trees against another. */
typedef struct device_pose_query {
  const rigid_pose *poses;
  size_t count;
  uint32_t still, moving; /* bodies */
  uint32_t still_object, moving_object;
  graze_test test;
  bool counts;
} device_pose_query;

typedef struct device_poses {
  device_buffer poses, answers;
  device_forest trees; /* trees of a call, if the scene has none on the device */
} device_poses;

/* Writes a number of pairs, or 1 or 0, for each pose; *refused_out is the first invalid pose, or the count. */
graze_result device_poses_test(device_poses *own, const device_scene *scene, const device_forest *trees,
                               const device_pose_query *query, uint64_t *answers_out, size_t *refused_out);

#endif

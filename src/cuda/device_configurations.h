/* Configurations of many bodies of trees, on a device. */
#ifndef GRAZE_CUDA_DEVICE_CONFIGURATIONS_H
#define GRAZE_CUDA_DEVICE_CONFIGURATIONS_H

#include "base/stop_check.h"
#include "cuda/device_forest.h"
#include "cuda/device_scene.h"

typedef struct device_configuration_query {
  const configuration_part *parts; /* moving parts first */
  size_t part_count, moving_count;
  const configuration_pair *pairs; /* of parts with bodies */
  size_t pair_count;
  const rigid_pose *poses;
  bool poses_on_device; /* poses and answers are on the device */
  size_t count;         /* of configurations */
  graze_configuration_answer answer;
  graze_test test;
  stop_check *stop;    /* NULL: nothing stops it */
  size_t answer_bytes; /* of a configuration */
  void *answers;
  bool answers_on_device;
} device_configuration_query;

typedef struct device_configurations {
  device_buffer parts, pairs, poses, posed, free, still, sums, candidates, answers, state;
} device_configurations;

/* Answers every configuration, a few thousand at a time. *refused_out is the number of the first invalid pose, or that
 * of all poses, and *refused_pose_out the pose. */
graze_result device_configurations_test(device_configurations *own, const device_scene *scene,
                                        const device_forest *trees, const device_configuration_query *query,
                                        size_t *refused_out, rigid_pose *refused_pose_out);

#endif

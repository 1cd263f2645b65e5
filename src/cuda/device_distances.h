/* Least distances of configurations of many bodies of trees, on a device. */
#ifndef GRAZE_CUDA_DEVICE_DISTANCES_H
#define GRAZE_CUDA_DEVICE_DISTANCES_H

#include "cuda/device_forest.h"
#include "cuda/device_scene.h"

typedef struct device_distance_query {
  const configuration_part *parts; /* moving parts first */
  size_t part_count, moving_count;
  const configuration_pair *pairs; /* of parts with bodies; at least one */
  size_t pair_count;
  bool each_pair; /* results are per pair, otherwise per configuration */
  double max_distance;
} device_distance_query;

typedef struct device_distances {
  device_buffer parts, pairs, poses, posed, free, bounds, found, state;
} device_distances;

/* Configurations measured at a time. */
size_t device_distances_chunk(const device_scene *scene, const device_distance_query *query);

/* Allocates memory for this number of configurations, and for the parts and pairs of all calls below. */
graze_result device_distances_open(device_distances *own, const device_scene *scene, const device_distance_query *query,
                                   size_t count);

/* Queues the search of some configurations. The poses are on the device, or are copied at once. */
graze_result device_distances_queue(device_distances *own, const device_scene *scene, const device_forest *trees,
                                    const device_distance_query *query, const rigid_pose *poses, bool poses_on_device,
                                    size_t count);

/* Waits for the queued search: returns the result of each task, and the first invalid pose, or the number of all
 * poses. */
graze_result device_distances_fetch(device_distances *own, const device_scene *scene,
                                    const device_distance_query *query, size_t count, configuration_nearest *found_out,
                                    size_t *refused_out);

#endif

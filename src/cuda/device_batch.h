/* Configurations of many bodies of trees, on a device: tests, and least distances. */
#ifndef GRAZE_CUDA_DEVICE_BATCH_H
#define GRAZE_CUDA_DEVICE_BATCH_H

#include "base/stop_check.h"
#include "cuda/device_forest.h"
#include "cuda/device_scene.h"

typedef struct device_batch_query {
  const configuration_part *parts; /* moving parts first */
  size_t part_count, moving_count;
  const configuration_pair *pairs; /* of parts with bodies */
  size_t pair_count, column_count;
  const double *padding; /* one per part; NULL: none */
  double limit;          /* without padding */
  const rigid_pose *poses;
  bool poses_on_device;
  size_t count; /* of configurations */
  stop_check *stop;
  /* Tests. */
  bool counts; /* numbers of pairs, otherwise bytes */
  graze_test test;
  void *answers;
  bool answers_on_device;
  /* Distances. */
  bool any_contact; /* a pair that touches ends the search */
} device_batch_query;

typedef struct device_batch {
  device_buffer parts, pairs, padding, poses, posed, free, state;
  device_buffer resting, sums, candidates, answers; /* of tests */
  device_buffer bounds, found;                      /* of distances */
  device_forest trees;                              /* trees of a call, if the scene has none on the device */
} device_batch;

/* Tests every configuration, a few thousand at a time. *refused_out is the number of the first invalid pose, or that
 * of all poses, and *refused_pose_out the pose. */
graze_result device_batch_test(device_batch *own, const device_scene *scene, const device_forest *trees,
                               const device_batch_query *query, size_t *refused_out, rigid_pose *refused_pose_out);

/* Searches of a configuration: one for each column, or for all pairs. */
static inline size_t device_batch_tasks(const device_batch_query *query) {
  return query->column_count > 1 ? query->pair_count : 1;
}

/* Configurations measured at a time. */
size_t device_distances_chunk(const device_scene *scene, const device_batch_query *query);

/* Allocates memory for this number of configurations, and for the parts and pairs of all calls below. There is a pair,
 * and no padding. */
graze_result device_distances_open(device_batch *own, const device_scene *scene, const device_batch_query *query,
                                   size_t count);

/* Queues the search of some configurations, from `first` on. The poses are on the device, or are copied at once. */
graze_result device_distances_queue(device_batch *own, const device_scene *scene, const device_forest *trees,
                                    const device_batch_query *query, size_t first, size_t count);

/* Waits for the queued search: returns the result of each task, and the first invalid pose, or the number of all
 * poses. */
graze_result device_distances_fetch(device_batch *own, const device_scene *scene, const device_batch_query *query,
                                    size_t count, configuration_nearest *found_out, size_t *refused_out);

#endif

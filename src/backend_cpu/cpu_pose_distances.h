/* Least distances of batches of poses on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_POSE_DISTANCES_H
#define GRAZE_BACKEND_CPU_CPU_POSE_DISTANCES_H

#include "backend/backend.h"
#include "backend_cpu/pose_trees.h"

graze_result cpu_measure_configurations(const graze_scene *scene, configuration_request *request);

/* The same with the trees of a call, of a scene on any backend; poses and answers are on the host. With `only`, those
 * configurations that have something else than 0 there. Failures have no message yet. */
graze_result pose_distances_run(const graze_scene *scene, configuration_request *request, const pose_trees *trees,
                                const uint8_t *only_or_null);

/* Pairs of primitives that a device has found to be the nearest. */
typedef struct found_distances {
  const configuration_nearest *found; /* of each configuration, or of each pair of it */
  const uint32_t *pairs;              /* the request's number of each pair that the device was given */
  size_t pair_count;
  uint8_t *open; /* a configuration each: 0 where it is done */
} found_distances;

/* Writes the rows of what was found, from poses that can be. Of the trees the bodies alone are read. Rows that the pair
 * does not decide are left open. Failures have no message yet. */
graze_result pose_distances_finish(const graze_scene *scene, configuration_request *request, const pose_trees *trees,
                                   const found_distances *found);

#endif

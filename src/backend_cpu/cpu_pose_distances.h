/* Least distances of batches of poses on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_POSE_DISTANCES_H
#define GRAZE_BACKEND_CPU_CPU_POSE_DISTANCES_H

#include "backend/backend.h"
#include "backend_cpu/pose_trees.h"

graze_result cpu_measure_configurations(const graze_scene *scene, configuration_request *request);

/* The same with the trees of a call, for a scene on any backend; poses and answers are on the host. With `only`,
 * just the configurations with a nonzero element. Failures set no message yet. */
graze_result pose_distances_run(const graze_scene *scene, configuration_request *request, const pose_trees *trees,
                                const uint8_t *only_or_null);

/* Pairs of primitives that a device has found to be the nearest. */
typedef struct found_distances {
  const configuration_nearest *found; /* per configuration, or per pair of it */
  const uint32_t *pairs;              /* the request's number of each pair passed to the device */
  size_t pair_count;
  uint8_t *open; /* one per configuration: 0 if it is done */
} found_distances;

/* Writes the rows of found pairs, for valid poses. Of the trees, only the bodies are read. Rows that the pair does not
 * determine remain open. Failures set no message yet. */
graze_result pose_distances_finish(const graze_scene *scene, configuration_request *request, const pose_trees *trees,
                                   const found_distances *found);

#endif

/* Least distances of batches of poses on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_POSE_DISTANCES_H
#define GRAZE_BACKEND_CPU_CPU_POSE_DISTANCES_H

#include "backend/backend.h"
#include "backend_cpu/pose_trees.h"

graze_result cpu_measure_configurations(const graze_scene *scene, configuration_request *request);

/* The same with the trees of a call, of a scene on any backend; poses and answers are on the host. Failures have no
 * message yet. */
graze_result pose_distances_run(const graze_scene *scene, configuration_request *request, const pose_trees *trees);

#endif

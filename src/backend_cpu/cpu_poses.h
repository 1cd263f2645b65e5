/* Batches of poses on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_POSES_H
#define GRAZE_BACKEND_CPU_CPU_POSES_H

#include "backend/backend.h"
#include "broad/tree_forest.h"

/* Trees of the two objects of a batch of poses, the second and first body of them, for this call. Release them with
 * tree_forest_release, whatever the result. */
graze_result cpu_make_pose_trees(const graze_scene *scene, const pose_request *request, tree_forest *forest_out);
graze_result cpu_test_poses(const graze_scene *scene, pose_request *request);

#endif

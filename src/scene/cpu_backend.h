/* The backend cpu: what its files do for each other. */
#ifndef GRAZE_SCENE_CPU_BACKEND_H
#define GRAZE_SCENE_CPU_BACKEND_H

#include "broad/tree_forest.h"
#include "scene/backend.h"

graze_result cpu_find(const graze_scene *scene, const pair_request *request, pair_answer *answer);
graze_result cpu_find_object_pairs(const graze_scene *scene, const pair_request *request, object_pair_answer *answer);
graze_result cpu_contacts(const graze_scene *scene, const contact_request *request, contact_answer *answer);

/* Trees of the two objects of a batch of poses, the second and first body of them, for this call: to be released by
 * tree_forest_release, whatever the result. */
graze_result cpu_make_pose_trees(const graze_scene *scene, const pose_request *request, tree_forest *forest_out);
graze_result cpu_test_poses(const graze_scene *scene, pose_request *request);

/* What every backend does on the processor where it has no way of its own: the k-free measure. */
graze_result cpu_measure(const graze_scene *scene, uint32_t object, const crowding_counts *counts,
                         crowding_outcome *outcome_out);

#endif

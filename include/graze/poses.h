/* graze: batches of poses. Two objects, many poses of the second, one exact answer each: what a motion planner asks.
 *
 *     graze_scene_test_poses(scene, obstacle, robot, poses, count, NULL, answers);
 *
 * The objects keep bounding volume hierarchies (method "tree", docs/trees.md); with another method they are built for
 * the call. Nothing of the scene changes: the answers are those that graze_object_set_pose, graze_scene_update and a
 * query about the two would give, pose after pose. */
#ifndef GRAZE_POSES_H
#define GRAZE_POSES_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_pose_options {
  size_t struct_bytes;
  graze_test test;  /* of solids, as in graze_query; default GRAZE_TEST_SAT */
  bool count_pairs; /* answers are numbers of pairs; default false: 1 where the two meet, else 0 */
  /* Stops the call, as in graze_query: the result is GRAZE_STOPPED, and the answers are undefined. NULL: nothing does.
   */
  bool (*should_stop)(void *stop_context);
  void *stop_context;
} graze_pose_options;

GRAZE_API void graze_pose_options_init(void *options, size_t bytes);
static inline graze_pose_options graze_pose_options_default(void) {
  graze_pose_options options;
  graze_pose_options_init(&options, sizeof options);
  return options;
}

/* For each of `count` poses of `moving`, in place of its own: whether, or in how many pairs, its primitives meet those
 * of `still` as that lies in the scene. A pose that is refused is named by its number, and the answers are undefined
 * then. Categories, masks, exclusions and neighbours are ignored. Both may be the same object: it is then tested
 * against itself in another pose. NULL for the options means the default ones. The scene must be updated. */
GRAZE_API graze_result graze_scene_test_poses(const graze_scene *scene, graze_object still, graze_object moving,
                                              const graze_pose *poses, size_t count, const graze_pose_options *options,
                                              uint64_t *answers_out);

#ifdef __cplusplus
}
#endif

#endif

/* graze: least distances for batches of poses, for motion planners. Measures a moving object against another one, or
 * the links of a robot against the rest of the scene and each other.
 *
 *     graze_scene_measure_poses(scene, obstacle, robot, poses, count, NULL, rows);
 *     graze_scene_measure_configurations(scene, links, 30, poses, 30 * count, NULL, rows);
 *
 * Each answer is a row of graze/nearest.h: the nearest pair of primitives, its distance, an interval that contains the
 * true distance, and the nearest points. The scene does not change. Surfaces are not filled: a link inside a closed
 * surface has a positive distance from it; see graze/poses.h. docs/guide/distance.md is the guide. */
#ifndef GRAZE_POSE_DISTANCES_H
#define GRAZE_POSE_DISTANCES_H

#include "graze/nearest.h"
#include "graze/poses.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_pose_distance_options {
  size_t struct_bytes;
  double max_distance;  /* objects farther apart than this get an empty row; exact. Default infinite */
  uint64_t visit_limit; /* as in graze_nearest_options. With a limit, the call runs on the host */
  bool (*should_stop)(void *stop_context); /* as in graze_pose_options */
  void *stop_context;
  const void *device_poses; /* as in graze_configuration_options */
  void *device_answers;     /* as in graze_configuration_options */
  /* Only for graze_scene_measure_configurations. */
  bool each_pair;                        /* one row for each object pair; default false: one for each configuration */
  const graze_configuration_pair *pairs; /* as in graze_configuration_options. Pairs that filters or exclusions reject
                                            get empty rows */
  size_t pair_count;
} graze_pose_distance_options;

GRAZE_API void graze_pose_distance_options_init(void *options, size_t bytes);
static inline graze_pose_distance_options graze_pose_distance_options_default(void) {
  graze_pose_distance_options options;
  graze_pose_distance_options_init(&options, sizeof options);
  return options;
}

/* Measures the least distance between `still` and `moving` for each of `count` poses of `moving`. A pose replaces the
 * object's own; `still` keeps its pose in the scene, which must be updated. Each row equals the row that
 * graze_scene_find_nearest returns for the two objects after graze_object_set_pose and graze_scene_update, but
 * categories, masks and exclusions are ignored. A row is empty if the objects are farther apart than max_distance, or
 * if one has no primitives. In an empty row, distance and upper are infinite, lower is max_distance or infinite,
 * `complete` and `certified` are 1, and the rest is 0. NULL options mean the defaults. The answers are the same for
 * every method, thread count and backend, unless a visit limit was reached. If a pose is invalid, the error message
 * states its index, and the answers are undefined. Returns GRAZE_UNSUPPORTED if positions are only on a device. */
GRAZE_API graze_result graze_scene_measure_poses(const graze_scene *scene, graze_object still, graze_object moving,
                                                 const graze_pose *poses, size_t count,
                                                 const graze_pose_distance_options *options,
                                                 graze_nearest *answers_out);

/* Measures configurations, which are given as for graze_scene_test_configurations. Each configuration has one row, for
 * the nearest of all object pairs; with `each_pair` it has a row for each object pair. Rows are as above. The interval
 * of a row for all object pairs contains the least distance of all of them. */
GRAZE_API graze_result graze_scene_measure_configurations(const graze_scene *scene, const graze_object *moving,
                                                          size_t moving_count, const graze_pose *poses,
                                                          size_t pose_count, const graze_pose_distance_options *options,
                                                          graze_nearest *answers_out);

#ifdef __cplusplus
}
#endif

#endif

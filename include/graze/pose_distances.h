/* graze: least distances of batches of poses, for motion planners. One moving object from another, or configurations of
 * a robot of many objects from each other and from a scene.
 *
 *     graze_scene_measure_poses(scene, obstacle, robot, poses, count, NULL, rows);
 *     graze_scene_measure_configurations(scene, links, 30, poses, 30 * count, NULL, rows);
 *
 * Each answer is a row of graze/nearest.h: the pair of primitives, their distance, an interval that holds the true
 * distance, and nearest points. The scene does not change. docs/distance.md is the guide. */
#ifndef GRAZE_POSE_DISTANCES_H
#define GRAZE_POSE_DISTANCES_H

#include "graze/nearest.h"
#include "graze/poses.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_pose_distance_options {
  size_t struct_bytes;
  double max_distance;  /* what is farther apart gets an empty row; exact. Default infinite */
  uint64_t visit_limit; /* 0: none. Else two objects are given up after so many visits, as in graze_nearest_options;
                           the host computes then */
  bool (*should_stop)(void *stop_context); /* as in graze_pose_options */
  void *stop_context;
  const void *device_poses; /* as in graze_configuration_options */
  void *device_answers;     /* likewise */
  /* Of graze_scene_measure_configurations alone. */
  bool each_pair;                        /* a row for each object pair; default false: one for each configuration */
  const graze_configuration_pair *pairs; /* as in graze_configuration_options; those that filters or exclusions leave
                                            out have empty rows */
  size_t pair_count;
} graze_pose_distance_options;

GRAZE_API void graze_pose_distance_options_init(void *options, size_t bytes);
static inline graze_pose_distance_options graze_pose_distance_options_default(void) {
  graze_pose_distance_options options;
  graze_pose_distance_options_init(&options, sizeof options);
  return options;
}

/* For each of `count` poses of `moving`, in place of its own: the least distance from `still` as that lies in the
 * scene, the row that graze_scene_find_nearest gives for the two after graze_object_set_pose and graze_scene_update.
 * Categories, masks and exclusions are ignored. A row is empty where the two are farther apart than max_distance or one
 * has no primitives: distance and upper are infinite, lower is max_distance or infinite, and the rest is 0 but
 * `complete` and `certified`. A pose that is refused is named by its number, and the answers are undefined then. NULL
 * for the options means the default ones. The scene must be updated. The answers are the same for every method, thread
 * count and backend, but for a visit limit that was reached. GRAZE_UNSUPPORTED where positions are on a device alone.
 */
GRAZE_API graze_result graze_scene_measure_poses(const graze_scene *scene, graze_object still, graze_object moving,
                                                 const graze_pose *poses, size_t count,
                                                 const graze_pose_distance_options *options,
                                                 graze_nearest *answers_out);

/* Measures configurations, given as to graze_scene_test_configurations: for each one row, the nearest of all object
 * pairs, or a row for each object pair. Rows are as above. The interval of a row for all object pairs holds the least
 * distance of all of them. */
GRAZE_API graze_result graze_scene_measure_configurations(const graze_scene *scene, const graze_object *moving,
                                                          size_t moving_count, const graze_pose *poses,
                                                          size_t pose_count, const graze_pose_distance_options *options,
                                                          graze_nearest *answers_out);

#ifdef __cplusplus
}
#endif

#endif

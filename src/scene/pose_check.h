/* What is said of a pose that is none: geometry/pose.h tells which are. */
#ifndef GRAZE_SCENE_POSE_CHECK_H
#define GRAZE_SCENE_POSE_CHECK_H

#include "scene/scene_data.h"

/* The message for a pose that is not sound. `what` and its number state which one of many it is, as in "pose 3"; NULL:
 * it is the only one. */
graze_result fail_pose(const graze_scene *scene, graze_object id, const char *what_or_null, size_t number,
                       const rigid_pose *pose);

/* The same for an object that is not in the scene yet, by its label. */
graze_result fail_labeled_pose(const graze_scene *scene, const char *label, const rigid_pose *pose);

#endif

/* Messages for invalid poses; geometry/pose.h defines which poses are valid. */
#ifndef GRAZE_SCENE_POSE_CHECK_H
#define GRAZE_SCENE_POSE_CHECK_H

#include "scene/scene_data.h"

/* The message for an invalid pose. `what` and its number identify one of many poses, as in "pose 3"; NULL: it is the
 * only one. */
graze_result fail_pose(const graze_scene *scene, graze_object id, const char *what_or_null, size_t number,
                       const rigid_pose *pose);

/* The same for an object that is not yet in the scene, by its label. */
graze_result fail_labeled_pose(const graze_scene *scene, const char *label, const rigid_pose *pose);

#endif

/* What is said of a pose that is none: geometry/pose.h tells which are. */
#ifndef GRAZE_SCENE_POSE_CHECK_H
#define GRAZE_SCENE_POSE_CHECK_H

#include "scene/scene_data.h"

/* The message for a pose that is not sound. Of many poses it says which one it is: `place` is their number before it,
 * or SIZE_MAX for a single one. */
graze_result fail_pose(const graze_scene *scene, graze_object id, size_t place, const rigid_pose *pose);

#endif

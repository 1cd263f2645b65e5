/* Sets poses of objects in tests from a separate rotation and translation. */
#ifndef GRAZE_TESTS_POSED_OBJECT_H
#define GRAZE_TESTS_POSED_OBJECT_H

#include "graze/graze.h"

#include <string.h>

static inline graze_pose pose_of(const double rotation[9], const double translation[3]) {
  graze_pose pose;
  memcpy(pose.rotation, rotation, sizeof pose.rotation);
  memcpy(pose.translation, translation, sizeof pose.translation);
  return pose;
}

static inline graze_result pose_object(graze_scene *scene, graze_object object, const double rotation[9],
                                       const double translation[3]) {
  const graze_pose pose = pose_of(rotation, translation);
  return graze_object_set_pose(scene, object, &pose);
}

#endif

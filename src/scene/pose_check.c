/* Checking poses; see pose_check.h. */
#include "scene/pose_check.h"

#include "scene/scene_failure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

graze_result fail_labeled_pose(const graze_scene *scene, const char *label, const rigid_pose *pose) {
  const double *rotation = pose->rotation, *translation = pose->translation;
  const double defect = rotation_defect(rotation);
  if (!(defect <= ROTATION_DEFECT_MOST))
    return scene_fail(scene, GRAZE_NOT_A_ROTATION,
                      "%s: the pose is not a rotation: R times its transpose differs from the identity by %g", label,
                      defect);
  if (!(rotation_determinant(rotation) > 0.0))
    return scene_fail(scene, GRAZE_NOT_A_ROTATION, "%s: the pose is a reflection: its determinant is %g", label,
                      rotation_determinant(rotation));
  const int axis = !isfinite(translation[0]) ? 0 : !isfinite(translation[1]) ? 1 : 2;
  return scene_fail(scene, GRAZE_NOT_FINITE, "%s: translation %c of the pose is %g", label, "xyz"[axis],
                    translation[axis]);
}

graze_result fail_pose(const graze_scene *scene, graze_object id, const char *what_or_null, size_t number,
                       const rigid_pose *pose) {
  char text[sizeof(object_label) + 48] = "";
  if (what_or_null != NULL) snprintf(text, sizeof text, "%s %zu: ", what_or_null, number);
  strcat(text, scene_label(id.index, scene_objects(scene)[id.index].name).text);
  return fail_labeled_pose(scene, text, pose);
}

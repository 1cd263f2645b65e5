/* Messages shared by several calls of a scene; see scene_failure.h. */
#include "scene/scene_failure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

object_label scene_label(uint32_t index, const char *name_or_null) {
  object_label label;
  if (name_or_null != NULL)
    snprintf(label.text, sizeof label.text, "object %u (%.64s)", index, name_or_null);
  else
    snprintf(label.text, sizeof label.text, "object %u", index);
  return label;
}

graze_result scene_fail_memory(const graze_scene *scene) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory: the scene holds %zu bytes",
              (size_t)atomic_load(&scene->memory.bytes_now));
}

graze_result scene_fail_null(const char *what) {
  return fail(GRAZE_INVALID_ARGUMENT, "the %s is NULL", what);
}

graze_result scene_check_updated(const graze_scene *scene) {
  return scene_is_updated(scene)
             ? GRAZE_OK
             : fail(GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
}

static const char *words_of_support(kind_support support) {
  switch (support) {
#define KIND_SUPPORT_CASE(name, bit, words)                                                                            \
  case SUPPORTS_##name:                                                                                                \
    return words;
    KIND_SUPPORT_LIST(KIND_SUPPORT_CASE)
#undef KIND_SUPPORT_CASE
  case SUPPORTS_ALL:
  case SUPPORTS_ALL_OF_SOLIDS:
    break;
  }
  return "all calls";
}

graze_result scene_check_kind(const graze_scene *scene, uint32_t slot, kind_support needed) {
  const scene_object *object = &scene_objects(scene)[slot];
  if (kind_supports(object->elements.kind, needed)) return GRAZE_OK;
  return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: %s do not support %s", scene_label(slot, object->name).text,
                    graze_kind_text(object->elements.kind, 2), words_of_support(needed));
}

graze_result scene_check_kinds(const graze_scene *scene, kind_support needed) {
  graze_result result = GRAZE_OK;
  if ((scene->unsupported & needed) == 0) return GRAZE_OK;
  for (uint32_t i = 0; i < scene->object_count && result == GRAZE_OK; i++) result = scene_check_kind(scene, i, needed);
  return result;
}

graze_result scene_fail_pair(const graze_scene *scene, const graze_pair *pair, size_t number) {
  return scene_fail(
      scene, GRAZE_INVALID_ARGUMENT,
      "pair %zu (object %u primitive %u, object %u primitive %u) does not intersect or is not in the scene", number,
      pair->object_a, pair->primitive_a, pair->object_b, pair->primitive_b);
}

graze_result scene_fail_points(const graze_scene *scene, uint64_t point_count) {
  return scene_fail(scene, GRAZE_TOO_LARGE, "%" PRIu64 " contact points or more cannot be numbered: pass fewer pairs",
                    point_count);
}

/* ---------------------------------------------------------------------------------------------- poses */

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

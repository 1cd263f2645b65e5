/* Messages shared by several calls of a scene. */
#ifndef GRAZE_SCENE_SCENE_FAILURE_H
#define GRAZE_SCENE_SCENE_FAILURE_H

#include "base/error_text.h"
#include "scene/scene_data.h"

/* Writes the message and returns the code. */
#define scene_fail(scene, ...) ((void)(scene), fail(__VA_ARGS__))
graze_result scene_fail_memory(const graze_scene *scene);
graze_result scene_fail_null(const char *what);

/* GRAZE_NOT_UPDATED if the scene was changed after its last update. */
graze_result scene_check_updated(const graze_scene *scene);

/* GRAZE_UNSUPPORTED if the object's kind, or that of any object of an updated scene, lacks what a call needs. */
graze_result scene_check_kind(const graze_scene *scene, uint32_t slot, kind_support needed);
graze_result scene_check_kinds(const graze_scene *scene, kind_support needed);

/* Messages for a pair that does not meet or is not in the scene, and for too many contact points. */
graze_result scene_fail_pair(const graze_scene *scene, const graze_pair *pair, size_t number);
graze_result scene_fail_points(const graze_scene *scene, uint64_t point_count);

/* The label of an object in messages: its number, and its name if it has one. */
typedef struct object_label {
  char text[96];
} object_label;
object_label scene_label(uint32_t index, const char *name_or_null);

/* The message for an invalid pose. `what` and its number identify one of many poses, as in "pose 3"; NULL: it is the
 * only one. */
graze_result fail_pose(const graze_scene *scene, graze_object id, const char *what_or_null, size_t number,
                       const rigid_pose *pose);

/* The same for an object that is not yet in the scene, by its label. */
graze_result fail_labeled_pose(const graze_scene *scene, const char *label, const rigid_pose *pose);

#endif

/* Objects that are parts of one: those with the same global_object. */
#ifndef GRAZE_SCENE_OBJECT_PARTS_H
#define GRAZE_SCENE_OBJECT_PARTS_H

#include "scene/scene_failure.h"

/* After scene_choose_numbers: finds out which objects are parts, and refuses those of different kinds. */
graze_result scene_find_parts(graze_scene *scene);

/* For every update of a scene that has parts: refuses parts of one object with different filters, and takes in which
 * objects are excluded. */
graze_result scene_check_parts(graze_scene *scene);

void scene_release_parts(graze_scene *scene);

#endif

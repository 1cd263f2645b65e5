/* Objects that are parts of one object: those with the same global_object. */
#ifndef GRAZE_SCENE_OBJECT_PARTS_H
#define GRAZE_SCENE_OBJECT_PARTS_H

#include "scene/scene_failure.h"

/* Finds the objects that are parts, after scene_choose_numbers, and refuses parts of different kinds. */
graze_result scene_find_parts(graze_scene *scene);

/* Called by every update of a scene with parts: refuses parts of one object with different filters, and collects the
 * exclusions of whole objects. */
graze_result scene_check_parts(graze_scene *scene);

void scene_release_parts(graze_scene *scene);

#endif

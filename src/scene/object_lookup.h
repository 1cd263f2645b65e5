/* The object of an id. */
#ifndef GRAZE_SCENE_OBJECT_LOOKUP_H
#define GRAZE_SCENE_OBJECT_LOOKUP_H

#include "scene/scene_data.h"

/* Returns NULL, and sets a message, if the object was removed or never existed. */
scene_object *scene_find_object(const graze_scene *scene, graze_object id);

/* The same without a message. */
scene_object *scene_peek_object(const graze_scene *scene, graze_object id);

#endif

/* What a method sees of a scene. */
#ifndef GRAZE_SCENE_SCENE_VIEW_H
#define GRAZE_SCENE_SCENE_VIEW_H

#include "scene/scene_data.h"

/* The whole scene, for no query in particular. */
primitive_view scene_view(const graze_scene *scene);

#endif

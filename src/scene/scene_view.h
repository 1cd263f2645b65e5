/* The view of a scene that methods receive. */
#ifndef GRAZE_SCENE_SCENE_VIEW_H
#define GRAZE_SCENE_SCENE_VIEW_H

#include "scene/scene_data.h"

/* The whole scene, not for a particular query. */
primitive_view scene_view(const graze_scene *scene);

#endif

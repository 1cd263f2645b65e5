/* An update on the processor: vertices rounded where the method needs it, volumes counted, the method updated. */
#ifndef GRAZE_BACKEND_CPU_CPU_UPDATE_H
#define GRAZE_BACKEND_CPU_CPU_UPDATE_H

#include "scene/scene_data.h"

graze_result scene_update_on_host(graze_scene *scene);

/* Makes on the host what an update on a device has made there alone, for calls that run on the host. It does nothing
 * for other scenes. The caller holds the turn. */
graze_result scene_catch_up(const graze_scene *scene);

#endif

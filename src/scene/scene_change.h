/* Records that a scene changes: stamps, and the change bits of objects. */
#ifndef GRAZE_SCENE_SCENE_CHANGE_H
#define GRAZE_SCENE_SCENE_CHANGE_H

#include "scene/scene_data.h"

/* The next query needs an update. */
void scene_touch(graze_scene *scene, bool topology);

/* Records that an object changes as the bits state. Methods and devices read the bits in the next update. */
void scene_change_object(graze_scene *scene, uint32_t index, object_change change);

/* Reads the change bits of all objects since they were last cleared, or all bits for a new method. */
void scene_read_changes(const graze_scene *scene, bool all, object_change *changes_out);
void scene_forget_changes(graze_scene *scene);

#endif

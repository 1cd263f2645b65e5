/* A scene that shows one frame after the other: objects persist if only their positions change, so that methods can
 * reuse their state. */
#ifndef GRAZE_FRAME_SCENE_H
#define GRAZE_FRAME_SCENE_H

#include "object_list.h"

/* Zeroed except for the scene: shows nothing. */
typedef struct frame_scene {
  graze_scene *scene;    /* owned */
  graze_object *objects; /* by their number in the frame, which is that in pairs */
  size_t count, capacity;
  uint64_t kept; /* objects that persisted from one frame to the next, over all frames */
} frame_scene;

/* Makes the scene hold the objects of a frame. `before` lists the current objects with their elements; positions are
 * ignored. After a failure the scene is empty. */
graze_result frame_scene_show(frame_scene *shown, const object_list *before, const object_list *now);

/* Excludes pairs of the shown objects; a frame may have fewer objects. Exclusions of persistent objects exist already,
 * which is not an error. */
graze_result frame_scene_exclude(frame_scene *shown, const size_t (*pairs)[2], size_t count);

/* Removes all objects. */
void frame_scene_clear(frame_scene *shown);
void frame_scene_release(frame_scene *shown);

#endif

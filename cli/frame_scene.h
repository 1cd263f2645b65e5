/* A scene that shows one frame after the other: objects of which only the positions change stay, so that a method that
 * keeps something for them can go on with it. */
#ifndef GRAZE_FRAME_SCENE_H
#define GRAZE_FRAME_SCENE_H

#include "object_list.h"

/* Zeroed but for the scene: shows nothing. */
typedef struct frame_scene {
  graze_scene *scene;    /* owned */
  graze_object *objects; /* by their place in the frame, which is their number in pairs */
  size_t count, capacity;
  uint64_t kept; /* objects that stayed from one frame to the next, over all frames */
} frame_scene;

/* Makes the scene hold the objects of a frame. `before` has those that it holds now, with their elements; positions are
 * not looked at. After a failure the scene is empty, and shows nothing. */
graze_result frame_scene_show(frame_scene *shown, const object_list *before, const object_list *now);

/* Excludes pairs of the objects that are shown; a frame may have fewer. Exclusions of objects that stay are there
 * already, which is no error. */
graze_result frame_scene_exclude(frame_scene *shown, const size_t (*pairs)[2], size_t count);

/* Takes all objects out. */
void frame_scene_clear(frame_scene *shown);
void frame_scene_release(frame_scene *shown);

#endif

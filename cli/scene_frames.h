/* The frames of a scene file: its objects, each placed by the frame or by the last earlier one that names it. */
#ifndef GRAZE_SCENE_FRAMES_H
#define GRAZE_SCENE_FRAMES_H

#include "frame_source.h"
#include "scene_file.h"

/* Zeroed: no frames. */
typedef struct scene_frames {
  const scene_file *scene; /* borrowed */
  placement *placed;       /* of each body, in the frame loaded last */
  size_t next;             /* the frame whose poses come next */
} scene_frames;

/* False when out of memory, after a complaint. The scene must outlive the frames. */
bool scene_frames_open(scene_frames *frames, const scene_file *scene);
void scene_frames_close(scene_frames *frames);

/* A scene without frames is one frame. The result refers to the frames. */
frame_source frame_source_of_scene_file(scene_frames *frames);

#endif

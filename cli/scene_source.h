/* Frames of a built-in scene that moves, made when their turn comes. */
#ifndef GRAZE_SCENE_SOURCE_H
#define GRAZE_SCENE_SOURCE_H

#include "frame_source.h"

#include "simulation/moving_scene.h"

/* Zeroed: no scene. */
typedef struct scene_source {
  scene_stage *stage;
  uint64_t shown; /* the frame that it stands at, from 0 on */
  const char *name;
} scene_source;

/* Sets up the first frame; false after a complaint. */
bool scene_source_open(scene_source *source, const moving_scene *scene, const scene_parameters *parameters);
void scene_source_close(scene_source *source);

/* Frames of an open scene, which must outlive what is returned. */
frame_source frame_source_of_scene(scene_source *source);

/* "Scenes:" and a line for each. */
void write_scenes(FILE *stream);

/* "there is no scene NAME", with the nearest one there is. */
void refuse_scene(const char *name);

#endif

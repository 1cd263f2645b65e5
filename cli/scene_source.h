/* Frames of a built-in moving scene, made when needed. */
#ifndef GRAZE_SCENE_SOURCE_H
#define GRAZE_SCENE_SOURCE_H

#include "frame_source.h"

#include "simulation/moving_scene.h"

/* Zeroed: no scene. */
typedef struct scene_source {
  scene_stage *stage;
  uint64_t shown; /* the current frame, from 0 */
  const char *name;
} scene_source;

/* Sets up the first frame; false after a complaint. */
bool scene_source_open(scene_source *source, const moving_scene *scene, const scene_parameters *parameters);
void scene_source_close(scene_source *source);

/* Returns the frames of an open scene, which must outlive the result. */
frame_source frame_source_of_scene(scene_source *source);

/* Writes "Moving scenes:" and a line for each. */
void write_scenes(FILE *stream);

/* Complains "there is no scene NAME", with the nearest name. */
void refuse_scene(const char *name);

#endif

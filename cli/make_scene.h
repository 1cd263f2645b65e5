/* `graze make SCENE`: the frames of a scene that moves, a file each. */
#ifndef GRAZE_MAKE_SCENE_H
#define GRAZE_MAKE_SCENE_H

#include "complaint.h"

#include "simulation/moving_scene.h"

typedef struct make_scene_options {
  const moving_scene *scene;
  scene_parameters parameters;
  const char *output; /* a name with one %d, %4d or %04d, or a folder; NULL: NAME_%04d and the usual ending, here */
  bool separate;      /* a file for each object of a frame: its number and _ come before that of the frame */
  bool quiet;
} make_scene_options;

/* Whether the output can hold the frames; false after a complaint. Asked before anything is made. */
bool make_scene_output_fits(const make_scene_options *options);

/* Writes all frames, each as soon as it is made: those before an interruption are whole. */
exit_code make_scene_frames(make_scene_options *options);

#endif

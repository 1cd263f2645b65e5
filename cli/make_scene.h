/* `graze make SCENE`: the frames of a moving scene, one file each. */
#ifndef GRAZE_MAKE_SCENE_H
#define GRAZE_MAKE_SCENE_H

#include "complaint.h"

#include "simulation/moving_scene.h"

typedef struct make_scene_options {
  const moving_scene *scene;
  scene_parameters parameters;
  const char *output; /* a name with one %d, %4d or %04d, or a folder; NULL: NAME_%04d with the default ending, in the
                         current folder */
  bool separate;      /* one file per object of a frame: the object number and _ precede the frame number */
  bool quiet;
} make_scene_options;

/* Checks that the output can hold the frames; false after a complaint. Call before anything is made. */
bool make_scene_output_fits(const make_scene_options *options);

/* Writes each frame as soon as it is made, so that frames before an interruption are complete. */
exit_code make_scene_frames(make_scene_options *options);

#endif

/* The options of `graze distance`. */
#ifndef GRAZE_DISTANCE_OPTIONS_H
#define GRAZE_DISTANCE_OPTIONS_H

#include "backend_options.h"
#include "command_line.h"
#include "exclusion_list.h"
#include "mesh_file_list.h"

typedef struct distance_options {
  mesh_file_list inputs; /* the files of the operands, including those in folders; or the scene file */
  char **files;          /* their paths */
  size_t file_count;
  bool each, all, separate, depths, allow_large, quiet;
  bool is_scene; /* the only file is a scene file */
  double within; /* infinite: not requested */
  const char *units, *poses, *json, *csv, *picture;
  shift *shifts;
  size_t shift_count;
  rotation *rotations;
  size_t rotation_count;
  exclusion_source *exclusions;
  size_t exclusion_count;
  backend_options scene;
} distance_options;

extern const command_option distance_option_table[];

/* Release the options in any case. */
options_state distance_options_read(const command *self, int argument_count, char **arguments,
                                    distance_options *options);
void distance_options_release(distance_options *options);

#endif

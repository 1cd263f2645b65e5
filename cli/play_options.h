/* The options of `graze play`. */
#ifndef GRAZE_PLAY_OPTIONS_H
#define GRAZE_PLAY_OPTIONS_H

#include "drawing_options.h"
#include "exclusion_list.h"
#include "search_options.h"

#include "simulation/moving_scene.h"

typedef struct play_options {
  char **operands; /* borrowed from the arguments */
  size_t operand_count;
  const moving_scene *scene; /* NULL: files */
  bool is_scene_file;        /* the only operand is a scene file */
  scene_parameters parameters;
  bool list;
  bool self, separate, allow_large, quiet, keep_going, compare_methods;
  exclusion_sources exclusions; /* owned */
  search_options search;
  drawing_options drawing;
  const char *json, *csv, *picture, *plot, *report; /* NULL: not requested; "-": stdout */
  uint64_t picture_frame;                           /* 0: the last */
} play_options;

/* Release the options in any case. */
options_state play_options_read(const command *self, int argument_count, char **arguments, play_options *options_out);
void play_options_release(play_options *options);

/* The table from which the help text is made. */
extern const command_option play_option_table[];

#endif

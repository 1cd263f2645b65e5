/* The options of `graze pack`. */
#ifndef GRAZE_PACK_OPTIONS_H
#define GRAZE_PACK_OPTIONS_H

#include "backend_options.h"
#include "drawing_options.h"

#include "graze/packing.h"

typedef struct pack_options {
  const char *file; /* borrowed from the arguments, like */
  char **frames;    /* the frames of a deforming body of tetrahedra */
  size_t frame_count;
  const char *carried; /* file name of the spheres of frames, with a place for the number; NULL: not written */
  graze_packing_options limits;
  backend_options run; /* backend, device, number of threads */
  drawing_options drawing;
  bool allow_large, quiet;
  const char *output, *json, *picture, *report; /* NULL: not requested; for json "-": stdout */
} pack_options;

/* Reads and checks all options; there is nothing to release. */
options_state pack_options_read(const command *self, int argument_count, char **arguments, pack_options *options_out);

extern const command_option pack_option_table[];

#endif

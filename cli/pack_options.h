/* What `graze pack` was asked to do. */
#ifndef GRAZE_PACK_OPTIONS_H
#define GRAZE_PACK_OPTIONS_H

#include "backend_options.h"
#include "drawing_options.h"

#include "graze/packing.h"

typedef struct pack_options {
  const char *file; /* borrowed from the arguments, as are */
  char **frames;    /* those of a body of tetrahedra that deforms */
  size_t frame_count;
  const char *carried; /* where the spheres of frames go: a name with a place for the number; NULL: nowhere */
  graze_packing_options limits;
  backend_options run; /* backend, device, number of threads */
  drawing_options drawing;
  bool allow_large, quiet;
  const char *output, *json, *picture; /* NULL: not asked for; of json "-": stdout */
} pack_options;

/* Reads and checks all options; nothing to release. */
options_state pack_options_read(const command *self, int argument_count, char **arguments, pack_options *options_out);

extern const command_option pack_option_table[];

#endif

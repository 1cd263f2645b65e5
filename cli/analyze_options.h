/* The options of `graze analyze`. */
#ifndef GRAZE_ANALYZE_OPTIONS_H
#define GRAZE_ANALYZE_OPTIONS_H

#include "backend_options.h"

#include "graze/graze.h"

typedef struct analyze_options {
  char **paths; /* files and folders, borrowed from the arguments */
  size_t path_count;
  bool allow_large, quiet;
  backend_options scene;                  /* backend, device, number of threads */
  size_t worst_count;                     /* the number of most crowded primitives to list */
  const char *json, *csv, *plot, *report; /* NULL: not requested; "-": stdout */
} analyze_options;

/* Reads and checks all options; there is nothing to release. */
options_state analyze_options_read(const command *self, int argument_count, char **arguments,
                                   analyze_options *options_out);

extern const command_option analyze_option_table[];

#endif

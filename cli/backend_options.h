/* Where a command's scenes run: the options --backend, --device and --threads, and the message where that cannot be
 * had. */
#ifndef GRAZE_BACKEND_OPTIONS_H
#define GRAZE_BACKEND_OPTIONS_H

#include "command_line.h"

#include "graze/graze.h"

enum { CODE_BACKEND = OPTION_CODE_SHARED_FIRST, CODE_DEVICE, CODE_THREADS, CODE_ALLOW_LARGE };

/* Rows for tables of options. */
#define BACKEND_OPTION_ROWS                                                                                            \
  {"backend", CODE_BACKEND, "NAME", "cpu (default) or cuda"},                                                          \
      {"device", CODE_DEVICE, "N", "number of the CUDA device, for --backend cuda (default 0)"}, {                     \
    "threads", CODE_THREADS, "N", "number of threads (default: one for each processor)"                                \
  }

/* The row of the commands that read meshes; each keeps the flag itself. */
#define ALLOW_LARGE_ROW                                                                                                \
  { "allow-large", CODE_ALLOW_LARGE, NULL, "read compressed files that expand more than a hundredfold" }

/* The default definition of a scene, with no device chosen yet. */
graze_scene_def backend_options_start(void);

/* The value of one of the options in BACKEND_OPTION_ROWS; false after a complaint, and for any other code. */
bool read_backend_option(int code, const char *value, graze_scene_def *def);

/* After the last option: the default device, or a complaint where one was chosen for nothing. */
bool backend_options_finish(graze_scene_def *def);

/* A scene of the definition; says why where there is none. Never one of another backend. */
bool backend_make_scene(const graze_scene_def *def, graze_scene **scene_out);

#endif

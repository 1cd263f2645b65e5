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

typedef struct backend_options {
  const char *backend;   /* a name that the library gives */
  int device;            /* for a backend that has devices */
  uint32_t thread_count; /* 0: one for each processor */
} backend_options;

/* The default backend, with no device chosen yet. */
backend_options backend_options_start(void);

/* The value of one of the options in BACKEND_OPTION_ROWS; false after a complaint, and for any other code. */
bool read_backend_option(int code, const char *value, backend_options *options);

/* After the last option: the default device, or a complaint where one was chosen for nothing. */
bool backend_options_finish(backend_options *options);

bool backend_has_devices(const backend_options *options);

/* What the library is told of backend and device; it lives as long as the options. */
graze_backend_def backend_options_def(const backend_options *options);

/* A scene of the options; graze_error_text says why where there is none. Never one of another backend. */
graze_result backend_create_scene(const backend_options *options, graze_scene **scene_out);

/* Likewise, with a complaint where there is none. */
bool backend_make_scene(const backend_options *options, graze_scene **scene_out);

/* Whether the backend can be had, else a complaint: asked before any file is read, as it should be said at once. */
bool backend_is_there(const backend_options *options);

/* What to say of a failed call. Memory can also be out in the tool's own code, of which the library has no message. */
const char *library_message(graze_result result);

#endif

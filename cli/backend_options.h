/* The backend of the scenes of a command: the options --backend, --device and --threads, and the message if it is
 * unavailable. */
#ifndef GRAZE_BACKEND_OPTIONS_H
#define GRAZE_BACKEND_OPTIONS_H

#include "command_line.h"
#include "option_values.h"

#include "graze/graze.h"

enum { CODE_BACKEND = OPTION_CODE_SHARED_FIRST, CODE_DEVICE, CODE_THREADS, CODE_ALLOW_LARGE };

/* Rows for tables of options. */
#define BACKEND_OPTION_ROWS                                                                                            \
  {"backend", CODE_BACKEND, "NAME", "cpu (default) or cuda"},                                                          \
      {"device", CODE_DEVICE, "LIST", "CUDA device, or devices that share the scene (default 0)"}, {                   \
    "threads", CODE_THREADS, "N", "number of threads (default: one for each processor)"                                \
  }

/* The row for commands that read meshes; each stores the flag itself. */
#define ALLOW_LARGE_ROW                                                                                                \
  { "allow-large", CODE_ALLOW_LARGE, NULL, "read compressed files of any expanded size" }

typedef struct backend_options {
  const char *backend;           /* a name owned by the library */
  int devices[DEVICE_LIST_MOST]; /* for a backend with devices */
  size_t device_count;           /* 0: none yet */
  uint32_t thread_count;         /* 0: one for each processor */
} backend_options;

/* Returns the default backend, without a device. */
backend_options backend_options_start(void);

/* Reads one of the options in BACKEND_OPTION_ROWS; false after a complaint, or for any other code. */
bool read_backend_option(int code, const char *value, backend_options *options);

/* Call after the last option: sets the default device, or complains about a device without a backend that uses one. */
bool backend_options_finish(backend_options *options);

bool backend_has_devices(const backend_options *options);

/* Returns the backend for the library; it lives as long as the options. */
graze_backend_def backend_options_def(const backend_options *options);

/* Makes a scene; on failure graze_error_text has the reason. It never uses another backend. */
graze_result backend_create_scene(const backend_options *options, graze_scene **scene_out);

/* The same, with a complaint on failure. */
bool backend_make_scene(const backend_options *options, graze_scene **scene_out);

/* Checks that the backend is available, else complains. Called before any file is read, so that the error is
 * immediate. */
bool backend_is_available(const backend_options *options);

/* Returns the text for a failed call. Out of memory may also occur in the tool itself, of which the library has no
 * message. */
const char *library_message(graze_result result);

#endif

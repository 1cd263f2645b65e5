/* The backend of the scenes of a command: the options --backend, --device and --threads, and the message if it is
 * unavailable. */
#ifndef GRAZE_BACKEND_OPTIONS_H
#define GRAZE_BACKEND_OPTIONS_H

#include "option_values.h"

#include "graze/graze.h"

/* Rows for tables of options; `member` is the backend_options in the struct of the command. */
#define BACKEND_OPTION_ROWS(type, member)                                                                              \
  {"backend",                                                                                                          \
   0,                                                                                                                  \
   "NAME",                                                                                                             \
   OPTION_MACHINE,                                                                                                     \
   OPTION_READ(option_read_backend, type, member.backend),                                                             \
   "cpu (default) or cuda"},                                                                                           \
      {"device",                                                                                                       \
       0,                                                                                                              \
       "LIST",                                                                                                         \
       OPTION_MACHINE,                                                                                                 \
       OPTION_READ(option_read_devices, type, member),                                                                 \
       "CUDA device, or devices that share the scene (default 0)"},                                                    \
  {                                                                                                                    \
    "threads", 0, "N", OPTION_MACHINE, OPTION_U32(type, member.thread_count, 1, THREADS_MOST),                         \
        "number of threads (default: one for each processor)"                                                          \
  }

/* The row for commands that read meshes. */
#define ALLOW_LARGE_ROW(type)                                                                                          \
  {                                                                                                                    \
    "allow-large", 0, NULL, OPTION_MACHINE, OPTION_FLAG(type, allow_large),                                            \
        "read compressed files of any expanded size"                                                                   \
  }

/* More threads than any machine has; protects against typing errors. */
enum { THREADS_MOST = 1024 };

typedef struct backend_options {
  const char *backend;           /* a name owned by the library */
  int devices[DEVICE_LIST_MOST]; /* for a backend with devices */
  size_t device_count;           /* 0: none yet */
  uint32_t thread_count;         /* 0: one for each processor */
} backend_options;

/* Returns the default backend, without a device. */
backend_options backend_options_start(void);

/* Readers of the rows: a name of the library, and device numbers for a backend_options. */
option_reader option_read_backend, option_read_devices;

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

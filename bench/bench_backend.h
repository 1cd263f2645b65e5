/* The backend that a benchmark runs on: its name read from the command line, and the scenes made by it. */
#ifndef GRAZE_BENCH_BACKEND_H
#define GRAZE_BENCH_BACKEND_H

#include "graze/graze.h"

/* All zero: the processor. */
typedef struct bench_backend {
  const char *name; /* NULL, or one that the library gives */
  int device;       /* for a backend that has devices */
} bench_backend;

/* False for a name that the library does not know: no other backend takes its place. */
bool bench_backend_read(const char *name, bench_backend *backend);

/* The names that there are, "cpu or cuda". */
void bench_backend_list(char *words_out, size_t words_bytes);

bool bench_backend_has_devices(const bench_backend *backend);

/* A scene that runs there; graze_error_text says why where there is none. NULL for the allocator: the C library's. */
graze_result bench_backend_scene(const bench_backend *backend, uint32_t threads, const graze_allocator *allocator,
                                 graze_scene **scene_out);

#endif

/* The backend of a benchmark: reads its name from the command line and creates scenes on it. */
#ifndef GRAZE_BENCH_BACKEND_H
#define GRAZE_BENCH_BACKEND_H

#include "graze/graze.h"

enum { BENCH_DEVICES_MAX = 64 };

/* Zero-initialized: the processor. */
typedef struct bench_backend {
  const char *name;               /* NULL, or a name of the library */
  int devices[BENCH_DEVICES_MAX]; /* for a backend that has devices; scenes are divided over several */
  size_t device_count;            /* 0: the first device */
} bench_backend;

/* Returns false for a name that the library does not know; there is no fallback. */
bool bench_backend_read(const char *name, bench_backend *backend);

/* Lists the available names: "cpu or cuda". */
void bench_backend_list(char *words_out, size_t words_bytes);

bool bench_backend_has_devices(const bench_backend *backend);

/* Creates a scene on the backend; on failure, graze_error_text has the reason. A NULL allocator is the C library's. */
graze_result bench_backend_scene(const bench_backend *backend, uint32_t threads, const graze_allocator *allocator,
                                 graze_scene **scene_out);

#endif

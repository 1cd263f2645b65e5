/* The benchmark of graze: scenes x methods x backends x threads x sizes, and the tables of studies. */
#ifndef GRAZE_BENCH_RUN_H
#define GRAZE_BENCH_RUN_H

#include "bench/bench_study.h"
#include "bench/bench_words.h"

#include "graze/graze.h"

enum { BENCH_THREADS_MAX = 16, BENCH_SIZES_MAX = 16, BENCH_BACKENDS_MAX = 4 };

typedef struct bench_settings {
  bool quick;
  bench_words tables; /* names of bench_list_name; none: only "scenes" */
  bool all_tables;
  bench_words scenes;  /* parts of names */
  bench_words methods; /* none: all, brute only on small scenes; on a device only the grid */
  uint32_t threads[BENCH_THREADS_MAX];
  size_t thread_count_count;
  size_t sizes[BENCH_SIZES_MAX]; /* triangles of built-in models; none: each model's own */
  size_t size_count;
  size_t rounds;
  size_t passes;   /* passes over the table scenes, which share the rounds; 0: one */
  double least_ms; /* the tables scenes and growth add rounds until each scene was measured for this time */
  bench_backend backends[BENCH_BACKENDS_MAX];
  size_t backend_count;
  int devices[BENCH_DEVICES_MAX]; /* for backends with devices */
  size_t device_count;            /* 0: none selected */
  const char *data;               /* folder of real meshes; NULL: none */
  const char *folder;             /* for the file that the table reading writes and reads */
  const char *figures;            /* folder for drawings; NULL: none */
  bench_watch *watch;             /* may be NULL */
  bench_suite_settings suite;     /* its triangles are the first size */
} bench_settings;

/* Returns the settings for studies and suites: the first backend and thread count, and the last thread count for rows
 * about threads. */
bench_study_settings bench_settings_of_study(const bench_settings *settings);

/* The tables by name: "scenes", "growth", "reading", and the studies. */
size_t bench_list_count(void);
const char *bench_list_name(size_t table);
const char *bench_list_title(size_t table); /* one line */

/* Whether a table supports devices; and whether it runs on every backend, not only on the first. */
bool bench_list_of_devices(size_t table);
bool bench_list_of_all_backends(size_t table);

/* Whether the settings select any scene. */
bool bench_run_has_scenes(const bench_settings *settings);

typedef enum bench_ending {
  BENCH_DONE,
  BENCH_STOPPED, /* by the watch; measurements are kept */
  BENCH_FAILED   /* a call failed, or answers that must be equal differ */
} bench_ending;

/* Prints tables on stdout and adds their rows to `out`, whose record the caller has set. bench_lines_free releases the
 * rows, also after a failure, for which `error` has a message. */
bench_ending bench_run(const bench_settings *settings, bench_output *out, char *error, size_t error_bytes);

/* Measures the doubted lines of `out` again, as a further pass: single rows of the table scenes, other tables as a
 * whole. Draws nothing. */
bench_ending bench_run_doubted(const bench_settings *settings, bench_output *out, char *error, size_t error_bytes);

#endif

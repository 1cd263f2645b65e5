/* The benchmark of graze alone: scenes x methods x backends x threads x sizes, and the tables of studies. */
#ifndef GRAZE_BENCH_RUN_H
#define GRAZE_BENCH_RUN_H

#include "bench/bench_study.h"
#include "bench/bench_words.h"

#include "graze/graze.h"

enum { BENCH_THREADS_MAX = 16, BENCH_SIZES_MAX = 16, BENCH_BACKENDS_MAX = 4 };

typedef struct bench_settings {
  bool quick;
  bench_words tables; /* of bench_list_name; none: "scenes" alone */
  bool all_tables;
  bench_words scenes;  /* parts of names */
  bench_words methods; /* none: all, brute on small scenes only, and on a device the grid alone */
  uint32_t threads[BENCH_THREADS_MAX];
  size_t thread_count_count;
  size_t sizes[BENCH_SIZES_MAX]; /* triangles of built-in models; none: each has its own */
  size_t size_count;
  size_t rounds;
  size_t passes;   /* over all scenes of the table scenes, which share the rounds; 0: one */
  double least_ms; /* rows of the tables scenes and growth have more rounds until so much was measured of a scene */
  bench_backend backends[BENCH_BACKENDS_MAX];
  size_t backend_count;
  int device;                 /* of those that have devices, as their own `device` says; below 0: none was chosen */
  const char *data;           /* folder of real meshes; NULL: none */
  const char *folder;         /* for the file that is written and read */
  const char *figures;        /* folder for drawings; NULL: none */
  bench_watch *watch;         /* NULL: nobody */
  bench_suite_settings suite; /* its triangles are the first of the sizes */
} bench_settings;

/* What studies and suites look at: of backends and threads the first, and the last of the threads where they are the
 * question. */
bench_study_settings bench_settings_of_study(const bench_settings *settings);

/* The tables by name: "scenes", "growth", "reading", and the studies. */
size_t bench_list_count(void);
const char *bench_list_name(size_t table);
const char *bench_list_title(size_t table); /* one line */

/* Whether a table has anything that runs on a device; and whether it runs on every backend, not on the first alone. */
bool bench_list_of_devices(size_t table);
bool bench_list_of_all_backends(size_t table);

/* Whether a scene of that name would run. */
bool bench_run_has_scenes(const bench_settings *settings);

typedef enum bench_ending {
  BENCH_DONE,
  BENCH_STOPPED, /* by the watch: what was measured is kept */
  BENCH_FAILED   /* a call failed, or answers that must be equal are not */
} bench_ending;

/* Prints tables on stdout and keeps their rows in `out`, which begins with its record filled in; bench_lines_free
 * releases it, also after a failure, for which a message is in `error`. */
bench_ending bench_run(const bench_settings *settings, bench_output *out, char *error, size_t error_bytes);

/* Once more what is doubted of the lines of `out`, as a further pass of them: rows of the table scenes one by one,
 * other tables as a whole. Draws nothing. */
bench_ending bench_run_doubted(const bench_settings *settings, bench_output *out, char *error, size_t error_bytes);

#endif

/* The studies: tables that each compare a few calls, on kinds, passes, penetration depth, memory, k, clearances,
 * clusters, methods and sphere trees. */
#ifndef GRAZE_BENCH_STUDY_H
#define GRAZE_BENCH_STUDY_H

#include "bench/bench_table.h"
#include "bench/bench_words.h"
#include "bench/configurations.h"

/* Additional settings of the suite of rigid bodies. */
typedef struct bench_suite_settings {
  size_t triangles; /* approximate triangles of a body; 0: its own number */
  uint64_t share;   /* number of ways by distance, and by volume */
  bool all;         /* all ways instead of a share */
  uint64_t seed;
  configuration_method method;
  const char *configurations; /* the file to read them from, or to write if it does not exist; NULL: none */
} bench_suite_settings;

typedef struct bench_study_settings {
  bool quick;            /* bodies at a tenth of their size */
  bench_words scenes;    /* parts of names, for studies of the benchmark's scenes */
  const char *figures;   /* folder for drawings; NULL: none */
  uint32_t threads;      /* for all rows except those about threads */
  uint32_t threads_most; /* for rows about threads */
  size_t rounds;
  const char *data; /* folder of real meshes; NULL: none */
  bench_backend backend;
  bench_watch *watch;                /* may be NULL */
  const bench_suite_settings *suite; /* only for suites */
} bench_study_settings;

size_t bench_study_count(void);
const char *bench_study_name(size_t study);  /* for the command line */
const char *bench_study_title(size_t study); /* one line */

bool bench_study_of_devices(size_t study); /* whether the study supports devices */

/* Runs a study; `rows` has room for `capacity`. Returns false with a message in `error` if a call fails or answers that
 * must be equal differ, and false without a message if the watch stops it. */
bool bench_study_run(size_t study, const bench_study_settings *settings, bench_output *out, bench_row *rows,
                     size_t capacity, char *error, size_t error_bytes);

#endif

/* The studies: tables that each compare a few calls, about kinds, passes, depth of penetration, memory, k, clearances,
 * clusters, methods and sphere trees. */
#ifndef GRAZE_BENCH_STUDY_H
#define GRAZE_BENCH_STUDY_H

#include "bench/bench_table.h"
#include "bench/bench_words.h"
#include "bench/configurations.h"

/* What the suite of rigid bodies is told beside the rest. */
typedef struct bench_suite_settings {
  size_t triangles; /* of a body, about; 0: its own number */
  uint64_t share;   /* ways by distance and by volume, each */
  bool all;         /* in place of a share */
  uint64_t seed;
  configuration_method method;
  const char *configurations; /* the file that they are read from, or written to where it is not there; NULL: none */
} bench_suite_settings;

typedef struct bench_study_settings {
  bool quick;            /* bodies of a tenth */
  bench_words scenes;    /* parts of names, for studies of the benchmark's scenes */
  const char *figures;   /* folder for drawings; NULL: none */
  uint32_t threads;      /* of all but the rows that are about threads */
  uint32_t threads_most; /* of those */
  size_t rounds;
  const char *data; /* folder of real meshes; NULL: none */
  bench_backend backend;
  bench_watch *watch;                /* NULL: nobody */
  const bench_suite_settings *suite; /* of suites alone */
} bench_study_settings;

size_t bench_study_count(void);
const char *bench_study_name(size_t study);  /* as one asks for it */
const char *bench_study_title(size_t study); /* one line */

bool bench_study_of_devices(size_t study); /* whether it is about anything that a device has too */

/* `rows` has room for `capacity`. False when a call failed or answers that must be equal are not: then a message is in
 * `error`; and when the watch stopped it. */
bool bench_study_run(size_t study, const bench_study_settings *settings, bench_output *out, bench_row *rows,
                     size_t capacity, char *error, size_t error_bytes);

#endif

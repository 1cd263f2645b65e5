/* The studies: tables that each compare a few calls, about kinds, duplicate elimination, passes, cell hashes, pair
 * tests, depth of penetration, memory, k, clusters, methods, curves, sphere trees and forces. */
#ifndef GRAZE_BENCH_STUDY_H
#define GRAZE_BENCH_STUDY_H

#include "bench/bench_table.h"

typedef struct bench_study_settings {
  bool quick;            /* bodies of a tenth */
  const char *part;      /* of a study's name; "" for all; "methods:knots": of its scenes those of such names alone */
  const char *figures;   /* folder for drawings; NULL: none */
  uint32_t threads;      /* of all but the rows that are about threads */
  uint32_t threads_most; /* of those */
  size_t rounds;
  const char *data;      /* folder of real meshes; NULL: none */
  bench_backend backend; /* studies of what the processor alone has are left out on a device */
} bench_study_settings;

size_t bench_study_count(void);
const char *bench_study_name(size_t study);  /* as one asks for it */
const char *bench_study_title(size_t study); /* one line */

/* Runs all studies whose name contains the part; `rows` has room for `capacity`. False when a call failed or answers
 * that must be equal are not: then a message is in `error`. */
bool bench_studies_run(const bench_study_settings *settings, const bench_output *out, bench_row *rows, size_t capacity,
                       char *error, size_t error_bytes);

#endif

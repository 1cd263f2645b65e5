/* One measured call of graze: a scene made afresh, updated, asked, and thrown away. */
#ifndef GRAZE_BENCH_CALL_H
#define GRAZE_BENCH_CALL_H

#include "bench/bench_scene.h"

#include "graze/graze.h"

typedef struct bench_call {
  const bench_scene *scene;
  const char *method;
  graze_once once;
  uint32_t threads;
} bench_call;

typedef struct bench_result {
  graze_timings stages; /* summed over the poses of a moving scene */
  graze_counters counters;
  double total_ms; /* wall time of everything, the making and the copies included */
  uint64_t pairs;  /* or poses that meet */
  uint64_t hash;   /* of the pairs, or of the poses that meet */
} bench_result;

/* On failure writes one sentence. */
bool bench_call_run(const bench_call *call, bench_result *result_out, char *error, size_t error_bytes);

#endif

/* One measured call of graze: a scene made afresh, updated, asked, and thrown away. On a device it is the second frame
 * that is measured, with new positions: what devices keep from frame to frame is there by then. */
#ifndef GRAZE_BENCH_CALL_H
#define GRAZE_BENCH_CALL_H

#include "bench/bench_backend.h"
#include "bench/bench_scene.h"

#include "graze/graze.h"

typedef enum bench_question {
  BENCH_ASK_PAIRS = 0,
  BENCH_ASK_CONTACTS = 1, /* the pairs, and what each of them shares */
  BENCH_ASK_CROWDING = 2  /* k of every primitive of the last object, and no pairs */
} bench_question;

/* What is left zero is the default. */
typedef struct bench_call {
  const bench_scene *scene;
  const char *method;
  graze_dedup dedup;
  uint32_t threads;
  bench_kind kind; /* which pairs are asked for; most often the scene's own */
  graze_hash hash;
  graze_test test;
  bench_question question;
  const bench_pose *pose; /* of the last object; NULL: where it is */
  bench_backend backend;
} bench_call;

typedef struct bench_result {
  graze_timings stages; /* summed over the poses of a moving scene; of a device by its own clock */
  graze_counters counters;
  uint64_t peak_bytes;    /* of the scene and its lists together, which the counter of that name leaves out */
  uint64_t updated_bytes; /* what the scene held before it was asked; not for moving scenes */
  double total_ms;        /* wall time of everything, the making and the copies included; on a device of one frame with
                             its copies, but of everything in moving scenes */
  double asked_ms;        /* that of the question alone: neither making, nor copies, nor update */
  uint64_t pairs;         /* or poses that meet, or the object's k */
  uint64_t hash;          /* of the pairs, or of the poses that meet; 0 without pairs */
} bench_result;

/* On failure writes one message. */
bool bench_call_run(const bench_call *call, bench_result *result_out, char *error, size_t error_bytes);

#endif

/* One measured call of graze: a scene made afresh, updated, asked, and thrown away. Where a later frame is asked for,
 * and on a device always, frames go before the one that is measured: what is kept from frame to frame is there by
 * then. */
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

/* Which frame of a scene is measured. */
typedef enum bench_frame {
  BENCH_FRAME_FIRST = 0,     /* from an empty scene on; on a device as the next one */
  BENCH_FRAME_POSITIONS = 1, /* a later one of a kept scene, all of whose positions are new */
  BENCH_FRAME_POSES = 2      /* a later one, in which the last object has a new pose and nothing else is new */
} bench_frame;

const char *bench_question_name(bench_question question); /* one word */
const char *bench_frame_name(bench_frame frame);          /* likewise */

/* A method or a test that the library does not offer, for a program that has one. What is NULL is the library's. */
typedef struct bench_variant {
  const char *name;                                                        /* of the method in records, as grid-sort */
  graze_result (*set)(graze_scene *scene, const graze_method_def *method); /* in place of graze_scene_set_method */
  graze_result (*find)(const graze_scene *scene, const graze_query *query, graze_pairs *pairs); /* of _find_pairs */
} bench_variant;

/* By the variant, or where it is NULL or has none by the library. */
graze_result bench_variant_set(const bench_variant *variant_or_null, graze_scene *scene,
                               const graze_method_def *method);
graze_result bench_variant_find(const bench_variant *variant_or_null, const graze_scene *scene,
                                const graze_query *query, graze_pairs *pairs);

/* What is left zero is the default. */
typedef struct bench_call {
  const bench_scene *scene;
  const char *method;
  uint32_t threads;
  bench_kind kind; /* which pairs are asked for; most often the scene's own */
  graze_test test;
  bench_question question;
  const bench_pose *pose; /* of the last object; NULL: where it is */
  bench_backend backend;
  bench_frame frame;
  uint32_t earlier;                /* frames before the measured one, where that is a later one; at least one */
  graze_tree_builder tree_builder; /* as this and the next two stand in the method's definition */
  uint32_t clusters;
  graze_axis axis;
  const bench_variant *variant; /* NULL: none */
} bench_call;

/* The name of the variant, or of the method. */
const char *bench_call_method(const bench_call *call);

typedef struct bench_result {
  graze_timings stages; /* summed over the poses of a moving scene; of a device by its own clock */
  graze_counters counters;
  uint64_t peak_bytes;    /* of the scene and its lists together, which the counter of that name leaves out */
  uint64_t updated_bytes; /* what the scene held before it was asked; not for moving scenes */
  double total_ms;        /* wall time of everything, the making and the copies included; of a later frame, and on a
                             device, of that frame with its copies, but of everything in moving scenes */
  double processor_ms;    /* of processors in that time, all threads together */
  double asked_ms;        /* that of the question alone: neither making, nor copies, nor update */
  double yardstick_ms;    /* of fixed work in the same round: bench_yardstick.h */
  uint64_t pairs;         /* or poses that meet, or the object's k */
  uint64_t hash;          /* of the pairs, or of the poses that meet; 0 without pairs */
} bench_result;

/* On failure writes one message. */
bool bench_call_run(const bench_call *call, bench_result *result_out, char *error, size_t error_bytes);

#endif

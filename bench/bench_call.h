/* One measured call of graze: creates, updates, queries and destroys a scene. For a later frame, and always on a
 * device, warm-up frames precede the measured frame, so that the scene has what it keeps between frames. */
#ifndef GRAZE_BENCH_CALL_H
#define GRAZE_BENCH_CALL_H

#include "bench/bench_backend.h"
#include "bench/bench_scene.h"

#include "graze/graze.h"

typedef enum bench_question {
  BENCH_ASK_PAIRS = 0,
  BENCH_ASK_CONTACTS = 1, /* pairs and their contacts */
  BENCH_ASK_CROWDING = 2  /* k of every primitive of the last object; no pairs */
} bench_question;

/* The frame of a scene that is measured. */
typedef enum bench_frame {
  BENCH_FRAME_FIRST = 0,     /* from an empty scene; on a device, like the next one */
  BENCH_FRAME_POSITIONS = 1, /* a later frame of a kept scene; all positions are new */
  BENCH_FRAME_POSES = 2      /* a later frame in which only the pose of the last object is new */
} bench_frame;

const char *bench_question_name(bench_question question); /* one word */
const char *bench_frame_name(bench_frame frame);          /* likewise */

/* A method or test outside the library. NULL members select the library's functions. */
typedef struct bench_variant {
  const char *name;                                                        /* of the method in records, as grid-sort */
  graze_result (*set)(graze_scene *scene, const graze_method_def *method); /* in place of graze_scene_set_method */
  graze_result (*find)(const graze_scene *scene, const graze_query *query, graze_pairs *pairs); /* of _find_pairs */
} bench_variant;

/* Call the variant's function, or the library's if the variant or its function is NULL. */
graze_result bench_variant_set(const bench_variant *variant_or_null, graze_scene *scene,
                               const graze_method_def *method);
graze_result bench_variant_find(const bench_variant *variant_or_null, const graze_scene *scene,
                                const graze_query *query, graze_pairs *pairs);

/* Zero members select defaults. */
typedef struct bench_call {
  const bench_scene *scene;
  const char *method;
  uint32_t threads;
  bench_kind kind; /* the pairs to find; usually the scene's own kind */
  graze_test test;
  bench_question question;
  const bench_pose *pose; /* of the last object; NULL: unchanged */
  bench_backend backend;
  bench_frame frame;
  uint32_t earlier;                /* warm-up frames if a later frame is measured; at least one */
  graze_tree_builder tree_builder; /* this and the next two are members of the method's definition */
  uint32_t clusters;
  graze_axis axis;
  const bench_variant *variant; /* NULL: none */
} bench_call;

/* The name of the variant, or of the method. */
const char *bench_call_method(const bench_call *call);

typedef struct bench_result {
  graze_timings stages; /* summed over the poses of a moving scene; on a device by its own clock */
  graze_counters counters;
  uint64_t peak_bytes;    /* of the scene and its lists; the counter of that name excludes the lists */
  uint64_t updated_bytes; /* memory of the scene before the query; not for moving scenes */
  double total_ms;        /* wall time including creation and copies; for a later frame, and on a device, only that
                             frame with its copies; for moving scenes everything */
  double processor_ms;    /* processor time of all threads in that period */
  double asked_ms;        /* time of the query only, without creation, copies and update */
  double yardstick_ms;    /* time of fixed work in the same round: bench_yardstick.h */
  uint64_t pairs;         /* or poses that intersect, or the object's k */
  uint64_t hash;          /* of the pairs, or of the intersecting poses; 0 without pairs */
} bench_result;

/* Runs a call. On failure, writes one message. */
bool bench_call_run(const bench_call *call, bench_result *result_out, char *error, size_t error_bytes);

#endif

/* The common interface of everything that graze_rigid times: graze's methods, and other libraries in bench/peers.
 *
 * An engine holds two bodies (a pair) or thousands (a world), which are built once and queried repeatedly. Shapes and
 * poses are borrowed as long as the bodies exist. One thread. */
#ifndef GRAZE_RIGID_ENGINE_H
#define GRAZE_RIGID_ENGINE_H

#include "bench/bench_scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rigid_question {
  RIGID_ANY = 0,  /* whether there is a pair */
  RIGID_ALL = 1,  /* all pairs of triangles */
  RIGID_TOUCH = 2 /* worlds: the number of intersecting pairs of bodies; one pair of triangles each suffices if the
                     engine can stop there */
} rigid_question;

typedef struct rigid_answer {
  bool found;
  uint64_t pairs;     /* of triangles, as reported by the engine; for RIGID_TOUCH of bodies; 0 for RIGID_ANY */
  uint64_t hash;      /* graze_pairs_hash of them; 0 if the engine is not exact */
  uint64_t box_tests; /* for all pairs; 0 if unknown */
} rigid_answer;

/* The queries that an engine supports, and its properties; bits. */
enum {
  RIGID_HAS_ANY = 1,     /* ask_pair with RIGID_ANY */
  RIGID_HAS_ALL = 2,     /* ask_pair with RIGID_ALL */
  RIGID_HAS_FRAMES = 4,  /* ask_frame */
  RIGID_HAS_WORLD = 8,   /* the functions of worlds */
  RIGID_IS_EXACT = 16,   /* its answers and hash must equal those of the first engine */
  RIGID_IS_SQUARE = 32,  /* tests every triangle with every other: for small bodies */
  RIGID_IS_COHERENT = 64 /* uses the result of the previous step, so it must run all steps */
};

typedef struct rigid_error {
  char text[256];
} rigid_error;

typedef struct rigid_engine {
  const char *name;
  unsigned takes_part;
  const void *chosen; /* private to the engine: its variant */

  /* The first body is fixed, the second takes poses. Returns NULL on failure. */
  void *(*open_pair)(const struct rigid_engine *engine, const bench_shape shapes[2], rigid_error *error);
  bool (*ask_pair)(void *pair, const bench_pose *pose, rigid_question question, rigid_answer *answer_out,
                   rigid_error *error);
  /* Finds all pairs after new positions of both bodies, without a pose; the triangles are those of open_pair. */
  bool (*ask_frame)(void *pair, const bench_shape shapes[2], rigid_answer *answer_out, rigid_error *error);
  void (*close_pair)(void *pair);

  /* Body i has the shape i % shape_count and its initial pose. */
  void *(*open_world)(const struct rigid_engine *engine, const bench_shape *shapes, size_t shape_count,
                      const bench_pose *poses, size_t body_count, rigid_error *error);
  /* Sets the poses of all bodies. */
  bool (*ask_world)(void *world, const bench_pose *poses, rigid_question question, rigid_answer *answer_out,
                    rigid_error *error);
  void (*close_world)(void *world);
} rigid_engine;

/* The engines of graze, one per method, the tree first. */
const rigid_engine *rigid_graze_engines(size_t *count_out);

/* The engines of bench/peers, only for graze_rigid; rigid_peers_absent.c replaces them in builds without other
 * libraries. */
const rigid_engine *rigid_peer_engines(size_t *count_out);

#ifdef __cplusplus
}
#endif

#endif

/* The neutral face of everything that graze_rigid times: graze's methods here, other libraries in bench/peers.
 *
 * An engine holds two bodies (a pair) or thousands of them (a world), built once; then it is asked again and again.
 * Shapes and poses are borrowed for as long as the bodies are held. One thread. */
#ifndef GRAZE_RIGID_ENGINE_H
#define GRAZE_RIGID_ENGINE_H

#include "bench/bench_scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rigid_question {
  RIGID_ANY = 0,  /* whether there is a pair */
  RIGID_ALL = 1,  /* all pairs of triangles */
  RIGID_TOUCH = 2 /* worlds: how many pairs of bodies touch, each by one pair of triangles where the engine can stop
                     there */
} rigid_question;

typedef struct rigid_answer {
  bool found;
  uint64_t pairs;     /* of triangles, as many as the engine names; for RIGID_TOUCH of bodies; 0 for RIGID_ANY */
  uint64_t hash;      /* graze_pairs_hash of them; 0 where the engine is not exact */
  uint64_t box_tests; /* that it made for all pairs; 0 where the engine does not say */
} rigid_answer;

/* What an engine takes part in; bits. */
enum {
  RIGID_HAS_ANY = 1,     /* ask_pair with RIGID_ANY */
  RIGID_HAS_ALL = 2,     /* ask_pair with RIGID_ALL */
  RIGID_HAS_FRAMES = 4,  /* ask_frame */
  RIGID_HAS_WORLD = 8,   /* the functions of worlds */
  RIGID_IS_EXACT = 16,   /* its answers must be those of the first engine, hash and all */
  RIGID_IS_SQUARE = 32,  /* tests every triangle with every other: for small bodies */
  RIGID_IS_COHERENT = 64 /* begins where the last step's search would better have begun, and so does all steps */
};

typedef struct rigid_error {
  char text[256];
} rigid_error;

typedef struct rigid_engine {
  const char *name;
  unsigned takes_part;
  const void *chosen; /* the engine's own: which of several ways it is */

  /* The first body stands, the second takes poses. NULL after a failure. */
  void *(*open_pair)(const struct rigid_engine *engine, const bench_shape shapes[2], rigid_error *error);
  bool (*ask_pair)(void *pair, const bench_pose *pose, rigid_question question, rigid_answer *answer_out,
                   rigid_error *error);
  /* All pairs where all positions of both bodies are new, without a pose; the triangles are those of open_pair. */
  bool (*ask_frame)(void *pair, const bench_shape shapes[2], rigid_answer *answer_out, rigid_error *error);
  void (*close_pair)(void *pair);

  /* Body i has the shape i % shape_count, and its pose to begin with. */
  void *(*open_world)(const struct rigid_engine *engine, const bench_shape *shapes, size_t shape_count,
                      const bench_pose *poses, size_t body_count, rigid_error *error);
  /* Every body takes its pose. */
  bool (*ask_world)(void *world, const bench_pose *poses, rigid_question question, rigid_answer *answer_out,
                    rigid_error *error);
  void (*close_world)(void *world);
} rigid_engine;

/* graze by its methods, the tree first. */
const rigid_engine *rigid_graze_engines(size_t *count_out);

/* Those of bench/peers, for graze_rigid alone; rigid_peers_absent.c takes their place in builds without other
 * libraries. */
const rigid_engine *rigid_peer_engines(size_t *count_out);

#ifdef __cplusplus
}
#endif

#endif

/* Common functions of the tests of scenes: creates a scene of meshes in one of several ways, queries it, and stores the
 * answer.
 *
 * A way of running changes how the answer is found (method, vector width, workers, task system, float or double input)
 * and never the answer. Workload: a few thousand triangles, a few thousand runs per program. */
#ifndef GRAZE_TESTS_SCENE_RUNNER_H
#define GRAZE_TESTS_SCENE_RUNNER_H

#include "graze/graze.h"
#include "mesh_io/mesh.h"
#include "scene_calls.h"

typedef struct running_variant {
  const char *method; /* its name; of "clusters" its options may follow, as in "clusters 7 x linf" */
  graze_simd simd;
  uint32_t worker_count;
  graze_threading threading;
  const graze_task_system *tasks; /* NULL: the library's own workers */
  bool as_float;                  /* hand positions over as floats; they must be representable */
} running_variant;

/* All ways run on the backend of chosen_backend.h, but the method brute, the reference. */

/* The reference of the others: brute, scalar, alone. */
running_variant running_variant_reference(void);

/* Whether this build and processor can run so: vector widths and OpenMP may be missing. */
bool running_variant_available(const running_variant *variant);

typedef struct object_filter {
  uint64_t category, mask;
  bool self;
} object_filter;

/* A scene of the meshes, updated. `filters` has one for each mesh, or is NULL for the defaults. Fails the test where
 * the library refuses. */
graze_scene *runner_scene(const running_variant *variant, const mesh *meshes, size_t mesh_count,
                          const object_filter *filters);

graze_object runner_add(graze_scene *scene, const mesh *m, bool as_float, const object_filter *filter);

/* An answer that outlives its scene. */
typedef struct pair_answer {
  graze_pair *pairs;
  size_t count;
  uint64_t hash;
  bool limit_reached;
  graze_timings timings;
  graze_counters counters;
} pair_answer;

static inline void pair_answer_free(pair_answer *answer) {
  free(answer->pairs);
}

/* Asks, and checks on the way what every answer promises: the order, the hash, the counters. */
pair_answer runner_find(const graze_scene *scene, const graze_query *query);

/* The counters of the last update, and the memory that the scene holds now. */
graze_counters runner_counters(const graze_scene *scene);

/* Fails the test, naming the first difference, unless both are the same list. */
void runner_compare(const pair_answer *wanted, const pair_answer *found, const char *scene_name,
                    const char *variant_name);

/* Writes a description such as "grid simd2 workers5 threading1 tasks float". */
void running_variant_words(const running_variant *variant, char *words_out, size_t words_bytes);

/* Task systems of a host without threads of its own: tasks run last to first, or shuffled, as any of four workers. */
extern const graze_task_system host_runs_reversed, host_runs_shuffled;

#endif

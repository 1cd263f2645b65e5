/* The life of a scene in which one allocation fails: the call reports it and is repeated with memory available. */
#ifndef GRAZE_TESTS_FAILING_LIFE_H
#define GRAZE_TESTS_FAILING_LIFE_H

#include "base/checked_allocator.h"
#include "small_meshes.h"

enum { ANSWERS = 48 };

typedef struct failing_life {
  checked_allocator heap;
  bool persistent; /* after the refused allocation the rest of the call is refused, too */
  bool trims;      /* before each query */
  size_t failures;
  bool keeps; /* workers keep blocks: where one allocation alone is refused these go back, and it is made again */
  graze_workers *workers; /* NULL: the scene's own */
  graze_scene *scene;
  bool updated;       /* the scene has an answer that refused calls must not touch */
  uint64_t last_hash; /* of that answer */
  uint64_t hashes[ANSWERS];
  size_t hash_count;
} failing_life;

/* Whether a call was refused. Other failures are those of the test. */
bool is_refusal(failing_life *life, graze_result result);

/* A refused call has changed nothing: what the scene answered before, it answers now. */
void check_untouched(const failing_life *life);

/* Calls, and once more with memory back where the first was refused. Changes of the scene make its answer stale. */
#define LIVE(life, call, changes)                                                                                      \
  do {                                                                                                                 \
    if (is_refusal(life, call)) {                                                                                      \
      check_untouched(life);                                                                                           \
      assert_ok(call);                                                                                                 \
    }                                                                                                                  \
    if (changes) (life)->updated = false;                                                                              \
  } while (0)

/* An answer that must be the same in every life. */
void record_hash(failing_life *life, uint64_t hash);

/* Workers keep memory for scenes of the same functions, which must be those of one file. */
graze_allocator life_allocator(failing_life *life);

void live_create(failing_life *life, const graze_task_system *tasks);
void live_destroy(failing_life *life);
void live_method(failing_life *life, const char *name);
void live_update(failing_life *life);

/* To be called before each query: trims, in a life that does. */
void before_query(const failing_life *life);

void live_find(failing_life *life, const graze_query *query);
void live_objects(failing_life *life);
void live_distances(failing_life *life, const graze_query *query);

/* All that regions have, twice: in a new list, and in one that grows no more. */
void live_regions(failing_life *life);

/* Object 1 against the others. With a method that keeps no trees, the call builds them. */
void live_configurations(failing_life *life);

typedef void scenario(failing_life *life);

/* Runs the scenario once for each `step`th of its allocations, which is refused. */
void fail_each_of_a_life(scenario *run, size_t step, bool trims);

/* Each allocation; and every third of the same life with a trim before each query, whose scratch is then allocated
 * anew. */
void fail_each_in_turn(scenario *run, size_t step);

#endif

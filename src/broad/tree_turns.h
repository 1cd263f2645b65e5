/* tree_turns: the interleaved descents of a task, depth first.
 *
 * The trees of many bodies are larger than the caches. So a task runs several descents, of consecutive entries of its
 * list, and interleaves their steps: each step prefetches the data of its next step, and other descents work while one
 * waits for memory.
 *
 * If one pair per pair of bodies is enough, the candidates of two bodies are collected in small batches, and the first
 * pair ends their descent. Touching bodies are recorded for all tasks. After a number of steps, two bodies are deferred
 * until all workers share them.
 *
 * Workload: 16 concurrent descents, each of ten to some thousand steps. */
#ifndef GRAZE_BROAD_TREE_TURNS_H
#define GRAZE_BROAD_TREE_TURNS_H

#include "broad/candidate_batch.h"
#include "broad/tree_descent.h"
#include "broad/tree_forest.h"

enum {
  COURSES = 16,    /* descents that take turns */
  EAGER_BATCH = 8, /* candidates are tested in so small batches where one pair is enough, or one of two bodies */
  EAGER_ROOM = EAGER_BATCH - 1 + DESCENT_CHILDREN
};

/* Two blocks of two bodies: an entry of the one list for all pairs. */
typedef struct search_entry {
  uint32_t pair; /* of bodies */
  block_pair blocks;
} search_entry;

/* Two bodies whose trees are descended. */
typedef struct body_course {
  uint32_t pair;
  const tree_body *s, *t;
  bool same_object;
  uint32_t candidate_count; /* that wait to be tested, where one of two bodies is enough */
  candidate candidates[EAGER_ROOM];
  primitive_header headers[EAGER_ROOM][2];
  tree_course course;
} body_course;

/* A worker's own; on a stack a batch would be too large for threads of a host. */
typedef struct tree_lane {
  _Alignas(MEMORY_ALIGNMENT) search_counts counts;
  const struct tree_tasks *tasks;
  uint64_t block_tests;
  uint32_t begun; /* the course that was begun last */
  body_course courses[COURSES];
  candidate_batch batch;
  primitive_header headers[CANDIDATE_BATCH][2]; /* of the batch */
} tree_lane;

enum { NOT_KNOWN, TOUCHES, LEFT_FOR_LATER }; /* of two bodies */

typedef struct tree_tasks {
  search *search;
  const tree_forest *forest;
  const body_pair *pairs;
  const search_entry *entries;
  uint32_t entry_count, task_count;
  /* Where one pair of each two bodies is enough: what is known of each two; how many touch; and after how many pairs of
   * blocks two are left for later. Tasks of the same two see it sooner or later, and no answer depends on it. */
  _Atomic(uint8_t) *touched;
  uint64_t budget;
  _Atomic(size_t) touching;
  tree_lane *lanes;
} tree_tasks;

/* Makes a descent of two bodies ready, but for where it begins. */
void tree_turns_relate(const tree_tasks *tasks, uint32_t pair, body_course *course);

/* Runs the entries of one task: a graze_task, whose context is the tree_tasks. */
void tree_turns_run(void *context, uint32_t task, uint32_t worker);

#endif

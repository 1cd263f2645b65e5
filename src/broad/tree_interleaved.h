/* tree_interleaved: the interleaved descents of a task, depth first.
 *
 * The trees of many bodies are larger than the caches. So a task runs several descents, of consecutive entries of its
 * list, and interleaves their steps: each step prefetches the data of its next step, and other descents work while one
 * waits for memory.
 *
 * If one pair per pair of bodies is enough, the candidates of two bodies are collected in small batches, and the first
 * pair ends their descent. Touching bodies are recorded for all tasks. After a number of steps, two bodies are deferred
 * until all workers share them.
 *
 * Workload: 16 concurrent descents, each of ten to a few thousand steps. */
#ifndef GRAZE_BROAD_TREE_INTERLEAVED_H
#define GRAZE_BROAD_TREE_INTERLEAVED_H

#include "broad/candidate_batch.h"
#include "broad/tree_descent.h"
#include "broad/tree_forest.h"

enum {
  TRAVERSALS = 16, /* interleaved descents */
  EAGER_BATCH = 8, /* candidates are tested in batches of this size if one pair is enough, or one per two bodies */
  EAGER_CAPACITY = EAGER_BATCH - 1 + DESCENT_CHILDREN
};

/* Two blocks of two bodies: an entry of the common list of all pairs. */
typedef struct search_entry {
  uint32_t pair; /* of bodies */
  block_pair blocks;
} search_entry;

/* Two bodies whose trees are descended. */
typedef struct body_traversal {
  uint32_t pair;
  const tree_body *s, *t;
  bool same_object;
  uint32_t candidate_count; /* that wait for a test, if one pair of two bodies is enough */
  candidate candidates[EAGER_CAPACITY];
  primitive_header headers[EAGER_CAPACITY][2];
  tree_traversal traversal;
} body_traversal;

/* The state of a worker; not on the stack, where a batch would be too large for the host's threads. */
typedef struct tree_lane {
  _Alignas(MEMORY_ALIGNMENT) search_counts counts;
  const struct tree_tasks *tasks;
  uint64_t block_tests;
  uint32_t begun; /* the traversal that began last */
  body_traversal traversals[TRAVERSALS];
  candidate_batch batch;
  primitive_header headers[CANDIDATE_BATCH][2]; /* of the batch */
  tree_limits limits[TRAVERSALS];               /* of those descents that have any */
} tree_lane;

enum { NOT_KNOWN, TOUCHES, LEFT_FOR_LATER }; /* the states of two bodies */

typedef struct tree_tasks {
  search *search;
  const tree_forest *forest;
  const tree_forest *ungrown_or_null; /* with a clearance: the bodies without it */
  const body_pair *pairs;
  const search_entry *entries;
  uint32_t entry_count, task_count;
  /* If one pair per pair of objects is enough: the state of each two bodies, the number that touch, and the number
   * of pairs of blocks after which two are deferred. A task may see a change late; no answer depends on it. */
  _Atomic(uint8_t) *touched;
  uint64_t budget;
  _Atomic(size_t) touching;
  tree_lane *lanes;
} tree_tasks;

/* Prepares a descent of two bodies, except for its start. The limits, which are used with a clearance, must outlive it.
 */
void tree_interleaved_relate(const tree_tasks *tasks, uint32_t pair, body_traversal *traversal, tree_limits *limits);

/* Runs the entries of one task: a graze_task, whose context is the tree_tasks. */
void tree_interleaved_run(void *context, uint32_t task, uint32_t worker);

#endif

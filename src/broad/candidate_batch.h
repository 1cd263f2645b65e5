/* Batches of a task's candidates for the sink of its search. */
#ifndef GRAZE_BROAD_CANDIDATE_BATCH_H
#define GRAZE_BROAD_CANDIDATE_BATCH_H

#include "broad/method.h"

typedef struct candidate_batch {
  search *search;
  uint32_t worker, task;
  size_t count;
  uint64_t handed_over; /* the number of all added candidates */
  uint64_t found;       /* the number of pairs among them */
  candidate candidates[CANDIDATE_BATCH];
} candidate_batch;

static inline void candidate_batch_init(candidate_batch *batch, search *s, uint32_t worker) {
  batch->search = s;
  batch->worker = worker;
  batch->task = 0;
  batch->count = 0;
  batch->handed_over = 0;
  batch->found = 0;
}

/* Candidates of an earlier task that ended early are dropped. */
static inline void candidate_batch_begin(candidate_batch *batch, uint32_t task) {
  batch->task = task;
  batch->count = 0;
}

/* Passes the candidates to the sink. Returns whether the task continues. */
static inline bool candidate_batch_flush(candidate_batch *batch) {
  const candidate_sink *sink = &batch->search->sink;
  if (batch->count > 0)
    batch->found += sink->consume(sink->context, batch->worker, batch->task, batch->candidates, batch->count);
  batch->handed_over += batch->count;
  batch->count = 0;
  return !search_leaves(batch->search, batch->task);
}

/* Adds candidates that were written after the last one, at most CANDIDATE_BATCH - count. Returns whether the task
 * continues. */
static inline bool candidate_batch_take(candidate_batch *batch, size_t added) {
  batch->count += added;
  return batch->count < CANDIDATE_BATCH || candidate_batch_flush(batch);
}

/* Adds a candidate. Returns whether the task continues. */
static inline bool candidate_batch_add(candidate_batch *batch, index_pair pair, const primitive_header *a,
                                       const primitive_header *b) {
  batch->candidates[batch->count] = (candidate){pair, a, b};
  return candidate_batch_take(batch, 1);
}

#endif

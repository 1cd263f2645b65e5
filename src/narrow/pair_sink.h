/* Where found pairs go: all of them, the lowest ones up to a limit, any ones up to a number, or the first one. */
#ifndef GRAZE_NARROW_PAIR_SINK_H
#define GRAZE_NARROW_PAIR_SINK_H

#include "broad/method.h"

/* What one worker has found; a cache line apart from its neighbors. */
typedef struct sink_lane {
  _Alignas(MEMORY_ALIGNMENT) pair_list list; /* one lane long; used when there is a limit */
  uint32_t first_task;                       /* task of `first`; UINT32_MAX: none */
  index_pair first;
  bool trimmed; /* pairs beyond the limit were given up */
} sink_lane;

typedef struct pair_sink {
  pair_list list; /* the found pairs, a lane a worker; empty when there is a limit until pair_sink_finish */
  sink_lane *lanes;
  uint32_t worker_count;
  size_t limit; /* 0: none */
  bool stop_at_first;
  const uint32_t *ranks;  /* by which pairs are named, a primitive each; NULL: by the primitives' numbers */
  size_t enough;          /* as many pairs as this, whichever, end the search; 0: none do */
  _Atomic(size_t) so_far; /* counted where there is such a number; a sum, whatever the order */
} pair_sink;

bool pair_sink_init(pair_sink *sink, memory *heap, uint32_t worker_count, size_t limit, bool stop_at_first);

/* Ends the search when `enough` pairs were found: no fewer are then in the list, if there are as many, and some more
 * may be. For a sink without a limit. */
void pair_sink_set_enough(pair_sink *sink, size_t enough);
void pair_sink_release(pair_sink *sink, memory *heap);

/* Takes in the pairs that one worker found in one task, in order. False when out of memory. */
bool pair_sink_add(pair_sink *sink, search *s, uint32_t worker, uint32_t task, const index_pair *pairs, size_t count);

/* Brings what was kept under a limit together in `list`; *trimmed_out tells whether any pair was given up on the way.
 * False when out of memory. */
bool pair_sink_finish(pair_sink *sink, memory *heap, bool *trimmed_out);

/* The pair of the lowest task: the same whatever the workers did. False: none was found. */
bool pair_sink_first(const pair_sink *sink, index_pair *pair_out);

#endif

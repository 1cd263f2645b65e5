/* Collects found pairs: all of them, the lowest ones up to a limit, any ones up to a number, or the first one. */
#ifndef GRAZE_NARROW_PAIR_SINK_H
#define GRAZE_NARROW_PAIR_SINK_H

#include "broad/method.h"

/* The pairs of one worker, on cache lines of its own. */
typedef struct sink_lane {
  _Alignas(MEMORY_ALIGNMENT) pair_list list; /* has one lane; used if there is a limit */
  uint32_t first_task;                       /* task of `first`; UINT32_MAX: none */
  index_pair first;
  bool trimmed; /* pairs beyond the limit were dropped */
} sink_lane;

typedef struct pair_sink {
  pair_list list; /* the found pairs, one lane per worker; with a limit, empty until pair_sink_finish */
  sink_lane *lanes;
  uint32_t worker_count;
  size_t limit; /* 0: none */
  bool stop_at_first;
  const uint32_t *ranks;  /* order and name of pairs, one per primitive; NULL: by the primitives' numbers */
  size_t enough;          /* the search ends after this many pairs, whichever they are; 0: after all */
  _Atomic(size_t) so_far; /* counted if `enough` is set; a sum, so the order does not matter */
} pair_sink;

bool pair_sink_init(pair_sink *sink, memory *heap, uint32_t worker_count, size_t limit, bool stop_at_first);

/* Ends the search after `enough` pairs. The list then has at least that many, if that many exist, and possibly some
 * more. For a sink without a limit. */
void pair_sink_set_enough(pair_sink *sink, size_t enough);
void pair_sink_release(pair_sink *sink, memory *heap);

/* Adds the pairs that one worker found in one task, in order. False when out of memory. */
bool pair_sink_add(pair_sink *sink, search *s, uint32_t worker, uint32_t task, const index_pair *pairs, size_t count);

/* Merges the pairs kept under a limit into `list`; *trimmed_out is whether any pair was dropped. False when out of
 * memory. */
bool pair_sink_finish(pair_sink *sink, memory *heap, bool *trimmed_out);

/* The pair of the lowest task, which does not depend on scheduling. False: none was found. */
bool pair_sink_first(const pair_sink *sink, index_pair *pair_out);

#endif

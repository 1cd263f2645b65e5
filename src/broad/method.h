/* What a broad-phase method is: an entry of a table, and a search that hands candidates to a sink in batches.
 *
 * A method must hand over every pair of searched primitives that the query asks for and whose boxes meet, each exactly
 * once, in any order. It splits its work into tasks whose number and content do not depend on the workers. */
#ifndef GRAZE_BROAD_METHOD_H
#define GRAZE_BROAD_METHOD_H

#include "base/memory.h"
#include "base/pair_list.h"
#include "base/workers.h"
#include "broad/primitive_view.h"
#include "graze/graze.h"

#include <stdatomic.h>

/* Candidates go to `consume` in batches of at most CANDIDATE_BATCH, never across a task's end. `task` orders batches of
 * different tasks; batches of one task come in order. */
enum { CANDIDATE_BATCH = 512 };

/* A pair whose boxes meet. The headers lie where the method has them at hand, in the order of space if it can: what
 * follows reads them often. */
typedef struct candidate {
  index_pair pair;
  const primitive_header *a, *b;
} candidate;

typedef struct candidate_sink {
  void *context;
  void (*consume)(void *context, uint32_t worker, uint32_t task, const candidate *candidates, size_t count);
} candidate_sink;

typedef struct search_counts {
  uint64_t box_tests, candidates, neighbours, duplicates;
} search_counts;

typedef struct search {
  const primitive_view *view;
  graze_hash hash;
  graze_dedup dedup;
  graze_simd simd; /* never AUTO here */
  memory *memory;
  workers *workers;
  candidate_sink sink;
  /* Tasks with a higher number need not run any more: a pair was found and one is enough, or memory ran out. It only
   * ever falls; which tasks still see an older value is not determined, and no answer depends on it. */
  _Atomic(uint32_t) last_task;
  atomic_bool out_of_memory;
  /* Filled by the method. */
  search_counts counts;
  uint64_t level_count;
  double build_ms, unique_ms;
} search;

static inline bool search_skips(search *s, uint32_t task) {
  return task > atomic_load_explicit(&s->last_task, memory_order_relaxed);
}

static inline void search_stop_out_of_memory(search *s) {
  atomic_store(&s->out_of_memory, true);
  atomic_store(&s->last_task, 0);
}

typedef struct method {
  const char *name;
  const char *description;
  bool reference; /* its candidates skip the float filter: each is decided by the exact test alone */
  graze_result (*find)(search *s);
} method;

extern const method method_brute;
extern const method method_grid;

/* The table, in the order in which methods are listed; NULL past the end or for an unknown name. */
const method *method_at(size_t index);
const method *method_named(const char *name);

#endif

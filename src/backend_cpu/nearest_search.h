/* The nearest primitives of two bodies, by branch and bound on their trees; see graze/nearest.h.
 *
 * What is found is the pair of primitives with the lowest (distance, pair). The distance is that of hulls_distance,
 * which is rounded: off by at most `margin`. A pair of nodes is left out only where no primitives below it can have a
 * lower or an equal number: its bound is above the best number by more than the margin. So ties are never left out, and
 * the answer does not depend on the trees or on the order of the search. */
#ifndef GRAZE_BACKEND_CPU_NEAREST_SEARCH_H
#define GRAZE_BACKEND_CPU_NEAREST_SEARCH_H

#include "base/stop_check.h"
#include "broad/tree_distance.h"
#include "broad/tree_forest.h"
#include "broad/tree_kernels.h"
#include "narrow/primitive_nearest.h"

/* A body where it lies. */
typedef struct nearest_body {
  const tree_body *tree;
  const posed_space *posed;
  const exact_box *box; /* in the scene */
  const object_source *source;
  uint32_t object;
} nearest_body;

typedef struct nearest_search {
  const tree_forest *forest;
  const tree_kernels *kernels;
  const uint32_t *ranks_or_null; /* a primitive each, by the scene's number */
  uint64_t visit_limit;          /* pairs of blocks of two bodies; 0: no limit */
  stop_check *stop;
  /* Of all bodies that were searched so far: the best is kept from one call to the next. */
  nearest_state state;
  bool complete; /* no limit was reached */
  uint64_t visits, measures;
} nearest_search;

/* The numbers are those of no search yet. */
nearest_search nearest_search_begin(const tree_forest *forest, const tree_kernels *kernels,
                                    const uint32_t *ranks_or_null, double bound, uint64_t visit_limit,
                                    stop_check *stop_or_null);

/* Searches two bodies, for what is not farther than the best so far; `bound` is no more than their distance. */
void nearest_search_run(nearest_search *nearest, const nearest_body *s, const nearest_body *t, double bound);

#endif

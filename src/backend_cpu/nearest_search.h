/* The nearest primitives of two bodies, by branch and bound on their trees; see graze/nearest.h.
 *
 * The result is the pair of primitives with the lowest (distance, pair). The distance is that of hulls_distance, which
 * is rounded, with an error of at most `margin`. A pair of nodes is pruned only if no primitives below it can have a
 * lower or an equal distance: its bound exceeds the best distance by more than the margin. So ties are never pruned,
 * and the result does not depend on the trees or on the order of the search. */
#ifndef GRAZE_BACKEND_CPU_NEAREST_SEARCH_H
#define GRAZE_BACKEND_CPU_NEAREST_SEARCH_H

#include "base/stop_check.h"
#include "broad/configuration_pair.h"
#include "broad/tree_distance.h"
#include "broad/tree_forest.h"
#include "broad/tree_kernels.h"
#include "narrow/primitive_nearest.h"

/* A body at its position. */
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
  const uint32_t *ranks_or_null; /* one per primitive, by the scene's number */
  nearest_goal goal;
  uint64_t visit_limit; /* pairs of blocks of two bodies; 0: no limit */
  stop_check *stop;
  /* The best of all bodies searched so far, kept between calls. */
  nearest_state state;
  bool complete; /* no limit was reached */
  uint64_t visits, measures;
} nearest_search;

/* Initializes a search without results. */
nearest_search nearest_search_begin(const tree_forest *forest, const tree_kernels *kernels,
                                    const uint32_t *ranks_or_null, double bound, nearest_goal goal,
                                    uint64_t visit_limit, stop_check *stop_or_null);

/* Whether the search has reached its goal, so that no other pair of primitives is requested. */
static inline bool nearest_search_is_over(const nearest_search *nearest) {
  if (nearest->goal == NEAREST_ANY_WITHIN) return nearest->state.is_within;
  return nearest->goal == NEAREST_ANY_CONTACT && nearest->state.best.any && nearest->state.best.distance == 0.0;
}

/* Searches two bodies for pairs not farther than the best so far; `bound` is a lower bound of their distance. */
void nearest_search_run(nearest_search *nearest, const nearest_body *s, const nearest_body *t, double bound);

#endif

/* The nearest of many pairs of primitives: measures them one by one, and keeps the lowest (distance, pair).
 *
 * Distances are those of hulls_distance, which are rounded. The caller gives a margin for their error, more than 1e-12
 * of the size of the primitives. The margin is verified: if the lower bound that a measurement proves is lower than the
 * margin allows, as for needles that nearly touch, integer arithmetic decides (clearance_pair.h). So the least true
 * distance of all tested pairs is never below the best distance less the margin, and never below `lower`.
 *
 * Workload: 10 to 10^3 pairs for two bodies; most are rejected by the estimate of their nearest points. */
#ifndef GRAZE_NARROW_PRIMITIVE_NEAREST_H
#define GRAZE_NARROW_PRIMITIVE_NEAREST_H

#include "base/index_pair.h"
#include "broad/primitive_view.h"
#include "geometry/exact_box.h"
#include "graze/distances.h"

/* The best pair. */
typedef struct nearest_best {
  bool any;
  double distance;     /* rounded */
  double upper, lower; /* bounds of the true distance of the pair */
  index_pair ranks;    /* the order of pairs, the lower first; the members below follow this order */
  double points[2][3];
  graze_feature features[2];
} nearest_best;

typedef struct nearest_state {
  double bound;       /* farther pairs are not requested; may be infinite */
  double margin;      /* of the current primitives; finite */
  bool is_within;     /* a pair is within the bound, by exact arithmetic */
  double lower;       /* infinite at first */
  double frame[3][3]; /* orthonormal; the first direction is from s to t at the best pair; or 0 */
  nearest_best best;
} nearest_state;

/* Pairs that are certainly farther than this have a greater distance than the best, or are beyond the bound. */
static inline double nearest_state_farthest(const nearest_state *state) {
  if (!state->best.any) return state->bound + state->margin;
  return state->best.distance > 0.0 ? state->best.distance + state->margin : 0.0;
}

/* One primitive of each of two sources, by the scene's numbers, with their ranks in the order of pairs. */
void primitives_take(nearest_state *state, const object_source *s, const object_source *t, index_pair primitives,
                     index_pair ranks);

/* The distance of two primitives of any kinds, nearest points and the features that they lie on. Writes all of
 * *distance_out except the pair, for one primitive of each source. The sources may be the same. */
void pair_distance(const object_source *a, const object_source *b, index_pair pair, graze_distance *distance_out);

#endif

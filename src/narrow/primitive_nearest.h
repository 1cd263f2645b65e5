/* The nearest of many pairs of primitives: measures them one by one, and keeps the lowest (distance, pair).
 *
 * A distance is that of hulls_distance, which is rounded: off by at most a margin that the caller gives, more than
 * 1e-12 of the size of what is measured. That is not trusted. The lower bound that the measure proves is compared with
 * it, and where it is too low, for needles that nearly touch, integers decide (clearance_pair.h). So the least true
 * distance of all pairs that were taken is never below the best distance less the margin, and never below `lower`.
 *
 * Workload: 10 to 10^3 pairs for two bodies; most are rejected by the guess of their nearest points. */
#ifndef GRAZE_NARROW_PRIMITIVE_NEAREST_H
#define GRAZE_NARROW_PRIMITIVE_NEAREST_H

#include "broad/primitive_view.h"
#include "narrow/box_distance.h"

/* The corner, edge or face that a point lies on, by the object's own vertices; none: the primitives share a point
 * inside. */
typedef struct nearest_part {
  uint32_t vertex_count, vertices[3];
} nearest_part;

/* The best pair. */
typedef struct nearest_best {
  bool any;
  double distance;     /* rounded */
  double upper, lower; /* the true distance of the pair lies between them */
  index_pair ranks;    /* the order of pairs, the lower first; all below is in this order */
  double points[2][3];
  nearest_part parts[2];
} nearest_best;

typedef struct nearest_state {
  double bound;       /* what is farther is not asked for; it may be infinite */
  double margin;      /* of the primitives that are taken now; finite */
  bool is_within;     /* a pair is within the bound, in exact arithmetic */
  double lower;       /* infinite at first */
  double frame[3][3]; /* orthonormal, the first from s to t at the best pair; or 0 */
  nearest_best best;
} nearest_state;

/* What is farther, for certain, has a greater distance than the best, or is beyond the bound. */
static inline double nearest_state_farthest(const nearest_state *state) {
  if (!state->best.any) return state->bound + state->margin;
  return state->best.distance > 0.0 ? state->best.distance + state->margin : 0.0;
}

/* A primitive of each of two sources, by the scene's numbers, with their ranks in the order of pairs. */
void primitives_take(nearest_state *state, const object_source *s, const object_source *t, index_pair primitives,
                     index_pair ranks);

#endif

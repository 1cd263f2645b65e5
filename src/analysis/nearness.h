/* Whether two primitives of one object come within a distance of each other: what the k-free measure asks of a
 * candidate.
 *
 * Workload: some ten candidates a primitive that share no vertex, most of them far on a mesh, most of them near in a
 * crowd; measured distances are needed for one in a hundred. */
#ifndef GRAZE_ANALYSIS_NEARNESS_H
#define GRAZE_ANALYSIS_NEARNESS_H

#include "broad/primitive_view.h"

/* The object, and a power of two that brings its coordinates to at most about one. */
typedef struct nearness {
  const object_source *source;
  double scale;
} nearness;

/* How many doubles of scratch primitives_near needs for an object whose primitives have at most so many corners. */
static inline size_t nearness_scratch(uint32_t most_corners) {
  return 12 * (size_t)most_corners;
}

/* Whether the distance of primitives a and b is at most `radius`, in the object's own unit. Decided by distances in
 * double precision: where the true distance differs from the radius by less than 1e-12 of the size of the pair the
 * answer may be either, but is the same for the same object, whoever asks. */
bool primitives_near(const nearness *object, uint32_t a, uint32_t b, double radius, double *scratch);

#endif

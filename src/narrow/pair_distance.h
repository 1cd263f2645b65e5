/* The distance of two primitives of any kinds, nearest points and the features that they lie on. */
#ifndef GRAZE_NARROW_PAIR_DISTANCE_H
#define GRAZE_NARROW_PAIR_DISTANCE_H

#include "base/index_pair.h"
#include "broad/primitive_view.h"
#include "graze/distances.h"

/* Writes all of *distance_out except the pair, for one primitive of each source. The sources may be the same. */
void pair_distance(const object_source *a, const object_source *b, index_pair pair, graze_distance *distance_out);

#endif

/* What a contact adds to the sums of its objects. For the processor and for GPUs. */
#ifndef GRAZE_NARROW_PUSH_RULE_H
#define GRAZE_NARROW_PUSH_RULE_H

#include "geometry/push_sum.h"
#include "narrow/pair_measure.h"

/* Of a contact with a volume that keeps its unit (pair_measure.h). */
GEOMETRY_FUNCTION push_terms push_terms_of(const graze_contact *push, const push_rule *rule) {
  return push_terms_make(push->volume, push->area, kept_unit(push), push->centroid, push->normal, rule);
}

#endif

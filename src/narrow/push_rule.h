/* How strongly a contact pushes, and what it adds to the sums of its objects. For the processor and for GPUs. */
#ifndef GRAZE_NARROW_PUSH_RULE_H
#define GRAZE_NARROW_PUSH_RULE_H

#include "geometry/push_sum.h"
#include "graze/graze.h"

typedef struct push_rule {
  double stiffness, about[3];
  bool by_area; /* GRAZE_FORCE_GRADIENT */
} push_rule;

/* Of a contact with a volume. */
GEOMETRY_FUNCTION push_terms push_terms_of(const graze_contact *push, const push_rule *rule) {
  return push_terms_make(push->volume, push->centroid, push->normal,
                         rule->stiffness * (rule->by_area ? push->area : push->volume), rule->about);
}

#endif

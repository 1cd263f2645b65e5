/* The terms that a contact adds to the wrench of its objects. For the processor and for GPUs. */
#ifndef GRAZE_NARROW_WRENCH_RULE_H
#define GRAZE_NARROW_WRENCH_RULE_H

#include "geometry/wrench_sum.h"
#include "narrow/pair_measure.h"

/* For a contact with a volume that keeps its unit (pair_measure.h). */
GEOMETRY_FUNCTION wrench_terms wrench_terms_of(const graze_contact *contact, const wrench_rule *rule) {
  return wrench_terms_make(contact->volume, contact->area, kept_unit(contact), contact->centroid, contact->normal,
                           rule);
}

#endif

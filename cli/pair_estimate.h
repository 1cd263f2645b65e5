/* An estimate of the number of pairs within a clearance, from a sample of primitives. */
#ifndef GRAZE_PAIR_ESTIMATE_H
#define GRAZE_PAIR_ESTIMATE_H

#include "object_list.h"

typedef struct pair_estimate {
  double least, most; /* pairs that are within the clearance for certain, and those that may be, by their boxes */
} pair_estimate;

/* The scene has the objects of the list. Ignores rings. False if boxes are not known, or out of memory. */
bool pair_estimate_make(const graze_scene *scene, const object_list *objects, const graze_query *query,
                        pair_estimate *estimate_out);

#endif

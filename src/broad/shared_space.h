/* The primitives in the overlap of objects, which a query between objects must examine. */
#ifndef GRAZE_BROAD_SHARED_SPACE_H
#define GRAZE_BROAD_SHARED_SPACE_H

#include "broad/method.h"

/* Marks, in a coarse array of cells over the region, where primitives of more than one object are, and sets
 * searched[i] to 0 for every primitive that meets no such cell; those at 0 take no part. For queries that request no
 * pairs within an object; the region contains the intersection of any two object boxes that may meet. Does nothing
 * if it would not pay or memory is short: it only saves work. Reads memory, workers and stop of the search. */
void shared_space_thin_out(const primitive_view *view, const search *s, const primitive_box *region, uint8_t *searched);

#endif

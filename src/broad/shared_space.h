/* The primitives in the overlap of objects, which a query between objects must examine. */
#ifndef GRAZE_BROAD_SHARED_SPACE_H
#define GRAZE_BROAD_SHARED_SPACE_H

#include "broad/method.h"

/* Marks, in a coarse array of cells over the region, where primitives of more than one object lie, and sets searched[i]
 * to 0 for every primitive that meets no such cell; those at 0 already take no part. For queries that ask for no pairs
 * within an object; the region holds the common part of any two object boxes that may meet. Does nothing where it would
 * not pay or memory is short: it only ever saves work. Of the search it reads memory, workers and stop. */
void shared_space_thin_out(const primitive_view *view, const search *s, const primitive_box *region, uint8_t *searched);

#endif

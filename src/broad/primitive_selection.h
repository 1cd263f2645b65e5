/* The objects and regions that a query must examine, determined before any box of a primitive is computed.
 *
 * An object that takes part only in pairs with others matters only where its box intersects theirs, and under a query
 * in a box only there; the rest is skipped before anything is built. Two meshes that touch at a corner cost little more
 * than reading them, and a query about one small object costs what lies around it. */
#ifndef GRAZE_BROAD_PRIMITIVE_SELECTION_H
#define GRAZE_BROAD_PRIMITIVE_SELECTION_H

#include "broad/method.h"

/* Sets searched[i] of every primitive to 0 or 1. For a query with a focus, reaches_or_null has a box an object: a
 * primitive whose box does not meet its object's need not be searched either; the boxes of objects that take no part
 * are not written. Of the search it reads memory, workers and stop. */
void select_primitives(const primitive_view *view, const search *s, uint8_t *searched, primitive_box *reaches_or_null);

#endif

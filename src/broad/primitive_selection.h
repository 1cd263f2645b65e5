/* The objects and regions that a query must examine, determined before any box of a primitive is computed.
 *
 * An object that is only paired with others matters only where its box intersects theirs, and for a query in a box
 * only there; the rest is skipped before anything is built. Two meshes that touch at a corner cost little more
 * than reading them, and a query about one small object costs what lies around it. */
#ifndef GRAZE_BROAD_PRIMITIVE_SELECTION_H
#define GRAZE_BROAD_PRIMITIVE_SELECTION_H

#include "broad/method.h"

/* Sets searched[i] of every primitive to 0 or 1. For a query with a focus, reaches_or_null has one box per object: a
 * primitive whose box does not meet its object's need not be searched either; the boxes of objects that are not
 * searched are not written. Reads memory, workers and stop of the search. */
void select_primitives(const primitive_view *view, const search *s, uint8_t *searched, primitive_box *reaches_or_null);

#endif

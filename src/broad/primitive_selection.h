/* The primitives that a search must examine, and their bounding boxes.
 *
 * An object that is only paired with others matters only where its box intersects theirs, and for a query in a box
 * only there; the rest is skipped before anything is built. Two meshes that touch at a corner cost little more
 * than reading them, and a query about one small object costs what lies around it.
 *
 * For methods that need boxes (METHOD_NEEDS_BOXES); method_find computes them before such a method searches. A method
 * that reads each box only once or twice may compute them from the vertices (METHOD_MAKES_BOXES): three vertices shared
 * by neighbors are less memory traffic than a stored box. */
#ifndef GRAZE_BROAD_PRIMITIVE_SELECTION_H
#define GRAZE_BROAD_PRIMITIVE_SELECTION_H

#include "broad/method.h"

/* Marks, in a coarse array of cells over the region, where primitives of more than one object are, and sets
 * searched[i] to 0 for every primitive that meets no such cell; those at 0 take no part. For queries that request no
 * pairs within an object; the region contains the intersection of any two object boxes that may meet. Does nothing
 * if it would not pay or memory is short: it only saves work. Reads memory, workers and stop of the search. */
void shared_space_thin_out(const primitive_view *view, const search *s, const primitive_box *region, uint8_t *searched);

typedef struct primitive_bounds {
  primitive_box *boxes; /* NULL: not requested */
  uint8_t *searched;
  size_t count;
  uint64_t searched_count;
} primitive_bounds;

/* Fills `searched` of the view, and `boxes` if requested; both then point into *bounds_out. Reads memory, workers
 * and stop of the search. After GRAZE_OUT_OF_MEMORY and GRAZE_STOPPED there is nothing to release. */
graze_result primitive_bounds_make(const search *s, bool with_boxes, primitive_view *view,
                                   primitive_bounds *bounds_out);
void primitive_bounds_release(primitive_bounds *bounds, memory *heap);

#endif

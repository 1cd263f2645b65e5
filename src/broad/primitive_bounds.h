/* The primitives that a search must examine, and their bounding boxes.
 *
 * For methods that need them (METHOD_NEEDS_BOXES); method_find computes them before such a method searches. A method
 * that reads each box only once or twice may compute them from the vertices (METHOD_MAKES_BOXES): three vertices shared
 * by neighbors are less memory traffic than a stored box. */
#ifndef GRAZE_BROAD_PRIMITIVE_BOUNDS_H
#define GRAZE_BROAD_PRIMITIVE_BOUNDS_H

#include "broad/method.h"

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

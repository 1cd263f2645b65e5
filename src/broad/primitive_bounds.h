/* What a search has to look at: which primitives, and their bounding boxes.
 *
 * For methods that need them (METHOD_NEEDS_BOXES); method_find makes them before it lets such a method search. A method
 * that reads each box once or twice may make them from the vertices as it goes (METHOD_MAKES_BOXES): three vertices
 * that neighbors share are less to read than a box that was written. */
#ifndef GRAZE_BROAD_PRIMITIVE_BOUNDS_H
#define GRAZE_BROAD_PRIMITIVE_BOUNDS_H

#include "broad/method.h"

typedef struct primitive_bounds {
  primitive_box *boxes; /* NULL: made without */
  uint8_t *searched;
  size_t count;
  uint64_t searched_count;
} primitive_bounds;

/* Fills `searched` of the view, and `boxes` where they are wanted; they point into *bounds_out then. Of the search it
 * reads memory, workers and stop. GRAZE_OUT_OF_MEMORY and GRAZE_STOPPED leave nothing to release. */
graze_result primitive_bounds_make(const search *s, bool with_boxes, primitive_view *view,
                                   primitive_bounds *bounds_out);
void primitive_bounds_release(primitive_bounds *bounds, memory *heap);

#endif

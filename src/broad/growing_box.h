/* A bounding box of rounded vertices with their errors, four floats at a time.
 *
 * Workload: every vertex of a scene once per update, and the corners of a primitive once or twice per search. */
#ifndef GRAZE_BROAD_GROWING_BOX_H
#define GRAZE_BROAD_GROWING_BOX_H

#include "base/four_floats.h"
#include "broad/primitive_view.h"

#include <float.h>

typedef struct growing_box {
  four_floats low, high; /* the fourth is unused */
} growing_box;

static inline growing_box growing_box_empty(void) {
  return (growing_box){four_floats_fill(FLT_MAX), four_floats_fill(-FLT_MAX)};
}

static inline growing_box growing_box_at(const rounded_vertex *vertex) {
  const four_floats place = four_floats_load(&vertex->x);
  const four_floats error = four_floats_fill_last(place);
  return (growing_box){four_floats_subtract(place, error), four_floats_add(place, error)};
}

static inline void growing_box_include(growing_box *box, const rounded_vertex *vertex) {
  const growing_box more = growing_box_at(vertex);
  box->low = four_floats_smaller(box->low, more.low);
  box->high = four_floats_larger(box->high, more.high);
}

static inline primitive_box growing_box_end(const growing_box *box) {
  float min[4], max[4];
  four_floats_store(min, box->low);
  four_floats_store(max, box->high);
  return (primitive_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

#endif

/* The exact test of one pair of primitives of any kinds. */
#ifndef GRAZE_NARROW_PRIMITIVE_PAIR_H
#define GRAZE_NARROW_PRIMITIVE_PAIR_H

#include "base/index_pair.h"
#include "broad/primitive_view.h"
#include "geometry/exact_box.h"
#include "geometry/orientation.h"

/* A primitive of a solid kind, or one triangle of a surface, with its coordinates. */
typedef struct convex_element {
  uint32_t count;                              /* corners: 3, 4, or those of a polyhedron */
  double points[3 * GRAZE_POLYHEDRON_CORNERS]; /* three a corner */
} convex_element;

GEOMETRY_FUNCTION bool kind_is_solid(graze_kind kind) {
  return kind == GRAZE_KIND_TETRAHEDRON || kind == GRAZE_KIND_POLYHEDRON;
}

/* Whether the two meet, by the given test. Under `beyond`, two surfaces of one object are tested by the rule for
 * neighbours, triangle by triangle, and those that repeat a vertex take no part. */
bool primitive_pair_meets(const primitive_view *view, index_pair pair, graze_test test, bool beyond,
                          orientation_tally *tally);

/* Whether the boxes of the two, in exact coordinates, meet. */
bool primitive_boxes_meet(const primitive_view *view, index_pair pair);

#endif

/* The exact test of one pair of primitives of any kinds. */
#ifndef GRAZE_NARROW_PRIMITIVE_PAIR_H
#define GRAZE_NARROW_PRIMITIVE_PAIR_H

#include "base/index_pair.h"
#include "broad/part_vertices.h"
#include "geometry/exact_box.h"
#include "geometry/orientation.h"

struct memory;

/* A primitive that is the hull of its corners, one triangle of a polygon with its coordinates, or a sphere, which has
 * one corner. */
typedef struct convex_element {
  uint32_t count;                              /* corners: at least one */
  double radius;                               /* of a sphere, which has one corner; else 0 */
  double points[3 * GRAZE_POLYHEDRON_CORNERS]; /* three a corner */
} convex_element;

/* Whether the two meet, by the given test. With `beyond`, two surfaces of one object are tested by the rule for
 * neighbors, triangle by triangle; surfaces that repeat a vertex are ignored. Two large polygons need scratch memory
 * (element_tree.h); without it the test takes quadratic time. */
bool primitive_pair_meets(const primitive_view *view, index_pair pair, graze_test test, bool beyond,
                          struct memory *heap, orientation_tally *tally);

/* Whether two surfaces of different parts of one object that share a vertex meet elsewhere. */
bool part_neighbors_meet(const part_side sides[2], graze_test test, struct memory *heap, orientation_tally *tally);

/* As primitive_pair_meets, for two spheres. */
bool spheres_meet(const primitive_view *view, index_pair pair, orientation_tally *tally);

/* The same for one primitive of each of two sources, which may be one object in two poses: no neighbors. */
bool source_pair_meets(const object_source *a, const object_source *b, index_pair pair, graze_test test,
                       struct memory *heap, orientation_tally *tally);

/* Whether they are within a clearance. */
bool source_pair_within(const object_source *a, const object_source *b, index_pair pair, double clearance,
                        struct memory *heap, orientation_tally *tally);

/* Whether the boxes of the two, in exact coordinates, meet. */
bool primitive_boxes_meet(const primitive_view *view, index_pair pair);

/* The same two tests for a query with a clearance: whether it lists a candidate, and whether the boxes are within the
 * clearance along every axis. */
bool primitive_pair_within(const primitive_view *view, index_pair pair, graze_test test, struct memory *heap,
                           orientation_tally *tally);
bool primitive_boxes_within(const primitive_view *view, index_pair pair);

#endif

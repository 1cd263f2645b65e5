/* Trees of oriented bounding boxes over the triangles of two polygons, and the search for triangles that may meet.
 *
 * Leaves are ranges of consecutive triangles and nodes are ranges of children: ear clipping goes along the outline, so
 * that neighbors in number are neighbors in space. The boxes are made from the positions at the time, in n log n
 * steps, take some 44 bytes a triangle, and live as long as one search. Oriented boxes know thin triangles and planes
 * askew to the axes, which are the rule in fans.
 *
 * Workload: two polygons of hundreds of corners or more that come close; see element_search.h. */
#ifndef GRAZE_NARROW_ELEMENT_TREE_H
#define GRAZE_NARROW_ELEMENT_TREE_H

#include "base/memory.h"
#include "broad/primitive_view.h"

/* The triangles of one surface. */
typedef struct element_list {
  const object_source *source;
  const uint32_t *corners; /* three own vertex numbers a triangle */
  uint32_t count;
} element_list;

typedef struct tree_pair tree_pair;

/* The triangles of a polygon, or a triangle itself. */
static inline element_list polygon_triangulation_of(const object_source *source, uint32_t primitive, uint32_t count) {
  const bool polygon = source->kind == GRAZE_KIND_POLYGON;
  return (element_list){
      source, polygon ? polygon_triangulation(source, primitive) : corners_of(source, primitive).vertices, count};
}

/* A search for the pieces of a from `first_element` on; NULL when out of memory. Pieces meet that are no farther apart
 * than the clearance. */
tree_pair *tree_pair_make(memory *heap, element_list a, element_list b, uint32_t first_element, double clearance);
void tree_pair_release(tree_pair *trees, memory *heap);

/* The next piece of a with consecutive pieces of b that it may meet: ascending, each pair once, and every pair that
 * does meet among them. False when there are no more. */
bool tree_pair_next(tree_pair *trees, uint32_t *element_out, uint32_t *first_out, uint32_t *end_out);

#endif

/* Trees of oriented bounding boxes over the triangles of two polygons, and the search for triangles that may meet.
 *
 * Leaves are ranges of consecutive triangles and nodes are ranges of children: ear clipping follows the outline, so
 * triangles with close numbers are close in space. The boxes are built from the current positions in n log n steps,
 * take about 44 bytes a triangle, and live for one search. Oriented boxes fit thin triangles and oblique planes, which
 * are common in fans.
 *
 * Workload: two polygons of hundreds of corners or more that are close; see element_search.h. */
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
  const bool polygon = kind_is_cut(source->kind);
  return (element_list){
      source, polygon ? polygon_triangulation(source, primitive) : corners_of(source, primitive).vertices, count};
}

/* Begins a search with the triangles of a from `first_element` on, for triangles no farther apart than the clearance.
 * NULL when out of memory. */
tree_pair *tree_pair_make(memory *heap, element_list a, element_list b, uint32_t first_element, double clearance);
void tree_pair_release(tree_pair *trees, memory *heap);

/* Gives the next triangle of a, and consecutive triangles of b that it may meet. Ascending, each pair at most once,
 * including every pair that meets. False when there are no more. */
bool tree_pair_next(tree_pair *trees, uint32_t *element_out, uint32_t *first_out, uint32_t *end_out);

#endif

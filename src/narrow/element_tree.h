/* Lists the pairs of triangles of two surfaces that can meet, in ascending order of the first and then of the second
 * triangle: the order of two nested loops.
 *
 * The search starts as two nested loops. Most pairs of polygons have a handful of triangles, meet at once, or are apart
 * except for a few triangles. After the loops have visited 8 triangles for each triangle of both surfaces, a tree of
 * oriented bounding boxes is built for each, and the trees continue the search: about (m + n) log(m +
 * n) steps if each triangle is close to a few of the other surface, as in flat polygons and fans of thin triangles.
 * Without memory for the trees, and on a GPU, the loops run to the end; the results are the same.
 *
 * Workload: one search for each pair of surfaces with a polygon; trees for rings of hundreds of corners and more. */
#ifndef GRAZE_NARROW_ELEMENT_TREE_H
#define GRAZE_NARROW_ELEMENT_TREE_H

#include "base/index_pair.h"
#include "broad/primitive_view.h"

#if !defined(__CUDACC__)

#include "base/memory.h"

/* Trees of oriented bounding boxes over the triangles of two polygons, and the search for triangles that may meet.
 *
 * Leaves are ranges of consecutive triangles and nodes are ranges of children: ear clipping follows the outline, so
 * triangles with close numbers are close in space. The boxes are built from the current positions in n log n steps,
 * take about 44 bytes a triangle, and live for one search. Oriented boxes fit thin triangles and oblique planes, which
 * are common in fans.
 *
 * Workload: two polygons of hundreds of corners or more that are close. */

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

struct memory;

/* A triangle of a, and consecutive triangles of b. */
typedef struct element_run {
  uint32_t element, first, end;
} element_run;

typedef struct element_search {
  const object_source *a, *b;
  uint32_t a_primitive, b_primitive;
  uint32_t a_count, b_count;
  uint32_t next;       /* the loops: the next triangle of a */
  uint64_t tested;     /* the loops: triangles of b visited */
  double clearance;    /* lists triangles at most this far apart; 0: those that meet */
  struct memory *heap; /* NULL: no trees */
  struct tree_pair *trees;
} element_search;

GEOMETRY_FUNCTION element_search element_search_begin(const object_source *a, const object_source *b, index_pair pair,
                                                      uint32_t a_count, uint32_t b_count, struct memory *heap) {
  element_search runs;
  runs.a = a;
  runs.b = b;
  runs.a_primitive = pair.a;
  runs.b_primitive = pair.b;
  runs.a_count = a_count;
  runs.b_count = b_count;
  runs.next = 0;
  runs.tested = 0;
  runs.clearance = 0.0;
  runs.heap = heap;
  runs.trees = NULL;
  return runs;
}

/* False when there are no more. */
GEOMETRY_FUNCTION bool element_search_next(element_search *runs, element_run *run_out) {
#if !defined(__CUDACC__)
  enum { PATIENCE = 8 };
  if (runs->trees != NULL) return tree_pair_next(runs->trees, &run_out->element, &run_out->first, &run_out->end);
  if (runs->heap != NULL && runs->tested > PATIENCE * ((uint64_t)runs->a_count + runs->b_count)) {
    runs->trees = tree_pair_make(runs->heap, polygon_triangulation_of(runs->a, runs->a_primitive, runs->a_count),
                                 polygon_triangulation_of(runs->b, runs->b_primitive, runs->b_count), runs->next,
                                 runs->clearance);
    if (runs->trees != NULL) return element_search_next(runs, run_out);
    runs->heap = NULL;
  }
#endif
  if (runs->next == runs->a_count) return false;
  run_out->element = runs->next++;
  run_out->first = 0;
  run_out->end = runs->b_count;
  return true;
}

/* Records that the triangles of a run were visited. */
GEOMETRY_FUNCTION void element_search_spend(element_search *runs, const element_run *run) {
  runs->tested += run->end - run->first;
}

GEOMETRY_FUNCTION void element_search_end(element_search *runs) {
#if !defined(__CUDACC__)
  if (runs->trees != NULL) tree_pair_release(runs->trees, runs->heap);
#endif
  runs->trees = NULL;
}

#endif

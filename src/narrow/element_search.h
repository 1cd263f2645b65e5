/* Lists the pairs of triangles of two surfaces that can meet, in ascending order of the first and then of the second
 * triangle: the order of two nested loops.
 *
 * The search starts as two nested loops. Most pairs of polygons have a handful of triangles, meet at once, or are apart
 * except for a few triangles. After the loops have visited 8 triangles for each triangle of both surfaces, a tree of
 * oriented bounding boxes is built for each (element_tree.h), and the trees continue the search: about (m + n) log(m +
 * n) steps if each triangle is close to a few of the other surface, as in flat polygons and fans of thin triangles.
 * Without memory for the trees, and on a GPU, the loops run to the end; the results are the same.
 *
 * Workload: one search for each pair of surfaces with a polygon; trees for rings of hundreds of corners and more. */
#ifndef GRAZE_NARROW_ELEMENT_SEARCH_H
#define GRAZE_NARROW_ELEMENT_SEARCH_H

#include "base/index_pair.h"
#include "broad/primitive_view.h"

#if !defined(__CUDACC__)
#include "narrow/element_tree.h"
#endif

/* A triangle of a, and consecutive triangles of b. */
typedef struct element_run {
  uint32_t element, first, end;
} element_run;

struct memory;

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
  element_search search;
  search.a = a;
  search.b = b;
  search.a_primitive = pair.a;
  search.b_primitive = pair.b;
  search.a_count = a_count;
  search.b_count = b_count;
  search.next = 0;
  search.tested = 0;
  search.clearance = 0.0;
  search.heap = heap;
  search.trees = NULL;
  return search;
}

/* False when there are no more. */
GEOMETRY_FUNCTION bool element_search_next(element_search *search, element_run *run_out) {
#if !defined(__CUDACC__)
  enum { PATIENCE = 8 };
  if (search->trees != NULL) return tree_pair_next(search->trees, &run_out->element, &run_out->first, &run_out->end);
  if (search->heap != NULL && search->tested > PATIENCE * ((uint64_t)search->a_count + search->b_count)) {
    search->trees = tree_pair_make(
        search->heap, polygon_triangulation_of(search->a, search->a_primitive, search->a_count),
        polygon_triangulation_of(search->b, search->b_primitive, search->b_count), search->next, search->clearance);
    if (search->trees != NULL) return element_search_next(search, run_out);
    search->heap = NULL;
  }
#endif
  if (search->next == search->a_count) return false;
  run_out->element = search->next++;
  run_out->first = 0;
  run_out->end = search->b_count;
  return true;
}

/* Records that the triangles of a run were visited. */
GEOMETRY_FUNCTION void element_search_spend(element_search *search, const element_run *run) {
  search->tested += run->end - run->first;
}

GEOMETRY_FUNCTION void element_search_end(element_search *search) {
#if !defined(__CUDACC__)
  if (search->trees != NULL) tree_pair_release(search->trees, search->heap);
#endif
  search->trees = NULL;
}

#endif

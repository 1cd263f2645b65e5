/* Which triangles of one surface can meet which of another: pairs of elements, in ascending order of the first and then
 * of the second, so that whoever tests them finds the same in the same order as by two loops.
 *
 * It begins as two loops. Most pairs of polygons have a handful of triangles, meet at once, or lie apart but for a few
 * triangles. When the loops have gone over 8 pieces for each that the two have, a tree of oriented bounding boxes is
 * made for either (element_tree.h), and the rest is searched by them: about (m + n) log(m + n) steps where each
 * triangle comes close to a few of the other surface, as in flat polygons, fans of thin triangles included. Without
 * memory for the trees, and on a GPU, the loops go on to the end; the answers are the same.
 *
 * Workload: one search for each pair of surfaces with a polygon in it; trees for rings of hundreds of corners and
 * more. */
#ifndef GRAZE_NARROW_ELEMENT_SEARCH_H
#define GRAZE_NARROW_ELEMENT_SEARCH_H

#include "base/index_pair.h"
#include "broad/primitive_view.h"

#if !defined(__CUDACC__)
#include "narrow/element_tree.h"
#endif

/* A piece of a, and consecutive pieces of b. */
typedef struct element_run {
  uint32_t element, first, end;
} element_run;

struct memory;

typedef struct element_search {
  const object_source *a, *b;
  uint32_t a_primitive, b_primitive;
  uint32_t a_count, b_count;
  uint32_t next;       /* the loops: the next piece of a */
  uint64_t tested;     /* the loops: pieces of b that were gone over */
  double clearance;    /* pieces no farther apart are looked for; 0: those that meet */
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

/* Says that a range was gone over, element by element. */
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

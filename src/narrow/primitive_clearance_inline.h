/* The exact test whether two primitives of any kinds are within a clearance, as inline functions for the processor and
 * for GPUs. Like primitive_pair_inline.h, with the distance of pieces.
 *
 * Primitives of one object that share a vertex have no distance; the rule for neighbors decides, as without a
 * clearance.
 *
 * Workload: every candidate of a query with a clearance. */
#ifndef GRAZE_NARROW_PRIMITIVE_CLEARANCE_INLINE_H
#define GRAZE_NARROW_PRIMITIVE_CLEARANCE_INLINE_H

#include "geometry/clearance_pair.h"
#include "narrow/primitive_pair_inline.h"

GEOMETRY_FUNCTION bool exact_boxes_of_pair_within(const object_source *a, const object_source *b, index_pair pair,
                                                  double clearance) {
  const exact_box p = box_of_corners(a, corners_of(a, pair.a)), q = box_of_corners(b, corners_of(b, pair.b));
  return exact_boxes_within(&p, &q, clearance);
}

GEOMETRY_FUNCTION bool elements_within(const convex_element *p, const convex_element *q, double clearance,
                                       orientation_tally *tally) {
  return hulls_within(p->points, p->count, p->radius, q->points, q->count, q->radius, clearance, tally);
}

/* Tests a piece of a against a run of pieces of b whose boxes are within the clearance. */
GEOMETRY_SLOW_FUNCTION bool element_comes_within(element_search *runs, const element_run *run, index_pair pair,
                                                 const exact_box *box_of_b, orientation_tally *tally) {
  const object_source *a = runs->a, *b = runs->b;
  const exact_box a_box = box_of_corners(a, element_corners(a, pair.a, run->element));
  if (!exact_boxes_within(&a_box, box_of_b, runs->clearance)) return false;
  convex_element p, q;
  fetch_element(a, pair.a, run->element, &p);
  element_search_spend(runs, run);
  for (uint32_t i = run->first; i < run->end; i++) {
    const exact_box b_box = box_of_corners(b, element_corners(b, pair.b, i));
    if (!exact_boxes_within(&a_box, &b_box, runs->clearance)) continue;
    fetch_element(b, pair.b, i, &q);
    if (elements_within(&p, &q, runs->clearance, tally)) return true;
  }
  return false;
}

/* Tests one primitive of each source, of any two objects; `heap` may be NULL. */
GEOMETRY_FUNCTION bool sources_within(const object_source *a, const object_source *b, index_pair pair, double clearance,
                                      struct memory *heap, orientation_tally *tally) {
  if (!kind_is_cut(a->kind) && !kind_is_cut(b->kind)) {
    convex_element p, q;
    fetch_element(a, pair.a, 0, &p);
    fetch_element(b, pair.b, 0, &q);
    return elements_within(&p, &q, clearance, tally);
  }
  const exact_box box_of_b = box_of_corners(b, corners_of(b, pair.b));
  const bool surfaces = !kind_is_solid(a->kind) && !kind_is_solid(b->kind);
  element_search runs = element_search_begin(a, b, pair, element_count_of(a, pair.a), element_count_of(b, pair.b),
                                             surfaces ? heap : NULL);
  runs.clearance = clearance;
  element_run run;
  bool within = false;
  while (!within && element_search_next(&runs, &run))
    within = element_comes_within(&runs, &run, pair, &box_of_b, tally);
  element_search_end(&runs);
  return within;
}

/* Tests two surfaces of one object that share a vertex, by the rule "beyond". */
GEOMETRY_FUNCTION bool neighbors_meet_beyond(const object_source *source, index_pair pair, graze_test test,
                                             struct memory *heap, orientation_tally *tally) {
  if (kind_is_cut(source->kind)) return sources_meet(source, source, pair, test, true, heap, tally);
  convex_element p, q;
  fetch_element(source, pair.a, 0, &p);
  fetch_element(source, pair.b, 0, &q);
  return triangles_meet_beyond(corners_of(source, pair.a).vertices, corners_of(source, pair.b).vertices, &p, &q, tally);
}

/* Tests a candidate of a query with a clearance. `beyond`: neighbors are tested; otherwise none are passed. */
GEOMETRY_LARGE_FUNCTION bool candidate_is_within(const object_source *a, const object_source *b, index_pair pair,
                                                 double clearance, graze_test test, bool beyond, struct memory *heap,
                                                 orientation_tally *tally) {
  if (a == b && beyond) {
    if (primitive_repeats_vertex(a, pair.a) || primitive_repeats_vertex(a, pair.b)) return false;
    if (share_corner(a, pair.a, pair.b)) return neighbors_meet_beyond(a, pair, test, heap, tally);
  }
  return sources_within(a, b, pair, clearance, heap, tally);
}

#endif

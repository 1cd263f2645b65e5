/* The exact test of one pair of primitives of any kinds, as inline functions for the processor and for GPUs. A polygon
 * consists of its triangles, every other kind is one convex piece. Two primitives meet if a piece of one meets a piece
 * of the other.
 *
 * Workload: the candidates that filters leave undecided. For tetrahedra about five a primitive; for polygons, which
 * have no filter, all candidates, each of two to a few hundred triangles, occasionally 10^5. */
#ifndef GRAZE_NARROW_PRIMITIVE_PAIR_INLINE_H
#define GRAZE_NARROW_PRIMITIVE_PAIR_INLINE_H

#include "broad/part_vertices.h"
#include "geometry/convex_pair.h"
#include "geometry/sphere_pair.h"
#include "geometry/tetrahedron_pair.h"
#include "geometry/triangle_neighbors.h"
#include "narrow/element_tree.h"
#include "narrow/primitive_pair.h"

/* The number of convex pieces of a primitive: the triangles of a polygon, else one. */
GEOMETRY_FUNCTION uint32_t element_count_of(const object_source *source, uint32_t primitive) {
  return kind_is_cut(source->kind) ? corners_of(source, primitive).count - 2 : 1;
}

/* The own vertex numbers of a piece. */
GEOMETRY_FUNCTION corner_list element_corners(const object_source *source, uint32_t primitive, uint32_t element) {
  if (!kind_is_cut(source->kind)) return corners_of(source, primitive);
  const corner_list corners = {polygon_triangulation(source, primitive) + 3 * (size_t)element, 3};
  return corners;
}

GEOMETRY_LARGE_FUNCTION void fetch_element(const object_source *source, uint32_t primitive, uint32_t element,
                                           convex_element *element_out) {
  const corner_list corners = element_corners(source, primitive, element);
  element_out->count = corners.count;
  switch (kind_form_of(source->kind)) { /* all that tests of two pieces know: elements_meet, elements_within */
  case FORM_BALL:
    element_out->radius = radius_at(source, corners.vertices[0]);
    break;
  case FORM_HULL:
  case FORM_TRIANGLES:
    element_out->radius = 0.0;
    break;
  }
  for (uint32_t i = 0; i < corners.count; i++)
    fetch_vertex(source, corners.vertices[i], element_out->points + 3 * (size_t)i);
}

/* Returns the radius. */
GEOMETRY_FUNCTION double fetch_sphere(const object_source *source, uint32_t primitive, double center_out[3]) {
  const uint32_t vertex = corners_of(source, primitive).vertices[0];
  fetch_vertex(source, vertex, center_out);
  return radius_at(source, vertex);
}

/* ---------------------------------------------------------------------------------------------- boxes */

GEOMETRY_FUNCTION bool exact_boxes_of_pair_meet(const object_source *sources, const primitive_header *headers,
                                                index_pair pair) {
  const object_source *a = &sources[headers[pair.a].object], *b = &sources[headers[pair.b].object];
  const exact_box p = box_of_corners(a, corners_of(a, pair.a)), q = box_of_corners(b, corners_of(b, pair.b));
  return exact_boxes_meet(&p, &q);
}

/* ---------------------------------------------------------------------------------------------- convex pieces */

/* Whether a ball meets a convex piece or another ball, exactly. */
GEOMETRY_LARGE_FUNCTION bool ball_meets(const convex_element *ball, const convex_element *q, orientation_tally *tally) {
  if (q->count == 1) return sphere_pair_intersects(ball->points, ball->radius, q->points, q->radius, tally);
  if (q->count == 3) return sphere_triangle_intersects(ball->points, ball->radius, q->points, tally);
  if (q->count == 4) return sphere_tetrahedron_intersects(ball->points, ball->radius, q->points, tally);
  return sphere_convex_intersects(ball->points, ball->radius, q->points, q->count, tally);
}

/* Whether two convex pieces meet, exactly. A piece with one corner is a ball. */
GEOMETRY_LARGE_FUNCTION bool elements_meet(const convex_element *p, const convex_element *q, orientation_tally *tally) {
  if (p->count == 3 && q->count == 3) return triangle_pair_intersects(p->points, q->points, tally);
  if (p->count == 4 && q->count == 4) return tetrahedron_pair_intersects(p->points, q->points, tally);
  if (p->count == 3 && q->count == 4) return triangle_tetrahedron_intersects(p->points, q->points, tally);
  if (p->count == 4 && q->count == 3) return triangle_tetrahedron_intersects(q->points, p->points, tally);
  if (p->count == 1) return ball_meets(p, q, tally);
  if (q->count == 1) return ball_meets(q, p, tally);
  return convex_pair_intersects(p->points, p->count, q->points, q->count, tally);
}

GEOMETRY_FUNCTION bool elements_meet_by(graze_test test, const convex_element *p, const convex_element *q,
                                        orientation_tally *tally) {
  const bool one_test = (p->count == 3 && q->count == 3) || p->count == 1 || q->count == 1;
  if (test == GRAZE_TEST_GJK && !one_test)
    return convex_pair_intersects(p->points, p->count, q->points, q->count, tally);
  return elements_meet(p, q, tally);
}

/* ---------------------------------------------------------------------------------------------- neighbors */

GEOMETRY_LARGE_FUNCTION bool triangles_meet_beyond(const uint32_t *a, const uint32_t *b, const convex_element *p,
                                                   const convex_element *q, orientation_tally *tally) {
  const shared_corners shared = shared_corners_of(a, b);
  return triangle_pair_intersects_beyond(p->points, q->points, shared.count, shared.a, shared.b, tally);
}

/* ---------------------------------------------------------------------------------------------- all pieces */

typedef struct element_pair_rule {
  graze_test test;
  bool beyond;            /* both are surfaces of one object, with neighbors tested */
  const part_side *parts; /* the two, if they are of different parts of that object; else NULL */
  exact_box box_of_b;     /* around all of b */
} element_pair_rule;

/* Tests two triangles of surfaces of one object, by its vertex numbers or those of two parts. */
GEOMETRY_LARGE_FUNCTION bool elements_meet_beyond(const element_pair_rule *rule, const uint32_t *a, const uint32_t *b,
                                                  const convex_element *p, const convex_element *q,
                                                  orientation_tally *tally) {
  if (rule->parts == NULL) return triangles_meet_beyond(a, b, p, q, tally);
  const header_corners named = part_corners_by(&rule->parts[0], a, &rule->parts[1], b);
  return triangles_meet_beyond(a, named.own, p, q, tally);
}

/* Tests an element of a against those elements of b in the range whose boxes it meets. */
GEOMETRY_SLOW_FUNCTION bool element_meets(element_search *runs, const element_run *run, index_pair pair,
                                          const element_pair_rule *rule, orientation_tally *tally) {
  const object_source *a = runs->a, *b = runs->b;
  const corner_list a_corners = element_corners(a, pair.a, run->element);
  const exact_box a_box = box_of_corners(a, a_corners);
  if (!exact_boxes_meet(&a_box, &rule->box_of_b)) return false;
  convex_element p, q;
  fetch_element(a, pair.a, run->element, &p);
  element_search_spend(runs, run);
  for (uint32_t i = run->first; i < run->end; i++) {
    const corner_list b_corners = element_corners(b, pair.b, i);
    const exact_box b_box = box_of_corners(b, b_corners);
    if (!exact_boxes_meet(&a_box, &b_box)) continue;
    fetch_element(b, pair.b, i, &q);
    if (rule->beyond ? elements_meet_beyond(rule, a_corners.vertices, b_corners.vertices, &p, &q, tally)
                     : elements_meet_by(rule->test, &p, &q, tally))
      return true;
  }
  return false;
}

/* Tests two primitives of which at least one is split into triangles. */
GEOMETRY_LARGE_FUNCTION bool cut_sources_meet(const object_source *a, const object_source *b, index_pair pair,
                                              graze_test test, bool beyond, const part_side *parts_or_null,
                                              struct memory *heap, orientation_tally *tally) {
  const element_pair_rule rule = {test, beyond, parts_or_null, box_of_corners(b, corners_of(b, pair.b))};
  if (rule.beyond && (primitive_repeats_vertex(a, pair.a) || primitive_repeats_vertex(b, pair.b))) return false;
  const bool surfaces = !kind_is_solid(a->kind) && !kind_is_solid(b->kind);
  element_search runs = element_search_begin(a, b, pair, element_count_of(a, pair.a), element_count_of(b, pair.b),
                                             surfaces ? heap : NULL);
  element_run run;
  bool meet = false;
  while (!meet && element_search_next(&runs, &run)) meet = element_meets(&runs, &run, pair, &rule, tally);
  element_search_end(&runs);
  return meet;
}

/* Tests one primitive of each source; the sources may be the same. `beyond` applies to two of one object. `heap` may be
 * NULL. */
GEOMETRY_LARGE_FUNCTION bool sources_meet(const object_source *a, const object_source *b, index_pair pair,
                                          graze_test test, bool beyond, struct memory *heap, orientation_tally *tally) {
  if (kind_is_cut(a->kind) || kind_is_cut(b->kind))
    return cut_sources_meet(a, b, pair, test, beyond, NULL, heap, tally);
  convex_element p, q; /* triangles that share corners are never passed */
  fetch_element(a, pair.a, 0, &p);
  fetch_element(b, pair.b, 0, &q);
  return elements_meet_by(test, &p, &q, tally);
}

/* Tests two surfaces of different parts of one object that share a vertex, by the rule "beyond". */
GEOMETRY_FUNCTION bool parts_meet_beyond(const part_side sides[2], graze_test test, struct memory *heap,
                                         orientation_tally *tally) {
  const part_side *a = &sides[0], *b = &sides[1];
  const index_pair pair = {a->primitive, b->primitive};
  if (kind_is_cut(a->source->kind)) return cut_sources_meet(a->source, b->source, pair, test, true, sides, heap, tally);
  convex_element p, q;
  for (uint32_t i = 0; i < 3; i++) {
    fetch_vertex(a->source, a->corners.vertices[i], p.points + 3 * (size_t)i);
    fetch_vertex(b->source, b->corners.vertices[i], q.points + 3 * (size_t)i);
  }
  const header_corners named = part_corners_by(a, a->corners.vertices, b, b->corners.vertices);
  return triangles_meet_beyond(a->corners.vertices, named.own, &p, &q, tally);
}

/* See primitive_pair.h; `heap` may be NULL. */
GEOMETRY_LARGE_FUNCTION bool primitives_meet(const object_source *sources, const primitive_header *headers,
                                             index_pair pair, graze_test test, bool beyond, struct memory *heap,
                                             orientation_tally *tally) {
  const uint32_t a = headers[pair.a].object, b = headers[pair.b].object;
  return sources_meet(&sources[a], &sources[b], pair, test, beyond && a == b, heap, tally);
}

#endif

/* The inline functions of primitive_pair_inline.h and primitive_clearance_inline.h as functions of the library. */
#include "narrow/primitive_clearance_inline.h"

static uint32_t owner_of(const primitive_view *view, uint32_t primitive) {
  return owner_of_primitive(view->headers, view->sources, view->object_count, primitive);
}

bool primitive_boxes_meet(const primitive_view *view, index_pair pair) {
  const object_source *a = &view->sources[owner_of(view, pair.a)], *b = &view->sources[owner_of(view, pair.b)];
  const exact_box p = box_of_corners(a, corners_of(a, pair.a)), q = box_of_corners(b, corners_of(b, pair.b));
  return exact_boxes_meet(&p, &q);
}

bool primitive_pair_meets(const primitive_view *view, index_pair pair, graze_test test, bool beyond,
                          struct memory *heap, orientation_tally *tally) {
  const uint32_t a = owner_of(view, pair.a), b = owner_of(view, pair.b);
  return sources_meet(&view->sources[a], &view->sources[b], pair, test, beyond && a == b, heap, tally);
}

bool source_pair_meets(const object_source *a, const object_source *b, index_pair pair, graze_test test,
                       struct memory *heap, orientation_tally *tally) {
  return sources_meet(a, b, pair, test, false, heap, tally);
}

bool source_pair_within(const object_source *a, const object_source *b, index_pair pair, double clearance,
                        struct memory *heap, orientation_tally *tally) {
  return sources_within(a, b, pair, clearance, heap, tally);
}

bool part_neighbors_meet(const part_side sides[2], graze_test test, struct memory *heap, orientation_tally *tally) {
  return parts_meet_beyond(sides, test, heap, tally);
}

bool spheres_meet(const primitive_view *view, index_pair pair, orientation_tally *tally) {
  double p[3], q[3];
  const double p_radius = fetch_sphere(&view->sources[owner_of(view, pair.a)], pair.a, p);
  const double q_radius = fetch_sphere(&view->sources[owner_of(view, pair.b)], pair.b, q);
  return sphere_pair_intersects(p, p_radius, q, q_radius, tally);
}

bool primitive_boxes_within(const primitive_view *view, index_pair pair) {
  return exact_boxes_of_pair_within(&view->sources[owner_of(view, pair.a)], &view->sources[owner_of(view, pair.b)],
                                    pair, view->clearance);
}

bool primitive_pair_within(const primitive_view *view, index_pair pair, graze_test test, struct memory *heap,
                           orientation_tally *tally) {
  return candidate_is_within(&view->sources[owner_of(view, pair.a)], &view->sources[owner_of(view, pair.b)], pair,
                             view->clearance, test, !view->skip_neighbors, heap, tally);
}

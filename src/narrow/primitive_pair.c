/* The inline functions of primitive_pair_inline.h as functions of the library. */
#include "narrow/primitive_pair_inline.h"

bool primitive_boxes_meet(const primitive_view *view, index_pair pair) {
  return exact_boxes_of_pair_meet(view->sources, view->headers, pair);
}

bool primitive_pair_meets(const primitive_view *view, index_pair pair, graze_test test, bool beyond,
                          struct memory *heap, orientation_tally *tally) {
  return primitives_meet(view->sources, view->headers, pair, test, beyond, heap, tally);
}

bool source_pair_meets(const object_source *a, const object_source *b, index_pair pair, graze_test test,
                       struct memory *heap, orientation_tally *tally) {
  return sources_meet(a, b, pair, test, false, heap, tally);
}

bool spheres_meet(const primitive_view *view, index_pair pair, orientation_tally *tally) {
  double p[3], q[3];
  const double p_radius = fetch_sphere(&view->sources[view->headers[pair.a].object], pair.a, p);
  const double q_radius = fetch_sphere(&view->sources[view->headers[pair.b].object], pair.b, q);
  return sphere_pair_intersects(p, p_radius, q, q_radius, tally);
}

/* The inline functions of primitive_pair_inline.h as functions of the library. */
#include "narrow/primitive_pair_inline.h"

bool primitive_boxes_meet(const primitive_view *view, index_pair pair) {
  return exact_boxes_of_pair_meet(view->sources, view->headers, pair);
}

bool primitive_pair_meets(const primitive_view *view, index_pair pair, graze_test test, bool beyond,
                          struct memory *heap, orientation_tally *tally) {
  return primitives_meet(view->sources, view->headers, pair, test, beyond, heap, tally);
}

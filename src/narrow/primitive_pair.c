/* The inline functions of primitive_pieces.h as functions of the library. */
#include "narrow/primitive_pieces.h"

uint32_t primitive_piece_count(const object_source *source, uint32_t primitive) {
  return piece_count_of(source, primitive);
}

void primitive_fetch_piece(const object_source *source, uint32_t primitive, uint32_t piece, convex_piece *piece_out) {
  fetch_piece(source, primitive, piece, piece_out);
}

exact_box primitive_exact_box(const object_source *source, uint32_t primitive) {
  return box_of_corners(source, corners_of(source, primitive));
}

bool primitive_boxes_meet(const primitive_view *view, index_pair pair) {
  return exact_boxes_of_pair_meet(view->sources, view->tags, pair);
}

bool convex_pieces_meet(const convex_piece *p, const convex_piece *q, orientation_tally *tally) {
  return pieces_meet(p, q, tally);
}

bool primitive_pair_meets(const primitive_view *view, index_pair pair, graze_test test, bool beyond,
                          orientation_tally *tally) {
  return primitives_meet(view->sources, view->tags, pair, test, beyond, tally);
}

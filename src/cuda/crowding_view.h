/* What the stages of the k-free measure see: see stage_crowding.h. */
#ifndef GRAZE_CUDA_CROWDING_VIEW_H
#define GRAZE_CUDA_CROWDING_VIEW_H

#include "cuda/pair_view.h"

/* Corners, at most, of triangles and tetrahedra, whose k is measured without scratch. */
enum { FEW_CORNERS = 4 };

/* The measure of one object, whose primitives then are all that there is: numbered from 0, as on the processor. Pairs
 * of LIST_TRIANGLES, LIST_TETRAHEDRA or LIST_OTHERS, by the kind, are those that share no corner, and those of
 * LIST_UNDECIDED need a distance; both hold primitives and not entries. */
typedef struct crowding_view {
  pair_view pairs;
  const primitive_header *given_headers; /* as the scene has them */
  primitive_header *headers;             /* of object 0 */
  primitive_box *boxes;                  /* grown */
  uint32_t *k_of, *neighbors_of;         /* a primitive each, as is the diameter of its ball */
  double *diameter_of;
  uint32_t *levels; /* bit i: some primitive lies at level i of the processor's grid */
  double *scratch;  /* of each lane, of polygons and polyhedra; else NULL */
  uint32_t lane_scratch, lanes;
} crowding_view;

/* The list of pairs that share no corner. */
GEOMETRY_FUNCTION device_list device_apart_list(graze_kind kind) {
  const kind_batch batch = kind_batch_of(kind);
  if (batch == BATCH_TRIANGLES) return LIST_TRIANGLES;
  return batch == BATCH_TETRAHEDRA ? LIST_TETRAHEDRA : LIST_OTHERS;
}

#endif

/* The data of the stages of the k-free measure; see stage_crowding.h. */
#ifndef GRAZE_CUDA_CROWDING_VIEW_H
#define GRAZE_CUDA_CROWDING_VIEW_H

#include "cuda/pair_view.h"

/* The maximum number of corners of primitives whose k is measured without scratch: triangles and tetrahedra. */
enum { FEW_CORNERS = 4 };

/* The measure of one object. Its primitives are the whole scene and numbered from 0, as on the processor.
 * LIST_TRIANGLES, LIST_TETRAHEDRA or LIST_OTHERS, by kind, contain the pairs that share no corner, and LIST_UNDECIDED
 * those that need a distance; both contain primitives, not entries. */
typedef struct crowding_view {
  pair_view pairs;
  const primitive_header *given_headers; /* those of the scene */
  primitive_header *headers;             /* of object 0 */
  primitive_box *boxes;                  /* grown */
  uint32_t *k_of, *neighbors_of;         /* per primitive, like the diameter of its ball */
  double *diameter_of;
  uint32_t *levels; /* bit i: some primitive is at level i of the processor's grid */
  double *scratch;  /* per lane, for polygons and polyhedra; else NULL */
  uint32_t lane_scratch, lanes;
} crowding_view;

/* The list of pairs that share no corner. */
GEOMETRY_FUNCTION device_list device_apart_list(graze_kind kind) {
  const kind_batch batch = kind_batch_of(kind);
  if (batch == BATCH_TRIANGLES) return LIST_TRIANGLES;
  return batch == BATCH_TETRAHEDRA ? LIST_TETRAHEDRA : LIST_OTHERS;
}

#endif

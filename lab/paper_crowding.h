/* k of several meshes together, as if they were one object: triangles of other meshes count as near. */
#ifndef GRAZE_PAPER_CROWDING_H
#define GRAZE_PAPER_CROWDING_H

#include "bench/study_tools.h"

typedef struct paper_crowding {
  size_t primitives;
  uint32_t k;             /* the largest */
  uint32_t k_neighbors;   /* how many of it share a vertex with that primitive */
  double mean, deviation; /* of the primitives' k */
  double height;          /* log2 of the largest over the smallest diameter */
} paper_crowding;

/* Measures triangles or tetrahedra. On failure, writes a message. */
bool paper_crowding_measure(const study *at, const mesh *meshes, size_t count, paper_crowding *crowding);

#endif

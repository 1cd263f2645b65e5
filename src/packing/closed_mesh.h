/* The mesh that is to be filled: checked, scaled, measured.
 *
 * A mesh is closed where every edge is passed as often one way as the other; vertices count as one where all their
 * coordinates are equal. Then it winds around every point a whole number of times (mesh_winding.h). */
#ifndef GRAZE_PACKING_CLOSED_MESH_H
#define GRAZE_PACKING_CLOSED_MESH_H

#include "base/array.h"
#include "graze/graze.h"

typedef struct closed_mesh {
  double *corners; /* nine a triangle, scaled by 2^-exponent, as scaling_exponent has it */
  size_t triangle_count;
  size_t vertex_count; /* different places */
  uint32_t *vertices;  /* three a triangle: numbers of places */
  int exponent;
  double least[3], greatest[3], diagonal; /* scaled, as is */
  double volume;                          /* the exact signed sum, rounded once; never negative, */
  bool inverted;                          /* as a mesh whose triangles face inward is turned over */
  uint64_t shells;                        /* parts that share no vertex; */
  uint64_t outward_shells, inward_shells; /* by the sign of the volume of each, as it is after turning over */
} closed_mesh;

/* Copies and checks; each failure has its message. closed_mesh_release is due either way. */
graze_result closed_mesh_read(closed_mesh *target, memory *heap, const graze_view *positions,
                              const graze_view *triangles);
void closed_mesh_release(closed_mesh *target, memory *heap);

#endif

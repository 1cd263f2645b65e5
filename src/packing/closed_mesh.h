/* The mesh to be filled: checked, scaled, measured.
 *
 * A mesh is closed if every edge is traversed equally often in both directions; vertices with equal coordinates count
 * as one. Then its winding number around every point is an integer (mesh_winding.h). */
#ifndef GRAZE_PACKING_CLOSED_MESH_H
#define GRAZE_PACKING_CLOSED_MESH_H

#include "base/array.h"
#include "graze/graze.h"

typedef struct closed_mesh {
  double *corners; /* nine per triangle, scaled by 2^-exponent, see scaling_exponent */
  size_t triangle_count;
  size_t vertex_count; /* distinct positions */
  uint32_t *vertices;  /* three per triangle: numbers of positions */
  int exponent;
  double least[3], greatest[3], diagonal; /* scaled, too */
  double volume;                          /* the exact signed sum, rounded once; never negative, */
  bool inverted;                          /* as a mesh whose triangles face inward is inverted */
  uint64_t shells;                        /* parts that share no vertex */
  uint64_t outward_shells, inward_shells; /* by the sign of the volume of each, after inverting */
} closed_mesh;

/* Copies and checks; each failure sets a message. Call closed_mesh_release in either case. */
graze_result closed_mesh_read(closed_mesh *target, memory *heap, const graze_view *positions,
                              const graze_view *triangles);
void closed_mesh_release(closed_mesh *target, memory *heap);

#endif

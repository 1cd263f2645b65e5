/* Whether a mesh is closed, and where it is not; and of how many shells it consists, facing which way. */
#ifndef GRAZE_PACKING_MESH_EDGES_H
#define GRAZE_PACKING_MESH_EDGES_H

#include "packing/closed_mesh.h"

/* The first edge that is not passed as often one way as the other, by the first triangle that has it. */
typedef struct mesh_hole {
  size_t edges; /* that are like it; 0: the mesh is closed */
  size_t triangle;
  int corner;                 /* where the edge begins */
  uint32_t forward, backward; /* how often it is passed to the higher number, and to the lower */
} mesh_hole;

/* Numbers points, three doubles each, so that those at one place have one number. Linear. False when out of memory. */
bool mesh_places_number(const double *points, size_t count, memory *heap, uint32_t *numbers_out,
                        size_t *place_count_out);

/* Looks for holes of triangles, each of three numbers below vertex_count; edges between equal numbers do not count.
 * Linear. False when out of memory. */
bool mesh_holes_find(const uint32_t *vertices, size_t triangle_count, size_t vertex_count, memory *heap,
                     mesh_hole *hole_out);

/* Numbers the places of vertices, fills vertices, vertex_count and the numbers of shells, and looks for holes. Linear.
 * False when out of memory. */
bool mesh_edges_check(closed_mesh *target, memory *heap, mesh_hole *hole_out);

/* The message about a mesh that is not closed. */
graze_result mesh_hole_fail(const closed_mesh *target, const mesh_hole *hole);

#endif

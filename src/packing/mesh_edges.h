/* Tests whether a mesh is closed, finds its open edges, and counts and orients its shells. */
#ifndef GRAZE_PACKING_MESH_EDGES_H
#define GRAZE_PACKING_MESH_EDGES_H

#include "packing/closed_mesh.h"

/* The edges that are not traversed equally often in both directions, and the first of them, by the first triangle that
 * has it. */
typedef struct mesh_hole {
  size_t edges;    /* number of such edges; 0: the mesh is closed */
  size_t open;     /* those of a single triangle */
  size_t reversed; /* those of an even number of triangles, some of which are oriented the wrong way */
  size_t crowded;  /* edges of three triangles or more, whatever their directions */
  size_t triangle;
  int corner;                 /* where the edge begins */
  uint32_t forward, backward; /* how often it is traversed to the higher number, and to the lower */
} mesh_hole;

/* Numbers points of three doubles each, in the order of their first occurrence; equal points get the same number.
 * Linear. False when out of memory. */
bool mesh_places_number(const double *points, size_t count, memory *heap, uint32_t *numbers_out,
                        size_t *place_count_out);

/* Searches triangles, each of three numbers below vertex_count, for holes; a triangle that repeats a number has no
 * edges. Linear. False when out of memory. */
bool mesh_holes_find(const uint32_t *vertices, size_t triangle_count, size_t vertex_count, memory *heap,
                     mesh_hole *hole_out);

/* Numbers the positions of vertices, fills vertices, vertex_count and the numbers of shells, and searches for holes.
 * Linear. False when out of memory. */
bool mesh_edges_check(closed_mesh *target, memory *heap, mesh_hole *hole_out);

/* Sets the message about a mesh that is not closed. */
graze_result mesh_hole_fail(const closed_mesh *target, const mesh_hole *hole);

#endif

/* What is odd about a surface beside its intersections. */
#ifndef GRAZE_MESH_DEFECTS_H
#define GRAZE_MESH_DEFECTS_H

#include "mesh_io/mesh.h"

/* Vertices at the same place are one vertex, whatever their numbers. Polygons count by the triangles of their fan. */
typedef struct mesh_defects {
  uint64_t open_edges;          /* edges of one triangle alone */
  uint64_t non_manifold_edges;  /* edges of three triangles or more */
  uint64_t zero_area_triangles; /* triangles, or whole polygons, whose corners lie on a line: exact */
  uint64_t duplicate_triangles; /* triangles with the corners, in any order, of one before them */
} mesh_defects;

/* Counts the defects of a mesh of polygons. A triangle that repeats a corner has no edges. False when memory is out.
 * Linear but for vertices that very many triangles share. */
bool mesh_defects_count(const mesh *surface, mesh_defects *defects_out);

#endif

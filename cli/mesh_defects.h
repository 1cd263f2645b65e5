/* Defects of a surface other than intersections. */
#ifndef GRAZE_MESH_DEFECTS_H
#define GRAZE_MESH_DEFECTS_H

#include "mesh_io/mesh.h"

/* Vertices at the same place are one vertex. Polygons count by their triangles. */
typedef struct mesh_defects {
  uint64_t open_edges;          /* edges of a single triangle: graze_object_find_open_edges counts them, */
  uint64_t non_manifold_edges;  /* and edges of three triangles or more */
  uint64_t zero_area_triangles; /* triangles, or whole polygons, with collinear corners: exact */
  uint64_t duplicate_triangles; /* triangles with the same corners, in any order, as an earlier one */
} mesh_defects;

/* Counts the defects of a mesh of polygons except those of edges, which are 0. False when out of memory. Linear, except
 * for vertices shared by very many triangles. */
bool mesh_defects_count(const mesh *surface, mesh_defects *defects_out);

#endif

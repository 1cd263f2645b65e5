/* The drawn part of a mesh: a surface of triangles with the marks of their elements, or spheres. */
#ifndef GRAZE_MESH_SURFACE_H
#define GRAZE_MESH_SURFACE_H

#include "mesh_io/mesh.h"

typedef struct mesh_surface {
  mesh drawn;     /* only positions and triangles or radii; all but the triangles of solids belong to the mesh */
  uint8_t *marks; /* one per triangle or sphere; owned */
  bool owns_triangles;
} mesh_surface;

/* Spheres are drawn as they are, polygons by their triangles. Of solids, the faces of a single element are drawn, and
 * all faces of marked elements. marked[i] is not 0 if element i, as counted by mesh_element_count, is marked. False
 * when out of memory. Call mesh_surface_release in any case, before the mesh is released. */
bool mesh_surface_make(const mesh *part, const uint8_t *marked, mesh_surface *surface_out);
void mesh_surface_release(mesh_surface *surface);

#endif

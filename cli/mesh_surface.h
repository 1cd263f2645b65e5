/* What a picture shows of a mesh: a surface of triangles, with the marks of the elements that they belong to; or
 * spheres. */
#ifndef GRAZE_MESH_SURFACE_H
#define GRAZE_MESH_SURFACE_H

#include "mesh_io/mesh.h"

typedef struct mesh_surface {
  mesh drawn;     /* positions and triangles or radii alone; all but the triangles of solids are the mesh's own */
  uint8_t *marks; /* one a triangle or sphere; owned */
  bool owns_triangles;
} mesh_surface;

/* Spheres are drawn as they are, polygons by their triangles. Of solids the faces are drawn that one element alone has,
 * and all faces of the marked elements. marked[i] is not 0 where element i, as mesh_element_count counts them, is
 * marked. False when memory is out. mesh_surface_release is due either way, before the mesh goes. */
bool mesh_surface_make(const mesh *part, const uint8_t *marked, mesh_surface *surface_out);
void mesh_surface_release(mesh_surface *surface);

#endif

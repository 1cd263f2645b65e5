/* The display form of a mesh: positions in single precision, and triangles with the primitive of each. */
#ifndef GRAZE_DISPLAY_MESH_H
#define GRAZE_DISPLAY_MESH_H

#include "mesh_io/mesh.h"

/* Owns its arrays, which are allocated with malloc. */
typedef struct display_mesh {
  double origin[3];                /* positions are relative to it: the middle of the mesh's box */
  float *positions;                /* 3 * vertex_count */
  float *radii;                    /* radius_count; only for spheres */
  uint32_t *triangles;             /* 3 * triangle_count vertices; none for spheres */
  uint32_t *primitive_of_triangle; /* NULL where triangle i is primitive i */
  size_t vertex_count, radius_count, triangle_count;
} display_mesh;

/* Returns false, with nothing to release, if out of memory. Linear in the corners of the mesh. */
bool display_mesh_make(const mesh *part, display_mesh *display_out);
void display_mesh_release(display_mesh *display);

#endif

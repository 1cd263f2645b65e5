/* The outer triangles of tetrahedra. */
#ifndef GRAZE_TETRAHEDRA_SKIN_H
#define GRAZE_TETRAHEDRA_SKIN_H

#include "mesh_io/mesh.h"

/* Faces that one tetrahedron alone has, in the order of their sorted corners; release them by free. False when memory
 * is out. */
bool tetrahedra_skin_make(const mesh *body, uint32_t **triangles_out, size_t *count_out);

#endif

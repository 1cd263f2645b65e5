/* The outer triangles of tetrahedra. */
#ifndef GRAZE_TETRAHEDRA_SKIN_H
#define GRAZE_TETRAHEDRA_SKIN_H

#include "mesh_io/mesh.h"

/* Returns the faces of exactly one tetrahedron, in the order of their sorted corners; release them with free. False
 * when out of memory. */
bool tetrahedra_skin_make(const mesh *body, uint32_t **triangles_out, size_t *count_out);

#endif

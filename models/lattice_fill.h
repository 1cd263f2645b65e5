/* A closed surface filled with tetrahedra. */
#ifndef GRAZE_LATTICE_FILL_H
#define GRAZE_LATTICE_FILL_H

#include "mesh_io/mesh.h"

/* Fills the inside of a closed surface with about `target` tetrahedra of about the same size: a body-centered lattice
 * whose points near the surface are moved onto it and whose tetrahedra are cut there. All have positive volumes, and
 * every inner face belongs to two of them. What is thinner than the lattice may be lost.
 *
 * The surface must be closed: every edge belongs to an even number of triangles. It need not be one piece nor turned
 * one way; inside is what an odd number of its layers encloses. Its name becomes that of the filling.
 *
 * On success the caller owns *filled_out (release it with mesh_free). On failure it is zeroed and `error` holds one
 * message, which names an edge of an open surface. */
bool lattice_fill(const mesh *surface, uint64_t target, mesh *filled_out, char *error, size_t error_bytes);

#endif

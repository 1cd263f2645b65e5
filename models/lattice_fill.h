/* Fills a closed surface with tetrahedra. */
#ifndef GRAZE_LATTICE_FILL_H
#define GRAZE_LATTICE_FILL_H

#include "mesh_io/mesh.h"

/* Fills the inside of a closed surface with about `target` tetrahedra of about the same size: a body-centered lattice
 * whose points near the surface are moved onto it and whose tetrahedra are cut there. All have positive volumes, and
 * every inner face belongs to two of them. Parts thinner than the lattice may be lost.
 *
 * The surface must be closed: every edge belongs to an even number of triangles. It need not be connected or
 * consistently oriented; a point is inside if an odd number of its layers encloses it. The filling has the name of the
 * surface.
 *
 * On success the caller owns *filled_out (release it with mesh_free). On failure it is zeroed and `error` contains one
 * message, which names an edge of an open surface. */
bool lattice_fill(const mesh *surface, uint64_t target, mesh *filled_out, char *error, size_t error_bytes);

#endif

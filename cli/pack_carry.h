/* The frames of `graze pack`: a body of tetrahedra deforms and carries its packing. */
#ifndef GRAZE_PACK_CARRY_H
#define GRAZE_PACK_CARRY_H

#include "pack_outcome.h"
#include "progress.h"

/* Converts the spheres to a mesh, for files and pictures; release with mesh_free in any case. False after a
 * complaint. */
bool pack_sphere_mesh(const graze_sphere *spheres, size_t count, mesh *spheres_out);

/* Reads the frames one after the other, carries the packing there, and writes its spheres if requested. False after a
 * complaint; earlier frames are kept. */
bool pack_carry_frames(pack_outcome *outcome, progress *steps);

#endif

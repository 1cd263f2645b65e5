/* Merges the vertices of a mesh at the same place. */
#ifndef GRAZE_MESH_WELD_H
#define GRAZE_MESH_WELD_H

#include "mesh_io/mesh.h"

/* Elements then refer to the first vertex at each place; the others stay, unused. Spheres do not change. False when out
 * of memory. */
bool mesh_weld(mesh *joined);

#endif

/* Joins the vertices of a mesh that lie at the same place. */
#ifndef GRAZE_MESH_WELD_H
#define GRAZE_MESH_WELD_H

#include "mesh_io/mesh.h"

/* Elements name the first vertex at each place; the others stay, unused. Spheres stay as they are. False when memory is
 * out. */
bool mesh_weld(mesh *joined);

#endif

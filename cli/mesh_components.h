/* Splits a mesh into its connected components. */
#ifndef GRAZE_MESH_COMPONENTS_H
#define GRAZE_MESH_COMPONENTS_H

#include "mesh_io/mesh.h"

/* Two elements are in one component if they are connected by vertices at the same place. Components are in the order of
 * their first elements, and keep the order of their elements; each has the vertices that it uses, which are not merged:
 * pairs within a component are those of the mesh. Names are "NAME#0", "NAME#1" and so on. Not for spheres. A mesh
 * without elements has no components. False when out of memory, with nothing made. Release with mesh_list_free. Nearly
 * linear. */
bool mesh_components_make(const mesh *whole, const char *name, mesh **parts_out, size_t *part_count_out);

#endif

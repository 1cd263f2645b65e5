/* A mesh as its connected components. */
#ifndef GRAZE_MESH_COMPONENTS_H
#define GRAZE_MESH_COMPONENTS_H

#include "mesh_io/mesh.h"

/* Two elements are in one component when vertices at the same place lead from one to the other. Components are in the
 * order of their first elements, and keep the order of their elements; each has the vertices that it uses, which are
 * not welded: pairs within a component are those of the mesh. Names are "NAME#0", "NAME#1" and so on. Not for spheres.
 * A mesh without elements has no component. False when memory is out, with nothing made. Release by mesh_list_free.
 * Nearly linear. */
bool mesh_components_make(const mesh *whole, const char *name, mesh **parts_out, size_t *part_count_out);

#endif

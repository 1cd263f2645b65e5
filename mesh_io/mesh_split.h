/* One mesh of several groups into one mesh a group. */
#ifndef GRAZE_MESH_SPLIT_H
#define GRAZE_MESH_SPLIT_H

#include "mesh_io/mesh_builder.h"

/* Makes a mesh of every group that has polygons, and of the polygons before the first group, in file order. Each has
 * the vertices that its polygons use, in the order of the file. The builder must have at least one polygon; it stays as
 * it is, except that names move. */
bool mesh_split(mesh_builder *builder, mesh **meshes_out, size_t *mesh_count_out);

#endif

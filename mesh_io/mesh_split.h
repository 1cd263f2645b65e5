/* Splits one mesh of several groups into one mesh per group. */
#ifndef GRAZE_MESH_SPLIT_H
#define GRAZE_MESH_SPLIT_H

#include "mesh_io/mesh_builder.h"

/* Makes a mesh of every group with polygons, and of the polygons before the first group, in file order. Each has the
 * vertices of its polygons, in the order of the file. The builder must have at least one polygon; it does not change,
 * except that names are moved. */
bool mesh_split(mesh_builder *builder, mesh **meshes_out, size_t *mesh_count_out);

#endif

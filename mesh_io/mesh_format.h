/* The format of a file. */
#ifndef GRAZE_MESH_FORMAT_H
#define GRAZE_MESH_FORMAT_H

#include "mesh_io/mesh.h"

typedef enum mesh_format {
  MESH_FORMAT_UNKNOWN,
  MESH_FORMAT_OBJ,
  MESH_FORMAT_PLY,
  MESH_FORMAT_STL,
  MESH_FORMAT_OFF,
  MESH_FORMAT_GMSH,
  MESH_FORMAT_MEDIT,
  MESH_FORMAT_VTK,
  MESH_FORMAT_TETGEN,
  MESH_FORMAT_ROPE,
  MESH_FORMAT_CSV,
  MESH_FORMAT_SPH,
  MESH_FORMAT_GLTF,
  MESH_FORMAT_3MF
} mesh_format;

/* For messages: the endings known to readers and to writers, and those of writers of one kind. */
#define MESH_FORMATS_READ_FIRST ".obj, .ply, .stl, .off, .gltf, .glb, .3mf, .msh, .mesh, .vtk,"
#define MESH_FORMATS_READ_REST ".node with .ele, .t, .csv and .sph, each also with .gz"
#define MESH_FORMATS_READ MESH_FORMATS_READ_FIRST " " MESH_FORMATS_READ_REST
#define MESH_FORMATS_WRITTEN ".obj, .ply, .stl, .off, .msh, .vtk and .csv, each also with .gz"
#define MESH_FORMATS_OF_SURFACES ".obj, .ply, .stl, .off, .msh and .vtk"
#define MESH_FORMATS_OF_VOLUMES ".msh and .vtk"
#define MESH_FORMATS_OF_SPHERES ".csv and .ply"

/* Returns the format by the ending of the name, in any case, without .gz; *compressed_out states whether .gz was
 * there. */
mesh_format mesh_format_of_name(const char *path, bool *compressed_out);

/* Whether there is a writer for meshes of this kind, or of any kind, in this format. */
bool mesh_format_is_written(mesh_format format, mesh_kind kind);
bool mesh_format_has_writer(mesh_format format);

/* Returns the endings of files that can hold this kind, for messages. */
const char *mesh_formats_of_kind(mesh_kind kind);

/* Returns the format by the first bytes, decompressed; `bytes` must have the padding of a mesh_reading. */
mesh_format mesh_format_of_content(const char *bytes, size_t size);

#endif

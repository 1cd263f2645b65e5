/* The list of formats, for callers that show or complete file names. */
#include "graze/io.h"

#include "mesh_io/mesh_format.h"

#include <stddef.h>

static const struct {
  const char *ending, *name;
} formats[] = {
    {".obj", "OBJ"},     {".ply", "PLY"},    {".stl", "STL"},  {".off", "OFF"},    {".gltf", "glTF"},
    {".glb", "GLB"},     {".3mf", "3MF"},    {".msh", "Gmsh"}, {".mesh", "MEDIT"}, {".vtk", "VTK"},
    {".node", "TetGen"}, {".ele", "TetGen"}, {".t", "T"},      {".csv", "CSV"},    {".sph", "SPH"},
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

size_t graze_io_format_count(void) {
  return FORMAT_COUNT;
}

const char *graze_io_format_ending(size_t format) {
  return format < FORMAT_COUNT ? formats[format].ending : NULL;
}

const char *graze_io_format_name(size_t format) {
  return format < FORMAT_COUNT ? formats[format].name : NULL;
}

bool graze_io_format_is_written(size_t format, graze_kind kind) {
  static const mesh_kind kinds[] = {[GRAZE_KIND_TRIANGLE] = MESH_POLYGONS,
                                    [GRAZE_KIND_POLYGON] = MESH_POLYGONS,
                                    [GRAZE_KIND_TETRAHEDRON] = MESH_TETRAHEDRA,
                                    [GRAZE_KIND_POLYHEDRON] = MESH_POLYHEDRA,
                                    [GRAZE_KIND_SPHERE] = MESH_SPHERES};
  bool compressed;
  if (format >= FORMAT_COUNT || (size_t)kind >= sizeof kinds / sizeof kinds[0]) return false;
  return mesh_format_is_written(mesh_format_of_name(formats[format].ending, &compressed), kinds[kind]);
}

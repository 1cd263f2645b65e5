/* The list of formats: the only place that names them. */
#ifndef GRAZE_FORMAT_LIST_H
#define GRAZE_FORMAT_LIST_H

#include "mesh_io/mesh.h"

/* Kinds of meshes that a file can store. */
enum {
  STORES_SURFACES = 1 << MESH_POLYGONS,
  STORES_SOLIDS = 1 << MESH_TETRAHEDRA | 1 << MESH_POLYHEDRA,
  STORES_SPHERES = 1 << MESH_SPHERES,
  STORES_ANY = STORES_SURFACES | STORES_SOLIDS | STORES_SPHERES
};

/* READ and WRITTEN formats: the file name extension, the name, and the TAG of the functions: mesh_read_TAG, is_TAG in
 * mesh_format.c, which detects the content, and mesh_write_TAG. Then what writers store, and a check before the file is
 * opened, or NULL. A format with two extensions has two rows. */
#define MESH_FORMAT_LIST(READ, WRITTEN)                                                                                \
  WRITTEN(".obj", "OBJ", obj, STORES_SURFACES, NULL)                                                                   \
  WRITTEN(".ply", "PLY", ply, STORES_SURFACES | STORES_SPHERES, NULL)                                                  \
  WRITTEN(".stl", "STL", stl, STORES_SURFACES, mesh_check_stl)                                                         \
  WRITTEN(".off", "OFF", off, STORES_SURFACES, NULL)                                                                   \
  READ(".gltf", "glTF", gltf)                                                                                          \
  READ(".glb", "glTF", gltf)                                                                                           \
  READ(".3mf", "3MF", 3mf)                                                                                             \
  WRITTEN(".msh", "Gmsh", gmsh, STORES_SURFACES | STORES_SOLIDS, mesh_check_gmsh)                                      \
  READ(".mesh", "MEDIT", medit)                                                                                        \
  WRITTEN(".vtk", "VTK", vtk, STORES_SURFACES | STORES_SOLIDS, mesh_check_vtk)                                         \
  READ(".node", "TetGen", tetgen)                                                                                      \
  READ(".ele", "TetGen", tetgen)                                                                                       \
  READ(".t", "T", rope)                                                                                                \
  WRITTEN(".csv", "CSV", csv, STORES_SPHERES, NULL)                                                                    \
  READ(".sph", "SPH", sph)

/* All extensions, each after a blank, for messages. */
#define MESH_ENDING(ending, ...) " " ending
#define MESH_ENDINGS MESH_FORMAT_LIST(MESH_ENDING, MESH_ENDING)

#endif

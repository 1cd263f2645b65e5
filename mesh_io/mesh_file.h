/* Mesh files, each also compressed by gzip:
 *
 *   ending            format                            holds                read            written
 *   .obj .off         OBJ, OFF                          polygons             text            text
 *   .ply              PLY                               polygons or spheres  text, binary    text, little endian
 *   .stl              STL                               triangles            text, binary    text, little endian
 *   .gltf .glb        glTF 2.0                          triangles            text, binary    -
 *   .3mf              3MF                               triangles            XML in ZIP      -
 *   .msh              Gmsh 2.0 to 2.2 and 4.1           polygons or volumes  text, binary    4.1: text, little endian
 *   .vtk              VTK legacy 2.0 to 5.1             polygons or volumes  text, binary    4.2: text, big endian
 *   .mesh             MEDIT 1 to 4                      polygons or volumes  text            -
 *   .node with .ele   TetGen                            tetrahedra           text            -
 *   .t                lines "Vertex ..." and "Tet ..."  tetrahedra           text            -
 *   .csv              a table with a header             spheres              text            text
 *   .sph              SOFA, cellPACK                    spheres              text            -
 *
 * Binary PLY and Gmsh files are read in both byte orders; of VTK files, unstructured grids. Given one of the two files
 * of TetGen, the other is found beside it.
 *
 * A glTF file gives the triangles of the meshes that the nodes of its default scene place, by the transforms of the
 * nodes in double precision; without a default scene those of the first one, without scenes those of all nodes. The
 * vertices of a placed mesh with equal coordinates are one. What would change the shape and is not read is refused with
 * its name. Buffers in other files must lie in the same folder, or in one below it.
 *
 * A 3MF file gives the meshes that the items of its build place, by the transforms of items and components; its numbers
 * stay as they are, whatever unit it names. It may expand as a compressed file may.
 *
 * A file with volumes gives one mesh of MESH_TETRAHEDRA when all of them are tetrahedra, else of MESH_POLYHEDRA; its
 * surfaces, lines and points are left out and counted in the note of the mesh. A file without volumes gives
 * MESH_POLYGONS. Of elements of higher order the corners are taken, which the note tells, too.
 *
 * Spheres are MESH_SPHERES: a PLY file whose vertices have a property radius, scalar_radius or r (of a real type) and
 * which has no faces; a table whose header names x, y, z and radius or r; a .sph file, of which the last, finest level
 * is taken. Other columns and coarser levels are counted in the note.
 *
 * Text is ASCII or UTF-8, with or without a byte-order mark; a mark of UTF-16 or UTF-32 is refused.
 *
 * Reading keeps double precision: decimal numbers are rounded correctly, whatever the locale. What a file promises is
 * never believed before its bytes are there, so that memory is bounded by the size of the file, and that of a
 * compressed one by the limits below. A file that cannot be read as a whole is refused as a whole, with one message:
 * "FILE:LINE: what, with the value" for text, "FILE: which element, what" for binary data and for members of JSON.
 *
 * The functions have no state of their own; different threads may call them at the same time. */
#ifndef GRAZE_MESH_FILE_H
#define GRAZE_MESH_FILE_H

#include "mesh_io/mesh.h"

/* Most bytes of a file after decompression: 64 GiB, above what 2^32 triangles take in binary PLY. */
#define MESH_FILE_BYTES_MAX ((uint64_t)64 << 30)

/* What the first n bytes of a compressed file expand to may be that large, or so many times n; beyond both the file is
 * refused unless large ones are allowed, as a megabyte can hold a gigabyte of zeros. Meshes expand 2 to 6 times, a flat
 * regular grid in ascii STL 20 times; gzip ends at 1032. With what a reader makes of them, 256 MiB take some 2 GiB. */
#define MESH_EXPANDED_BYTES_FREE ((uint64_t)256 << 20)
#define MESH_EXPANSION_MAX 100

/* Where the readers and writers take their memory. `reallocate` behaves as realloc does, except that 0 bytes release
 * the memory and give NULL. mesh_free releases by free: memory of another family takes mesh_free_by. */
typedef struct mesh_memory {
  void *context;
  void *(*reallocate)(void *context, void *memory, size_t bytes);
} mesh_memory;

typedef struct mesh_read_options {
  bool separate; /* each object or group (OBJ), each solid (ascii STL) and each placed mesh (glTF, 3MF) that has faces
                    becomes a mesh of its own, with the vertices that it uses; a statement that repeats the name
                    before it goes on with the same mesh. The other formats give one mesh. Default: one mesh a file,
                    unused vertices kept */
  bool allow_large;    /* compressed files, and files that place a mesh many times, may expand beyond
                          MESH_EXPANDED_BYTES_FREE and MESH_EXPANSION_MAX */
  uint64_t byte_limit; /* 0: MESH_FILE_BYTES_MAX */
  size_t
      element_limit; /* most vertices, polygons, corners, triangles, tetrahedra, cells or faces; 0: MESH_ELEMENTS_MAX */
  mesh_memory memory; /* zeroed: the C library's */
} mesh_read_options;

typedef struct mesh_write_options {
  bool text;           /* PLY, STL, Gmsh and VTK: ascii instead of binary */
  const char *comment; /* one line at the beginning of files of spheres; NULL: none. Other files do not get it */
  mesh_memory memory;  /* zeroed: the C library's */
} mesh_write_options;

/* Reads all meshes of a file; release them by mesh_list_free. The format follows from the ending (any case, with or
 * without .gz), else from the content; whether the file is compressed follows from its first bytes alone. `options` may
 * be NULL. On failure there are no meshes and `error` holds one message of at most error_bytes - 1 characters.
 * Linear in the size of the file. */
bool mesh_file_read(const char *path, const mesh_read_options *options, mesh **meshes_out, size_t *mesh_count_out,
                    char *error, size_t error_bytes);

/* The same for the bytes of a file in memory, compressed or not. `name` stands for the name of the file. A format that
 * needs a second file is refused. The meshes come from options->memory: mesh_free_by releases those of an allocator
 * that is not of the malloc family. */
bool mesh_bytes_read(const void *bytes, size_t size, const char *name, const mesh_read_options *options,
                     mesh **meshes_out, size_t *mesh_count_out, char *error, size_t error_bytes);

/* Writes meshes to one file; the format follows from the ending .obj, .ply, .stl, .off, .msh, .vtk or .csv, with .gz
 * for compression.
 *
 * Text has decimal numbers that read back to the same bits. Binary PLY, Gmsh and VTK have doubles. Binary STL has
 * floats: coordinates are rounded to the nearest, and refused beyond the range of float. OBJ keeps a mesh as an object
 * and ascii STL as a solid, with names in which line ends are replaced by spaces; the others join the meshes. STL holds
 * the triangles, the others the polygons; .msh those of 3 and 4 corners.
 *
 * Tetrahedra and polyhedra go to .msh and .vtk, other endings are refused; .msh refuses cells that are not a
 * tetrahedron, hexahedron, prism or pyramid with its faces in the order of element_shape.h. Spheres go to .csv and
 * .ply, joined. All meshes must be of one kind. Numbers that are not finite, negative radii and indices out of range
 * are refused before the file is opened. A file that could not be written to its end is left incomplete. */
bool mesh_file_write(const char *path, const mesh *meshes, size_t mesh_count, const mesh_write_options *options,
                     char *error, size_t error_bytes);

/* Whether a file, compressed or not, begins with the header of a table of spheres: most .csv files hold other tables.
 */
bool mesh_file_is_sphere_table(const char *path);

#endif

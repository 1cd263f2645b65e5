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
 * of TetGen, the other is read from the same folder.
 *
 * A glTF file gives the triangles of the meshes placed by the nodes of its default scene, by the transforms of the
 * nodes in double precision; without a default scene by those of the first scene, without scenes by all nodes. Vertices
 * of a placed mesh with equal coordinates are merged. Unsupported features that affect the shape are refused by name.
 * Buffers in other files must be in the same folder, or in one below it.
 *
 * A 3MF file gives the meshes placed by the items of its build, by the transforms of items and components; its unit is
 * ignored. Its expansion is limited like that of a compressed file.
 *
 * A file with volumes gives one mesh: MESH_TETRAHEDRA if all volumes are tetrahedra, else MESH_POLYHEDRA. Its surfaces,
 * lines and points are skipped and counted in the note of the mesh. A file without volumes gives MESH_POLYGONS.
 * Elements of higher order are reduced to their corners, which the note states, too. Points and lines of surfaces are
 * skipped and counted likewise.
 *
 * Spheres are MESH_SPHERES: a PLY file without faces whose vertices have a property radius, scalar_radius or r (of a
 * real type); a table whose header names x, y, z and radius or r; a .sph file, of which the last, finest level is read.
 * Other columns and coarser levels are counted in the note.
 *
 * Text is ASCII or UTF-8, with or without a byte-order mark; a mark of UTF-16 or UTF-32 is refused.
 *
 * Reading keeps double precision: decimal numbers are rounded correctly, independent of the locale. Declared sizes
 * allocate no memory before their bytes exist, so memory is bounded by the size of the file, and for a compressed file
 * by the limits below. A file with an error is refused as a whole, with one message: "FILE:LINE: error, with the value"
 * for text, "FILE: element, error" for binary data and for members of JSON. A file of which no element is read is
 * refused too, unless this is allowed, because a check of it would find nothing.
 *
 * The functions are stateless; several threads may call them concurrently. */
#ifndef GRAZE_MESH_FILE_H
#define GRAZE_MESH_FILE_H

#include "mesh_io/mesh.h"

/* The maximum size of a file after decompression: 64 GiB, more than 2^32 triangles take in binary PLY. */
#define MESH_FILE_BYTES_MAX ((uint64_t)64 << 30)

/* The first n bytes of a compressed file may expand to this size, or to this multiple of n. Beyond both the file is
 * refused unless large files are allowed, because a megabyte can hold a gigabyte of zeros. Meshes expand 2 to 6 times,
 * a flat regular grid in ascii STL 20 times; the limit of gzip is 1032. A reader needs about 2 GiB for 256 MiB. */
#define MESH_EXPANDED_BYTES_FREE ((uint64_t)256 << 20)
#define MESH_EXPANSION_MAX 100

/* The memory of readers and writers. `reallocate` behaves like realloc, except that 0 bytes release the memory and
 * return NULL. mesh_free releases with free; use mesh_free_by for other memory. */
typedef struct mesh_memory {
  void *context;
  void *(*reallocate)(void *context, void *memory, size_t bytes);
} mesh_memory;

typedef struct mesh_read_options {
  /* Each object or group (OBJ), solid (ascii STL) and placed mesh (glTF, 3MF) with faces becomes a separate mesh with
   * the vertices that it uses; a statement that repeats the previous name continues the same mesh. Other formats give
   * one mesh. Default: one mesh per file, with unused vertices. */
  bool separate;
  bool allow_large;  /* allow expansion beyond MESH_EXPANDED_BYTES_FREE and MESH_EXPANSION_MAX */
  bool only_regular; /* refuse pipes and devices without waiting: for names that come from a file, not from a person */
  bool (*should_stop)(void *context); /* called with NULL while a pipe has no bytes; true ends the wait. May be NULL */
  bool allow_empty;                   /* allow files without any element that is read, such as point clouds */
  uint64_t byte_limit;                /* 0: MESH_FILE_BYTES_MAX */
  size_t element_limit; /* for vertices, polygons, corners, triangles, tetrahedra, cells, faces; 0: MESH_ELEMENTS_MAX */
  mesh_memory memory;   /* zeroed: the C library */
} mesh_read_options;

typedef struct mesh_write_options {
  bool text;           /* PLY, STL, Gmsh and VTK: ascii instead of binary */
  const char *comment; /* one line at the beginning of files of spheres; NULL: none. Ignored for other files */
  mesh_memory memory;  /* zeroed: the C library */
} mesh_write_options;

/* Reads all meshes of a file; release them with mesh_list_free. The ending determines the format (any case, with or
 * without .gz), else the content does; compression is detected only by the first bytes. `options` may be NULL. On
 * failure there are no meshes and `error` contains one message of at most error_bytes - 1 characters. Linear in the
 * size of the file. */
bool mesh_file_read(const char *path, const mesh_read_options *options, mesh **meshes_out, size_t *mesh_count_out,
                    char *error, size_t error_bytes);

/* The same for the bytes of a file in memory, compressed or not. `name` replaces the name of the file. A format that
 * needs a second file is refused. The meshes use options->memory: release them with mesh_free_by unless it belongs to
 * the malloc family. */
bool mesh_bytes_read(const void *bytes, size_t size, const char *name, const mesh_read_options *options,
                     mesh **meshes_out, size_t *mesh_count_out, char *error, size_t error_bytes);

/* Writes meshes to one file; the ending .obj, .ply, .stl, .off, .msh, .vtk or .csv determines the format, and .gz adds
 * compression.
 *
 * Numbers in text read back to the same bits. Binary PLY, Gmsh and VTK store doubles. Binary STL stores floats:
 * coordinates are rounded to the nearest, and refused beyond the range of float. OBJ writes a mesh as an object and
 * ascii STL as a solid, with line ends in names replaced by spaces; other formats join the meshes. STL stores the
 * triangles, other formats the polygons; .msh only polygons of 3 or 4 corners.
 *
 * Tetrahedra and polyhedra require .msh or .vtk; .msh refuses cells that are not a tetrahedron, hexahedron, prism or
 * pyramid with its faces in the order of element_shape.h. Spheres require .csv or .ply and are joined. All meshes must
 * be of one kind. Numbers that are not finite, negative radii and indices out of range are refused before the file is
 * opened. After a write error the file is left incomplete. */
bool mesh_file_write(const char *path, const mesh *meshes, size_t mesh_count, const mesh_write_options *options,
                     char *error, size_t error_bytes);

/* Whether a file, compressed or not, begins with the header of a table of spheres: most .csv files hold other tables.
 */
bool mesh_file_is_sphere_table(const char *path);

#endif

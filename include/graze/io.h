/* graze: reading and writing of mesh files (libgraze_io, a separate library; libgraze opens no file).
 *
 *     graze_io_meshes *meshes;
 *     if (graze_io_read_file("part.stl", NULL, &meshes) != GRAZE_OK) puts(graze_io_error_text());
 *     graze_io_add_to_scene(meshes, 0, scene, &object);
 *     graze_io_meshes_destroy(meshes);
 *
 * Structs, results and allocators follow the rules of graze/graze.h. A failed call changes nothing, and
 * graze_io_error_text returns its message. docs/guide/io.md describes formats, precision and limits.
 *
 * Thread safety: different threads may use different lists at the same time. Any number of threads may make calls with
 * a const list on the same list. The only global state is the error message of each thread. */
#ifndef GRAZE_IO_H
#define GRAZE_IO_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the message of the last failed call of this header on this thread, or "" if none has failed. It begins with
 * the name of the file and, for text files, the line. A successful call does not clear it. */
GRAZE_API const char *graze_io_error_text(void);

/* ------------------------------------------------------------------------------------------------ a list of meshes */

/* The meshes of a file, or meshes to be written to one. */
typedef struct graze_io_meshes graze_io_meshes;

/* Properties of a mesh of the list. Texts are valid as long as the list, or until graze_io_append changes it. */
typedef struct graze_io_info {
  size_t struct_bytes;
  graze_kind kind;        /* triangles if every polygon has three corners */
  const char *name;       /* of the group or solid, or the file name without its folder; never NULL */
  size_t vertex_count;    /* including vertices that no primitive uses */
  size_t primitive_count; /* triangles, polygons, tetrahedra, polyhedra or spheres */
  const char *note; /* a message about what the reader skipped; NULL: nothing. Only the first mesh of a file has it */
  uint64_t skipped; /* elements of the whole file that were skipped: points, lines, and cells of other types */
  uint64_t unknown_lines; /* lines of the whole file that were skipped because of an unknown keyword */
} graze_io_info;

/* Creates an empty list for graze_io_append. A NULL allocator means the C library's. On failure *meshes_out is NULL. */
GRAZE_API graze_result graze_io_meshes_create(const graze_allocator *allocator, graze_io_meshes **meshes_out);
GRAZE_API void graze_io_meshes_destroy(graze_io_meshes *meshes);       /* NULL is allowed */
GRAZE_API size_t graze_io_meshes_count(const graze_io_meshes *meshes); /* 0 for NULL */

GRAZE_API graze_result graze_io_get_info(const graze_io_meshes *meshes, size_t mesh, graze_io_info *info_out);

/* Sets the name and the views of positions, radii and elements of a definition made by graze_mesh_def_default(), for
 * the graze_scene_add_... call of the mesh's kind. Other fields are not changed. The views point into the list.
 * Positions and radii are GRAZE_FORMAT_DOUBLE3 and GRAZE_FORMAT_DOUBLE, indices GRAZE_FORMAT_UINT32; faces and cells
 * use face_starts and cell_starts. */
GRAZE_API graze_result graze_io_get_def(const graze_io_meshes *meshes, size_t mesh, graze_mesh_def *def);

/* Adds a copy of a mesh to a scene: graze_io_get_def followed by the graze_scene_add_... call of the mesh's kind. */
GRAZE_API graze_result graze_io_add_to_scene(const graze_io_meshes *meshes, size_t mesh, graze_scene *scene,
                                             graze_object *object_out);

/* Appends a copy of a mesh to the list. Reads the name and the views of the kind from the definition. If all polygons
 * have three corners, they become triangles. */
GRAZE_API graze_result graze_io_append(graze_io_meshes *meshes, graze_kind kind, const graze_mesh_def *def);

/* ------------------------------------------------------------------------------------------------ reading */

/* Options for reading. Initialize them with graze_io_read_options_default(). */
typedef struct graze_io_read_options {
  size_t struct_bytes;
  bool separate;       /* each OBJ group, ASCII STL solid, and placed glTF or 3MF mesh becomes a separate mesh with the
                          vertices that it uses; default false: one mesh per file */
  bool allow_large;    /* compressed files may expand to more than 256 MiB and 100 times their size; default false */
  bool allow_empty;    /* files of which no primitive is read, such as point clouds; default false: GRAZE_FILE_FAILED */
  uint64_t byte_limit; /* limit on the size of a file after decompression, in bytes; default 0: 64 GiB */
  uint64_t element_limit;           /* limit on vertices, corners and elements each; default 0: 2^32 - 2 */
  const graze_allocator *allocator; /* NULL: the C library's; copied, used by one thread at a time */
} graze_io_read_options;

GRAZE_API void graze_io_read_options_init(void *options, size_t bytes);
static inline graze_io_read_options graze_io_read_options_default(void) {
  graze_io_read_options options;
  graze_io_read_options_init(&options, sizeof options);
  return options;
}

/* Reads all meshes of a file. The file name extension determines the format, or the content if the extension is
 * unknown. NULL options mean the defaults. GRAZE_FILE_FAILED if any part of the file cannot be read; *meshes_out is
 * then NULL. */
GRAZE_API graze_result graze_io_read_file(const char *path, const graze_io_read_options *options,
                                          graze_io_meshes **meshes_out);

/* Reads a file from memory, compressed or not. `name` stands for the file name: its extension determines the format,
 * and error messages include it. NULL: the content determines the format. Formats that need a second file, such as
 * TetGen, are refused. */
GRAZE_API graze_result graze_io_read_memory(const void *bytes, size_t size, const char *name,
                                            const graze_io_read_options *options, graze_io_meshes **meshes_out);

/* ------------------------------------------------------------------------------------------------ writing */

/* Options for writing. Initialize them with graze_io_write_options_default(). */
typedef struct graze_io_write_options {
  size_t struct_bytes;
  bool text;                        /* text instead of binary for PLY, STL, Gmsh and VTK; default false */
  const graze_allocator *allocator; /* NULL: the C library's; used during the call only */
} graze_io_write_options;

GRAZE_API void graze_io_write_options_init(void *options, size_t bytes);
static inline graze_io_write_options graze_io_write_options_default(void) {
  graze_io_write_options options;
  graze_io_write_options_init(&options, sizeof options);
  return options;
}

/* Writes all meshes of the list, which must all be surfaces, all volumes, or all spheres. The file name extension
 * determines the format; an additional .gz compresses. NULL options mean the defaults. GRAZE_FILE_FAILED if the format
 * cannot represent the meshes, before the file is opened, or if writing fails; the file is then incomplete. */
GRAZE_API graze_result graze_io_write_file(const char *path, const graze_io_meshes *meshes,
                                           const graze_io_write_options *options);

/* ------------------------------------------------------------------------------------------------ formats */

/* Returns the number of file name extensions that can be read, each also with .gz. */
GRAZE_API size_t graze_io_format_count(void);

/* Return the extension (".obj") and the name ("OBJ") of a format, from 0 to count - 1; NULL past the end. Several
 * extensions may have the same name. */
GRAZE_API const char *graze_io_format_ending(size_t format);
GRAZE_API const char *graze_io_format_name(size_t format);

/* Returns whether graze_io_write_file writes meshes of this kind to files with this extension. */
GRAZE_API bool graze_io_format_is_written(size_t format, graze_kind kind);

#ifdef __cplusplus
}
#endif

#endif

/* graze: mesh files. A library of its own, libgraze_io, reads and writes them; libgraze itself opens no file.
 *
 *     graze_io_meshes *meshes;
 *     if (graze_io_read_file("part.stl", NULL, &meshes) != GRAZE_OK) puts(graze_io_error_text());
 *     graze_io_add_to_scene(meshes, 0, scene, &object);
 *     graze_io_meshes_destroy(meshes);
 *
 * Structs, results and allocators follow the rules of graze/graze.h. A call that failed has changed nothing, and
 * graze_io_error_text holds its message. Format, precision and limits are described in docs/guide/io.md.
 *
 * Thread-safety: different lists may be used by different threads at the same time. Calls that take a const list may be
 * made on one list by any number of threads at once. Beside the message of each thread's last failure there is no
 * global state. */
#ifndef GRAZE_IO_H
#define GRAZE_IO_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One message about the last call of this header on this thread that failed; "" when none has. It begins with the name
 * of the file, and for text with the line. A successful call does not clear it. */
GRAZE_API const char *graze_io_error_text(void);

/* ------------------------------------------------------------------------------------------------ a list of meshes */

/* The meshes of a file, or meshes to be written to one. */
typedef struct graze_io_meshes graze_io_meshes;

/* What is known about a mesh of the list. Texts last as long as the list, or until graze_io_append changes it. */
typedef struct graze_io_info {
  size_t struct_bytes;
  graze_kind kind;        /* triangles where every polygon has three corners */
  const char *name;       /* of the group or solid, else of the file, without its folder; never NULL */
  size_t vertex_count;    /* vertices that no primitive uses are counted and kept */
  size_t primitive_count; /* triangles, polygons, tetrahedra, polyhedra or spheres */
  const char *note;       /* what reading skipped, one message; NULL: nothing. The first mesh of a file has it */
  uint64_t unknown_lines; /* lines of the whole file that were skipped because their keyword is not known */
} graze_io_info;

/* Makes an empty list, for graze_io_append; NULL means the C library's memory. On failure *meshes_out is NULL. */
GRAZE_API graze_result graze_io_meshes_create(const graze_allocator *allocator, graze_io_meshes **meshes_out);
GRAZE_API void graze_io_meshes_destroy(graze_io_meshes *meshes);       /* NULL is allowed */
GRAZE_API size_t graze_io_meshes_count(const graze_io_meshes *meshes); /* 0 for NULL */

GRAZE_API graze_result graze_io_get_info(const graze_io_meshes *meshes, size_t mesh, graze_io_info *info_out);

/* Sets the name and all views of positions, radii and elements of a definition that graze_mesh_def_default() has made,
 * so that the graze_scene_add_... of the mesh's kind takes it. Other fields stay as they are. The views point into the
 * list: positions and radii are GRAZE_FORMAT_DOUBLE3 and GRAZE_FORMAT_DOUBLE, indices GRAZE_FORMAT_UINT32, faces and
 * cells have face_starts and cell_starts. */
GRAZE_API graze_result graze_io_get_def(const graze_io_meshes *meshes, size_t mesh, graze_mesh_def *def);

/* Adds a mesh to a scene, which keeps a copy: graze_io_get_def and the graze_scene_add_... of the kind in one. */
GRAZE_API graze_result graze_io_add_to_scene(const graze_io_meshes *meshes, size_t mesh, graze_scene *scene,
                                             graze_object *object_out);

/* Appends a copy of a mesh to the list. Of the definition, the name and the views of the kind are read. Polygons that
 * all have three corners become triangles. */
GRAZE_API graze_result graze_io_append(graze_io_meshes *meshes, graze_kind kind, const graze_mesh_def *def);

/* ------------------------------------------------------------------------------------------------ reading */

/* How a file is read. Take graze_io_read_options_default() and change what you want. */
typedef struct graze_io_read_options {
  size_t struct_bytes;
  bool separate;    /* each group of an OBJ file and each solid of an ASCII STL file becomes a mesh of its own, with the
                       vertices that it uses; default false: one mesh for each file */
  bool allow_large; /* compressed files may expand to more than 256 MiB and 100 times their size; default false */
  uint64_t byte_limit;              /* most bytes of a file after decompression; default 0: 64 GiB */
  uint64_t element_limit;           /* most vertices, corners or elements; default 0: 2^32 - 2 */
  const graze_allocator *allocator; /* NULL: the C library's; copied, used by one thread at a time */
} graze_io_read_options;

GRAZE_API void graze_io_read_options_init(void *options, size_t bytes);
static inline graze_io_read_options graze_io_read_options_default(void) {
  graze_io_read_options options;
  graze_io_read_options_init(&options, sizeof options);
  return options;
}

/* Reads all meshes of a file. The ending of its name gives the format, else the content does. NULL for the options
 * means the default ones. GRAZE_FILE_FAILED where the file cannot be read as a whole; *meshes_out is NULL then. */
GRAZE_API graze_result graze_io_read_file(const char *path, const graze_io_read_options *options,
                                          graze_io_meshes **meshes_out);

/* The same for the bytes of a file in memory, compressed or not. `name` stands for the name of the file: its ending
 * gives the format, and messages name it. NULL: the content gives the format. A format that needs a second file, as
 * TetGen does, is refused. */
GRAZE_API graze_result graze_io_read_memory(const void *bytes, size_t size, const char *name,
                                            const graze_io_read_options *options, graze_io_meshes **meshes_out);

/* ------------------------------------------------------------------------------------------------ writing */

/* How a file is written. Take graze_io_write_options_default() and change what you want. */
typedef struct graze_io_write_options {
  size_t struct_bytes;
  bool text;                        /* PLY, STL, Gmsh and VTK: text instead of binary; default false */
  const graze_allocator *allocator; /* NULL: the C library's; used during the call only */
} graze_io_write_options;

GRAZE_API void graze_io_write_options_init(void *options, size_t bytes);
static inline graze_io_write_options graze_io_write_options_default(void) {
  graze_io_write_options options;
  graze_io_write_options_init(&options, sizeof options);
  return options;
}

/* Writes all meshes of the list, which must be of one kind of file: surfaces, volumes or spheres. The ending of the
 * name gives the format, with .gz for compression. NULL for the options means the default ones. GRAZE_FILE_FAILED where
 * the format does not hold the meshes, before the file is opened, or where writing fails: the file is incomplete then.
 */
GRAZE_API graze_result graze_io_write_file(const char *path, const graze_io_meshes *meshes,
                                           const graze_io_write_options *options);

/* ------------------------------------------------------------------------------------------------ formats */

/* The endings of the files that are read, each also with .gz. */
GRAZE_API size_t graze_io_format_count(void);

/* The ending, ".obj", and the name, "OBJ", of a format from 0 to one less than the count; NULL past the end. Several
 * endings may have one name. */
GRAZE_API const char *graze_io_format_ending(size_t format);
GRAZE_API const char *graze_io_format_name(size_t format);

/* Whether graze_io_write_file writes meshes of this kind to files of this ending. */
GRAZE_API bool graze_io_format_is_written(size_t format, graze_kind kind);

#ifdef __cplusplus
}
#endif

#endif

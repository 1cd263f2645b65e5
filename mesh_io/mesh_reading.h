/* What all readers share: the bytes of a file, where memory comes from, and how a failure becomes a message.
 *
 * The writers use a mesh_reading for its file name, memory and messages alone.
 *
 * Readers do not count lines as they go: a position becomes a line number only when something is wrong there. */
#ifndef GRAZE_MESH_READING_H
#define GRAZE_MESH_READING_H

#include "mesh_io/mesh_file.h"

/* Zero bytes that stand after the last byte of a file, so that scanners need no test for the end: a zero ends every
 * number and word, and eight bytes may be loaded wherever one may. */
#define MESH_PADDING_BYTES 16

typedef struct mesh_reading {
  char *bytes; /* size + MESH_PADDING_BYTES, the padding zero; readers of text may change line ends in place */
  size_t size;
  const char *file_name; /* as given, for messages */
  bool in_memory;        /* there is no file of this name: a reader must not look for another one beside it */
  bool separate;
  bool allow_large;
  uint64_t byte_limit; /* of a second file, where a format has two */
  size_t element_limit;
  mesh_memory memory;
  char *error;
  size_t error_bytes;
} mesh_reading;

/* One reader a format. On success the meshes belong to the caller; on failure there are none and a message is written.
 */
typedef bool mesh_reader(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out);
mesh_reader mesh_read_obj;
mesh_reader mesh_read_ply;
mesh_reader mesh_read_stl;
mesh_reader mesh_read_off;
mesh_reader mesh_read_gmsh;
mesh_reader mesh_read_medit;
mesh_reader mesh_read_vtk;
mesh_reader mesh_read_tetgen; /* by one of its two files, whose name says which it is */
mesh_reader mesh_read_rope;
mesh_reader mesh_read_csv;
mesh_reader mesh_read_sph;
mesh_reader mesh_read_gltf;
mesh_reader mesh_read_3mf;

#if defined(__GNUC__)
#define MESH_PRINTF(format_place, first_place) __attribute__((format(printf, format_place, first_place)))
#else
#define MESH_PRINTF(format_place, first_place)
#endif

/* "FILE: ..." and "FILE:LINE: ..." where `position` points into the bytes. Both return false. */
bool mesh_fail(const mesh_reading *reading, const char *format, ...) MESH_PRINTF(2, 3);
bool mesh_fail_at(const mesh_reading *reading, const char *position, const char *format, ...) MESH_PRINTF(3, 4);

/* The number of the line that `position` is on, counted from 1. Linear in what stands before it. */
size_t mesh_line_of(const mesh_reading *reading, const char *position);

/* The word at `position` for a message: cut at a blank or after 40 characters, unprintable characters as '?'. */
typedef struct mesh_quote {
  char text[44];
} mesh_quote;
mesh_quote mesh_quote_word(const char *position);

/* The same for text of a known length, blanks included. */
mesh_quote mesh_quote_text(const char *text, size_t length);

/* A coordinate for a message: "nan", "inf", "-inf" or the number. */
mesh_quote mesh_quote_number(double value);

/* Refuses coordinate `axis` (0 to 2) of a vertex, in text or binary data; `vertex` as the format counts, from 1 in OBJ.
 */
bool mesh_fail_coordinate_text(const mesh_reading *reading, const char *position, size_t vertex, int axis);
bool mesh_fail_coordinate_binary(const mesh_reading *reading, size_t vertex, int axis, double value);

/* Whether a sphere may have this radius: finite and not negative, as the library takes it. */
bool mesh_is_radius(double radius);

/* Refuses a value of a sphere, counted from 0: 0 to 2 are the coordinates of the center, 3 is the radius. In text the
 * value is `length` characters at `position`. */
enum { SPHERE_RADIUS = 3, SPHERE_VALUES = 4 };
bool mesh_fail_sphere_text(const mesh_reading *reading, const char *position, size_t length, size_t sphere, int which);
bool mesh_fail_sphere_binary(const mesh_reading *reading, size_t sphere, int which, double value);

/* Adds a message to *note (NULL: none so far). False, with *note as it was, when memory is out. */
bool mesh_note_add(const mesh_reading *reading, const char *message, char **note);

/* Memory. `mesh_resize` keeps *memory when it fails; `elements` * `element_bytes` is checked. */
mesh_memory mesh_memory_or_default(mesh_memory memory);
bool mesh_resize(const mesh_memory *memory, void **block, size_t elements, size_t element_bytes);
void mesh_release(const mesh_memory *memory, void *block);

/* Text whose lines end in carriage returns alone gets line feeds; other text stays as it is. */
void mesh_unify_line_ends(const mesh_reading *reading);

#endif

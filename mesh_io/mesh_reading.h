/* The common state of all readers: the bytes of a file, memory, and messages.
 *
 * Writers use only its file name, memory and messages.
 *
 * Readers do not count lines: a position is converted to a line number only for a message. */
#ifndef GRAZE_MESH_READING_H
#define GRAZE_MESH_READING_H

#include "mesh_io/format_list.h"
#include "mesh_io/mesh_file.h"

/* Zero bytes after the last byte of a file, so that scanners need no end test: a zero ends every number and word, and
 * eight bytes can be loaded anywhere. */
#define MESH_PADDING_BYTES 16

typedef struct mesh_reading {
  char *bytes; /* size + MESH_PADDING_BYTES, the padding zero; text readers may modify line ends in place */
  size_t size;
  const char *file_name; /* as given, for messages */
  bool in_memory;        /* there is no file of this name: a reader must not look for another one next to it */
  bool separate;
  bool allow_large;
  bool allow_empty;
  bool only_regular;
  bool (*should_stop)(void *context);
  uint64_t byte_limit; /* of the second file, if a format has two */
  size_t element_limit;
  mesh_memory memory;
  char *error;
  size_t error_bytes;
} mesh_reading;

/* One reader per format. On success the caller owns the meshes; on failure there are none and a message is written. */
typedef bool mesh_reader(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out);
#define MESH_READER(ending, name, tag, ...) mesh_reader mesh_read_##tag;
MESH_FORMAT_LIST(MESH_READER, MESH_READER)
#undef MESH_READER

#if defined(__GNUC__)
#define MESH_PRINTF(format_place, first_place) __attribute__((format(printf, format_place, first_place)))
#else
#define MESH_PRINTF(format_place, first_place)
#endif

/* Write "FILE: ...", and "FILE:LINE: ..." if `position` points into the bytes. Both return false. */
bool mesh_fail(const mesh_reading *reading, const char *format, ...) MESH_PRINTF(2, 3);
bool mesh_fail_at(const mesh_reading *reading, const char *position, const char *format, ...) MESH_PRINTF(3, 4);

/* Returns the line number of `position`, from 1. Linear in the text before it. */
size_t mesh_line_of(const mesh_reading *reading, const char *position);

/* Returns the word at `position` for a message: cut at a blank or after 40 characters, with unprintable characters as
 * '?'. */
typedef struct mesh_quote {
  char text[44];
} mesh_quote;
mesh_quote mesh_quote_word(const char *position);

/* The same for text of a known length, including blanks. */
mesh_quote mesh_quote_text(const char *text, size_t length);

/* Formats a coordinate for a message: "nan", "inf", "-inf" or the number. */
mesh_quote mesh_quote_number(double value);

/* Refuse coordinate `axis` (0 to 2) of a vertex, in text or binary data; `vertex` is numbered as in the format, from 1
 * in OBJ. */
bool mesh_fail_coordinate_text(const mesh_reading *reading, const char *position, size_t vertex, int axis);
bool mesh_fail_coordinate_binary(const mesh_reading *reading, size_t vertex, int axis, double value);

/* Whether a sphere may have this radius: finite and not negative, as in the library. */
bool mesh_is_radius(double radius);

/* Refuse a value of a sphere, numbered from 0: 0 to 2 are the coordinates of the center, 3 is the radius. In text the
 * value is `length` characters at `position`. */
enum { SPHERE_RADIUS = 3, SPHERE_VALUES = 4 };
bool mesh_fail_sphere_text(const mesh_reading *reading, const char *position, size_t length, size_t sphere, int which);
bool mesh_fail_sphere_binary(const mesh_reading *reading, size_t sphere, int which, double value);

/* Appends a message to *note (NULL: none so far). False, with *note unchanged, when out of memory. */
bool mesh_note_add(const mesh_reading *reading, const char *message, char **note);

/* Memory. `mesh_resize` keeps *memory on failure; `elements` * `element_bytes` is checked. */
mesh_memory mesh_memory_or_default(mesh_memory memory);
bool mesh_resize(const mesh_memory *memory, void **block, size_t elements, size_t element_bytes);
void mesh_release(const mesh_memory *memory, void *block);

/* Converts text whose lines end only in carriage returns to line feeds; other text does not change. */
void mesh_unify_line_ends(const mesh_reading *reading);

#endif

/* The format of a file. */
#ifndef GRAZE_MESH_FORMAT_H
#define GRAZE_MESH_FORMAT_H

#include "mesh_io/mesh_writing.h"

/* The first bytes of a file, decompressed, with the padding of a mesh_reading. */
typedef struct format_content {
  const char *bytes;
  size_t size;
  const char *text; /* after a byte order mark */
} format_content;

/* A row of MESH_FORMAT_LIST. */
typedef struct mesh_format {
  const char *ending, *name;
  bool (*is_content)(const format_content *content);
  mesh_reader *read;
  uint32_t stored_kinds; /* STORES_...; 0: it is not written */
  bool (*check)(const mesh_writing *w);
  mesh_writer *write;
} mesh_format;

/* The formats in the order of the list; NULL past the end. */
const mesh_format *mesh_format_at(size_t index);

/* Return the format by the ending of the name, in any case, without .gz, or by the content; NULL if it is unknown.
 * *compressed_out states whether .gz was there. */
const mesh_format *mesh_format_of_name(const char *path, bool *compressed_out);
const mesh_format *mesh_format_of_content(const char *bytes, size_t size);

/* Whether there is a writer for meshes of this kind. */
bool mesh_format_is_written(const mesh_format *format_or_null, mesh_kind kind);

/* Returns the endings of the formats that store at least one of the kinds, for messages: ".ply and .csv". */
typedef struct mesh_endings {
  char text[128];
} mesh_endings;
mesh_endings mesh_endings_storing(uint32_t stored_kinds);

#endif

/* Which format a file has. */
#ifndef GRAZE_MESH_FORMAT_H
#define GRAZE_MESH_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum mesh_format {
  MESH_FORMAT_UNKNOWN,
  MESH_FORMAT_OBJ,
  MESH_FORMAT_PLY,
  MESH_FORMAT_STL,
  MESH_FORMAT_OFF
} mesh_format;

/* For sentences: the endings that are known. */
#define MESH_FORMATS_KNOWN ".obj, .ply, .stl and .off, each also with .gz"

/* By the ending of the name, in any case, without .gz; *compressed_out says whether .gz was there. */
mesh_format mesh_format_of_name(const char *path, bool *compressed_out);

/* By the first bytes, decompressed; `bytes` must have the padding of a mesh_reading. */
mesh_format mesh_format_of_content(const char *bytes, size_t size);

#endif

/* Counts lines that a reader skips because of an unknown keyword, for the note of the mesh. Keywords known not to
 * affect the shape are not counted. */
#ifndef GRAZE_UNKNOWN_LINES_H
#define GRAZE_UNKNOWN_LINES_H

#include "mesh_io/mesh_reading.h"

/* Zeroed: none. */
typedef struct unknown_lines {
  uint64_t count;
  const char *first; /* the keyword of the first */
  bool is_binary;    /* binary: the file has no lines to look up */
} unknown_lines;

static inline void unknown_lines_add(unknown_lines *lines, const char *keyword) {
  if (lines->count++ == 0) lines->first = keyword;
}

/* Appends a message to *note (NULL: none so far) if any were counted. False, with *note unchanged, when out of
 * memory. */
bool unknown_lines_tell(const unknown_lines *lines, const mesh_reading *reading, char **note);

#endif

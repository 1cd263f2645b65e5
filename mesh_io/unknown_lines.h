/* Lines that a reader passes over because it does not know their keyword: counted, and told in the note of the mesh. A
 * keyword that is known to say nothing about the shape is not among them. */
#ifndef GRAZE_UNKNOWN_LINES_H
#define GRAZE_UNKNOWN_LINES_H

#include "mesh_io/mesh_reading.h"

/* Zeroed: none. */
typedef struct unknown_lines {
  uint64_t count;
  const char *first; /* the keyword of the first */
  bool is_binary;    /* the file has no lines that a person could look up */
} unknown_lines;

static inline void unknown_lines_add(unknown_lines *lines, const char *keyword) {
  if (lines->count++ == 0) lines->first = keyword;
}

/* Adds a message to *note (NULL: none so far), where any were counted. False, with *note as it was, when memory is
 * out. */
bool unknown_lines_tell(const unknown_lines *lines, const mesh_reading *reading, char **note);

#endif

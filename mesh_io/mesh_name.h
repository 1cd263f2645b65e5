/* Names of files and columns: their endings, ignoring case, and what a message shows of them. */
#ifndef GRAZE_MESH_NAME_H
#define GRAZE_MESH_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the first `length` characters of a name end in `ending`, given in lower case, ignoring case. */
bool mesh_name_ends_in(const char *name, size_t length, const char *ending);

/* What a message shows of a name: all of it, or of a long one its start and its end around "...", both without parts of
 * a UTF-8 sequence. The second function is for `length` bytes. */
enum { MESH_NAME_SHOWN = 240 };
typedef struct mesh_shown {
  char text[MESH_NAME_SHOWN + 1];
} mesh_shown;
mesh_shown mesh_shown_name(const char *name);
mesh_shown mesh_shown_bytes(const char *bytes, size_t length);

#endif

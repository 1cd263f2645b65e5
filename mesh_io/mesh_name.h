/* Endings of names of files and columns, ignoring case. */
#ifndef GRAZE_MESH_NAME_H
#define GRAZE_MESH_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the first `length` characters of a name end in `ending`, given in lower case, ignoring case. */
bool mesh_name_ends_in(const char *name, size_t length, const char *ending);

#endif

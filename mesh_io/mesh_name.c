/* Endings of names. */
#include "mesh_io/mesh_name.h"

#include <string.h>

bool mesh_name_ends_in(const char *name, size_t length, const char *ending) {
  const size_t ending_length = strlen(ending);
  if (length < ending_length) return false;
  for (size_t i = 0; i < ending_length; i++) {
    const char c = name[length - ending_length + i];
    const char lower = c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
    if (lower != ending[i]) return false;
  }
  return true;
}

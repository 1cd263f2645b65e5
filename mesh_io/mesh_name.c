/* Names in messages, and their endings. A path may have thousands of bytes. */
#include "mesh_io/mesh_name.h"

#include <stdio.h>
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

static bool continues_character(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
}

mesh_shown mesh_shown_bytes(const char *bytes, size_t length) {
  static const char dots[] = "...";
  mesh_shown shown;
  size_t head = length, tail = length;
  if (length > MESH_NAME_SHOWN) {
    head = MESH_NAME_SHOWN / 3;
    tail = length - (MESH_NAME_SHOWN - head - (sizeof dots - 1));
    while (head > 0 && continues_character(bytes[head])) head--;
    while (tail < length && continues_character(bytes[tail])) tail++;
  }
  snprintf(shown.text, sizeof shown.text, "%.*s%s%.*s", (int)head, bytes, tail < length ? dots : "",
           (int)(length - tail), bytes + tail);
  return shown;
}

mesh_shown mesh_shown_name(const char *name) {
  return mesh_shown_bytes(name, strlen(name));
}

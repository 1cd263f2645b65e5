/* Relative URIs. Workload: one for each file that a glTF file refers to. The decoded path is checked, so that escapes
 * hide nothing: an untrusted file must not make the tool open any file except those that came with it. */
#include "mesh_io/relative_uri.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return 10 + (c - 'a');
  if (c >= 'A' && c <= 'F') return 10 + (c - 'A');
  return -1;
}

static bool has_scheme(const char *uri) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.";
  const size_t length = strspn(uri, letters);
  return length > 0 && uri[length] == ':';
}

static bool has_parent_step(const char *path) {
  for (;;) {
    const size_t length = strcspn(path, "/");
    if (length == 2 && path[0] == '.' && path[1] == '.') return true;
    if (path[length] == '\0') return false;
    path += length + 1;
  }
}

const char *relative_uri_decode(const char *uri, char *path_out) {
  if (*uri == '\0') return "is empty";
  if (has_scheme(uri)) return "has a scheme";
  char *to = path_out;
  for (; *uri; uri++) {
    char c = *uri;
    if (c == '%') {
      const int high = hex_value(uri[1]);
      const int low = high < 0 ? -1 : hex_value(uri[2]);
      if (low < 0) return "has a % without two hexadecimal digits";
      c = (char)(unsigned char)(16 * high + low);
      uri += 2;
    }
    if (c == '\0') return "has a zero byte";
    if (c == '\\') return "has a backslash";
    *to++ = c;
  }
  *to = '\0';
  if (path_out[0] == '/') return "is an absolute path";
  return has_parent_step(path_out) ? "leaves the folder of the file by \"..\"" : NULL;
}

/* Names of frames. Bytes are compared as unsigned, independent of the locale, so the order is the same on every
 * machine. */
#include "frame_name.h"

#include "mesh_io/mesh_format.h"

#include <string.h>

static bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/* Compares the runs of digits at *a and *b by value, of any length, and moves past them. */
static int compare_numbers(const char **a, const char **b) {
  while (**a == '0') (*a)++;
  while (**b == '0') (*b)++;
  int difference = 0;
  for (; is_digit(**a) && is_digit(**b); (*a)++, (*b)++) {
    if (difference == 0) difference = **a - **b;
  }
  if (is_digit(**a)) return 1;
  if (is_digit(**b)) return -1;
  return difference;
}

int natural_order(const char *a, const char *b) {
  const char *left = a, *right = b;
  while (*left != '\0' && *right != '\0') {
    if (is_digit(*left) && is_digit(*right)) {
      const int difference = compare_numbers(&left, &right);
      if (difference != 0) return difference;
      continue;
    }
    if (*left != *right) return (unsigned char)*left - (unsigned char)*right;
    left++;
    right++;
  }
  if (*left != *right) return (unsigned char)*left - (unsigned char)*right;
  return strcmp(a, b);
}

/* Returns the beginning of the ending of a mesh file name; without a known ending, the end of the name. */
static size_t stem_end(const char *path, size_t name) {
  bool compressed;
  const mesh_format *format = mesh_format_of_name(path, &compressed);
  size_t end = strlen(path) - (compressed ? strlen(".gz") : 0);
  if (format == NULL) return end;
  for (size_t i = end; i > name; i--) {
    if (path[i - 1] == '.') return i - 1;
  }
  return end;
}

bool frame_number_find(const char *path, frame_number *number_out) {
  const char *slash = strrchr(path, '/');
  const size_t name = slash == NULL ? 0 : (size_t)(slash + 1 - path);
  size_t end = stem_end(path, name);
  while (end > name && !is_digit(path[end - 1])) end--;
  if (end == name) return false;
  size_t begin = end;
  while (begin > name && is_digit(path[begin - 1])) begin--;
  uint64_t value = 0;
  for (size_t i = begin; i < end; i++) {
    const uint64_t digit = (uint64_t)(path[i] - '0');
    if (value > (UINT64_MAX - digit) / 10) return false;
    value = 10 * value + digit;
  }
  *number_out = (frame_number){begin, end, value};
  return true;
}

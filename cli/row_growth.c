/* Arrays of rows that grow by doubling; see row_growth.h. */
#include "row_growth.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_LEAST = 16 };

bool rows_reserve(void *rows, size_t *capacity, size_t count, size_t more, size_t row_bytes) {
  if (more <= *capacity - count) return true;
  void *old;
  memcpy(&old, rows, sizeof old);
  const size_t larger = 2 * (count + more) + ROWS_LEAST;
  void *moved = realloc(old, larger * row_bytes);
  if (moved == NULL) return false;
  memcpy(rows, &moved, sizeof moved);
  *capacity = larger;
  return true;
}

/* Sorts the elements of an array and removes repeated ones. */
#ifndef GRAZE_BASE_UNIQUE_SORT_H
#define GRAZE_BASE_UNIQUE_SORT_H

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static inline void array_sort_unique(array *list, int (*compare)(const void *a, const void *b)) {
  unsigned char *elements = list->data;
  const size_t bytes = list->element_bytes;
  size_t kept = 0;
  if (list->count > 0) qsort(elements, list->count, bytes, compare);
  for (size_t i = 0; i < list->count; i++) {
    if (kept > 0 && compare(elements + (kept - 1) * bytes, elements + i * bytes) == 0) continue;
    memmove(elements + kept++ * bytes, elements + i * bytes, bytes);
  }
  list->count = kept;
}

#endif

/* view: strided arrays of callers, checked before they are read.
 *
 * Workload: a few views per call, read once, element by element. */
#ifndef GRAZE_BASE_VIEW_H
#define GRAZE_BASE_VIEW_H

#include "graze/graze.h"

/* The largest valid index; greater numbers have special meanings. */
#define VIEW_COUNT_LIMIT ((size_t)UINT32_MAX - 16)

/* Checks a view: the pointer, the format, the stride, the count, and that it does not wrap. GRAZE_FORMAT_DOUBLE3 means
 * positions, float or double, and GRAZE_FORMAT_DOUBLE radii likewise. GRAZE_FORMAT_UINT32, GRAZE_FORMAT_UINT32_3 and
 * GRAZE_FORMAT_UINT32_4 mean integers of any size, signed or unsigned. */
graze_result view_check(const graze_view *view, graze_format needed, const char *what);

size_t view_element_bytes(const graze_view *view);
ptrdiff_t view_stride(const graze_view *view);

/* The first byte of element i. */
const unsigned char *view_at(const graze_view *view, size_t i);

/* Three coordinates, doubles or floats. */
void view_read_place(const unsigned char *from, bool is_double, double value[3]);

/* Element i of a view of GRAZE_FORMAT_DOUBLE or GRAZE_FORMAT_FLOAT. */
double view_read_number(const graze_view *view, size_t i);

/* Negative indices, and those of 32 bits and more, are read as this value. */
#define VIEW_NO_INDEX UINT32_MAX

/* Reads all integers of elements [first, end) in order. */
void view_read_indices(const graze_view *view, size_t first, size_t end, uint32_t *to);

/* An integer of element i as given, for messages. */
typedef struct index_text {
  char text[24];
} index_text;
index_text view_index_text(const graze_view *view, size_t i, size_t component);

#endif

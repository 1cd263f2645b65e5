/* Strided arrays of callers; see view.h. */
#include "base/view.h"

#include "base/error_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The type of the numbers of an element; 0: unknown format. */
typedef enum number_type { NUMBER_REAL = 1, NUMBER_UNSIGNED, NUMBER_SIGNED } number_type;

typedef struct format_row {
  number_type type;
  uint8_t bytes; /* per number */
  uint8_t width; /* numbers per element */
} format_row;

static const format_row rows[] = {
    [GRAZE_FORMAT_FLOAT3] = {NUMBER_REAL, 4, 3},       [GRAZE_FORMAT_DOUBLE3] = {NUMBER_REAL, 8, 3},
    [GRAZE_FORMAT_FLOAT] = {NUMBER_REAL, 4, 1},        [GRAZE_FORMAT_DOUBLE] = {NUMBER_REAL, 8, 1},
    [GRAZE_FORMAT_UINT32_3] = {NUMBER_UNSIGNED, 4, 3}, [GRAZE_FORMAT_UINT32_4] = {NUMBER_UNSIGNED, 4, 4},
    [GRAZE_FORMAT_UINT32] = {NUMBER_UNSIGNED, 4, 1},   [GRAZE_FORMAT_INT32_3] = {NUMBER_SIGNED, 4, 3},
    [GRAZE_FORMAT_INT32_4] = {NUMBER_SIGNED, 4, 4},    [GRAZE_FORMAT_INT32] = {NUMBER_SIGNED, 4, 1},
    [GRAZE_FORMAT_INT64_3] = {NUMBER_SIGNED, 8, 3},    [GRAZE_FORMAT_INT64_4] = {NUMBER_SIGNED, 8, 4},
    [GRAZE_FORMAT_INT64] = {NUMBER_SIGNED, 8, 1},      [GRAZE_FORMAT_UINT64_3] = {NUMBER_UNSIGNED, 8, 3},
    [GRAZE_FORMAT_UINT64_4] = {NUMBER_UNSIGNED, 8, 4}, [GRAZE_FORMAT_UINT64] = {NUMBER_UNSIGNED, 8, 1},
};

static format_row row_of(graze_format format) {
  return (size_t)format < sizeof rows / sizeof *rows ? rows[format] : (format_row){0};
}

static size_t format_bytes(graze_format format) {
  const format_row row = row_of(format);
  return (size_t)row.bytes * row.width;
}

static const char *format_words(graze_format format) {
  const format_row row = row_of(format);
  if (row.type == NUMBER_REAL)
    return row.width == 3 ? "GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3" : "GRAZE_FORMAT_FLOAT or GRAZE_FORMAT_DOUBLE";
  if (row.width == 1) return "GRAZE_FORMAT_UINT32 or another format of one integer";
  return row.width == 3 ? "GRAZE_FORMAT_UINT32_3 or another format of three integers"
                        : "GRAZE_FORMAT_UINT32_4 or another format of four integers";
}

size_t view_element_bytes(const graze_view *view) {
  return format_bytes(view->format);
}

ptrdiff_t view_stride(const graze_view *view) {
  return view->stride_bytes != 0 ? view->stride_bytes : (ptrdiff_t)format_bytes(view->format);
}

const unsigned char *view_at(const graze_view *view, size_t i) {
  return (const unsigned char *)view->data + (ptrdiff_t)i * view_stride(view);
}

static size_t stride_size(const graze_view *view) {
  const ptrdiff_t stride = view_stride(view);
  return stride < 0 ? (size_t)0 - (size_t)stride : (size_t)stride;
}

/* Whether all elements are within the address space, and within the range of ptrdiff_t from the first. */
static bool view_fits(const graze_view *view) {
  const size_t steps = view->count - 1, stride = stride_size(view), element = format_bytes(view->format);
  if (steps > 0 && stride > ((size_t)PTRDIFF_MAX - element) / steps) return false;
  const uintptr_t begin = (uintptr_t)view->data, span = steps * stride;
  const uintptr_t below = view->stride_bytes < 0 ? span : 0, above = element + (view->stride_bytes < 0 ? 0 : span);
  return begin >= below && above <= UINTPTR_MAX - begin;
}

static bool format_fits(graze_format given, graze_format needed) {
  const format_row row = row_of(given), wanted = row_of(needed);
  return row.width == wanted.width && (row.type == NUMBER_REAL) == (wanted.type == NUMBER_REAL);
}

graze_result view_check(const graze_view *view, graze_format needed, const char *what) {
  if (view->count == 0) return GRAZE_OK;
  if (!format_fits(view->format, needed))
    return fail(GRAZE_INVALID_ARGUMENT, "%s have format %d; %s is required", what, (int)view->format,
                format_words(needed));
  if (view->data == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "%s: the pointer to %zu elements is NULL", what, view->count);
  if (view->count > 1 && stride_size(view) < format_bytes(view->format))
    return fail(GRAZE_INVALID_ARGUMENT, "%s have a stride of %td bytes; an element has %zu", what, view->stride_bytes,
                format_bytes(view->format));
  if (view->count > VIEW_COUNT_LIMIT)
    return fail(GRAZE_TOO_LARGE, "%s: %zu elements; at most %zu can be numbered", what, view->count, VIEW_COUNT_LIMIT);
  if (!view_fits(view))
    return fail(GRAZE_INVALID_ARGUMENT, "%s: %zu elements with a stride of %td bytes wrap around the address space",
                what, view->count, view->stride_bytes);
  return GRAZE_OK;
}

void view_read_place(const unsigned char *from, bool is_double, double value[3]) {
  if (is_double) {
    memcpy(value, from, 3 * sizeof *value);
  } else {
    float narrow[3];
    memcpy(narrow, from, sizeof narrow);
    for (int axis = 0; axis < 3; axis++) value[axis] = (double)narrow[axis];
  }
}

double view_read_number(const graze_view *view, size_t i) {
  if (view->format == GRAZE_FORMAT_DOUBLE) {
    double wide;
    memcpy(&wide, view_at(view, i), sizeof wide);
    return wide;
  }
  float narrow;
  memcpy(&narrow, view_at(view, i), sizeof narrow);
  return (double)narrow;
}

static uint32_t narrow_index(uint64_t index) {
  return index < VIEW_NO_INDEX ? (uint32_t)index : VIEW_NO_INDEX;
}

/* Negative 64-bit numbers are also too large when read as unsigned. */
static void read_wide_indices(const graze_view *view, size_t width, size_t first, size_t end, uint32_t *to) {
  const ptrdiff_t stride = view_stride(view);
  const unsigned char *from = view_at(view, first);
  for (size_t i = 0; i < end - first; i++, to += width)
    for (size_t k = 0; k < width; k++) {
      uint64_t wide;
      memcpy(&wide, from + (ptrdiff_t)i * stride + k * sizeof wide, sizeof wide);
      to[k] = narrow_index(wide);
    }
}

void view_read_indices(const graze_view *view, size_t first, size_t end, uint32_t *to) {
  const format_row row = row_of(view->format);
  const size_t width = row.width, bytes = width * sizeof *to;
  if (first == end) return; /* memcpy takes no NULL */
  if (row.bytes != sizeof *to) {
    read_wide_indices(view, width, first, end, to);
    return;
  }
  if (view_stride(view) == (ptrdiff_t)bytes)
    memcpy(to, view_at(view, first), (end - first) * bytes);
  else
    for (size_t i = first; i < end; i++) memcpy(to + width * (i - first), view_at(view, i), bytes);
  if (row.type == NUMBER_SIGNED)
    for (size_t i = 0; i < width * (end - first); i++) to[i] = to[i] > INT32_MAX ? VIEW_NO_INDEX : to[i];
}

index_text view_index_text(const graze_view *view, size_t i, size_t component) {
  const format_row row = row_of(view->format);
  const unsigned char *from = view_at(view, i) + component * row.bytes;
  uint32_t narrow;
  uint64_t wide;
  memcpy(&narrow, from, sizeof narrow);
  if (row.bytes == sizeof wide)
    memcpy(&wide, from, sizeof wide);
  else
    wide = row.type == NUMBER_SIGNED && narrow > INT32_MAX ? narrow - ((uint64_t)1 << 32) : narrow;
  index_text words;
  if (row.type == NUMBER_SIGNED && wide > INT64_MAX)
    snprintf(words.text, sizeof words.text, "-%" PRIu64, 0 - wide);
  else
    snprintf(words.text, sizeof words.text, "%" PRIu64, wide);
  return words;
}

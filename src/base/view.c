/* Strided arrays of callers; see view.h. */
#include "base/view.h"

#include "base/error_text.h"

#include <string.h>

static size_t format_bytes(graze_format format) {
  switch (format) {
  case GRAZE_DOUBLE3:
    return 3 * sizeof(double);
  case GRAZE_FLOAT3:
    return 3 * sizeof(float);
  case GRAZE_UINT32_3:
    return 3 * sizeof(uint32_t);
  case GRAZE_UINT32_4:
    return 4 * sizeof(uint32_t);
  case GRAZE_DOUBLE:
    return sizeof(double);
  case GRAZE_FLOAT:
    return sizeof(float);
  case GRAZE_UINT32:
    break;
  }
  return sizeof(uint32_t);
}

static const char *format_words(graze_format format) {
  switch (format) {
  case GRAZE_FLOAT3:
  case GRAZE_DOUBLE3:
    return "GRAZE_FLOAT3 or GRAZE_DOUBLE3";
  case GRAZE_UINT32_3:
    return "GRAZE_UINT32_3";
  case GRAZE_UINT32_4:
    return "GRAZE_UINT32_4";
  case GRAZE_FLOAT:
  case GRAZE_DOUBLE:
    return "GRAZE_FLOAT or GRAZE_DOUBLE";
  case GRAZE_UINT32:
    break;
  }
  return "GRAZE_UINT32";
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

/* Whether all elements lie between the ends of the address space, and between the ends of ptrdiff_t from the first. */
static bool view_fits(const graze_view *view) {
  const size_t steps = view->count - 1, stride = stride_size(view), element = format_bytes(view->format);
  if (steps > 0 && stride > ((size_t)PTRDIFF_MAX - element) / steps) return false;
  const uintptr_t begin = (uintptr_t)view->data, span = steps * stride;
  const uintptr_t below = view->stride_bytes < 0 ? span : 0, above = element + (view->stride_bytes < 0 ? 0 : span);
  return begin >= below && above <= UINTPTR_MAX - begin;
}

static bool format_fits(graze_format given, graze_format needed) {
  return given == needed || (needed == GRAZE_DOUBLE3 && given == GRAZE_FLOAT3) ||
         (needed == GRAZE_DOUBLE && given == GRAZE_FLOAT);
}

graze_result view_check(const graze_view *view, graze_format needed, const char *what) {
  if (view->count == 0) return GRAZE_OK;
  if (!format_fits(view->format, needed))
    return fail(GRAZE_INVALID_ARGUMENT, "%s have format %d; %s is needed", what, (int)view->format,
                format_words(needed));
  if (view->data == NULL) return fail(GRAZE_INVALID_ARGUMENT, "%s are %zu at NULL", what, view->count);
  if (view->count > 1 && stride_size(view) < format_bytes(view->format))
    return fail(GRAZE_INVALID_ARGUMENT, "%s have a stride of %td bytes; an element has %zu", what, view->stride_bytes,
                format_bytes(view->format));
  if (view->count > VIEW_COUNT_LIMIT)
    return fail(GRAZE_TOO_LARGE, "%s are %zu; at most %zu can be numbered", what, view->count, VIEW_COUNT_LIMIT);
  if (!view_fits(view))
    return fail(GRAZE_INVALID_ARGUMENT, "%s, %zu with a stride of %td bytes, run around the end of the address space",
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
  if (view->format == GRAZE_DOUBLE) {
    double wide;
    memcpy(&wide, view_at(view, i), sizeof wide);
    return wide;
  }
  float narrow;
  memcpy(&narrow, view_at(view, i), sizeof narrow);
  return (double)narrow;
}

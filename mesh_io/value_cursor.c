/* Words, coordinates and error messages for readers that use a cursor. */
#include "mesh_io/value_cursor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

value_cursor value_cursor_start(const mesh_reading *reading, bool comments) {
  return (value_cursor){
      .reading = reading, .p = reading->bytes, .end = reading->bytes + reading->size, .comments = comments};
}

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

void value_cursor_skip_line(value_cursor *cursor) {
  const char *line_end = memchr(cursor->p, '\n', (size_t)(cursor->end - cursor->p));
  cursor->p = line_end ? line_end + 1 : cursor->end;
}

bool value_cursor_skip_blanks(value_cursor *cursor) {
  for (;;) {
    while (is_blank(*cursor->p)) cursor->p++;
    if (!cursor->comments || *cursor->p != '#') return cursor->p < cursor->end;
    value_cursor_skip_line(cursor);
  }
}

void value_cursor_end_line(value_cursor *cursor) {
  while (*cursor->p == ' ' || *cursor->p == '\t' || *cursor->p == '\r') cursor->p++;
  if (*cursor->p == '\n') cursor->p++;
}

/* A stray control character is a word of its own, so that every word advances the cursor. */
cursor_word value_cursor_take_word(value_cursor *cursor) {
  if (!value_cursor_skip_blanks(cursor)) return (cursor_word){cursor->p, 0};
  const char *const text = cursor->p;
  do cursor->p++;
  while (!is_delimiter(*cursor->p) && !(cursor->comments && *cursor->p == '#'));
  return (cursor_word){text, (size_t)(cursor->p - text)};
}

bool cursor_word_is(cursor_word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool cursor_word_is_upper(cursor_word word, const char *text) {
  if (word.length != strlen(text)) return false;
  for (size_t i = 0; i < word.length; i++) {
    const char c = word.text[i];
    if ((c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c) != text[i]) return false;
  }
  return true;
}

bool value_cursor_expected(const value_cursor *cursor, const char *format, ...) {
  char what[128];
  va_list values;
  va_start(values, format);
  vsnprintf(what, sizeof what, format, values);
  va_end(values);
  if (cursor->binary) return mesh_fail(cursor->reading, "the file ends where %s is expected", what);
  if (cursor->p >= cursor->end) {
    return mesh_fail_at(cursor->reading, cursor->p, "the file ends where %s is expected", what);
  }
  const mesh_quote word = mesh_quote_word(cursor->p);
  return mesh_fail_at(cursor->reading, cursor->p, "expected %s, found \"%s\"", what, word.text);
}

static double load_real(const char *p, size_t bytes, bool big_endian) {
  const uint64_t bits = load_bits(p, bytes, big_endian);
  if (bytes == sizeof(float)) {
    const uint32_t narrow_bits = (uint32_t)bits;
    float narrow;
    memcpy(&narrow, &narrow_bits, sizeof narrow);
    return (double)narrow;
  }
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static bool take_position_text(value_cursor *cursor, size_t vertex, double position_out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    value_cursor_skip_blanks(cursor);
    const char *after = scan_number(cursor->p, &position_out[axis]);
    if (!after || !(is_delimiter(*after) || (cursor->comments && *after == '#')) || !isfinite(position_out[axis])) {
      return mesh_fail_coordinate_text(cursor->reading, cursor->p, vertex, axis);
    }
    cursor->p = after;
  }
  return true;
}

bool value_cursor_take_position(value_cursor *cursor, size_t bytes, size_t vertex, double position_out[3]) {
  if (!cursor->binary) return take_position_text(cursor, vertex, position_out);
  if ((size_t)(cursor->end - cursor->p) < 3 * bytes) {
    return mesh_fail(cursor->reading, "the file ends inside vertex %zu", vertex);
  }
  for (int axis = 0; axis < 3; axis++, cursor->p += bytes) {
    position_out[axis] = load_real(cursor->p, bytes, cursor->big_endian);
    if (!isfinite(position_out[axis])) {
      return mesh_fail_coordinate_binary(cursor->reading, vertex, axis, position_out[axis]);
    }
  }
  return true;
}

bool value_cursor_pass_over(value_cursor *cursor, size_t bytes) {
  if (!cursor->binary) return value_cursor_take_word(cursor).length > 0;
  if ((size_t)(cursor->end - cursor->p) < bytes) return false;
  cursor->p += bytes;
  return true;
}

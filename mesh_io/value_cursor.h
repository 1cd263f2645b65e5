/* A position in a file of text or binary values: readers of tetrahedral meshes request values, and the cursor reads
 * either form.
 *
 * Workload: millions of whole numbers and coordinates in sequence. In text, values are separated by any blanks and line
 * ends, so lines matter only for messages. */
#ifndef GRAZE_VALUE_CURSOR_H
#define GRAZE_VALUE_CURSOR_H

#include "mesh_io/byte_order.h"
#include "mesh_io/mesh_reading.h"
#include "mesh_io/number_scanner.h"

typedef struct value_cursor {
  const mesh_reading *reading;
  const char *p, *end;
  bool binary;     /* the form of values for take_integer and take_real; words and counts are always text */
  bool big_endian; /* of binary values */
  bool comments;   /* in text, '#' begins a comment to the end of the line */
} value_cursor;

typedef struct cursor_word {
  const char *text;
  size_t length;
} cursor_word;

value_cursor value_cursor_start(const mesh_reading *reading, bool comments);

/* Skips blanks, line ends and comments; returns whether anything is left. */
bool value_cursor_skip_blanks(value_cursor *cursor);

/* Skips the rest of a line and its end. */
void value_cursor_skip_line(value_cursor *cursor);

/* Skips the remaining blanks of a line, and its end: binary values begin in the next byte. */
void value_cursor_end_line(value_cursor *cursor);

/* Returns the next word, empty at the end of the file. */
cursor_word value_cursor_take_word(value_cursor *cursor);
bool cursor_word_is(cursor_word word, const char *text);       /* case-sensitive */
bool cursor_word_is_upper(cursor_word word, const char *text); /* ignores case; `text` is in upper case */

/* Refuses the next word, or the end of the file: "expected <format>, found ...". Returns false. */
bool value_cursor_expected(const value_cursor *cursor, const char *format, ...) MESH_PRINTF(2, 3);

/* "FILE:LINE: ..." in text, "FILE: ..." in binary data. */
#define value_cursor_fail(cursor, ...)                                                                                 \
  ((cursor)->binary ? mesh_fail((cursor)->reading, __VA_ARGS__)                                                        \
                    : mesh_fail_at((cursor)->reading, (cursor)->p, __VA_ARGS__))

/* Reads three coordinates of 4 or 8 bytes each; writes a message that names `vertex` if they are missing or not
 * finite. */
bool value_cursor_take_position(value_cursor *cursor, size_t bytes, size_t vertex, double position_out[3]);

/* Reads a whole number of at most 18 digits in text. False, without a message and without moving, if there is none. */
static inline bool value_cursor_take_count(value_cursor *cursor, int64_t *value_out) {
  value_cursor_skip_blanks(cursor);
  const bool negative = *cursor->p == '-';
  const char *const first = cursor->p + negative;
  uint64_t value = 0;
  const char *after = scan_digits(first, &value);
  if (after == first || after - first > 18) return false;
  if (!is_delimiter(*after) && !(cursor->comments && *after == '#')) return false;
  *value_out = negative ? -(int64_t)value : (int64_t)value;
  cursor->p = after;
  return true;
}

/* The same for a number from `least` to `most`. */
static inline bool value_cursor_take_count_between(value_cursor *cursor, int64_t least, int64_t most,
                                                   int64_t *value_out) {
  value_cursor_skip_blanks(cursor);
  const char *const position = cursor->p;
  if (value_cursor_take_count(cursor, value_out) && *value_out >= least && *value_out <= most) return true;
  cursor->p = position;
  return false;
}

/* Reads a whole number as value_cursor_take_count does, or a signed binary one of `bytes` bytes. */
static inline bool value_cursor_take_integer(value_cursor *cursor, size_t bytes, int64_t *value_out) {
  if (!cursor->binary) return value_cursor_take_count(cursor, value_out);
  if ((size_t)(cursor->end - cursor->p) < bytes) return false;
  const uint64_t bits = load_bits(cursor->p, bytes, cursor->big_endian);
  const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
  *value_out = (int64_t)((bits ^ sign) - sign);
  cursor->p += bytes;
  return true;
}

/* Skips one value; false at the end of the file. */
bool value_cursor_pass_over(value_cursor *cursor, size_t bytes);

#endif

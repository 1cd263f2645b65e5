/* A place in a file of values that are text or binary: the readers of tetrahedral meshes say what they expect, and this
 * finds it in either form.
 *
 * Workload: millions of whole numbers and coordinates, one after another. In text, values are separated by any blanks
 * and line ends, so that lines have no meaning but for messages. */
#ifndef GRAZE_VALUE_CURSOR_H
#define GRAZE_VALUE_CURSOR_H

#include "mesh_io/byte_order.h"
#include "mesh_io/mesh_reading.h"
#include "mesh_io/number_scanner.h"

typedef struct value_cursor {
  const mesh_reading *reading;
  const char *p, *end;
  bool binary;     /* what take_integer and take_real find; words and counts are text in either case */
  bool big_endian; /* of binary values */
  bool comments;   /* in text, '#' begins a comment that ends with its line */
} value_cursor;

typedef struct cursor_word {
  const char *text;
  size_t length;
} cursor_word;

value_cursor value_cursor_start(const mesh_reading *reading, bool comments);

/* Over blanks, line ends and comments; returns whether anything is left. */
bool value_cursor_skip_blanks(value_cursor *cursor);

/* Over the rest of a line and its end. */
void value_cursor_skip_line(value_cursor *cursor);

/* Over the blanks that are left of a line, and its end: binary values begin in the next byte. */
void value_cursor_end_line(value_cursor *cursor);

/* The next word, of no characters at the end of the file. */
cursor_word value_cursor_take_word(value_cursor *cursor);
bool cursor_word_is(cursor_word word, const char *text);       /* to the letter */
bool cursor_word_is_upper(cursor_word word, const char *text); /* `text` is in upper case, the word in any */

/* Refuses what stands here, or the end of the file: "... where <format> is expected". Returns false. */
bool value_cursor_expected(const value_cursor *cursor, const char *format, ...) MESH_PRINTF(2, 3);

/* "FILE:LINE: ..." in text, "FILE: ..." in binary data. */
#define value_cursor_fail(cursor, ...)                                                                                 \
  ((cursor)->binary ? mesh_fail((cursor)->reading, __VA_ARGS__)                                                        \
                    : mesh_fail_at((cursor)->reading, (cursor)->p, __VA_ARGS__))

/* Three coordinates of 4 or 8 bytes each; writes a message that names `vertex` when they are not there or not finite.
 */
bool value_cursor_take_position(value_cursor *cursor, size_t bytes, size_t vertex, double position_out[3]);

/* A whole number of at most 18 digits in text. False, without a message and without moving past it, when there is
 * none. */
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

/* The same for a number that must not be below `least` or above `most`. */
static inline bool value_cursor_take_count_between(value_cursor *cursor, int64_t least, int64_t most,
                                                   int64_t *value_out) {
  value_cursor_skip_blanks(cursor);
  const char *const position = cursor->p;
  if (value_cursor_take_count(cursor, value_out) && *value_out >= least && *value_out <= most) return true;
  cursor->p = position;
  return false;
}

/* A whole number as by value_cursor_take_count, or a binary one of `bytes` bytes with sign. */
static inline bool value_cursor_take_integer(value_cursor *cursor, size_t bytes, int64_t *value_out) {
  if (!cursor->binary) return value_cursor_take_count(cursor, value_out);
  if ((size_t)(cursor->end - cursor->p) < bytes) return false;
  const uint64_t bits = load_bits(cursor->p, bytes, cursor->big_endian);
  const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
  *value_out = (int64_t)((bits ^ sign) - sign);
  cursor->p += bytes;
  return true;
}

/* Over one value; false where the file ends. */
bool value_cursor_pass_over(value_cursor *cursor, size_t bytes);

#endif

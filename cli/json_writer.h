/* Writes a JSON text (RFC 8259) to a stream, value by value. */
#ifndef GRAZE_JSON_WRITER_H
#define GRAZE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Start with {.stream = ...}. The depth of objects and arrays is limited by `counts`; the tool needs four. */
enum { JSON_DEPTH = 8 };
typedef struct json_writer {
  FILE *stream;
  unsigned depth;
  bool filled[JSON_DEPTH]; /* whether the container at this depth already has a member */
  bool after_key;
} json_writer;

void json_begin_object(json_writer *json);
void json_end_object(json_writer *json);
void json_begin_array(json_writer *json);
void json_end_array(json_writer *json);

/* Writes the name of the next value; only within an object. */
void json_key(json_writer *json, const char *key);

/* Write a name, and begin its value. */
void json_key_object(json_writer *json, const char *key);
void json_key_array(json_writer *json, const char *key);

/* Breaks the line before the next member, for line-based readers and comparisons. */
void json_break_line(json_writer *json);

/* Writes valid UTF-8 as it is; an invalid byte becomes U+FFFD, because JSON text must be UTF-8. */
void json_string(json_writer *json, const char *text);
void json_unsigned(json_writer *json, uint64_t number);
void json_boolean(json_writer *json, bool value);

/* Returns the stream, for a value whose JSON text another writer makes. */
FILE *json_value_stream(json_writer *json);

/* Writes seventeen digits, which read back as the same double; non-finite numbers become null, because JSON has no word
 * for them. */
void json_double(json_writer *json, double number);

/* Writes an array of doubles. */
void json_doubles(json_writer *json, const double *numbers, size_t count);

/* Writes 16 hexadecimal digits as a string: JSON numbers are doubles. */
void json_hash(json_writer *json, uint64_t hash);

/* Writes this number of decimal places: for measured times, for which seventeen digits would be noise. */
void json_decimal(json_writer *json, double number, int digits);

/* Writes only the digits, faster than printf, for lists of millions of pairs. */
void write_digits(FILE *stream, uint64_t number);

#endif

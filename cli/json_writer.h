/* Writes one JSON text (RFC 8259) to a stream, a value at a time. */
#ifndef GRAZE_JSON_WRITER_H
#define GRAZE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Begin with {.stream = ...}. Objects and arrays may be nested as deep as `counts` reaches; the tool needs four. */
enum { JSON_DEPTH = 8 };
typedef struct json_writer {
  FILE *stream;
  unsigned depth;
  bool filled[JSON_DEPTH]; /* whether the container at this depth has a member already */
  bool after_key;
} json_writer;

void json_begin_object(json_writer *json);
void json_end_object(json_writer *json);
void json_begin_array(json_writer *json);
void json_end_array(json_writer *json);

/* The name of the next value; only within an object. */
void json_key(json_writer *json, const char *key);

/* A line break before the next member, for those who read or compare the file line by line. */
void json_break_line(json_writer *json);

/* Valid UTF-8 passes as it is; a byte that is none becomes U+FFFD, as JSON text must be UTF-8. */
void json_string(json_writer *json, const char *text);
void json_unsigned(json_writer *json, uint64_t number);
void json_boolean(json_writer *json, bool value);

/* Seventeen digits, so that reading gives the same double; what is not finite becomes null, as JSON has no word for it.
 */
void json_double(json_writer *json, double number);

/* So many digits behind the point: for measured times, of which seventeen would be noise. */
void json_decimal(json_writer *json, double number, int digits);

/* The digits alone, faster than printf: lists of pairs have millions of them. */
void write_digits(FILE *stream, uint64_t number);

#endif

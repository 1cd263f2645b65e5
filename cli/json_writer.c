/* Writes JSON text directly to a stream.
 *
 * Workload: a few dozen named values and one array of up to millions of pairs with four numbers each, so digits are
 * made here, without a tree in memory. Errors remain in the error flag of the stream, which its owner checks when
 * closing it. */
#include "json_writer.h"

#include "mesh_io/utf8_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static void begin_member(json_writer *json) {
  if (json->after_key) {
    json->after_key = false;
    return;
  }
  if (json->filled[json->depth]) fputc(',', json->stream);
  json->filled[json->depth] = true;
}

static void begin_container(json_writer *json, char bracket) {
  begin_member(json);
  fputc(bracket, json->stream);
  assert(json->depth + 1 < JSON_DEPTH);
  json->filled[++json->depth] = false;
}

static void end_container(json_writer *json, char bracket) {
  assert(json->depth > 0 && !json->after_key);
  json->depth--;
  fputc(bracket, json->stream);
}

void json_begin_object(json_writer *json) {
  begin_container(json, '{');
}
void json_end_object(json_writer *json) {
  end_container(json, '}');
}
void json_begin_array(json_writer *json) {
  begin_container(json, '[');
}
void json_end_array(json_writer *json) {
  end_container(json, ']');
}

FILE *json_value_stream(json_writer *json) {
  begin_member(json);
  return json->stream;
}

void json_break_line(json_writer *json) {
  assert(!json->after_key);
  if (json->filled[json->depth]) fputc(',', json->stream);
  json->filled[json->depth] = false;
  fputc('\n', json->stream);
}

static void write_quoted(FILE *stream, const char *text) {
  fputc('"', stream);
  while (*text != '\0') {
    const unsigned char byte = (unsigned char)*text;
    const size_t length = utf8_sequence_length(text);
    if (length == 0) {
      fputs("\\ufffd", stream);
    } else if (byte == '"' || byte == '\\') {
      fputc('\\', stream);
      fputc(byte, stream);
    } else if (byte < 0x20 || byte == 0x7f) {
      fprintf(stream, "\\u%04x", byte);
    } else {
      fwrite(text, 1, length, stream);
    }
    text += length == 0 ? 1 : length;
  }
  fputc('"', stream);
}

void json_key(json_writer *json, const char *key) {
  begin_member(json);
  write_quoted(json->stream, key);
  fputc(':', json->stream);
  json->after_key = true;
}

void json_key_object(json_writer *json, const char *key) {
  json_key(json, key);
  json_begin_object(json);
}

void json_key_array(json_writer *json, const char *key) {
  json_key(json, key);
  json_begin_array(json);
}

void json_string(json_writer *json, const char *text) {
  begin_member(json);
  write_quoted(json->stream, text);
}

void json_unsigned(json_writer *json, uint64_t number) {
  begin_member(json);
  write_digits(json->stream, number);
}

void json_boolean(json_writer *json, bool value) {
  begin_member(json);
  fputs(value ? "true" : "false", json->stream);
}

void json_double(json_writer *json, double number) {
  begin_member(json);
  if (isfinite(number)) {
    fprintf(json->stream, "%.17g", number);
  } else {
    fputs("null", json->stream);
  }
}

void json_doubles(json_writer *json, const double *numbers, size_t count) {
  json_begin_array(json);
  for (size_t i = 0; i < count; i++) json_double(json, numbers[i]);
  json_end_array(json);
}

void json_hash(json_writer *json, uint64_t hash) {
  char text[24];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  json_string(json, text);
}

void json_decimal(json_writer *json, double number, int digits) {
  begin_member(json);
  if (isfinite(number)) {
    fprintf(json->stream, "%.*f", digits, number);
  } else {
    fputs("null", json->stream);
  }
}

void write_digits(FILE *stream, uint64_t number) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  fwrite(digits + first, 1, sizeof digits - first, stream);
}

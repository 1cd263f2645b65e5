/* Reads JSON by recursive descent over a copy of the text. Strings are unescaped in place, because they never grow;
 * values are in one array and refer to each other by number. Workload: records of hundreds of rows with sixty
 * members. */
#include "mesh_io/json_reader.h"

#include "mesh_io/mesh_reading.h"
#include "mesh_io/number_scanner.h"
#include "mesh_io/utf8_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct reading {
  json_document *document;
  char *at; /* in the copy, which ends with a zero byte, */
  const char *end;
  size_t line, depth;
  char *error;
  size_t error_bytes;
} reading;

static bool refuse(const reading *from, const char *format, ...) MESH_PRINTF(2, 3);
static bool refuse(const reading *from, const char *format, ...) {
  const int used = snprintf(from->error, from->error_bytes, "%zu: ", from->line);
  if (used < 0 || (size_t)used >= from->error_bytes) return false;
  va_list values;
  va_start(values, format);
  vsnprintf(from->error + used, from->error_bytes - (size_t)used, format, values);
  va_end(values);
  return false;
}

static void skip_blanks(reading *from) {
  for (;; ++from->at) {
    if (*from->at == '\n') ++from->line;
    if (*from->at != ' ' && *from->at != '\t' && *from->at != '\n' && *from->at != '\r') return;
  }
}

/* Returns the number of a new value; earlier values may move. */
static bool add_value(reading *from, json_kind kind, size_t *number_out) {
  json_document *document = from->document;
  if (document->count == document->capacity) {
    const size_t capacity = 2 * document->capacity + 64;
    void *block = document->values;
    if (!mesh_resize(&document->memory, &block, capacity, sizeof(json_value))) {
      return refuse(from, "out of memory for %zu values", capacity);
    }
    document->values = block;
    document->capacity = capacity;
  }
  *number_out = document->count;
  document->values[document->count++] = (json_value){.kind = kind, .line = from->line};
  return true;
}

/* ---------------------------------------------------------------------------------------------- strings */

static bool read_hex(reading *from, unsigned long *character_out) {
  unsigned long character = 0;
  for (int i = 0; i < 4; ++i, ++from->at) {
    const char c = *from->at;
    const bool digit = c >= '0' && c <= '9', lower = c >= 'a' && c <= 'f', upper = c >= 'A' && c <= 'F';
    if (!digit && !lower && !upper) return refuse(from, "\\u needs four hexadecimal digits");
    character = 16 * character + (unsigned long)(digit ? c - '0' : 10 + (lower ? c - 'a' : c - 'A'));
  }
  *character_out = character;
  return true;
}

/* Reads the text after "\u". Characters above U+FFFF take two escapes. */
static bool read_escaped_character(reading *from, char **to) {
  unsigned long character = 0, second = 0;
  if (!read_hex(from, &character)) return false;
  if (character >= 0xd800 && character < 0xdc00 && from->at[0] == '\\' && from->at[1] == 'u') {
    from->at += 2;
    if (!read_hex(from, &second)) return false;
    if (second < 0xdc00 || second > 0xdfff) return refuse(from, "an unpaired surrogate");
    character = 0x10000 + ((character - 0xd800) << 10) + (second - 0xdc00);
  }
  if (character == 0) return refuse(from, "a string with a zero character");
  if (character >= 0xd800 && character <= 0xdfff) return refuse(from, "an unpaired surrogate");
  *to += utf8_write(character, *to);
  return true;
}

static bool read_escape(reading *from, char **to) {
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char name = *from->at;
  if (name == 'u') {
    ++from->at;
    return read_escaped_character(from, to);
  }
  const char *found = name != '\0' ? strchr(names, name) : NULL;
  if (found == NULL) return refuse(from, "an unknown escape sequence");
  *(*to)++ = meanings[found - names];
  ++from->at;
  return true;
}

/* Reads from after the opening quote to after the closing one. */
static bool read_string(reading *from, const char **text_out) {
  char *to = from->at;
  *text_out = to;
  while (*from->at != '"') {
    const unsigned char byte = (unsigned char)*from->at;
    if (from->at == from->end) return refuse(from, "an unterminated string");
    if (byte < 0x20) return refuse(from, "a control character in a string");
    if (byte == '\\') {
      ++from->at;
      if (!read_escape(from, &to)) return false;
      continue;
    }
    const size_t length = utf8_sequence_length(from->at);
    if (length == 0) return refuse(from, "a string that is not UTF-8");
    memmove(to, from->at, length);
    to += length;
    from->at += length;
  }
  ++from->at;
  *to = '\0';
  return true;
}

/* ---------------------------------------------------------------------------------------------- numbers */

static size_t skip_digits(reading *from) {
  const char *begin = from->at;
  while (*from->at >= '0' && *from->at <= '9') ++from->at;
  return (size_t)(from->at - begin);
}

/* The grammar is checked first, because scan_number accepts more than JSON. */
static bool read_number(reading *from, double *number_out) {
  const char *begin = from->at;
  from->at += *from->at == '-';
  const char *first = from->at;
  const size_t digits = skip_digits(from);
  bool formed = digits == 1 || (digits > 1 && *first != '0');
  if (formed && *from->at == '.') {
    ++from->at;
    formed = skip_digits(from) > 0;
  }
  if (formed && (*from->at == 'e' || *from->at == 'E')) {
    ++from->at;
    from->at += *from->at == '+' || *from->at == '-';
    formed = skip_digits(from) > 0;
  }
  if (!formed) return refuse(from, "an invalid number");
  scan_number(begin, number_out);
  return isfinite(*number_out) || refuse(from, "a number that is too large");
}

/* ---------------------------------------------------------------------------------------------- values */

static bool read_value(reading *from, size_t *number_out);

static bool read_key(reading *from, const char **key_out) {
  skip_blanks(from);
  if (*from->at == '}') return refuse(from, "a comma before }");
  if (*from->at != '"') return refuse(from, "the name of a member must be in quotes");
  ++from->at;
  if (!read_string(from, key_out)) return false;
  skip_blanks(from);
  if (*from->at != ':') return refuse(from, "a colon is missing after the name of a member");
  ++from->at;
  return true;
}

static void link_child(json_document *document, size_t parent, size_t last, size_t child, const char *key) {
  document->values[child].key = key;
  ++document->values[parent].count;
  if (last == 0)
    document->values[parent].first = child;
  else
    document->values[last].next = child;
}

/* Reads members or elements, from after the opening bracket to after the closing one. */
static bool read_children(reading *from, size_t parent, bool object) {
  const char closing = object ? '}' : ']';
  size_t last = 0;
  skip_blanks(from);
  if (*from->at == closing) {
    ++from->at;
    return true;
  }
  for (;;) {
    const char *key = NULL;
    size_t child = 0;
    if (object && !read_key(from, &key)) return false;
    if (!read_value(from, &child)) return false;
    link_child(from->document, parent, last, child, key);
    last = child;
    skip_blanks(from);
    const char mark = *from->at;
    if (mark != ',' && mark != closing)
      return refuse(from, from->at == from->end ? "the text is incomplete"
                          : object              ? "a comma or } is missing after a member"
                                                : "a comma or ] is missing after an element");
    ++from->at;
    if (mark == closing) return true;
  }
}

static bool read_container(reading *from, bool object, size_t *number_out) {
  if (from->depth == JSON_NESTING_MAX) return refuse(from, "nested too deeply");
  if (!add_value(from, object ? JSON_OBJECT : JSON_ARRAY, number_out)) return false;
  ++from->at;
  ++from->depth;
  const bool read = read_children(from, *number_out, object);
  --from->depth;
  return read;
}

static bool read_word(reading *from, size_t *number_out) {
  static const struct {
    const char *word;
    json_kind kind;
    bool boolean;
  } words[] = {{"true", JSON_BOOLEAN, true}, {"false", JSON_BOOLEAN, false}, {"null", JSON_NULL, false}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
    const size_t length = strlen(words[i].word);
    if (strncmp(from->at, words[i].word, length) != 0) continue;
    if (!add_value(from, words[i].kind, number_out)) return false;
    from->document->values[*number_out].boolean = words[i].boolean;
    from->at += length;
    return true;
  }
  return refuse(from, from->at == from->end ? "the text is incomplete" : "a value is missing");
}

static bool read_value(reading *from, size_t *number_out) {
  skip_blanks(from);
  const char begin = *from->at;
  if (begin == '{' || begin == '[') return read_container(from, begin == '{', number_out);
  if (begin == '"') {
    const char *text = NULL;
    ++from->at;
    if (!add_value(from, JSON_STRING, number_out) || !read_string(from, &text)) return false;
    from->document->values[*number_out].text = text;
    return true;
  }
  if (begin == '-' || (begin >= '0' && begin <= '9')) {
    double number = 0.0;
    if (!add_value(from, JSON_NUMBER, number_out) || !read_number(from, &number)) return false;
    from->document->values[*number_out].number = number;
    return true;
  }
  return read_word(from, number_out);
}

bool json_read_by(mesh_memory memory, const char *bytes, size_t size, json_document *document, char *error,
                  size_t error_bytes) {
  *document = (json_document){.memory = mesh_memory_or_default(memory)};
  reading from = {.document = document, .line = 1, .error = error, .error_bytes = error_bytes};
  void *block = NULL;
  if (size > SIZE_MAX - MESH_PADDING_BYTES || !mesh_resize(&document->memory, &block, size + MESH_PADDING_BYTES, 1)) {
    return refuse(&from, "out of memory for %zu bytes", size);
  }
  from.at = document->text = block;
  if (size > 0) memcpy(document->text, bytes, size);
  memset(document->text + size, 0, MESH_PADDING_BYTES);
  from.end = document->text + size;
  size_t whole = 0;
  bool read = read_value(&from, &whole);
  skip_blanks(&from);
  if (read && from.at != from.end) read = refuse(&from, "unexpected text after the end");
  if (!read) json_document_free(document);
  return read;
}

bool json_read(const char *bytes, size_t size, json_document *document, char *error, size_t error_bytes) {
  return json_read_by((mesh_memory){0}, bytes, size, document, error, error_bytes);
}

void json_document_free(json_document *document) {
  mesh_release(&document->memory, document->values);
  mesh_release(&document->memory, document->text);
  *document = (json_document){0};
}

const json_value *json_find_any(const json_document *document, const json_value *object, const char *key) {
  if (object->kind != JSON_OBJECT) return NULL;
  for (size_t i = object->first; i != 0; i = document->values[i].next) {
    if (strcmp(document->values[i].key, key) == 0) return &document->values[i];
  }
  return NULL;
}

const json_value *json_find(const json_document *document, const json_value *object, const char *key, json_kind kind) {
  const json_value *value = json_find_any(document, object, key);
  return value && value->kind == kind ? value : NULL;
}

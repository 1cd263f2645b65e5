/* Reads a JSON text (RFC 8259) into a tree of values. Strict: text outside the grammar is refused, with the line and a
 * message. */
#ifndef GRAZE_JSON_READER_H
#define GRAZE_JSON_READER_H

#include "mesh_io/mesh_file.h"

/* Deeper nesting is refused: no record needs it, and the reader recurses for each level. */
enum { JSON_NESTING_MAX = 32 };

typedef enum json_kind { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json_value {
  json_kind kind;
  bool boolean;
  double number;      /* finite */
  const char *text;   /* of a string: UTF-8, without zero characters; borrowed from the document */
  const char *key;    /* the name of a member of an object; else NULL */
  size_t line;        /* line of its beginning, from 1 */
  size_t first, next; /* by number: the first member or element, and the next sibling; 0: none */
  size_t count;       /* of members or elements */
} json_value;

/* Start with a zeroed document. Value 0 is the root. */
typedef struct json_document {
  json_value *values;
  size_t count, capacity;
  char *text;
  mesh_memory memory;
} json_document;

/* On failure writes "LINE: MESSAGE" and leaves nothing to free. Memory is linear in `size`. */
bool json_read(const char *bytes, size_t size, json_document *document, char *error, size_t error_bytes);

/* The same with the memory of the caller. */
bool json_read_by(mesh_memory memory, const char *bytes, size_t size, json_document *document, char *error,
                  size_t error_bytes);
void json_document_free(json_document *document);

/* Returns the member of an object, the first if a name occurs twice; NULL if there is none. Linear in their number. */
const json_value *json_find_any(const json_document *document, const json_value *object, const char *key);

/* Returns the member of an object, the first if a name occurs twice; NULL if there is none of that kind. */
const json_value *json_find(const json_document *document, const json_value *object, const char *key, json_kind kind);

#endif

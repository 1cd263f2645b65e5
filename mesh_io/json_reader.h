/* Reads one JSON text (RFC 8259) into a tree of values. Strict: what the grammar does not have is refused, with the
 * line and a sentence. */
#ifndef GRAZE_JSON_READER_H
#define GRAZE_JSON_READER_H

#include "mesh_io/mesh_file.h"

/* Nested deeper than this is refused: nobody writes such a record, and the reader calls itself for each level. */
enum { JSON_NESTING_MAX = 32 };

typedef enum json_kind { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json_value {
  json_kind kind;
  bool boolean;
  double number;      /* finite */
  const char *text;   /* of a string: UTF-8, without zero characters; borrowed from the document */
  const char *key;    /* the name of a member of an object; else NULL */
  size_t line;        /* where it begins, from 1 on */
  size_t first, next; /* by number: the first member or element, and the next sibling; 0: none */
  size_t count;       /* of members or elements */
} json_value;

/* Begin with a zeroed one. Value 0 is the whole text. */
typedef struct json_document {
  json_value *values;
  size_t count, capacity;
  char *text;
  mesh_memory memory;
} json_document;

/* On failure writes "LINE: SENTENCE" and leaves nothing to free. Memory is linear in `size`. */
bool json_read(const char *bytes, size_t size, json_document *document, char *error, size_t error_bytes);

/* The same by the memory of a caller. */
bool json_read_by(mesh_memory memory, const char *bytes, size_t size, json_document *document, char *error,
                  size_t error_bytes);
void json_document_free(json_document *document);

/* The member of an object, the first where a name is there twice; NULL where there is none. Linear in their number. */
const json_value *json_find_any(const json_document *document, const json_value *object, const char *key);

/* The member of an object, the first where a name is there twice; NULL where there is none of that kind. */
const json_value *json_find(const json_document *document, const json_value *object, const char *key, json_kind kind);

#endif

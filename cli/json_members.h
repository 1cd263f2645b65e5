/* Members of a JSON file written by a person: errors name missing, unknown or wrong members with their line. */
#ifndef GRAZE_JSON_MEMBERS_H
#define GRAZE_JSON_MEMBERS_H

#include "mesh_io/json_reader.h"

/* A JSON file in memory. Zeroed: none. */
typedef struct json_file {
  const char *path; /* borrowed */
  json_document document;
} json_file;

/* False after a complaint; there is then nothing to free. `words` describe the expected file: "a scene file". */
bool json_file_read(const char *path, const char *words, json_file *file_out);

/* The same for bytes in memory. */
bool json_file_take(const char *path, const char *bytes, size_t size, json_file *file_out);
void json_file_free(json_file *file);

/* The root value. */
static inline const json_value *json_file_root(const json_file *file) {
  return &file->document.values[0];
}

/* Checks that the root is an object with these values of "format" and "version". */
bool json_file_has_format(const json_file *file, const char *format, int version);

/* Checks that the value is an object whose members are among the names (NULL ends them), each at most once. Else a
 * complaint, with the nearest name. `words` describe the object. */
bool json_members_are(const json_file *file, const json_value *object, const char *words, const char *const *names);

/* Returns the member of any kind; NULL if there is none. */
const json_value *json_member(const json_file *file, const json_value *object, const char *name);

/* Complains "FILE:LINE: WORDS must be WANTED, not GIVEN". Returns false. */
bool json_refuse(const json_file *file, const json_value *value, const char *words, const char *wanted);

/* Reads the numbers of an array of `count`. False after a complaint. */
bool json_numbers(const json_file *file, const json_value *array, const char *words, size_t count, double *numbers_out);

#endif
